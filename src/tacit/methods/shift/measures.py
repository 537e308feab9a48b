"""From the labels that a model gives to reviews to the tables of the shift test.

The verdict of a word is about reviews like those of the run. In the exact design, means over words also come with
intervals over words and reviews (`sentiment.blocks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.sentiment.blocks import (
    CROSSED,
    block_contributions,
    block_rows,
    crossed_interval,
    deal_blocks,
    few_units,
    root_mean_square,
    squared_contributions,
    unit_table,
)
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE, SentimentMaterials
from tacit.methods.sentiment.measures import UNDECIDED, by_polarity
from tacit.methods.sentiment.sources import list_sources, of_source
from tacit.methods.shift.by_repeat import repeat_rows, repeat_summary
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
from tacit.statistics import decide_by_margin, mean_interval, mean_share, net_share_interval, share_interval

__all__ = ["BLOCK_SHIFT", "BLOCK_STRENGTH", "compute_measures"]

Floats = npt.NDArray[np.float64]

BLOCK_SHIFT, BLOCK_STRENGTH = "net shift by block", "squared net shift by block"
_THESE_REVIEWS = "for these reviews only"
_ALL_WORDS = "holds for all words at once, so it is wide"
_BY_SOURCE = ("balanced accuracy before", "net shift", "strength")
_VERDICTS = {
    POSITIVE: "shifts labels toward positive",
    NEGATIVE: "shifts labels toward negative",
    NEUTRAL: "within the margin",
    UNDECIDED: "undecided",
}


def compute_measures(materials: SentimentMaterials, settings: ShiftSettings, answers: pl.DataFrame) -> Tables:
    """Compute the tables of the mode and design.

    Returns:
        `measures`; `words`, one row per word; `repeats`, one row per word and K; `by_k`, one row per K; `reviews`, one
        row per review; and, in the exact design of the mode corrected, `units` (which word and which reviews a compared
        item belongs to).
    """
    calls = read_calls(materials, settings, answers)
    words = _word_table(materials, settings, calls)
    tables: Tables = {"words": words, "repeats": _repeat_table(materials, settings, calls)}
    rows = [*_accuracy_rows(materials, settings, calls), *_word_rows(words, materials, settings)]
    rows += _verdict_rows(words, settings) if settings.mode == "corrected" else _count_rows(tables, settings)
    if settings.asks_everything and settings.mode == "corrected":
        contributions = _contributions(materials, settings, calls)
        rows += [*_crossed_rows(words, contributions, materials, settings), *_block_rows(words, contributions)]
        neutral = words.filter(pl.col("polarity") == NEUTRAL)["word"]
        tables["units"] = unit_table(f"{NEUTRAL} words", neutral, contributions.shape[1])
    else:
        rows += _mean_rows(words, settings)
    by_k = repeat_summary(materials, settings, calls)
    rows += [*_effort_rows(calls), *repeat_rows(by_k, materials, settings)]
    rows += _source_rows(words, materials, settings, calls)
    return {"measures": measures_table(rows), **tables, "reviews": _review_table(materials, calls), "by_k": by_k}


def _word_table(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> pl.DataFrame:
    unit, error = largest_q(settings.repeats), 1 - settings.confidence
    if settings.asks_everything:
        shift = net_shift(q_score(*_losses(materials, calls), settings.repeats), settings.repeats)
        low, high = _net_shift_intervals(materials, settings, calls, error)
        # One error for all words (Bonferroni), as in the sequential design.
        bounds = _net_shift_intervals(materials, settings, calls, error / materials.words.height)
    else:
        plan = Plan.of(materials.positive, calls.before, settings)
        shift = net_shift_estimates(calls, plan)
        low, high = bounds = net_shift_bounds(calls, plan, error)
    leaning = decide_by_margin(*bounds, settings.margin)
    if settings.mode == "as-published":
        # The study counts every word whose q is not zero.
        leaning = decide_by_margin(shift, shift, 0.0)
    columns = {
        "q": shift * unit,
        "low": low * unit,
        "high": high * unit,
        "q_published": on_published_scale(shift * unit),
        "net_shift": shift,
        "leaning": leaning,
        "asked": calls.asked.sum(axis=(1, 2)),
        "share_asked": calls.asked.mean(axis=(1, 2)),
    }
    words = materials.words.with_columns(**{name: pl.Series(values) for name, values in columns.items()})
    if settings.mode == "as-published":
        return words
    return words.with_columns(margin=pl.lit(settings.margin), error=pl.lit(error))


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


def _net_shift_intervals(
    materials: SentimentMaterials, settings: ShiftSettings, calls: Calls, error: float
) -> tuple[Floats, Floats]:
    """Intervals of the net shift of each word over reviews, which keep a width where a word changes no label."""
    weights, before = repeat_weights(settings.repeats), calls.before.astype(np.int8)
    gained, lost = (np.einsum("k,wkr->wr", weights, calls.after - before == sign) for sign in (1, -1))
    ends = []
    for up, down in zip(gained, lost, strict=True):
        classes = [
            net_share_interval(up[members], down[members], 1 - error)
            for members in (materials.positive, ~materials.positive)
        ]
        net = mean_share(classes, (0.5, 0.5))
        ends.append((net.low, net.high))
    low, high = np.array(ends).T
    return low, high


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
    right, positive = calls.before == materials.positive, materials.positive
    about = {"unit": "review", "caution": few_units(positive)}
    shares = [share_interval(right[members], confidence=settings.confidence) for members in (positive, ~positive)]
    for name, share in zip((POSITIVE, NEGATIVE), shares, strict=True):
        yield measure_row("accuracy before", f"{name} reviews", share, **about)
    both = mean_share(shares, (positive.mean(), 1 - positive.mean()))
    yield measure_row("accuracy before", "all reviews", both, neutral=0.5, **about)
    balanced = mean_share(shares, (0.5, 0.5))
    yield measure_row("balanced accuracy before", "all reviews", balanced, neutral=0.5, **about)


def _verdict_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    """The share of words with each verdict."""
    for name, members in by_polarity(words):
        for side in (POSITIVE, NEGATIVE, NEUTRAL, UNDECIDED):
            share = mean_interval(members["leaning"] == side, settings.resampling)
            yield measure_row(f"{side} share", f"{name} words", share, unit="word", caution=_THESE_REVIEWS)


def _count_rows(tables: Tables, settings: ShiftSettings) -> Iterator[MeasureRow]:
    """The study's counts: the share of words whose q is not zero, and those that K alone shifts (Table 2)."""
    polarities = tables["words"].select("word", "polarity")
    by_repeat = tables["repeats"].join(polarities, on="word", maintain_order="left")
    groups = {"": tables["words"].select("polarity", shift="net_shift")}
    for k in settings.repeats:
        at_k = by_repeat.filter(pl.col("k") == k)
        groups[f", K={k}"] = at_k.select("polarity", shift=pl.col("negative_loss") - pl.col("positive_loss"))
    for suffix, shifts in groups.items():
        for name, members in by_polarity(shifts):
            signs = decide_by_margin(members["shift"].to_numpy(), members["shift"].to_numpy(), 0.0)
            for side in (POSITIVE, NEGATIVE):
                share = mean_interval(signs == side, settings.resampling)
                group = f"{name} words{suffix}"
                yield measure_row(f"{side}-biased share", group, share, unit="word", caution=_THESE_REVIEWS)


