"""From the probabilities of words after reviews to the tables of the association test.

Intervals of a word's effect resample reviews, each class on its own; intervals of shares and means over words resample
words.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import ModelError
from tacit.methods.association.formulas import (
    pair_wins,
    polarity,
    review_leaning,
    share_told_apart,
    threshold_reached,
)
from tacit.methods.association.settings import AssociationSettings
from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE, SentimentMaterials
from tacit.methods.sentiment.measures import by_polarity, strength_rows
from tacit.statistics import (
    Moments,
    benjamini_hochberg,
    mean_interval,
    pair_interval,
    permutation_test_many,
    standardized_difference,
    two_class_intervals,
)

__all__ = ["compute_measures"]

Floats = npt.NDArray[np.float64]

# Probabilities at a blank span many orders of magnitude; below this a float32 softmax gives zero.
_SMALLEST = 1e-40


def compute_measures(materials: SentimentMaterials, settings: AssociationSettings, answers: pl.DataFrame) -> Tables:
    """Compute the tables `measures`, `words` (one row per word) and `reviews` (one row per review)."""
    known, unknown = _split_by_vocabulary(materials, answers)
    probabilities = _probability_matrix(materials, known, answers)
    words = _word_table(materials, settings, known, probabilities)
    reviews = _review_table(materials, known, probabilities)
    rows = [
        *_sanity_rows(reviews, settings),
        *_threshold_rows(words, settings),
        *_leaning_rows(words, settings),
        *_word_rows(words, settings),
        *strength_rows(words, "effect", settings),
        *_unknown_rows(unknown),
    ]
    return {"measures": measures_table(rows), "words": words, "reviews": reviews}


def _split_by_vocabulary(materials: SentimentMaterials, answers: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The words that the model can represent, with their number of tokens, and those that it cannot."""
    scored = answers.group_by("token").agg(pieces=pl.col("pieces").max(), missing=pl.col("probability").is_null().any())
    words = materials.words.join(scored, left_on="word", right_on="token", how="left", maintain_order="left")
    known = words.filter(~pl.col("missing").fill_null(True)).drop("missing")
    if known.is_empty():
        raise ModelError(
            "The model cannot represent a single word of the lexicon. Is it a model of another language? "
            "Use a lexicon in its language."
        )
    return known, words.filter(pl.col("missing").fill_null(True)).select("word", "polarity")


def _probability_matrix(materials: SentimentMaterials, known: pl.DataFrame, answers: pl.DataFrame) -> Floats:
    """Probabilities as a matrix: one row per review, one column per word."""
    rows = {review.id: i for i, review in enumerate(materials.reviews)}
    columns = {word: j for j, word in enumerate(known["word"])}
    scored = answers.filter(pl.col("token").is_in(columns.keys()))
    cells = (
        scored["review"].replace_strict(rows, return_dtype=pl.Int64).to_numpy(),
        scored["token"].replace_strict(columns, return_dtype=pl.Int64).to_numpy(),
    )
    matrix = np.full((len(rows), len(columns)), np.nan)
    matrix[cells] = scored["probability"].to_numpy()
    return matrix


def _word_table(
    materials: SentimentMaterials, settings: AssociationSettings, known: pl.DataFrame, probabilities: Floats
) -> pl.DataFrame:
    is_positive = materials.positive
    after_positive, after_negative = probabilities[is_positive], probabilities[~is_positive]
    logs = np.log(np.maximum(probabilities, _SMALLEST))
    positive, negative = logs[is_positive], logs[~is_positive]
    effect = standardized_difference(Moments.of(positive), Moments.of(negative))
    low, high = two_class_intervals(positive, negative, standardized_difference, settings.resampling)
    _, p = permutation_test_many(logs, is_positive, resamples=settings.resamples, seed=settings.seed)
    adjusted = _adjust_by_polarity(known["polarity"].to_numpy(), p)
    columns = {
        "after_praise": after_positive.mean(axis=0),
        "after_blame": after_negative.mean(axis=0),
        "effect": effect,
        "low": low,
        "high": high,
        "p": p,
        "p_adjusted": adjusted,
        "leaning": np.where(adjusted < settings.false_discoveries, np.where(effect > 0, POSITIVE, NEGATIVE), NEUTRAL),
        "m": threshold_reached(after_positive, after_negative),
        **{_threshold_name(m): polarity(after_positive, after_negative, m) for m in settings.thresholds},
    }
    return known.with_columns(**{name: pl.Series(values) for name, values in columns.items()})


