"""What the valence method asks: fill the blank of each sentence; and the answers that a study printed."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tacit.methods.base import KeyedQuestion
from tacit.methods.valence.materials import ValenceMaterials
from tacit.methods.valence.settings import ValenceSettings
from tacit.questions import Fill

__all__ = ["given_answers", "questions"]


def questions(materials: ValenceMaterials, settings: ValenceSettings) -> Iterator[KeyedQuestion]:
    """One question per sentence: its likeliest fillings, as many as the settings may later need."""
    top = max(settings.top, settings.collect)
    for sentence, text in materials.texts.items():
        yield KeyedQuestion({"sentence": sentence}, Fill(text, top=top))


def given_answers(materials: ValenceMaterials) -> dict[str, pl.DataFrame]:
    """The answers that a study printed, by model; empty where a model must be asked."""
    if materials.printed is None:
        return {}
    by_model = materials.printed.group_by(["model"], maintain_order=True)
    return {str(model): _answers(fillings) for (model,), fillings in by_model}


def _answers(printed: pl.DataFrame) -> pl.DataFrame:
    """Printed fillings in the columns of the answers that a model gives."""
    return printed.select(
        "sentence",
        "model",
        question=pl.col("sentence").rank("dense").cast(pl.Int64) - 1,
        part=pl.col("rank") - 1,
        token="token",
        probability="p",
        logprob=pl.lit(None, pl.Float64),
        rank="rank",
        pieces=pl.lit(None, pl.Int64),
        role=pl.lit(None, pl.String),
        made=pl.lit("printed in the study"),
        begin=pl.lit(None, pl.String),
        cut=pl.lit(0, pl.Int64),
    )
