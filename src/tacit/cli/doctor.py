"""`tacit doctor`: is this model set up correctly?"""

from __future__ import annotations

import typer

from tacit.cli.options import AllowPickle, Begin, Device, Dtype, ModelNames
from tacit.cli.prose import say

__all__ = ["doctor"]


def doctor(
    model: ModelNames = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
) -> None:
    """Check that batch, order, padding and cache change none of a model's answers, and show a few fills to judge."""
    from tacit.cli.loading import load
    from tacit.cli.tables import show
    from tacit.doctor import examine
    from tacit.standards import standard_names

    all_passed = True
    for name in model or standard_names():
        # The doctor shows what is wrong where other commands refuse the model.
        loaded = load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin, force=True)
        checks = examine(loaded)
        rows = [("pass" if check.passed else "FAIL", check.name, check.detail) for check in checks]
        show(name, ["", "check", "detail"], rows)
        all_passed = all_passed and all(check.passed for check in checks)
    if not all_passed:
        say("Something is wrong. Do not trust numbers from this model until it is fixed.", err=True)
        raise typer.Exit(1)
