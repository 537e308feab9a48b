"""From the probabilities of words after reviews to the measures of the association test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import TacitError
from tacit.methods.association.formulas import (
    pairs_won,
    polarity,
    review_leaning,
    standardised_difference,
    threshold_reached,
    told_apart,
)
from tacit.methods.base import MeasureRow, Settings, Tables, measure_row, measures_table
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POLARITIES, POSITIVE, SentimentMaterials
from tacit.methods.sentiment.strength import strength_rows
from tacit.statistics import benjamini_hochberg, permutation_test_many
from tacit.statistics.two_class import Moments, mean_interval, pair_interval, two_class_intervals

__all__ = ["Rule", "tables"]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

# Probabilities at a blank span many orders of magnitude; below this a float32 softmax gives zero.
_SMALLEST = 1e-40


@dataclass(frozen=True)
class Rule:
    """When a word counts as leaning: the study's thresholds m, and the rate of false findings allowed."""

    thresholds: tuple[float, ...]
    false_discoveries: float


def tables(materials: SentimentMaterials, settings: Settings, answers: pl.DataFrame, rule: Rule) -> Tables:
    """The measures, a row a word, and a row a review."""
    known, unknown = _representable(materials, answers)
    probabilities = _matrix(materials, known, answers)
    words = _word_table(materials.positive, settings, known, probabilities, rule)
    reviews = _review_table(materials, known, probabilities)
    rows = [
        *_sanity_rows(reviews, settings),
        *_threshold_rows(words, settings, rule.thresholds),
        *_leaning_rows(words, settings),
        *_word_rows(words, settings),
        *strength_rows(words, "effect", settings),
        *_unknown_rows(unknown),
    ]
    return {"measures": measures_table(rows), "words": words, "reviews": reviews}


