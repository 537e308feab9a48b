"""`tacit fill`: what models put into a blank, side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.options import AllowPickle, Begin, Device, Dtype

__all__ = ["fill"]


def fill(
    text: Annotated[str, typer.Argument(help="A sentence with one blank, written [MASK] or ___.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A standard, a folder or a Hugging Face name; repeatable.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many tokens to show.")] = 5,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
) -> None:
    """Fill a blank. Where no model is named, the standards are asked."""
    from tacit.questions import Fill, Filled, split_blank
    from tacit.standards import standard_names

    split_blank(text)

    from tacit.asking import ask
    from tacit.cli.tables import show
    from tacit.models import load

    for name in model or standard_names():
        loaded = load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin)
        (answer,) = ask(loaded, [Fill(text, top)], cache=None)
        assert isinstance(answer, Filled)
        rows = [(each.rank, each.token, f"{each.probability:.4f}") for each in answer.fillings]
        begun = f", after {answer.begin}" if answer.begin else ""
        show(f"{name} ({answer.made}{begun})", ["rank", "token", "probability"], rows)
