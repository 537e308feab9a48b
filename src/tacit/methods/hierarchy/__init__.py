"""HERB (Li et al. 2022): how differently a model describes the parts of a whole, level by level.

Every region is scored in the same sentence with the same words ("People in France are wise."), which makes it a vector.
C_w of a region is the mean distance between the vectors of its parts; 0 means that all parts are described alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, Validity, Verdict
from tacit.methods.exchanges import Exchange
from tacit.methods.glance import Glance, Term
from tacit.methods.hierarchy.glance import glance, list_exchanges, term
from tacit.methods.hierarchy.materials import HierarchyMaterials, HierarchyShape, read_materials
from tacit.methods.hierarchy.measures import BLOCK_C_W, REGION, WORD_BLOCK, compute_measures
from tacit.methods.hierarchy.questions import questions
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.summary import headline_sentence, key_rows, list_verdicts, summarize
from tacit.methods.hierarchy.validity import judge_validity
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Hierarchy"]


class Hierarchy(Method[HierarchyMaterials, HierarchySettings]):
    """Hierarchical regional bias, for any tree of names."""

    name = "hierarchy"
    settings = HierarchySettings
    shape = HierarchyShape
    exchange_note = "the words that gain most here, beside the other regions (log-likelihood per token)"

    def materials(self, probe: Probe, settings: HierarchySettings) -> HierarchyMaterials:
        return read_materials(probe, settings)

    def questions(
        self, materials: HierarchyMaterials, settings: HierarchySettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions(materials, settings, family)

    def measure(self, materials: HierarchyMaterials, settings: HierarchySettings, answers: pl.DataFrame) -> Tables:
        return compute_measures(materials, settings, answers)

    def comparisons(self, materials: HierarchyMaterials, settings: HierarchySettings) -> tuple[PairedMeasure, ...]:
        lower, higher = "describes the parts of a region more alike", "describes the parts of a region more differently"
        unit = f"{materials.units} by blocks of words"
        return (PairedMeasure(BLOCK_C_W, lower, higher, unit, (REGION, WORD_BLOCK)),)

    def validity(self, tables: Tables) -> Validity:
        return judge_validity(tables)

    def verdicts(self, tables: Tables) -> list[Verdict]:
        return list_verdicts(tables)

    def headline(self, tables: Mapping[str, Tables]) -> str:
        return headline_sentence(tables)

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        return key_rows(tables)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return summarize(tables, model)

    def glance(self, tables: Tables) -> Glance | None:
        return glance(tables)

    def term(self, measure: str) -> Term:
        return term(measure)

    def exchanges(
        self, materials: HierarchyMaterials, settings: HierarchySettings, family: Family, answers: pl.DataFrame
    ) -> list[Exchange]:
        return list_exchanges(materials, answers)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.hierarchy.figures import figures  # noqa: PLC0415 - only reports need altair

        return figures(tables)
