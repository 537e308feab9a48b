"""What a method is: which questions to ask, and how answers become measures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from tacit.methods.agreement import Agreement
from tacit.methods.exchanges import Exchange, list_exchanges
from tacit.methods.glance import Glance, Term, default_glance
from tacit.methods.rows import (
    FEW_UNITS,
    MEASURE_SCHEMA,
    MeasureRow,
    mark_few,
    measure_row,
    measures_table,
    plural,
)
from tacit.probes.loading import MaterialsShape, Probe
from tacit.questions import Question
from tacit.statistics import MOST_RESAMPLES, Resampling

if TYPE_CHECKING:
    from tacit.figure import Figure
    from tacit.ratings import Rating

__all__ = [
    "ANSWER_SCHEMA",
    "FEW_UNITS",
    "MEASURE_SCHEMA",
    "MOST_RESAMPLES",
    "Family",
    "KeyedQuestion",
    "MeasureRow",
    "Method",
    "PairedMeasure",
    "Settings",
    "Tables",
    "Validity",
    "Verdict",
    "mark_few",
    "measure_row",
    "measures_table",
    "plural",
]

Family = Literal["masked", "causal", "seq2seq", "classifier"]
Mode = Literal["corrected", "as-published"]

Tables = dict[str, pl.DataFrame]
"""What a method makes of the answers: "measures" always, and whatever tables its figures show."""

ANSWER_SCHEMA: dict[str, Any] = {
    "question": pl.Int64,
    "part": pl.Int64,
    "token": pl.String,
    "probability": pl.Float64,
    "logprob": pl.Float64,
    "rank": pl.Int64,
    "pieces": pl.Int64,
    "role": pl.String,
    "made": pl.String,
    "begin": pl.String,
    "cut": pl.Int64,
}
"""The columns of the answers, after the keys of the questions: one row per part of an answer."""


class Settings(BaseModel):
    """What a user may set with `--set key=value`; a method extends it. An unknown key is refused."""

    # The sentence below each setting is its description on the command line and in forms.
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    mode: Mode = "corrected"
    """Repair the study's defects (corrected), or do what the study did (as-published)."""
    seed: int = Field(default=0, ge=0, lt=2**32)
    """Of everything that is drawn at random."""
    resamples: int = Field(default=10_000, ge=2, le=MOST_RESAMPLES)
    """How many resamples intervals and tests are based on."""
    confidence: float = Field(default=0.95, gt=0.5, lt=1)
    """How often intervals should cover the true value."""
    shortlist: int = Field(default=200, ge=1, le=100_000)
    """Causal models: how many candidates for a blank inside a sentence are weighed with what follows it."""

    @property
    def resampling(self) -> Resampling:
        """How intervals are bootstrapped under these settings."""
        return Resampling(self.resamples, self.confidence, self.seed)

    @classmethod
    def describe(cls) -> dict[str, tuple[str, tuple[str, ...]]]:
        """What each setting means, and its choices where they can be listed."""
        described = {}
        for name, facts in cls.model_json_schema()["properties"].items():
            choices = facts.get("enum", ["True", "False"] if facts.get("type") == "boolean" else [])
            described[name] = (" ".join(facts.get("description", "").split()), tuple(map(str, choices)))
        return described

    def files(self) -> dict[str, Path]:
        """The files that the settings name, by the setting's name: a run keeps a copy of each."""
        return {name: value for name, value in self if isinstance(value, Path)}


@dataclass(frozen=True, slots=True)
class KeyedQuestion:
    """A question with the keys that say which item of the materials it is about; keys become columns of the answers."""

    keys: dict[str, str | int]
    question: Question


@dataclass(frozen=True, slots=True)
class PairedMeasure:
    """A measure whose items `tacit compare` pairs between models, and how to say what it finds.

    Attributes:
        measure: Its name in the measures table.
        lower: What is said of a model with lower values: "leans more to blame".
        higher: What is said of a model with higher values.
        unit: What the items are called in the plural: "sentences".
        resampled: What was sampled and is therefore resampled: `("item",)`, or one or two columns of the run's table
            `units`, which has a row per group and item. Two columns are crossed units.
        only: Compare the items of this group alone; None pools all groups, and `unit` must say so.
        unknown: What makes the items uncertain, such as "unrated fillings": their `low` and `high` are then bounds, and
            a difference is found only if it holds whatever the values between them are. The items must be the units.
        strata: A column of the table `units` whose values were sampled each on its own and count alike, such as the
            group that dominates an item; only where items are the units.
    """

    measure: str
    lower: str
    higher: str
    unit: str
    resampled: tuple[str, ...] = ("item",)
    only: str | None = None
    unknown: str = ""
    strata: str | None = None


M = TypeVar("M")
S = TypeVar("S", bound=Settings)


