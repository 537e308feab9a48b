"""`tacit doctor`: is this model loaded right?"""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.options import AllowPickle, Begin, Device, Dtype

__all__ = ["doctor"]


def doctor(
    model: Annotated[
        list[str] | None, typer.Option(help="A standard, a folder or a Hugging Face name; repeatable.")
    ] = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
) -> None:
    """Check that batch, order, padding and cache change no answer of a model, and show a few sanity fills."""
    from tacit.cli.tables import show
    from tacit.doctor import examine
    from tacit.models.hf.loading import load
    from tacit.standards import standard_names

    sound = True
    for name in model or standard_names():
        checks = examine(load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin))
        rows = [("pass" if check.passed else "FAIL", check.name, check.found) for check in checks]
        show(f"{name}", ["", "check", "found"], rows)
        sound = sound and all(check.passed for check in checks)
    if not sound:
        typer.echo("Something is wrong: do not trust numbers from this model until it is mended.", err=True)
        raise typer.Exit(1)
