"""`tacit fill`: what models put into a blank, side by side."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from tacit.cli.options import AllowPickle, Begin, Device, Dtype, ForceModel, ModelNames
from tacit.cli.prose import say

__all__ = ["fill"]


def fill(
    text: Annotated[str, typer.Argument(help="A sentence with one blank, written [MASK] or ___.")],
    model: ModelNames = None,
    top: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many tokens to show.")] = 5,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
    force: ForceModel = False,
) -> None:
    """Fill a blank. If no model is named, the standards are asked."""
    from tacit.questions import Fill, FillAnswer, split_blank
    from tacit.standards import standard_names

    split_blank(text)

    from tacit.asking import ask
    from tacit.cli.loading import load
    from tacit.cli.tables import show

    names = model or standard_names()
    columns: list[list[str]] = []
    scorings: list[str] = []
    records: list[dict[str, object]] = []
    for name in names:
        loaded = load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin, force=force)
        (answer,) = ask(loaded, [Fill(text, top)], cache=None)
        assert isinstance(answer, FillAnswer)
        columns.append([f"{filling.probability:.4f}  {filling.token}" for filling in answer.fillings])
        records += [{"model": name, **asdict(filling)} for filling in answer.fillings]
        scorings.append(f"{name}: {answer.scoring}" + (f", after {answer.begin}" if answer.begin else ""))
    rows = [(rank, *cells) for rank, cells in enumerate(zip(*columns, strict=False), start=1)]
    show("", ["rank", *(name.rstrip("/").rpartition("/")[2] for name in names)], rows, most=top, records=records)
    for scoring in scorings:
        say(scoring)