def _representable(materials: SentimentMaterials, answers: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    found = answers.group_by("token").agg(pieces=pl.col("pieces").max(), missing=pl.col("probability").is_null().any())
    words = materials.words.join(found, left_on="word", right_on="token", how="left", maintain_order="left")
    known = words.filter(~pl.col("missing").fill_null(True)).drop("missing")
    if known.is_empty():
        raise TacitError("The model cannot write a single word of the lexicon: is it a model of another language?")
    return known, words.filter(pl.col("missing").fill_null(True)).select("word", "polarity")


def _matrix(materials: SentimentMaterials, known: pl.DataFrame, answers: pl.DataFrame) -> Floats:
    """Probabilities, a row a review and a column a word."""
    places = {review.id: i for i, review in enumerate(materials.reviews)}
    columns = {word: j for j, word in enumerate(known["word"])}
    kept = answers.filter(pl.col("token").is_in(columns.keys()))
    rows = kept["review"].replace_strict(places, return_dtype=pl.Int64).to_numpy()
    matrix = np.full((len(places), len(columns)), np.nan)
    matrix[rows, kept["token"].replace_strict(columns, return_dtype=pl.Int64).to_numpy()] = kept[
        "probability"
    ].to_numpy()
    return matrix


def _word_table(
    positive: Booleans, settings: Settings, known: pl.DataFrame, probabilities: Floats, rule: Rule
) -> pl.DataFrame:
    praise, blame = probabilities[positive], probabilities[~positive]
    logs = np.log(np.maximum(probabilities, _SMALLEST))
    effect = standardised_difference(logs[positive], logs[~positive])
    low, high = two_class_intervals(logs[positive], logs[~positive], _effect_of(positive), settings)
    _, p = permutation_test_many(logs, positive, resamples=settings.resamples, seed=settings.seed)
    adjusted = _adjusted(known["polarity"].to_numpy(), p)
    leaning = np.where(adjusted < rule.false_discoveries, np.where(effect > 0, POSITIVE, NEGATIVE), NEUTRAL)
    columns = {
        "after_praise": praise.mean(axis=0),
        "after_blame": blame.mean(axis=0),
        "effect": effect,
        "low": low,
        "high": high,
        "p": p,
        "p_adjusted": adjusted,
        "leaning": leaning,
        "m": threshold_reached(praise, blame),
        **{_threshold_name(m): polarity(praise, blame, m) for m in rule.thresholds},
    }
    return known.with_columns(**{name: pl.Series(values) for name, values in columns.items()})


def _effect_of(positive: Booleans) -> Callable[[Moments, Moments], Floats]:
    """Cohen's d of each resample, from the means and variances of its two classes."""
    praised, blamed = int(positive.sum()), int((~positive).sum())

    def effect(praise: Moments, blame: Moments) -> Floats:
        gap = praise[0] - blame[0]
        spread = np.sqrt((praised * praise[1] + blamed * blame[1]) / (praised + blamed - 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(gap == 0, 0.0, gap / spread)

    return effect


def _adjusted(polarities: npt.NDArray[np.object_], p: Floats) -> Floats:
    adjusted = np.empty_like(p)
    for name in np.unique(polarities):
        members = polarities == name
        adjusted[members] = benjamini_hochberg(p[members])
    return adjusted


def _threshold_name(m: float) -> str:
    return f"m={m:g}"


def _review_table(materials: SentimentMaterials, known: pl.DataFrame, probabilities: Floats) -> pl.DataFrame:
    charged = [probabilities[:, (known["polarity"] == side).to_numpy()] for side in (POSITIVE, NEGATIVE)]
    both = all(part.shape[1] for part in charged)
    leaning = review_leaning(charged[0], charged[1]) if both else np.full(len(probabilities), np.nan)
    return pl.DataFrame(
        {
            "review": [review.id for review in materials.reviews],
            "label": np.where(materials.positive, POSITIVE, NEGATIVE),
            "leaning": leaning,
            "text": [review.text for review in materials.reviews],
        }
    )


def _sanity_rows(reviews: pl.DataFrame, settings: Settings) -> Iterator[MeasureRow]:
    if reviews["leaning"].is_nan().any():
        return
    for label in (POSITIVE, NEGATIVE):
        values = reviews.filter(pl.col("label") == label)["leaning"].to_numpy()
        yield measure_row("review leaning", f"{label} reviews", mean_interval(values, settings), neutral=0.0)
    right = (reviews["leaning"] > 0) == (reviews["label"] == POSITIVE)
    yield measure_row("reviews of the right sign", "all reviews", mean_interval(right, settings), neutral=0.5)
    sides = [reviews.filter(pl.col("label") == label)["leaning"].to_numpy() for label in (POSITIVE, NEGATIVE)]
    low, high = pair_interval(pairs_won(sides[0], sides[1]), settings)
    found = told_apart(sides[0], sides[1])
    yield measure_row("reviews told apart", "all reviews", found, low=low, high=high, n=reviews.height, neutral=0.5)


def _threshold_rows(words: pl.DataFrame, settings: Settings, thresholds: Sequence[float]) -> Iterator[MeasureRow]:
    neutral = words.filter(pl.col("polarity") == NEUTRAL)
    if neutral.is_empty():
        return
    for m in thresholds:
        for side, sign in ((POSITIVE, 1), (NEGATIVE, -1)):
            share = mean_interval(neutral[_threshold_name(m)] == sign, settings)
            yield measure_row(f"{side}-biased share", f"neutral words, {_threshold_name(m)}", share, neutral=0.0)


def _leaning_rows(words: pl.DataFrame, settings: Settings) -> Iterator[MeasureRow]:
    for of in POLARITIES:
        members = words.filter(pl.col("polarity") == of)
        if members.is_empty():
            continue
        group = f"{of} words"
        yield measure_row("leaning share", group, mean_interval(members["leaning"] != NEUTRAL, settings), neutral=0.0)
        for side in (POSITIVE, NEGATIVE):
            share = mean_interval(members["leaning"] == side, settings)
            yield measure_row(f"leaning {side} share", group, share, neutral=0.0)


def _word_rows(words: pl.DataFrame, settings: Settings) -> Iterator[MeasureRow]:
    for of in POLARITIES:
        effects = words.filter(pl.col("polarity") == of)["effect"].to_numpy()
        if effects.size:
            yield measure_row("association", f"{of} words", mean_interval(effects, settings), neutral=0.0)
    for row in words.iter_rows(named=True):
        more = {name: row[name] for name in ("low", "high", "p", "p_adjusted")}
        note = None if row["pieces"] == 1 else f"{row['pieces']} tokens"
        group = f"{row['polarity']} words"
        yield measure_row("association", group, row["effect"], item=row["word"], neutral=0.0, note=note, **more)


def _unknown_rows(unknown: pl.DataFrame) -> Iterator[MeasureRow]:
    for word, of in unknown.iter_rows():
        yield measure_row("association", f"{of} words", None, item=word, note="the model cannot write this word")
