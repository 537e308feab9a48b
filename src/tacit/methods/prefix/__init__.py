"""HERB's downstream test (Li et al. 2022, section 4.5): does naming a region change what a classifier decides?

Each text is classified on its own and after a sentence that only names a region ("The cast is from Ireland."). The
sentence should change nothing; the method counts the labels it changes and measures how far probabilities move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables
from tacit.methods.glance import Glance, Term
from tacit.methods.prefix.glance import glance, term
from tacit.methods.prefix.materials import PrefixMaterials, PrefixShape, read_materials
from tacit.methods.prefix.measures import CHANGED, compute_measures
from tacit.methods.prefix.questions import questions
from tacit.methods.prefix.settings import PrefixSettings
from tacit.methods.prefix.summary import summarize
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Prefix"]


class Prefix(Method[PrefixMaterials, PrefixSettings]):
    """What a sentence that names a region, put before a text, does to a classifier."""

    name = "prefix"
    settings = PrefixSettings
    shape = PrefixShape

    def materials(self, probe: Probe, settings: PrefixSettings) -> PrefixMaterials:
        return read_materials(probe, settings)

    def questions(
        self, materials: PrefixMaterials, settings: PrefixSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions(materials, family)

    def measure(self, materials: PrefixMaterials, settings: PrefixSettings, answers: pl.DataFrame) -> Tables:
        return compute_measures(materials, settings, answers)

    def comparisons(self, materials: PrefixMaterials, settings: PrefixSettings) -> tuple[PairedMeasure, ...]:
        return (PairedMeasure(CHANGED, "changes fewer labels", "changes more labels", "regions"),)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return summarize(tables, model)

    def glance(self, tables: Tables) -> Glance | None:
        return glance(tables)

    def term(self, measure: str) -> Term:
        return term(measure)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.prefix.figures import figures  # noqa: PLC0415 - only reports need altair

        return figures(tables)
