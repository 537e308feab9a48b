"""Valence (Cuscito, Ferrara and Ruskov 2024): towards which pole of a scale does a model fill the blank?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables
from tacit.methods.valence.materials import ValenceMaterials, ValenceShape, read_materials
from tacit.methods.valence.measures import tables
from tacit.methods.valence.settings import ValenceSettings
from tacit.methods.valence.summary import told
from tacit.probes.loading import Probe
from tacit.questions import Fill

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Valence", "ValenceSettings"]


class Valence(Method[ValenceMaterials, ValenceSettings]):
    """beta, the leaning of the likeliest fillings, and delta, how well it fits the sentence."""

    name = "valence"
    settings = ValenceSettings
    shape = ValenceShape

    def materials(self, probe: Probe, settings: ValenceSettings) -> ValenceMaterials:
        return read_materials(probe, settings.raters)

    def questions(
        self, materials: ValenceMaterials, settings: ValenceSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        top = max(settings.top, settings.collect)
        for sentence, text in materials.texts.items():
            yield KeyedQuestion({"sentence": sentence}, Fill(text, top=top))

    def given_answers(
        self,
        materials: ValenceMaterials,
        settings: ValenceSettings,
    ) -> dict[str, pl.DataFrame]:
        """The answers that a study printed, by model; none where a model must be asked."""
        if materials.printed is None:
            return {}
        return {
            str(model): _as_answers(rows)
            for (model,), rows in materials.printed.group_by(["model"], maintain_order=True)
        }

    def measure(self, materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Tables:
        return tables(materials, settings, answers)

    def comparisons(self, materials: ValenceMaterials, settings: ValenceSettings) -> tuple[PairedMeasure, ...]:
        low, high = materials.scale.low, materials.scale.high
        return (
            PairedMeasure("beta", f"leans more to {low}", f"leans more to {high}", "sentences"),
            PairedMeasure("delta", "fits the sentences worse", "fits the sentences better", "sentences"),
        )

    def summary(self, tables: Tables, model: str) -> list[str]:
        return told(tables, model)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of the report."""
        from tacit.methods.valence.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)


def _as_answers(printed: pl.DataFrame) -> pl.DataFrame:
    number = pl.col("sentence").rank("dense").cast(pl.Int64) - 1
    return printed.select(
        "sentence",
        "model",
        question=number,
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
