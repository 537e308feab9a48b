"""HERB's downstream test (Li et al. 2022, section 4.5): does naming a region change what a classifier decides?

Each text is classified on its own and after a sentence that only names a region ("The cast is from Ireland."). The
sentence should change nothing; the method counts the labels it changes and measures how far probabilities move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, Validity, Verdict
from tacit.methods.glance import Glance, Term
from tacit.methods.prefix.glance import glance, term
from tacit.methods.prefix.materials import PrefixMaterials, PrefixShape, read_materials
from tacit.methods.prefix.measures import CHANGED, compute_measures
from tacit.methods.prefix.questions import questions
from tacit.methods.prefix.settings import PrefixSettings
from tacit.methods.prefix.summary import headline, key_rows, summarize
from tacit.methods.prefix.validity import judge_validity
from tacit.methods.prefix.verdicts import list_verdicts
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
        more, fewer = (f"changes {how} labels when a region is named" for how in ("more", "fewer"))
        return (PairedMeasure(CHANGED, fewer, more, "texts"),)

    def validity(self, tables: Tables) -> Validity:
        return judge_validity(tables)

    def verdicts(self, tables: Tables) -> list[Verdict]:
        return list_verdicts(tables)

    def headline(self, tables: Mapping[str, Tables]) -> str:
        return headline(tables)

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        return key_rows(tables)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return summarize(tables)

    def glance(self, tables: Tables) -> Glance | None:
        return glance(tables)

    def term(self, measure: str) -> Term:
        return term(measure)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.prefix.figures import figures  # noqa: PLC0415 - only reports need altair

        return figures(tables)
