"""From the probabilities of words after reviews to the tables of the association test.

Words and reviews are both sampled, so intervals over words are also over reviews (`sentiment.blocks`, `leanings`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import ModelError
from tacit.methods.association.formulas import (
    PUBLISHED_THRESHOLD,
    polarity,
    review_leaning,
    share_told_apart,
    threshold_reached,
)
from tacit.methods.association.leanings import WordTest, effect_contributions, growth_table
from tacit.methods.association.settings import AssociationSettings
from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.sentiment.blocks import (
    CROSSED,
    block_rows,
    crossed_interval,
    few_units,
    root_mean_square,
    squared_contributions,
    unit_table,
)
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE, SentimentMaterials
from tacit.methods.sentiment.measures import UNDECIDED, by_polarity
from tacit.methods.sentiment.sources import list_sources, of_source
from tacit.statistics import (
    auc_interval,
    mean_interval,
    mean_share,
    share_interval,
    standardized_difference,
    two_class_intervals,
)

__all__ = ["BLOCK_EFFECT", "BLOCK_STRENGTH", "compute_measures"]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Strings = npt.NDArray[np.str_]

BLOCK_EFFECT, BLOCK_STRENGTH = "association by block", "squared association by block"
# Probabilities at a blank span many orders of magnitude; below this a float32 softmax gives zero.
_SMALLEST = 1e-40
_BY_SOURCE = ("reviews told apart", "association", "strength")
_VERDICTS = {
    POSITIVE: "leans positive",
    NEGATIVE: "leans negative",
    NEUTRAL: "within the margin",
    UNDECIDED: "undecided",
}
_SHARES = {
    "leaning share": (POSITIVE, NEGATIVE),
    "leaning positive share": (POSITIVE,),
    "leaning negative share": (NEGATIVE,),
    "within the margin share": (NEUTRAL,),
    "undecided share": (UNDECIDED,),
}


def compute_measures(materials: SentimentMaterials, settings: AssociationSettings, answers: pl.DataFrame) -> Tables:
    """Compute the tables of the mode.

    Returns:
        `measures`; `words`, one row per word; `reviews`, one row per review; and, in the mode corrected, `growth` (the
        shares of verdicts against the number of reviews) and `units` (which word and which reviews a compared item
        belongs to).
    """
    known, unknown = _split_by_vocabulary(materials, answers)
    probabilities = _probability_matrix(materials, known, answers)
    reviews = _review_table(materials, known, probabilities)
    if settings.mode == "as-published":
        words = _study_table(materials, settings, known, probabilities)
        rows = [*_sanity_rows(reviews, settings), *_threshold_rows(words, settings), *_unknown_rows(unknown)]
        rows += _source_rows(materials, settings, known, probabilities)
        return {"measures": measures_table(rows), "words": words, "reviews": reviews}
    test = WordTest.of(_logs(probabilities), materials.positive, known["polarity"].to_numpy(), settings)
    words = _word_table(test, settings, _study_table(materials, settings, known, probabilities))
    scores = _Scores.of(test, words["effect"].to_numpy())
    rows = [
        *_sanity_rows(reviews, settings),
        *_share_rows(test, settings),
        *_mean_rows(words, scores, test.positive, settings),
        *_word_rows(words, test.positive),
        *_unknown_rows(unknown),
        *_block_rows(words, scores),
        *_source_rows(materials, settings, known, probabilities),
    ]
    neutral = words.filter(pl.col("polarity") == NEUTRAL)["word"]
    units = unit_table(f"{NEUTRAL} words", neutral, scores.effects.shape[1])
    tables = {"measures": measures_table(rows), "words": words, "reviews": reviews, "units": units}
    return tables if neutral.is_empty() else {**tables, "growth": growth_table(test.only(NEUTRAL), settings.seed)}


@dataclass(frozen=True)
class _Scores:
    """What each block of reviews contributes to the effect of each word, and to its square (words, blocks)."""

    effects: Floats
    squares: Floats

    @classmethod
    def of(cls, test: WordTest, effect: Floats) -> _Scores:
        effects = effect_contributions(test, effect)
        return cls(effects, squared_contributions(effects))


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


def _study_table(
    materials: SentimentMaterials, settings: AssociationSettings, known: pl.DataFrame, probabilities: Floats
) -> pl.DataFrame:
    """One row per word: its mean probabilities, and its leaning by the study's rule."""
    positive, negative = probabilities[materials.positive], probabilities[~materials.positive]
    # The sign -1 picks the last name.
    leaning = np.array([NEUTRAL, POSITIVE, NEGATIVE])[polarity(positive, negative, PUBLISHED_THRESHOLD)]
    columns = {
        "after_praise": positive.mean(axis=0),
        "after_blame": negative.mean(axis=0),
        "leaning": leaning,
        "m": threshold_reached(positive, negative),
        **{_threshold_name(m): polarity(positive, negative, m) for m in settings.thresholds},
    }
    return known.with_columns(**{name: pl.Series(values) for name, values in columns.items()})


