"""Shift (SST, Garg et al. 2022): does a word, repeated after a review, change the label that a model gives it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.agreement import Agreement
from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, Validity, Verdict
from tacit.methods.glance import Glance, Term
from tacit.methods.sentiment.agreement import PERMUTATIONS, agreement_of_models, agreement_of_tests
from tacit.methods.sentiment.glance import sentiment_glance, sentiment_term
from tacit.methods.sentiment.measures import follows_study
from tacit.methods.shift.materials import SentimentMaterials, SentimentShape, read_materials
from tacit.methods.shift.measures import BLOCK_SHIFT, BLOCK_STRENGTH, compute_measures
from tacit.methods.shift.questions import count_questions, next_questions, questions, reviews_alone
from tacit.methods.shift.settings import ShiftSettings
from tacit.methods.shift.summary import assess_validity, headline, key_rows, list_verdicts, summarize
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Shift", "ShiftSettings"]


class Shift(Method[SentimentMaterials, ShiftSettings]):
    """The Sentiment Shift Test.

    The model labels a review by which of two label words ("great", "terrible") is likelier after it. Then a word is
    repeated 5, 10 or 15 times between the review and the prompt. A neutral word that changes labels carries sentiment
    in this model. By default, a word is asked about only as many reviews as it takes to decide.
    """

    name = "shift"
    counts_agreement = True
    compared_with = "association"
    settings = ShiftSettings
    shape = SentimentShape
    tuned_standards = ("reviews",)
    exchange_note = "the two label words with their probabilities, the likelier first"

    def materials(self, probe: Probe, settings: ShiftSettings) -> SentimentMaterials:
        return read_materials(probe, settings)

    def questions(
        self, materials: SentimentMaterials, settings: ShiftSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return questions(materials, settings, family)

    def next_questions(
        self, materials: SentimentMaterials, settings: ShiftSettings, family: Family, answers: pl.DataFrame | None
    ) -> Iterator[KeyedQuestion]:
        return next_questions(materials, settings, family, answers)

    def count_questions(self, materials: SentimentMaterials, settings: ShiftSettings, family: Family) -> int:
        return count_questions(materials, settings)

    def measure(self, materials: SentimentMaterials, settings: ShiftSettings, answers: pl.DataFrame) -> Tables:
        return compute_measures(materials, settings, answers)

    def comparisons(self, materials: SentimentMaterials, settings: ShiftSettings) -> tuple[PairedMeasure, ...]:
        """None where words were asked about different reviews (sequential), or by the study's rule (as-published)."""
        if settings.mode == "as-published" or not settings.asks_everything:
            return ()
        weaker, stronger = (f"has {size} leanings (in either direction)" for size in ("weaker", "stronger"))
        units, unit = ("word", "block"), "pairs of a neutral word and a block of reviews"
        return (
            PairedMeasure(BLOCK_SHIFT, "leans more negative", "leans more positive", unit, units),
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
        return sentiment_glance(tables, "q" if follows_study(tables["words"]) else "net shift", "shift its labels")

    def term(self, measure: str) -> Term:
        return sentiment_term(measure)

    def shown_questions(
        self, materials: SentimentMaterials, settings: ShiftSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        return reviews_alone(materials, settings, family)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.shift.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)

    def figures_beside(self, others: Mapping[str, Tables], tables: Mapping[str, Tables]) -> list[Figure]:
        from tacit.methods.shift.figures import figures_beside  # noqa: PLC0415 - only a report pays for altair

        return figures_beside(others, tables)

    def agreement(self, tables: Mapping[str, Tables], others: Mapping[str, Tables] | None = None) -> list[Agreement]:
        """Which neutral words several models find; with the tables of the association test, which both tests find."""
        between_models = agreement_of_models(tables, PERMUTATIONS)
        between_tests = agreement_of_tests(others, tables, PERMUTATIONS) if others else None
        return [agreement for agreement in (between_models, between_tests) if agreement]
