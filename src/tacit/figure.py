"""A figure of the report: a chart with its title, caption and alternative text, and the colors that charts share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import altair as alt
from jsonschema.exceptions import ValidationError as ChartError  # type: ignore[import-untyped]

__all__ = [
    "FIRST_GROUP",
    "INK",
    "NEGATIVE",
    "NEUTRAL",
    "POSITIVE",
    "SECOND_GROUP",
    "UNDECIDED",
    "ChartError",
    "Figure",
    "model_colors",
    "model_scale",
    "models_of_report",
    "ordered_models",
]

# Every color has a contrast of 3:1 or more on white and on the dark page. Models and meanings share no color.
_STANDARD_COLORS = {"early-modern": "#d27908", "modern": "#2b7ad6"}
_OTHER_COLORS = ("#9457ce", "#599234", "#ca449a", "#966543", "#2c94b0", "#77818c")
POSITIVE, NEGATIVE, NEUTRAL, UNDECIDED = "#1b9388", "#d33a3c", "#8a8a8a", "#b18e15"
FIRST_GROUP, SECOND_GROUP = "#b18e15", "#1b9388"
"""The colors of two groups of words, such as female and male."""

INK = "currentColor"
"""The color of the surrounding text, for rules, bars and labels: black on paper, light on a dark page."""


@dataclass(frozen=True)
class Figure:
    """A chart with its texts. The first figure of a method is the one that the report shows unasked.

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


def ordered_models(models: Iterable[str]) -> list[str]:
    """Models in the order of every report: the standards, then the others by name."""
    standards = list(_STANDARD_COLORS)
    return sorted(
        dict.fromkeys(models),
        key=lambda name: (standards.index(name) if name in standards else len(standards), name.casefold(), name),
    )


def model_colors(models: Iterable[str]) -> dict[str, str]:
    """The color of each model, by its name, so that it is the same in every report.

    The standards have colors of their own. Another model's color follows from its name; if a model before it in the
    order of the report already has that color, it gets the next free one.
    """
    models = list(models)
    colors: dict[str, str] = {}
    for name in ordered_models([*_all_models.get(), *models]):
        colors[name] = _STANDARD_COLORS.get(name) or _free_color(name, colors)
    return {name: colors[name] for name in models}


def _free_color(name: str, taken: dict[str, str]) -> str:
    start = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[0]
    turns = [_OTHER_COLORS[(start + step) % len(_OTHER_COLORS)] for step in range(len(_OTHER_COLORS))]
    return next((color for color in turns if color not in taken.values()), turns[0])


def model_scale(models: Sequence[str]) -> alt.Scale:
    """A color scale that gives a model the same color in every chart and every report."""
    return alt.Scale(domain=list(models), range=list(model_colors(models).values()))
