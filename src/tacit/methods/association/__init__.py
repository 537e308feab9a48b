"""Association (SAT, Garg et al. 2022): is a neutral word likelier after positive or after negative reviews?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.agreement import Agreement
from tacit.methods.association.materials import SentimentMaterials, SentimentShape, read_materials
from tacit.methods.association.measures import BLOCK_EFFECT, BLOCK_STRENGTH, compute_measures
from tacit.methods.association.questions import questions
from tacit.methods.association.settings import AssociationSettings
from tacit.methods.association.summary import assess_validity, headline, key_rows, list_verdicts, summarize
from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, Validity, Verdict
from tacit.methods.glance import Glance, Term
from tacit.methods.sentiment.agreement import PERMUTATIONS, agreement_of_models
from tacit.methods.sentiment.glance import sentiment_glance, sentiment_term
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Association", "AssociationSettings"]


class Association(Method[SentimentMaterials, AssociationSettings]):
    """The Sentiment Association Test.

    After each review comes a prompt such as "It was [MASK].", and the model gives the probability of every word of a
    lexicon at the blank. A neutral word that is likelier after positive reviews than after negative ones, or the
    reverse, carries sentiment in this model.
    """

    name = "association"
    counts_agreement = True
    settings = AssociationSettings
    shape = SentimentShape
    tuned_standards = ("reviews",)
    exchange_note = "the likeliest words of the lexicon with their probabilities"

    def materials(self, probe: Probe, settings: AssociationSettings) -> SentimentMaterials:
        return read_materials(probe, settings)

    def questions(
        self, materials: SentimentMaterials, settings: AssociationSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions(materials, settings, family)

    def measure(self, materials: SentimentMaterials, settings: AssociationSettings, answers: pl.DataFrame) -> Tables:
        return compute_measures(materials, settings, answers)

    def comparisons(self, materials: SentimentMaterials, settings: AssociationSettings) -> tuple[PairedMeasure, ...]:
        if settings.mode == "as-published":
            return ()
        weaker, stronger = (f"has {size} leanings (in either direction)" for size in ("weaker", "stronger"))
        units, unit = ("word", "block"), "pairs of a neutral word and a block of reviews"
        return (
            PairedMeasure(BLOCK_EFFECT, "leans more negative", "leans more positive", unit, units),
            PairedMeasure(BLOCK_STRENGTH, weaker, stronger, unit, units),
        )

    def validity(self, tables: Tables) -> Validity:
        return assess_validity(tables)

    def verdicts(self, tables: Tables) -> list[Verdict]:
        return list_verdicts(tables)

    def headline(self, tables: Mapping[str, Tables]) -> str:
        return headline(tables)

    def summary(self, tables: Tables, model: str) -> list[str]:
        return summarize(tables, model)

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        return key_rows(tables)

    def glance(self, tables: Tables) -> Glance | None:
        return sentiment_glance(tables, "association", "lean")

    def term(self, measure: str) -> Term:
        return sentiment_term(measure)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.association.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)

    def agreement(self, tables: Mapping[str, Tables], others: Mapping[str, Tables] | None = None) -> list[Agreement]:
        """Which neutral words several models find."""
        agreement = agreement_of_models(tables, PERMUTATIONS)
        return [agreement] if agreement else []
