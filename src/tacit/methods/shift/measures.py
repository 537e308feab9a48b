"""From what a model calls the reviews to the measures of the shift test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POLARITIES, POSITIVE, SentimentMaterials
from tacit.methods.sentiment.strength import strength_rows
from tacit.methods.shift.calls import Calls
from tacit.methods.shift.design import Plan, bounds_of, estimates_of
from tacit.methods.shift.formulas import (
    PUBLISHED_REVIEWS,
    accuracy_loss,
    flips,
    largest_q,
    net_shift,
    on_published_scale,
    q_score,
)
from tacit.statistics.sequential import decide
from tacit.statistics.two_class import Moments, mean_interval, two_class_intervals

if TYPE_CHECKING:
    from tacit.methods.shift import ShiftSettings

__all__ = ["tables"]

Floats = npt.NDArray[np.float64]


def tables(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls, plan: Plan) -> Tables:
    """The measures, a row a word, a row a word and K, and a row a review."""
    repeats = _repeat_table(materials, settings, calls)
    words = _word_table(materials, settings, calls, plan)
    asked, everything = calls.before.size + int(calls.asked.sum()), calls.before.size + calls.after.size
    rows = [
        *_accuracy_rows(materials, settings, calls),
        *_share_rows(words, settings),
        *_q_rows(words, settings),
        *strength_rows(words, "net_shift", settings),
        measure_row("questions asked", "share of the exact design", asked / everything, n=asked),
        measure_row("ties", "all answers", float(calls.ties), n=asked, note="called negative"),
    ]
    return {"measures": measures_table(rows), "words": words, "repeats": repeats, "reviews": _reviews(materials, calls)}


def _word_table(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls, plan: Plan) -> pl.DataFrame:
    unit = largest_q(settings.repeats)
    if settings.design == "sequential":
        q = estimates_of(calls, plan) * unit
        low, high = bounds_of(calls, plan, 1 - settings.confidence)
        leaning = decide(low, high, settings.margin)
    else:
        q = q_score(*_losses(materials, calls), settings.repeats)
        low, high = _resampled(materials, settings, calls, plan)
        leaning = decide(net_shift(q, settings.repeats), net_shift(q, settings.repeats), settings.margin)
    columns = {
        "q": q,
        "low": low * unit,
        "high": high * unit,
        "q_published": on_published_scale(q),
        "net_shift": net_shift(q, settings.repeats),
        "leaning": leaning,
        "asked": calls.asked.sum(axis=(1, 2)),
        "share_asked": calls.asked.mean(axis=(1, 2)),
    }
    return materials.words.with_columns(**{name: pl.Series(values) for name, values in columns.items()})


def _losses(materials: SentimentMaterials, calls: Calls) -> tuple[Floats, Floats]:
    """Neg_Diff and Pos_Diff (words, K's) over the reviews that were asked."""
    after, asked = np.moveaxis(calls.after == 1, 2, 0), np.moveaxis(calls.asked, 2, 0)
    negative, positive = (
        accuracy_loss(calls.before, after, materials.positive, asked, of_positive=side) for side in (False, True)
    )
    return negative, positive


def _resampled(
    materials: SentimentMaterials, settings: ShiftSettings, calls: Calls, plan: Plan
) -> tuple[Floats, Floats]:
    moved = np.einsum("k,wkr->rw", plan.importance, calls.after - calls.before.astype(np.int8))
    return two_class_intervals(moved[materials.positive], moved[~materials.positive], _mean_of_both, settings)


def _mean_of_both(first: Moments, second: Moments) -> Floats:
    return (first[0] + second[0]) / 2


def _repeat_table(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> pl.DataFrame:
    after, asked = np.moveaxis(calls.after == 1, 2, 0), np.moveaxis(calls.asked, 2, 0)
    to_positive, to_negative = flips(calls.before, after, asked)
    negative_loss, positive_loss = _losses(materials, calls)
    return pl.DataFrame(
        {
            "word": np.repeat(materials.words["word"].to_numpy(), len(settings.repeats)),
            "k": np.tile(settings.repeats, materials.words.height),
            "asked": asked.sum(axis=0).ravel(),
            "negative_loss": negative_loss.ravel(),
            "positive_loss": positive_loss.ravel(),
            "to_positive": to_positive.ravel(),
            "to_negative": to_negative.ravel(),
        },
        nan_to_null=True,
    )


def _reviews(materials: SentimentMaterials, calls: Calls) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "review": [review.id for review in materials.reviews],
            "label": np.where(materials.positive, POSITIVE, NEGATIVE),
            "called": np.where(calls.before, POSITIVE, NEGATIVE),
            "text": [review.text for review in materials.reviews],
        }
    )


def _accuracy_rows(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> Iterator[MeasureRow]:
    right = calls.before == materials.positive
    every = np.ones_like(right)
    groups = {POSITIVE: materials.positive, NEGATIVE: ~materials.positive, "all": every}
    for name, members in groups.items():
        neutral = 0.5 if name == "all" else None
        found = mean_interval(right[members], settings)
        yield measure_row("accuracy before", f"{name} reviews", found, neutral=neutral)


def _share_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    for of in POLARITIES:
        members = words.filter(pl.col("polarity") == of)
        if members.is_empty():
            continue
        for side in (POSITIVE, NEGATIVE, NEUTRAL):
            share = mean_interval(members["leaning"] == side, settings)
            yield measure_row(f"{side} share", f"{of} words", share, neutral=1.0 if side == NEUTRAL else 0.0)
        if settings.design == "exact":
            for side, moved in (("above", members["q"] > 0), ("below", members["q"] < 0)):
                yield measure_row(f"q {side} zero share", f"{of} words", mean_interval(moved, settings))


def _q_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    scale = 1 if settings.mode == "corrected" else PUBLISHED_REVIEWS
    for of in POLARITIES:
        values = words.filter(pl.col("polarity") == of)["q"].to_numpy() * scale
        if values.size:
            yield measure_row("q", f"{of} words", mean_interval(values, settings), neutral=0.0)
    for row in words.iter_rows(named=True):
        more = {"low": row["low"] * scale, "high": row["high"] * scale, "n": row["asked"], "note": row["leaning"]}
        yield measure_row("q", f"{row['polarity']} words", row["q"] * scale, item=row["word"], neutral=0.0, **more)
