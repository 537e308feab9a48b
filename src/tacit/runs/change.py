"""Before and after tuning: how the leanings of words change, over seeds of the tuning and over words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import RunError
from tacit.methods.base import FEW_UNITS, Tables
from tacit.runs.comparable import different_inputs
from tacit.runs.store import Run, must_fit, open_runs
from tacit.statistics import Interval, crossed_mean, paired_difference

__all__ = ["CHANGE_SCHEMA", "Change", "change_over_seeds", "compare_before_after"]

Floats = npt.NDArray[np.float64]

CHANGE_SCHEMA: dict[str, Any] = {
    "measure": pl.String,
    "before": pl.Float64,
    "after": pl.Float64,
    "change": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "seeds": pl.Int64,
    "words": pl.Int64,
    "caution": pl.String,
}
"""`before` and `after` are means over words, and over seeds after; low and high are the interval of their change."""

_SIDES = {
    "share of words that lean": ("positive", "negative"),
    "share that leans positive": ("positive",),
    "share that leans negative": ("negative",),
}
_SCORES = {"effect": "mean lean", "net_shift": "mean lean"}
_SQUARES = ("squared association by block", "squared net shift by block")
_STRENGTH = "mean square of the leans"


@dataclass(frozen=True)
class Change:
    """What tuning changed on one probe.

    Attributes:
        probe: Its name.
        before: The model before tuning.
        after: The tuned models.
        table: One row per measure; the columns are those of CHANGE_SCHEMA.
        sentences: What the rows say, with the number of words. No sentence claims a difference.
    """

    probe: str
    before: str
    after: tuple[str, ...]
    table: pl.DataFrame
    sentences: tuple[str, ...]


def compare_before_after(before: str | Path | Run, after: Sequence[str | Path | Run]) -> Change:
    """Compare runs of a sentiment probe before and after tuning.

    Args:
        before: The run on the model before tuning.
        after: The runs on the tuned models, one per seed, with the same materials and settings.
    """
    opened = open_runs([before, *after])
    if len(opened) < 2:
        raise RunError("Before and after take one run before and at least one after tuning.")
    first, *others = opened
    for run in others:
        reason = _why_not(first, run)
        if reason:
            raise RunError(f"{first.folder} and {run.folder} are no before and after: {reason}.")
    with must_fit(opened):
        confidence = float(first.record.settings["confidence"])
        rows = list(_rows(first.tables, [run.tables for run in others], confidence))
    table = pl.DataFrame(rows, schema=CHANGE_SCHEMA)
    refused = [run for run in opened if not run.validity.can_be_interpreted]
    sentences = [*map(_sentence, rows), *map(_refusal, refused)]
    return Change(first.probe, first.model, tuple(run.model for run in others), table, tuple(sentences))


def change_over_seeds(before: Floats, after: Floats, confidence: float) -> Interval:
    """The mean of y_after(s, w) − y_before(w) over seeds s and words w, with its interval over both (`crossed_mean`).

    With a single seed the interval is over words alone: it holds for that tuning, not for another one.

    Args:
        before: The value of each word (words,).
        after: The value of each word after each tuning (seeds, words).
        confidence: The confidence of the interval.
    """
    changes = after - before
    if len(after) == 1:
        return paired_difference(after[0], before, confidence=confidence)
    seeds, words = np.indices(changes.shape)
    return crossed_mean(changes.ravel(), seeds.ravel(), words.ravel(), confidence=confidence).interval


def _why_not(before: Run, after: Run) -> str | None:
    if before.folder.resolve() == after.folder.resolve():
        return "they are the same run"
    if before.probe != after.probe:
        return f"one ran {before.probe}, the other {after.probe}"
    if "words" not in before.tables or "leaning" not in before.tables["words"].columns:
        return f"{before.probe} says nothing about single words; this takes sentiment-association or sentiment-shift"
    if before.record.model.fingerprint == after.record.model.fingerprint:
        return f"{before.model} and {after.model} are the same weights, so nothing was learned"
    return different_inputs(before.record, after.record)


def _rows(before: Tables, after: Sequence[Tables], confidence: float) -> Iterator[dict[str, Any]]:
    for measure, values in _word_values(before).items():
        later = [_word_values(tables).get(measure, {}) for tables in after]
        words = [word for word in values if all(word in each for each in later)]
        if not words:
            continue
        start = np.array([values[word] for word in words])
        end = np.array([[each[word] for word in words] for each in later])
        change = change_over_seeds(start, end, confidence)
        yield {
            "measure": measure,
            "before": float(start.mean()),
            "after": float(end.mean()),
            "change": change.value,
            "low": change.low,
            "high": change.high,
            "seeds": len(after),
            "words": len(words),
            "caution": _caution(len(after), len(words)),
        }


def _word_values(tables: Tables) -> dict[str, dict[str, float]]:
    """The values of each neutral word by measure: whether it leans, how far, and the square of that without noise."""
    words = tables["words"].filter(pl.col("polarity") == "neutral")
    values = {
        measure: {word: float(leaning in sides) for word, leaning in words.select("word", "leaning").iter_rows()}
        for measure, sides in _SIDES.items()
    }
    for column, measure in _SCORES.items():
        if column in words.columns:
            values[measure] = dict(words.select("word", column).drop_nulls().iter_rows())
    squares = tables["measures"].filter(pl.col("measure").is_in(_SQUARES))
    if squares.height and "units" in tables:
        # A square of a noisy lean is too large on average; the products of different blocks are right on average.
        by_word = squares.join(tables["units"], on=["group", "item"]).group_by("word", maintain_order=True)
        values[_STRENGTH] = dict(by_word.agg(pl.col("value").mean()).drop_nulls().iter_rows())
    return values


def _caution(seeds: int, words: int) -> str | None:
    if seeds == 1:
        return "one tuning: over words alone"
    if seeds < FEW_UNITS:
        return f"only {seeds} seeds"
    return f"only {words} words" if words < FEW_UNITS else None


def _sentence(row: Mapping[str, Any]) -> str:
    seeds = "one tuning" if row["seeds"] == 1 else f"the mean of {row['seeds']} tunings"
    if row["measure"].startswith("share"):
        count = row["words"]
        before, after, change, low, high = (row[name] * count for name in ("before", "after", "change", "low", "high"))
        kind = row["measure"].removeprefix("share of words that ").removeprefix("share that ")
        return (
            f"Of {count} neutral words, {before:.0f} {_plural(kind)} before and {after:.1f} after ({seeds}): "
            f"{change:+.1f} [{low:+.1f}, {high:+.1f}]{_relative(before, after)}."
        )
    return (
        f"{row['measure'].capitalize()}: {row['before']:.3g} before, {row['after']:.3g} after ({seeds}), change "
        f"{row['change']:+.3g} [{row['low']:+.3g}, {row['high']:+.3g}]."
    )


def _plural(kind: str) -> str:
    return kind.replace("leans", "lean")


def _relative(before: float, after: float) -> str:
    """The change in percent, as the study gives it; there is none where nothing leaned before."""
    return f", {after / before - 1:+.0%}" if before else ""


def _refusal(run: Run) -> str:
    return f"Caution: {run.model} cannot be asked this ({run.validity.reason}), so its own numbers mean nothing alone."