def _adjust_by_polarity(polarities: npt.NDArray[np.object_], p: Floats) -> Floats:
    adjusted = np.empty_like(p)
    for name in np.unique(polarities):
        members = polarities == name
        adjusted[members] = benjamini_hochberg(p[members])
    return adjusted


def _threshold_name(m: float) -> str:
    return f"m={m:g}"


def _review_table(materials: SentimentMaterials, known: pl.DataFrame, probabilities: Floats) -> pl.DataFrame:
    """Each review with its leaning, which is NaN where the lexicon has no positive or no negative words."""
    of_positive, of_negative = (
        probabilities[:, (known["polarity"] == side).to_numpy()] for side in (POSITIVE, NEGATIVE)
    )
    has_both = of_positive.shape[1] and of_negative.shape[1]
    leaning = review_leaning(of_positive, of_negative) if has_both else np.full(len(probabilities), np.nan)
    return pl.DataFrame(
        {
            "review": [review.id for review in materials.reviews],
            "label": np.where(materials.positive, POSITIVE, NEGATIVE),
            "leaning": leaning,
            "text": [review.text for review in materials.reviews],
        }
    )


def _sanity_rows(reviews: pl.DataFrame, settings: AssociationSettings) -> Iterator[MeasureRow]:
    """Does the model sense sentiment at all?"""
    if reviews["leaning"].is_nan().any():
        return
    leanings = {label: reviews.filter(pl.col("label") == label)["leaning"].to_numpy() for label in (POSITIVE, NEGATIVE)}
    for label, values in leanings.items():
        mean = mean_interval(values, settings.resampling)
        yield measure_row("review leaning", f"{label} reviews", mean, neutral=0.0)
    has_right_sign = (reviews["leaning"] > 0) == (reviews["label"] == POSITIVE)
    share = mean_interval(has_right_sign, settings.resampling)
    yield measure_row("reviews of the right sign", "all reviews", share, neutral=0.5)
    told_apart = share_told_apart(leanings[POSITIVE], leanings[NEGATIVE])
    low, high = pair_interval(pair_wins(leanings[POSITIVE], leanings[NEGATIVE]), settings.resampling)
    n = reviews.height
    yield measure_row("reviews told apart", "all reviews", told_apart, low=low, high=high, n=n, neutral=0.5)


def _threshold_rows(words: pl.DataFrame, settings: AssociationSettings) -> Iterator[MeasureRow]:
    neutral = words.filter(pl.col("polarity") == NEUTRAL)
    if neutral.is_empty():
        return
    for m in settings.thresholds:
        for side, sign in ((POSITIVE, 1), (NEGATIVE, -1)):
            share = mean_interval(neutral[_threshold_name(m)] == sign, settings.resampling)
            yield measure_row(f"{side}-biased share", f"neutral words, {_threshold_name(m)}", share, neutral=0.0)


def _leaning_rows(words: pl.DataFrame, settings: AssociationSettings) -> Iterator[MeasureRow]:
    for name, members in by_polarity(words):
        leaning = {
            "leaning share": members["leaning"] != NEUTRAL,
            "leaning positive share": members["leaning"] == POSITIVE,
            "leaning negative share": members["leaning"] == NEGATIVE,
        }
        for measure, is_leaning in leaning.items():
            share = mean_interval(is_leaning, settings.resampling)
            yield measure_row(measure, f"{name} words", share, neutral=0.0)


def _word_rows(words: pl.DataFrame, settings: AssociationSettings) -> Iterator[MeasureRow]:
    for name, members in by_polarity(words):
        mean = mean_interval(members["effect"].to_numpy(), settings.resampling)
        yield measure_row("association", f"{name} words", mean, neutral=0.0)
    for row in words.iter_rows(named=True):
        more = {name: row[name] for name in ("low", "high", "p", "p_adjusted")}
        note = None if row["pieces"] == 1 else f"{row['pieces']} tokens"
        group = f"{row['polarity']} words"
        yield measure_row("association", group, row["effect"], item=row["word"], neutral=0.0, note=note, **more)


def _unknown_rows(unknown: pl.DataFrame) -> Iterator[MeasureRow]:
    for word, name in unknown.iter_rows():
        yield measure_row("association", f"{name} words", None, item=word, note="the model cannot write this word")
