"""A figure of the report: a chart with the words that make it readable, and the colours that all charts share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import altair as alt

__all__ = ["INK", "NEGATIVE", "NEUTRAL", "POSITIVE", "Figure", "model_scale", "models_of_report"]

# Okabe and Ito's palette, told apart by colour-blind readers, in an order that keeps contrast on white and on black.
_MODEL_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"]
NEGATIVE, NEUTRAL, POSITIVE = "#d55e00", "#8a8a8a", "#0072b2"

INK = "currentColor"
"""The colour of the text around the chart: black on paper, light on a dark page. For rules, bars and labels."""


@dataclass(frozen=True)
class Figure:
    """A chart with its file name, title, what to read off it (caption), and what a blind reader is told (alt)."""

    name: str
    title: str
    chart: alt.TopLevelMixin
    caption: str
    alt: str


_all_models: ContextVar[tuple[str, ...]] = ContextVar("_all_models", default=())


@contextmanager
def models_of_report(models: Sequence[str]) -> Iterator[None]:
    """While figures are made for a report about these models, each keeps its colour also where others are missing."""
    before = _all_models.set(tuple(models))
    try:
        yield
    finally:
        _all_models.reset(before)


def model_scale(models: Sequence[str]) -> alt.Scale:
    """The same colour for the same model in every chart of a report."""
    order = list(dict.fromkeys([*_all_models.get(), *models]))
    colours = [_MODEL_COLOURS[order.index(model) % len(_MODEL_COLOURS)] for model in models]
    return alt.Scale(domain=list(models), range=colours)
