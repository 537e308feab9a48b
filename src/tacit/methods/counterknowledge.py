"""Counteracts: how far a sentence of knowledge moves a stereotype (Zhang, Rayz, Pradhan 2023)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import polars as pl
from pydantic import field_validator

from tacit.errors import TacitError
from tacit.methods.base import Asked, Compared, Family, Settings, Tables, measures_table
from tacit.methods.counterknowledge_materials import Prompt, Stereotype, read_stereotype
from tacit.methods.counterknowledge_measures import kind_table, measure_rows, relative_rows
from tacit.methods.counterknowledge_sentences import sentences
from tacit.methods.counterknowledge_tables import (
    ALL_WORDS,
    TOP,
    WHOLE,
    item_table,
    names_table,
    relative_table,
    vocabulary_table,
    word_table,
)
from tacit.probes.loading import Probe
from tacit.questions import Choose, Fill

__all__ = ["Counterknowledge", "CounterknowledgeSettings"]


class CounterknowledgeSettings(Settings):
    """`separate`: knowledge and base sentence as two segments, where the model knows such, or as one text.

    `whole`: also ask for the probability of every word of the verbalizer, and count those of one token or all.
    """

    size: str = "full"
    tops: tuple[int, ...] = (3, 5, 10)
    separate: bool = True
    whole: Literal["one-token", "all", "off"] = "one-token"

    @field_validator("tops", mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return (
            [part for part in str(value).replace(" ", "").split(",") if part] if isinstance(value, str | int) else value
        )

    @field_validator("tops")
    @classmethod
    def _some_above_zero(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or min(value) < 1:
            raise ValueError("give at least one number of words above 0, such as 3,5,10")
        return tuple(sorted(set(value)))


class Counterknowledge:
    """Ten kinds of prompt around one base sentence; each item is its own control."""

    name = "counterknowledge"
    settings = CounterknowledgeSettings

    def materials(self, probe: Probe, settings: CounterknowledgeSettings) -> Stereotype:
        """The grammar, the words and the items of the chosen size."""
        return read_stereotype(probe, settings.size)

    def questions(self, materials: Stereotype, settings: CounterknowledgeSettings, family: Family) -> Iterator[Asked]:
        """For every prompt its likeliest words, and the probability of each word of the verbalizer."""
        if family == "classifier":
            raise TacitError("A classifier fills no blank: give this probe a masked, causal or seq2seq model.")
        words = tuple(materials.words)
        for prompt in materials.prompts():
            keys: dict[str, str | int] = {"kind": prompt.kind, "item": prompt.item, "background": prompt.background}
            text, placed = _placed(prompt, settings.separate, family)
            yield Asked({**keys, "asked": TOP}, Fill(text, top=max(settings.tops), **placed))
            if settings.whole != "off":
                yield Asked({**keys, "asked": WHOLE}, Choose(text, words, **placed))

    def measure(self, materials: Stereotype, settings: CounterknowledgeSettings, answers: pl.DataFrame) -> Tables:
        """Probabilities per item, then means, paired effects and correlations over items."""
        answers = answers.sort("question", "part")
        items = item_table(materials, answers, settings.tops, settings.whole)
        relative = relative_table(materials, answers)
        rows = measure_rows(materials, settings, items)
        return {
            "measures": measures_table(rows + relative_rows(settings, relative, max(settings.tops))),
            "items": items,
            "kinds": kind_table(materials, rows, items),
            "relative": relative,
            "words": word_table(materials, answers),
            "vocabulary": vocabulary_table(materials, answers),
            "names": names_table(materials),
        }

    def comparisons(self, materials: Stereotype, settings: CounterknowledgeSettings) -> tuple[Compared, ...]:
        """The stereotype and the margin at the widest reach, kind by kind."""
        reach = f"top {max(settings.tops)}" if settings.whole == "off" else ALL_WORDS
        grammar = materials.grammar
        return (
            Compared(f"stereotype, {reach}", "is less stereotypical", "is more stereotypical", grammar.many),
            Compared(
                f"margin, {reach}", f"leans more to {grammar.second}", f"leans more to {grammar.first}", grammar.many
            ),
        )

    def sentences(self, tables: Tables, model: str) -> list[str]:
        """What the base prompts show, which knowledge moved it, and how much was neither."""
        return sentences(tables, model)


def _placed(prompt: Prompt, separate: bool, family: Family) -> tuple[str, dict[str, Any]]:
    """The text with the blank, and where the knowledge stands: before it as a context, or in it."""
    text = prompt.causal if family == "causal" else prompt.base
    if separate:
        return text, {"context": prompt.knowledge, "pair": bool(prompt.knowledge)}
    return f"{prompt.knowledge} {text}".strip(), {}
