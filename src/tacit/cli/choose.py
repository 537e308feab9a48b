"""`tacit choose`: how likely models find each of some words in a blank."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from tacit.cli.options import AllowPickle, Begin, Device, Dtype, ForceModel, ModelNames

__all__ = ["choose"]


def choose(
    text: Annotated[str, typer.Argument(help="A sentence with one blank, written [MASK] or ___.")],
    words: Annotated[list[str], typer.Argument(help="The words to choose from.")],
    model: ModelNames = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
    force: ForceModel = False,
) -> None:
    """Choose among words. If no model is named, the standards are asked."""
    from tacit.questions import split_blank
    from tacit.standards import standard_names

    split_blank(text)

    from tacit.cli.loading import load
    from tacit.cli.tables import show

    names = model or standard_names()
    columns: list[list[str]] = []
    records: list[dict[str, object]] = []
    for name in names:
        loaded = load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin, force=force)
        choices = loaded.choose(text, words)
        records += [{"model": name, **asdict(choice)} for choice in choices]
        columns.append(["-" if choice.probability is None else f"{choice.probability:.3g}" for choice in choices])
    rows = [(word, *cells) for word, *cells in zip(words, *columns, strict=True)]
    show("", ["word", *(name.rstrip("/").rpartition("/")[2] for name in names)], rows, most=len(words), records=records)