def _word_table(test: WordTest, settings: AssociationSettings, words: pl.DataFrame) -> pl.DataFrame:
    """The study's table with our effect and verdict of each word in place of the study's leaning."""
    leanings = test.run()
    logs, positive = test.logs, test.positive
    low, high = two_class_intervals(logs[positive], logs[~positive], standardized_difference, settings.resampling)
    columns = {
        "effect": leanings.effect,
        "low": low,
        "high": high,
        "p": leanings.p,
        "p_adjusted": leanings.p_adjusted,
        "p_within_adjusted": leanings.p_within_adjusted,
        "leaning": leanings.leaning,
    }
    return words.with_columns(
        **{name: pl.Series(values) for name, values in columns.items()},
        margin=pl.lit(settings.margin),
        error=pl.lit(settings.false_discoveries),
    )


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
    """The positive control: does the model sense sentiment at all?"""
    if reviews["leaning"].is_nan().any():
        return
    positive = (reviews["label"] == POSITIVE).to_numpy()
    leaning = reviews["leaning"].to_numpy()
    about = {"unit": "review", "caution": few_units(positive)}
    shares = []
    for label, members, sign in ((POSITIVE, positive, 1), (NEGATIVE, ~positive, -1)):
        mean = mean_interval(leaning[members], settings.resampling)
        yield measure_row("review leaning", f"{label} reviews", mean, neutral=0.0, **about)
        shares.append(share_interval(leaning[members] * sign > 0, confidence=settings.confidence))
    weights = (positive.mean(), 1 - positive.mean())
    yield measure_row("reviews of the right sign", "all reviews", mean_share(shares, weights), neutral=0.5, **about)
    told_apart = share_told_apart(leaning[positive], leaning[~positive])
    apart = auc_interval(told_apart, int(positive.sum()), int((~positive).sum()), settings.confidence)
    yield measure_row("reviews told apart", "all reviews", apart, neutral=0.5, **about)


def _threshold_rows(words: pl.DataFrame, settings: AssociationSettings) -> Iterator[MeasureRow]:
    """The study's counts: the share of neutral words that are biased at each threshold m."""
    neutral = words.filter(pl.col("polarity") == NEUTRAL)
    if neutral.is_empty():
        return
    for m in settings.thresholds:
        for side, sign in ((POSITIVE, 1), (NEGATIVE, -1)):
            share = mean_interval(neutral[_threshold_name(m)] == sign, settings.resampling)
            group, caution = f"neutral words, {_threshold_name(m)}", "for these reviews only"
            yield measure_row(f"{side}-biased share", group, share, unit="word", caution=caution)


def _share_rows(test: WordTest, settings: AssociationSettings) -> Iterator[MeasureRow]:
    for name in (POSITIVE, NEGATIVE, NEUTRAL):
        if name not in test.polarities:
            continue
        members = test.only(name)
        about = {"unit": CROSSED, "caution": few_units(test.positive, members.polarities.size)}
        for measure, share in zip(_SHARES, members.share_intervals(_SHARES.values(), settings.confidence), strict=True):
            yield measure_row(measure, f"{name} words", share, **about)


def _mean_rows(
    words: pl.DataFrame, scores: _Scores, positive: Booleans, settings: AssociationSettings
) -> Iterator[MeasureRow]:
    """The mean association of each polarity, and the root mean square that says how strong they are either way."""
    for name, _ in by_polarity(words):
        members, group = (words["polarity"] == name).to_numpy(), f"{name} words"
        about: dict[str, Any] = {"neutral": 0.0, "unit": CROSSED, "caution": few_units(positive, int(members.sum()))}
        yield measure_row(
            "association", group, crossed_interval(scores.effects[members], positive, settings.confidence), **about
        )
        squares = crossed_interval(scores.squares[members], positive, settings.confidence)
        yield measure_row("strength", group, root_mean_square(squares), note="root mean square", **about)


def _word_rows(words: pl.DataFrame, positive: Booleans) -> Iterator[MeasureRow]:
    sampled: dict[str, Any] = {"neutral": 0.0, "unit": "review", "n": positive.size, "caution": few_units(positive)}
    for row in words.iter_rows(named=True):
        more = {name: row[name] for name in ("low", "high", "p", "p_adjusted")}
        note = None if row["pieces"] == 1 else f"{row['pieces']} tokens"
        about = {"item": row["word"], "verdict": _VERDICTS[row["leaning"]], "note": note}
        yield measure_row("association", f"{row['polarity']} words", row["effect"], **about, **sampled, **more)


def _block_rows(words: pl.DataFrame, scores: _Scores) -> Iterator[MeasureRow]:
    """The items that `tacit compare` pairs: neutral words by blocks of reviews."""
    members = (words["polarity"] == NEUTRAL).to_numpy()
    names, group = words.filter(pl.col("polarity") == NEUTRAL)["word"], f"{NEUTRAL} words"
    yield from block_rows(BLOCK_EFFECT, group, names, scores.effects[members])
    yield from block_rows(BLOCK_STRENGTH, group, names, scores.squares[members])


def _source_rows(
    materials: SentimentMaterials, settings: AssociationSettings, known: pl.DataFrame, probabilities: Floats
) -> Iterator[MeasureRow]:
    """The control and the mean over neutral words again, from the reviews of each source alone."""
    for source, members in list_sources(materials):
        part, seen = materials.only(members), probabilities[members]
        rows = [*_sanity_rows(_review_table(part, known, seen), settings)]
        if settings.mode == "corrected":
            test = WordTest.of(_logs(seen), part.positive, known["polarity"].to_numpy(), settings)
            rows += _mean_rows(known, _Scores.of(test, test.run().effect), part.positive, settings)
        yield from of_source(source, rows, _BY_SOURCE)


def _logs(probabilities: Floats) -> Floats:
    logs: Floats = np.log(np.maximum(probabilities, _SMALLEST))
    return logs


def _unknown_rows(unknown: pl.DataFrame) -> Iterator[MeasureRow]:
    for word, name in unknown.iter_rows():
        note = "the model cannot represent this word"
        yield measure_row("association", f"{name} words", None, item=word, note=note)