def _word_rows(words: pl.DataFrame, materials: SentimentMaterials, settings: ShiftSettings) -> Iterator[MeasureRow]:
    scale = 1 if settings.mode == "corrected" else PUBLISHED_REVIEWS
    sampled: dict[str, Any] = {"unit": "review", "caution": _ALL_WORDS}
    if settings.asks_everything:
        sampled = {"unit": "review", "caution": few_units(materials.positive), "n": len(materials.reviews)}
    for row in words.iter_rows(named=True):
        verdict = _VERDICTS[row["leaning"]] if settings.mode == "corrected" else None
        more = {"low": row["low"] * scale, "high": row["high"] * scale, "verdict": verdict, "neutral": 0.0}
        about = {"item": row["word"], "n": row["asked"], **more, **sampled}
        yield measure_row("q", f"{row['polarity']} words", row["q"] * scale, **about)


def _mean_rows(words: pl.DataFrame, settings: ShiftSettings) -> Iterator[MeasureRow]:
    """The mean of each polarity over words, for the reviews that were asked."""
    columns = {"net shift": "net_shift", "q": "q"} if settings.mode == "corrected" else {"q": "q_published"}
    for name, members in by_polarity(words):
        for measure, column in columns.items():
            mean = mean_interval(members[column].to_numpy(), settings.resampling)
            yield measure_row(measure, f"{name} words", mean, neutral=0.0, unit="word", caution=_THESE_REVIEWS)


def _crossed_rows(
    words: pl.DataFrame, contributions: Floats, materials: SentimentMaterials, settings: ShiftSettings
) -> Iterator[MeasureRow]:
    """The mean of each polarity, and the root mean square of the net shift: how strong it is either way."""
    positive, squares = materials.positive, squared_contributions(contributions)
    for name, _ in by_polarity(words):
        members, group = (words["polarity"] == name).to_numpy(), f"{name} words"
        about: dict[str, Any] = {"neutral": 0.0, "unit": CROSSED, "caution": few_units(positive, int(members.sum()))}
        for measure, scale in (("net shift", 1.0), ("q", largest_q(settings.repeats))):
            mean = crossed_interval(contributions[members] * scale, positive, settings.confidence)
            yield measure_row(measure, group, mean, **about)
        strength = root_mean_square(crossed_interval(squares[members], positive, settings.confidence))
        yield measure_row("strength", group, strength, note="root mean square of net shift", **about)


def _block_rows(words: pl.DataFrame, contributions: Floats) -> Iterator[MeasureRow]:
    """The items that `tacit compare` pairs: neutral words by blocks of reviews."""
    members = (words["polarity"] == NEUTRAL).to_numpy()
    names, group = words.filter(pl.col("polarity") == NEUTRAL)["word"], f"{NEUTRAL} words"
    yield from block_rows(BLOCK_SHIFT, group, names, contributions[members])
    yield from block_rows(BLOCK_STRENGTH, group, names, squared_contributions(contributions)[members])


def _source_rows(
    words: pl.DataFrame, materials: SentimentMaterials, settings: ShiftSettings, calls: Calls
) -> Iterator[MeasureRow]:
    """The control again, from the reviews of each source alone, and in the exact design the mean over neutral words.

    The sequential design asks few reviews about each word and stops by what it finds, so that it says nothing about a
    single source.
    """
    for source, members in list_sources(materials):
        part, part_calls = materials.only(members), calls.only(members)
        rows = [*_accuracy_rows(part, settings, part_calls)]
        if settings.asks_everything and settings.mode == "corrected":
            rows += _crossed_rows(words, _contributions(part, settings, part_calls), part, settings)
        yield from of_source(source, rows, _BY_SOURCE)


def _effort_rows(calls: Calls) -> Iterator[MeasureRow]:
    asked, in_exact_design = calls.before.size + int(calls.asked.sum()), calls.before.size + calls.after.size
    yield measure_row("questions asked", "share of the exact design", asked / in_exact_design, n=asked)
    yield measure_row("ties", "share of all answers", calls.ties / asked, n=asked, note="called negative")
