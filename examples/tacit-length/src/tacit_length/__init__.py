"""Does a model prefer the longer of two words that mean the same? A whole method on one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from tacit.methods.base import (
    Family,
    KeyedQuestion,
    Method,
    PairedMeasure,
    Settings,
    Tables,
    Validity,
    Verdict,
    measure_row,
    measures_table,
)
from tacit.probes import FileName, MaterialsShape, Probe
from tacit.questions import Choose, split_blank
from tacit.statistics import share_interval
from tacit.tables import read_table, require_unique


class LengthShape(MaterialsShape):
    """What the probe's YAML says under `materials`: another key is refused with its line."""

    pairs: FileName


@dataclass(frozen=True)
class Pair:
    """A sentence with a blank, and a short and a long word for it."""

    text: str
    short: str
    long: str


class Length(Method[list[Pair], Settings]):
    """Ask for both words in each blank; count the sentences in which the longer one is more probable."""

    name = "length"
    settings = Settings
    shape = LengthShape

    def materials(self, probe: Probe, settings: Settings) -> list[Pair]:
        """Read and check the pairs, so that everything wrong is said before a model is loaded."""
        path = probe.path("pairs")
        rows = read_table(path, ["text", "short", "long"])
        require_unique(path, rows, "text")
        for row in rows:
            split_blank(row["text"])
        return [Pair(row["text"], row["short"], row["long"]) for row in rows]

    def questions(self, materials: list[Pair], settings: Settings, family: Family) -> Iterator[KeyedQuestion]:
        """One question per sentence; its key becomes a column of the answers."""
        for number, pair in enumerate(materials):
            yield KeyedQuestion({"pair": number}, Choose(pair.text, (pair.short, pair.long)))

    def measure(self, materials: list[Pair], settings: Settings, answers: pl.DataFrame) -> Tables:
        """The share of sentences with the longer word ahead, with Wilson's interval over sentences."""
        wide = answers.pivot("part", index="pair", values="probability").sort("pair").drop_nulls()
        longer = (wide["1"] > wide["0"]).to_numpy()
        interval = share_interval(longer, confidence=settings.confidence)
        leans = "leans to long words" if interval.low > 0.5 else "leans to short words" if interval.high < 0.5 else None
        rows = [measure_row("longer", "all", interval, neutral=0.5, unit="sentence", verdict=leans)]
        for pair, value in zip(wide["pair"], longer, strict=True):
            rows.append(measure_row("longer", "all", float(value), item=materials[pair].text, neutral=0.5))
        return {"measures": measures_table(rows)}

    def validity(self, tables: Tables) -> Validity:
        """A model that can write none of the words cannot be asked."""
        answered = tables["measures"].filter(pl.col("item").is_not_null()).height
        return Validity() if answered > 1 else Validity("none", "it cannot write the words that are asked about")

    def verdicts(self, tables: Tables) -> list[Verdict]:
        """The one claim of this method, which Wilson's interval holds to 5 %."""
        return [Verdict("leans to long or short words", tables["measures"]["verdict"][0] is not None, "lean")]

    def headline(self, tables: Mapping[str, Tables]) -> str:
        """One sentence for one model or several."""
        said = []
        for model, made in tables.items():
            row = made["measures"].row(0, named=True)
            verdict = row["verdict"] or "shows no preference"
            said.append(f"{model} {verdict} ({row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}] of {row['n']})")
        return "; ".join(said) + "."

    def summary(self, tables: Tables, model: str) -> list[str]:
        """What else a reader should know."""
        return ["50% would mean that it takes the longer word as often as the shorter one."]

    def comparisons(self, materials: list[Pair], settings: Settings) -> tuple[PairedMeasure, ...]:
        """What `tacit compare` pairs between two models, sentence by sentence."""
        return (PairedMeasure("longer", "prefers shorter words", "prefers longer words", "sentences"),)
