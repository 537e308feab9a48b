"""Each K on its own (Table 2 of the study), and the words that move both accuracies the same way (section 4.3).

Words are counted by the sign of what they change, as the study does. That is no test: a word that changes one label of
4,000 counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.sentiment.blocks import CROSSED, deal_blocks, few_units, share_of_words
from tacit.methods.sentiment.materials import NEGATIVE, POLARITIES, POSITIVE, SentimentMaterials
from tacit.methods.shift.calls import Calls
from tacit.methods.shift.formulas import same_way
from tacit.methods.shift.settings import ShiftSettings
from tacit.statistics import Interval, share_interval

__all__ = ["SAME_WAY", "repeat_rows", "repeat_summary"]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

SAME_WAY = "same way"
_NAMED_WORDS = 10
_ASKED_WITH_IT = "for the reviews asked with this K only"
# A count of signs does not vary smoothly with the reviews, which the jackknife needs.
_BY_SIGN = "counted by sign: 95 % intervals cover 83 to 97 % in simulation"


def repeat_summary(materials: SentimentMaterials, settings: ShiftSettings, calls: Calls) -> pl.DataFrame:
    """The study's Table 2, one row per polarity and K: the share of words that shift labels each way.

    Returns:
        The columns polarity, k, words (those asked with this K about both classes), reviews (mean number asked about
        a word), and for each of positive, negative and same_way (both accuracies fall, or both rise) the share of
        words, its interval `_low` and `_high`, and the ten words that change most (`_words`). The intervals are over
        words and reviews in the exact design, otherwise over words.
    """
    negative, positive = _mean_changes(materials, calls)
    without = _changes_without_blocks(materials, calls) if settings.asks_everything else None
    rows: list[dict[str, Any]] = []
    for polarity in POLARITIES:
        members = (materials.words["polarity"] == polarity).to_numpy()
        for place, k in enumerate(settings.repeats):
            known = members & np.isfinite(negative[:, place]) & np.isfinite(positive[:, place])
            if not known.any():
                continue
            asked = float(calls.asked[known, place].sum(axis=1).mean())
            row = {"polarity": polarity, "k": k, "words": int(known.sum()), "reviews": asked}
            found = _found(negative[known, place], positive[known, place])
            left = None if without is None else _found(*(change[:, known, place] for change in without))
            order = np.argsort(-np.abs(negative[known, place] + positive[known, place]), kind="stable")
            names = materials.words["word"].to_numpy()[known][order]
            for side, chosen in found.items():
                share = _share(chosen, None if left is None else left[side], len(materials.reviews), settings)
                ends = {side: share.value, f"{side}_low": share.low, f"{side}_high": share.high}
                row |= {**ends, f"{side}_words": ", ".join(names[chosen[order]][:_NAMED_WORDS])}
            rows.append(row)
    return pl.DataFrame(rows, schema=_schema())


def repeat_rows(summary: pl.DataFrame, materials: SentimentMaterials, settings: ShiftSettings) -> Iterator[MeasureRow]:
    """The shares of `repeat_summary` as measures; in the mode as-published those of either side are there already."""
    names = {POSITIVE: "positive-biased share", NEGATIVE: "negative-biased share", _column(SAME_WAY): "same way share"}
    for row in summary.iter_rows(named=True):
        group = f"{row['polarity']} words, K={row['k']}"
        about: dict[str, Any] = {"unit": "word", "caution": _ASKED_WITH_IT}
        if settings.asks_everything:
            about = {"unit": CROSSED, "caution": few_units(materials.positive, row["words"]) or _BY_SIGN}
        for side, measure in names.items():
            if settings.mode == "as-published" and side != _column(SAME_WAY):
                continue
            share = Interval(
                row[side], row[f"{side}_low"], row[f"{side}_high"], settings.confidence, row["words"], "wilson"
            )
            yield measure_row(measure, group, share, **about)


def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = {"polarity": pl.String, "k": pl.Int64, "words": pl.Int64, "reviews": pl.Float64}
    for side in (POSITIVE, NEGATIVE, _column(SAME_WAY)):
        schema |= dict.fromkeys((side, f"{side}_low", f"{side}_high"), pl.Float64) | {f"{side}_words": pl.String}
    return schema


def _column(name: str) -> str:
    return name.replace(" ", "_")


def _share(found: Booleans, left_out: Booleans | None, reviews: int, settings: ShiftSettings) -> Interval:
    if left_out is None:
        return share_interval(found, confidence=settings.confidence)
    return share_of_words(found, left_out, reviews, settings.confidence)


def _found(negative: Floats, positive: Floats) -> dict[str, Booleans]:
    """Which words shift labels each way, from the mean change of negative reviews and that of positive ones."""
    # Neg_Diff is the mean change of negative reviews, and Pos_Diff minus that of positive ones.
    shift = np.round(negative + positive, 12)  # what cancels out must be zero whatever the sizes of the classes
    return {POSITIVE: shift > 0, NEGATIVE: shift < 0, _column(SAME_WAY): same_way(negative, -positive)}


def _mean_changes(materials: SentimentMaterials, calls: Calls) -> tuple[Floats, Floats]:
    """The mean change of the labels of negative and of positive reviews (words, K's); NaN where none was asked."""
    changes, asked = _changes(calls), calls.asked
    with np.errstate(invalid="ignore"):
        negative, positive = (
            changes[..., members].sum(axis=2) / asked[..., members].sum(axis=2)
            for members in (~materials.positive, materials.positive)
        )
    return negative, positive


def _changes_without_blocks(materials: SentimentMaterials, calls: Calls) -> tuple[Floats, Floats]:
    """The same without each block of reviews (blocks, words, K's); every review must have been asked."""
    changes, blocks = _changes(calls), deal_blocks(materials.positive)
    means = []
    for members in (~materials.positive, materials.positive):
        total, kept = changes[..., members].sum(axis=2), []
        for block in range(int(blocks.max()) + 1):
            inside = members & (blocks == block)
            kept.append((total - changes[..., inside].sum(axis=2)) / (members.sum() - inside.sum()))
        means.append(np.stack(kept))
    return means[0], means[1]


def _changes(calls: Calls) -> npt.NDArray[np.int8]:
    """1 where a label became positive, -1 where it became negative, 0 otherwise (words, K's, reviews)."""
    changes: npt.NDArray[np.int8] = np.where(calls.asked, calls.after - calls.before.astype(np.int8), 0).astype(np.int8)
    return changes
