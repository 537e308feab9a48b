"""From the labels that a model gives to reviews to the tables of the shift test.

The verdict of a word is about the reviews of the run. In the exact design, means over words also come with intervals
over words and reviews (`sentiment.blocks`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.sentiment.blocks import (
    block_contributions,
    block_rows,
    cross_fitted,
    crossed_interval,
    deal_blocks,
    unit_table,
)
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE, SentimentMaterials
from tacit.methods.sentiment.measures import UNDECIDED, by_polarity
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
    repeat_weights,
)
from tacit.methods.shift.settings import ShiftSettings
from tacit.statistics import Interval, Moments, decide_by_margin, mean_interval, two_class_intervals

__all__ = ["BLOCK_SHIFT", "BLOCK_STRENGTH", "compute_measures"]

Floats = npt.NDArray[np.float64]

BLOCK_SHIFT, BLOCK_STRENGTH = "net shift by block", "strength by block"
_THESE_REVIEWS = "for these reviews only"
_CROSSED = "word and review"
_VERDICTS = {
    POSITIVE: "shifts labels toward positive",
    NEGATIVE: "shifts labels toward negative",
    NEUTRAL: "within the margin",
    UNDECIDED: "undecided",
}


def compute_measures(materials: SentimentMaterials, settings: ShiftSettings, answers: pl.DataFrame) -> Tables:
    """Compute the tables of the mode and design.

    Returns:
        `measures`; `words`, one row per word; `repeats`, one row per word and K; `reviews`, one row per review; and, in
        the exact design of the mode corrected, `units` (which word and which reviews a compared item belongs to).
    """
    calls = read_calls(materials, settings, answers)
    words = _word_table(materials, settings, calls)
    rows = [*_accuracy_rows(materials, settings, calls), *_share_rows(words, settings), *_word_rows(words, settings)]
    tables: Tables = {"words": words, "repeats": _repeat_table(materials, settings, calls)}
    if settings.asks_everything and settings.mode == "corrected":
        contributions = _contributions(materials, settings, calls)
        rows += [*_crossed_rows(words, contributions, settings), *_block_rows(words, contributions)]
        neutral = words.filter(pl.col("polarity") == NEUTRAL)["word"]
        tables["units"] = unit_table(f"{NEUTRAL} words", neutral, contributions.shape[1])
    else:
        rows += _mean_rows(words, settings)
    rows += _effort_rows(calls)
    return {"measures": measures_table(rows), **tables, "reviews": _review_table(materials, calls)}


def _word_table(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> pl.DataFrame:
    plan = Plan.of(materials.positive, calls.before, settings)
    unit = largest_q(settings.repeats)
    if settings.asks_everything:
        q = q_score(*_losses(materials, calls), settings.repeats)
        low, high = _resampled_net_shift(materials, settings, calls)
        exact = net_shift(q, settings.repeats)
        # The study counts every word whose q is not zero.
        margin = settings.margin if settings.mode == "corrected" else 0.0
        leaning = decide_by_margin(exact, exact, margin)
    else:
        q = net_shift_estimates(calls, plan) * unit
        low, high = net_shift_bounds(calls, plan, 1 - settings.confidence)
        leaning = decide_by_margin(low, high, settings.margin)
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
    words = materials.words.with_columns(**{name: pl.Series(values) for name, values in columns.items()})
    if settings.mode == "as-published":
        return words
    return words.with_columns(margin=pl.lit(settings.margin), error=pl.lit(1 - settings.confidence))


def _losses(materials: SentimentMaterials, calls: Calls) -> tuple[Floats, Floats]:
    """Neg_Diff and Pos_Diff (words, K's) over the reviews that were asked."""
    after, asked = np.moveaxis(calls.after == 1, 2, 0), np.moveaxis(calls.asked, 2, 0)
    negative, positive = (
        accuracy_loss(calls.before, after, materials.positive, asked, of_positive=side) for side in (False, True)
    )
    return negative, positive


def _changes(settings: ShiftSettings, calls: Calls) -> Floats:
    """What each word changes about the label of each review, weighted over K (reviews, words)."""
    changes: Floats = np.einsum(
        "k,wkr->rw", repeat_weights(settings.repeats), calls.after - calls.before.astype(np.int8)
    )
    return changes


def _contributions(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> Floats:
    """What each block of reviews contributes to the net shift of each word (words, blocks)."""
    positive = materials.positive
    weights = np.where(positive, 1 / positive.sum(), 1 / (~positive).sum()) / 2
    return block_contributions(_changes(settings, calls), weights, deal_blocks(positive))


def _resampled_net_shift(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> tuple[Floats, Floats]:
    """Bootstrap intervals of the net shift of each word over reviews."""
    changes = _changes(settings, calls)
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
    """The positive control: does the model label reviews correctly before any word is appended?"""
    right = calls.before == materials.positive
    groups = {POSITIVE: right[materials.positive], NEGATIVE: right[~materials.positive], "all": right}
    shares = {name: mean_interval(members, settings.resampling) for name, members in groups.items()}
    for name, share in shares.items():
        neutral = 0.5 if name == "all" else None
        yield measure_row("accuracy before", f"{name} reviews", share, neutral=neutral, unit="review")
    balanced = _mean_of_shares(shares[POSITIVE], shares[NEGATIVE])
    yield measure_row("balanced accuracy before", "all reviews", balanced, neutral=0.5, unit="review")


def _mean_of_shares(first: Interval, second: Interval) -> Interval:
    """The mean of two independent shares, its interval from theirs (Newcombe 1998, method 10)."""
    value = (first.value + second.value) / 2
    down = math.hypot(first.value - first.low, second.value - second.low) / 2
    up = math.hypot(first.high - first.value, second.high - second.value) / 2
    return Interval(value, value - down, value + up, first.confidence, first.n + second.n, "wilson")


def _share_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    """The share of words with each verdict; in the mode as-published the study's counts, words whose q is not zero."""
    names = {POSITIVE: "q above zero share", NEGATIVE: "q below zero share"}
    if settings.mode == "corrected":
        names = {side: f"{side} share" for side in (POSITIVE, NEGATIVE, NEUTRAL, UNDECIDED)}
    for name, members in by_polarity(words):
        for side, measure in names.items():
            share = mean_interval(members["leaning"] == side, settings.resampling)
            yield measure_row(measure, f"{name} words", share, unit="word", caution=_THESE_REVIEWS)


def _word_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    scale = 1 if settings.mode == "corrected" else PUBLISHED_REVIEWS
    for row in words.iter_rows(named=True):
        verdict = _VERDICTS[row["leaning"]] if settings.mode == "corrected" else None
        more = {"low": row["low"] * scale, "high": row["high"] * scale, "n": row["asked"], "verdict": verdict}
        about = {"item": row["word"], "neutral": 0.0, "unit": "question", **more}
        yield measure_row("q", f"{row['polarity']} words", row["q"] * scale, **about)


def _mean_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    """The mean q of each polarity over words, for the reviews that were asked."""
    scale = 1 if settings.mode == "corrected" else PUBLISHED_REVIEWS
    for name, members in by_polarity(words):
        mean = mean_interval(members["q"].to_numpy() * scale, settings.resampling)
        yield measure_row("q", f"{name} words", mean, neutral=0.0, unit="word", caution=_THESE_REVIEWS)


def _crossed_rows(words: pl.DataFrame, contributions: Floats, settings: ShiftSettings) -> Iterator[MeasureRow]:
    """The mean q and the mean strength of each polarity over words and reviews, and the strength of each word."""
    unit, sizes = largest_q(settings.repeats), cross_fitted(contributions)
    for name, _ in by_polarity(words):
        members, group = (words["polarity"] == name).to_numpy(), f"{name} words"
        q = crossed_interval(contributions[members] * unit, settings.confidence)
        yield measure_row("q", group, q, neutral=0.0, unit=_CROSSED)
        strength = crossed_interval(sizes[members], settings.confidence)
        yield measure_row("strength", group, strength, neutral=0.0, unit=_CROSSED)
    for word, name, size in zip(words["word"], words["polarity"], sizes.mean(axis=1), strict=True):
        yield measure_row("strength", f"{name} words", float(size), item=word, neutral=0.0)


def _block_rows(words: pl.DataFrame, contributions: Floats) -> Iterator[MeasureRow]:
    """The items that `tacit compare` pairs: neutral words by blocks of reviews."""
    members = (words["polarity"] == NEUTRAL).to_numpy()
    names, group = words.filter(pl.col("polarity") == NEUTRAL)["word"], f"{NEUTRAL} words"
    yield from block_rows(BLOCK_SHIFT, group, names, contributions[members])
    yield from block_rows(BLOCK_STRENGTH, group, names, cross_fitted(contributions)[members])


def _effort_rows(calls: Calls) -> Iterator[MeasureRow]:
    asked, in_exact_design = calls.before.size + int(calls.asked.sum()), calls.before.size + calls.after.size
    yield measure_row("questions asked", "share of the exact design", asked / in_exact_design, n=asked)
    yield measure_row("ties", "share of all answers", calls.ties / asked, n=asked, note="called negative")