@dataclass(frozen=True, slots=True)
class Validity:
    """Whether a run can be interpreted at all, and if not, why: the positive control of its method.

    Attributes:
        level: "interpretable"; "weak" (read with care); or "none": no verdict, comparison or finding may be printed.
        reason: One sentence without the model's name, such as "it labels reviews no better than a coin (52 %
            [47 %, 57 %])"; empty where nothing is wrong.
    """

    level: Literal["interpretable", "weak", "none"] = "interpretable"
    reason: str = ""

    @property
    def can_be_interpreted(self) -> bool:
        """Whether verdicts may be printed."""
        return self.level != "none"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim that the summary may make, with the error that simulation holds it to.

    Attributes:
        claim: What is claimed, such as "beta leans (Early Modern)"; the same in every run of a probe.
        holds: Whether the data support it, so that the summary says it.
        family: The claims that are corrected together share a family.
        correction: How: "holm" keeps the chance of any false claim in the family at `error`, "bh" the expected share
            of false ones among those made, "none" that of this claim alone; "max" does what "holm" does, by the
            largest of statistics that depend on each other.
        error: The stated error.
    """

    claim: str
    holds: bool
    family: str
    correction: Literal["holm", "max", "bh", "none"] = "none"
    error: float = 0.05


class Method(ABC, Generic[M, S]):
    """A paper's way of measuring: which questions to ask, and how answers become measures. It keeps no state.

    `M` is what `materials` returns, `S` the method's settings.
    """

    name: ClassVar[str]
    settings: type[S]
    shape: ClassVar[type[MaterialsShape]]
    """What a probe of this method may write under `materials`."""
    compared_with: ClassVar[str | None] = None
    """Another method whose runs on the same models `figures_beside` draws, and `agreement` counts, with this one's."""
    counts_agreement: ClassVar[bool] = False
    """Whether `agreement` says something about several models."""
    tuned_standards: ClassVar[tuple[str, ...]] = ()
    """Standards that were tuned for this method: asked beside the others where no model is named."""
    exchange_note: ClassVar[str] = "the likeliest words with their probabilities"
    """What the words of `exchanges` and the numbers beside them are."""

    @abstractmethod
    def materials(self, probe: Probe, settings: S) -> M:
        """Read and check the materials; everything wrong with them is said here, before a model is loaded."""

    def ratings(self, materials: M) -> Sequence[Rating] | None:
        """The ratings by people that the measures rest on, which a run keeps; None where nobody rates anything."""
        return None

    def materials_with(self, probe: Probe, settings: S, ratings: Path) -> M:
        """The materials with the ratings that a run kept in this file, instead of those that there are by now."""
        return self.materials(probe, settings)

    @abstractmethod
    def questions(self, materials: M, settings: S, family: Family) -> Iterator[KeyedQuestion]:
        """Everything that is asked of a model of this family, as a stream."""

    def next_questions(
        self, materials: M, settings: S, family: Family, answers: pl.DataFrame | None
    ) -> Iterator[KeyedQuestion]:
        """The next round, given the answers so far (None before the first); no question ends the asking.

        By default everything is asked in one round.
        """
        return self.questions(materials, settings, family) if answers is None else iter(())

    def count_questions(self, materials: M, settings: S, family: Family) -> int | None:
        """How many questions there are, at most where that depends on the answers; None where it cannot be said."""
        return sum(1 for _ in self.questions(materials, settings, family))

    def given_answers(self, materials: M, settings: S) -> dict[str, pl.DataFrame]:
        """Answers that the materials hold themselves, by the model that gave them; by default none."""
        return {}

    @abstractmethod
    def measure(self, materials: M, settings: S, answers: pl.DataFrame) -> Tables:
        """Turn the answers into tables, `measures` among them; the same answers give the same tables, bit for bit."""

    def comparisons(self, materials: M, settings: S) -> tuple[PairedMeasure, ...]:
        """The measures that can be paired item by item between two models."""
        return ()

    def validity(self, tables: Tables) -> Validity:
        """Whether the run can be interpreted: does the model pass the method's positive control?"""
        return Validity()

    def verdicts(self, tables: Tables) -> list[Verdict]:
        """Every claim that the summary could make about these tables, and whether it holds."""
        return []

    def headline(self, tables: Mapping[str, Tables]) -> str:
        """One sentence that answers the probe's title, from the tables of one model or of several.

        By default the first sentence of each model's summary.
        """
        return " ".join(self.summary(made, model)[0] for model, made in tables.items())

    @abstractmethod
    def summary(self, tables: Tables, model: str) -> list[str]:
        """Three to five plain sentences beside the headline; a claim is made only where its verdict holds."""

    def key_rows(self, tables: Tables) -> pl.DataFrame:
        """At most ten rows of the measures that carry the headline and the summary."""
        return tables["measures"].filter(pl.col("item").is_null()).head(10)

    def glance(self, tables: Tables) -> Glance | None:
        """What the overview shows: the headline value and a phrase that answers the title, or None without a value."""
        return default_glance(self.key_rows(tables))

    def term(self, measure: str) -> Term:
        """A measure of this method in plain words."""
        return Term(measure.replace("_", " "))

    def shown_questions(self, materials: M, settings: S, family: Family) -> Iterator[KeyedQuestion]:
        """The questions that a reader is shown with their answers; by default all of them."""
        return self.questions(materials, settings, family)

    def exchanges(self, materials: M, settings: S, family: Family, answers: pl.DataFrame) -> list[Exchange]:
        """What was asked and answered, as a reader sees it: one entry per sentence with its blank."""
        return list_exchanges(self.shown_questions(materials, settings, family), answers)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of one probe, from the tables of each model; the first is the one that matters most."""
        return []

    def figures_beside(self, others: Mapping[str, Tables], tables: Mapping[str, Tables]) -> list[Figure]:
        """Figures of this method together with the tables that `compared_with` made of the same models."""
        return []

    def agreement(self, tables: Mapping[str, Tables], others: Mapping[str, Tables] | None = None) -> list[Agreement]:
        """What several models find alike; with the tables that `compared_with` made, what both methods find alike."""
        return []
