"""From the labels that a model gives to reviews to the tables of the shift test.

The exact design resamples reviews, each class on its own; the bounds of the sequential design are about these reviews.
Intervals of shares and means over words resample words.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE, SentimentMaterials
from tacit.methods.sentiment.measures import by_polarity, strength_rows
from tacit.methods.shift.calls import Calls, read_calls
from tacit.methods.shift.design import Plan, net_shift_bounds, net_shift_estimates
from tacit.methods.shift.formulas import (
    PUBLISHED_REVIEWS,
    accuracy_loss,
    flips,
    largest_q,
    net_shift,
    on_published_scale,
    q_score,
)
from tacit.methods.shift.settings import ShiftSettings
from tacit.statistics import Moments, decide_by_margin, mean_interval, two_class_intervals

__all__ = ["compute_measures"]

Floats = npt.NDArray[np.float64]


def compute_measures(materials: SentimentMaterials, settings: ShiftSettings, answers: pl.DataFrame) -> Tables:
    """Compute the tables `measures`, `words`, `repeats` (one row per word and K) and `reviews`."""
    calls = read_calls(materials, settings, answers)
    words = _word_table(materials, settings, calls)
    rows = [
        *_accuracy_rows(materials, settings, calls),
        *_share_rows(words, settings),
        *_q_rows(words, settings),
        *strength_rows(words, "net_shift", settings),
        *_effort_rows(calls),
    ]
    return {
        "measures": measures_table(rows),
        "words": words,
        "repeats": _repeat_table(materials, settings, calls),
        "reviews": _review_table(materials, calls),
    }


def _word_table(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> pl.DataFrame:
    plan = Plan.of(materials.positive, calls.before, settings)
    unit = largest_q(settings.repeats)
    if settings.design == "sequential":
        q = net_shift_estimates(calls, plan) * unit
        low, high = net_shift_bounds(calls, plan, 1 - settings.confidence)
        leaning = decide_by_margin(low, high, settings.margin)
    else:
        q = q_score(*_losses(materials, calls), settings.repeats)
        low, high = _resampled_net_shift(materials, settings, calls, plan)
        exact = net_shift(q, settings.repeats)
        leaning = decide_by_margin(exact, exact, settings.margin)
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


def _resampled_net_shift(
    materials: SentimentMaterials, settings: ShiftSettings, calls: Calls, plan: Plan
) -> tuple[Floats, Floats]:
    """Bootstrap intervals of the net shift of each word over reviews."""
    changes = np.einsum("k,wkr->rw", plan.repeat_weights, calls.after - calls.before.astype(np.int8))
    positive, negative = changes[materials.positive], changes[~materials.positive]
    return two_class_intervals(positive, negative, _mean_of_both_classes, settings.resampling)


def _mean_of_both_classes(positive: Moments, negative: Moments) -> Floats:
    return (positive.mean + negative.mean) / 2


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


def _review_table(materials: SentimentMaterials, calls: Calls) -> pl.DataFrame:
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
    groups = {POSITIVE: right[materials.positive], NEGATIVE: right[~materials.positive], "all": right}
    for name, members in groups.items():
        share = mean_interval(members, settings.resampling)
        yield measure_row("accuracy before", f"{name} reviews", share, neutral=0.5 if name == "all" else None)


def _share_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    for name, members in by_polarity(words):
        group = f"{name} words"
        for side in (POSITIVE, NEGATIVE, NEUTRAL):
            share = mean_interval(members["leaning"] == side, settings.resampling)
            yield measure_row(f"{side} share", group, share, neutral=1.0 if side == NEUTRAL else 0.0)
        if settings.design == "exact":
            for side, has_moved in (("above", members["q"] > 0), ("below", members["q"] < 0)):
                share = mean_interval(has_moved, settings.resampling)
                yield measure_row(f"q {side} zero share", group, share)


def _q_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    scale = 1 if settings.mode == "corrected" else PUBLISHED_REVIEWS
    for name, members in by_polarity(words):
        mean = mean_interval(members["q"].to_numpy() * scale, settings.resampling)
        yield measure_row("q", f"{name} words", mean, neutral=0.0)
    for row in words.iter_rows(named=True):
        more = {"low": row["low"] * scale, "high": row["high"] * scale, "n": row["asked"], "note": row["leaning"]}
        yield measure_row("q", f"{row['polarity']} words", row["q"] * scale, item=row["word"], neutral=0.0, **more)


def _effort_rows(calls: Calls) -> Iterator[MeasureRow]:
    asked, in_exact_design = calls.before.size + int(calls.asked.sum()), calls.before.size + calls.after.size
    yield measure_row("questions asked", "share of the exact design", asked / in_exact_design, n=asked)
    yield measure_row("ties", "all answers", float(calls.ties), n=asked, note="called negative")
