"""From the scores of fillings to the measures: per sentence, and per group with intervals over sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import polars as pl

from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.valence.control import control_rows
from tacit.methods.valence.groups import Groups
from tacit.methods.valence.materials import ValenceMaterials
from tacit.methods.valence.raters import rater_table
from tacit.methods.valence.scoring import score_words
from tacit.methods.valence.settings import ValenceSettings
from tacit.ratings import Rating, Scale, agreement, disputed_tokens

__all__ = ["compute_measures"]


def compute_measures(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Tables:
    """Score the fillings with the ratings, and compute beta and delta; the unit that is resampled is the sentence.

    Returns:
        `measures`, `sentences`, `fillings`, `scale` and `raters`; also `agreement`, `disputed` and `by_rater` if tokens
        have several raters, and `published` if a study's own results are recomputed.
    """
    scores = score_words(materials, settings, answers)
    rows = [
        *Groups(materials, settings, scores).rows(),
        *control_rows(materials, settings, answers),
        *_sentence_rows(materials, scores.sentences),
    ]
    tables = {
        "measures": measures_table(rows).with_columns(pl.col(pl.Float64).fill_nan(None)),
        "sentences": scores.sentences,
        "fillings": scores.fillings,
        "scale": _scale_table(materials.scale),
        "raters": _raters_table(materials.ratings),
    }
    return (
        tables
        | _agreement_tables(materials, settings, answers)
        | _published_table(materials, answers, scores.sentences)
    )


def _sentence_rows(materials: ValenceMaterials, sentences: pl.DataFrame) -> Iterator[MeasureRow]:
    """One row per sentence; its low and high are the bounds of what is unrated."""
    for row in sentences.iter_rows(named=True):
        note = None if row["counted"] else f"not counted: {row['rated']:.0%} of the mass is rated"
        for measure, neutral in (("beta", materials.scale.middle), ("delta", None)):
            value = row[measure] if row["counted"] else None
            low, high = row[f"{measure}_low"], row[f"{measure}_high"]
            yield measure_row(
                measure, row["group"], value, low=low, high=high, item=row["sentence"], neutral=neutral, note=note
            )


def _scale_table(scale: Scale) -> pl.DataFrame:
    return pl.DataFrame(
        {"low": [scale.low], "high": [scale.high], "least": [scale.points[0]], "greatest": [scale.points[-1]]}
    )


def _raters_table(ratings: Sequence[Rating]) -> pl.DataFrame:
    """Who gave how many ratings."""
    counts = Counter(rating.rater for rating in ratings)
    return pl.DataFrame(sorted(counts.items()), schema={"rater": pl.String, "ratings": pl.Int64}, orient="row")


def _agreement_tables(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Tables:
    alpha = agreement(
        materials.ratings, resamples=settings.resamples, confidence=settings.confidence, seed=settings.seed
    )
    if alpha is None:
        return {}
    columns = {"alpha": [alpha.value], "low": [alpha.low], "high": [alpha.high], "tokens": [alpha.n]}
    return {
        "agreement": pl.DataFrame(columns),
        "disputed": disputed_tokens(materials.ratings),
        "by_rater": rater_table(materials, settings, answers),
    }


def _published_table(materials: ValenceMaterials, answers: pl.DataFrame, sentences: pl.DataFrame) -> Tables:
    """The published results next to ours, computed from the printed inputs."""
    if materials.published is None or "model" not in answers.columns:
        return {}
    ours = sentences.select("sentence", "beta", "delta")
    published = materials.published.filter(pl.col("model").is_in(answers["model"].unique().implode()))
    theirs = published.select("sentence", printed_beta="beta", printed_delta="delta")
    return {"published": ours.join(theirs, on="sentence", maintain_order="left")}
