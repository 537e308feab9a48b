"""Valence (Cuscito, Ferrara and Ruskov 2024): towards which pole of a scale does a model fill the blank?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import polars as pl
from pydantic import Field, field_validator, model_validator

from tacit.methods.base import Asked, Compared, Family, Settings, Tables
from tacit.methods.valence_materials import ValenceMaterials, read_materials
from tacit.methods.valence_measure import tables
from tacit.methods.valence_words import told
from tacit.probes.loading import Probe
from tacit.questions import Fill
from tacit.ratings import Aggregate

__all__ = ["Valence", "ValenceSettings"]


class ValenceSettings(Settings):
    """How many fillings count, how they are weighed, and what is done about those that nobody has rated."""

    top: int = Field(5, ge=1)
    """The n likeliest fillings of the study."""
    collect: int = Field(10, ge=1)
    """How many fillings are asked for and kept, so that `top` may be raised and sub-words dropped later."""
    renormalise: bool = True
    """The top n sum to one, as in the study; if false, beta is the plain sum and the rest counts as the middle."""
    subwords: Literal["keep", "drop"] = "keep"
    """Whether a continuation such as `##ists` counts among the top n, as in the study."""
    min_rated: float = Field(0.75, ge=0, le=1)
    """A sentence with a smaller share of rated mass is reported and not counted: its bounds on a scale from -1 to 1
    lie 0.5 or more apart, a whole step of the study's five points."""
    aggregate: Aggregate = "mean"
    """How the scores of several raters become one."""
    raters: tuple[str, ...] = ()
    """The raters to heed; none means all."""

    @field_validator("raters", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        return [name.strip() for name in given.split(",") if name.strip()] if isinstance(given, str) else given

    @model_validator(mode="after")
    def _published_way(self) -> ValenceSettings:
        if self.mode == "as-published" and not (self.renormalise and self.subwords == "keep"):
            raise ValueError(
                "the published figures are renormalised and keep sub-words; set neither, or mode=corrected"
            )
        return self


class Valence:
    """beta, the leaning of the likeliest fillings, and delta, how well it fits the sentence."""

    name = "valence"
    settings = ValenceSettings

    def materials(self, probe: Probe, settings: ValenceSettings) -> ValenceMaterials:
        return read_materials(probe, settings.raters)

    def questions(self, materials: ValenceMaterials, settings: ValenceSettings, family: Family) -> Iterator[Asked]:
        top = max(settings.top, settings.collect)
        for sentence, text in materials.texts.items():
            yield Asked({"sentence": sentence}, Fill(text, top=top))

    def given_answers(
        self,
        materials: ValenceMaterials,
        settings: ValenceSettings,
    ) -> dict[str, pl.DataFrame] | None:
        """The answers that a study printed, by model; None where a model must be asked."""
        if materials.printed is None:
            return None
        return {
            str(model): _as_answers(rows)
            for (model,), rows in materials.printed.group_by(["model"], maintain_order=True)
        }

    def measure(self, materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Tables:
        return tables(materials, settings, answers)

    def comparisons(self, materials: ValenceMaterials, settings: ValenceSettings) -> tuple[Compared, ...]:
        low, high = materials.scale.low, materials.scale.high
        return (
            Compared("beta", f"leans more to {low}", f"leans more to {high}", "sentences"),
            Compared("delta", "fits the sentences worse", "fits the sentences better", "sentences"),
        )

    def sentences(self, tables: Tables, model: str) -> list[str]:
        return told(tables, model)


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
