"""The same neutral words in two models, for both sentiment tests."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tacit.figure import Figure
from tacit.methods.base import Tables
from tacit.methods.sentiment.agreement import between_models, rank_agreement
from tacit.methods.sentiment.ranked_words import leaning_colour, scatter
from tacit.storage import slug

__all__ = ["neutral_words", "pair", "rank_words", "share_words"]

_VALUES = {"association": "effect", "shift": "q"}


def pair(method: str, first: str, second: str, runs: Mapping[str, Tables]) -> Figure:
    """A scatter of one model against another, with how far they agree."""
    points = (
        neutral_words(runs[first])
        .select("word", "leaning", x=_VALUES[method])
        .join(neutral_words(runs[second]).select("word", y=_VALUES[method]), on="word", maintain_order="left")
    )
    rows = between_models({first: runs[first], second: runs[second]}).to_dicts()
    shared = "; ".join(f"{share_words(row['shared'])} of the {row['words']} {row['side']} ones" for row in rows)
    rank = rank_words((method, runs[first]), (method, runs[second]))
    said = f"{rank}Of the words that lean in either, both share {shared}."
    titles = (f"{method} in {first}", f"{method} in {second}")
    return Figure(
        f"pair-{slug(first)}-{slug(second)}",
        f"The same neutral words in {first} and {second}",
        scatter(points, titles, ["word"], leaning_colour(points, f"in {first}")),
        f"Each point is a neutral word. {said}",
        f"Scatter of {points.height} neutral words, {first} against {second}. {said}",
    )


def rank_words(first: tuple[str, Tables], second: tuple[str, Tables]) -> str:
    """The rank correlation of two (method, tables) as a sentence; nothing where it is undefined."""
    found = rank_agreement(first, second)
    if found is None or found.value != found.value:
        return ""
    return f"Rank correlation {found.value:.2f} [{found.low:.2f}, {found.high:.2f}]. "


def share_words(share: float | None) -> str:
    """A share as a phrase."""
    return "none" if share is None else f"{share:.0%}"


def neutral_words(tables: Tables) -> pl.DataFrame:
    """The rows of the words under test."""
    return tables["words"].filter(pl.col("polarity") == "neutral")
