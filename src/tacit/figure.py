"""A figure of the report: a chart with its title, caption and alternative text, and the colors that charts share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import altair as alt

__all__ = ["INK", "NEGATIVE", "NEUTRAL", "POSITIVE", "Figure", "model_scale", "models_of_report"]

# Okabe and Ito's palette, which color-blind readers can tell apart, ordered for contrast on white and on black.
_MODEL_COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"]
NEGATIVE, NEUTRAL, POSITIVE = "#d55e00", "#8a8a8a", "#0072b2"

INK = "currentColor"
"""The color of the surrounding text, for rules, bars and labels: black on paper, light on a dark page."""


@dataclass(frozen=True)
class Figure:
    """A chart with its texts.

    Attributes:
        name: Its name in files and links, unique within a probe.
        title: Its heading.
        chart: The Altair chart.
        caption: How to read it.
        alt: What it shows, for readers who cannot see it.
    """

    name: str
    title: str
    chart: alt.TopLevelMixin
    caption: str
    alt: str


_all_models: ContextVar[tuple[str, ...]] = ContextVar("_all_models", default=())


@contextmanager
def models_of_report(models: Sequence[str]) -> Iterator[None]:
    """Inside this context each model keeps its color, also in figures that lack some of the models."""
    before = _all_models.set(tuple(models))
    try:
        yield
    finally:
        _all_models.reset(before)


def model_scale(models: Sequence[str]) -> alt.Scale:
    """A color scale that gives a model the same color in every chart of a report."""
    order = list(dict.fromkeys([*_all_models.get(), *models]))
    colors = [_MODEL_COLORS[order.index(model) % len(_MODEL_COLORS)] for model in models]
    return alt.Scale(domain=list(models), range=colors)
