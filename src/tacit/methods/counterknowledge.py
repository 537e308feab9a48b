"""Counteracts: how far a sentence of knowledge moves a stereotype (Zhang, Rayz, Pradhan 2023)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
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

# A base prompt and one with knowledge: where the blank opens the text, the same word may have other tokens.
FIRST_ROUND = 2


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
        return _asked(materials.prompts(), tuple(materials.words), settings, family)

    def next_questions(
        self, materials: Stereotype, settings: CounterknowledgeSettings, family: Family, answers: pl.DataFrame | None
    ) -> Iterator[Asked]:
        """The same in two rounds: the first tells which words are one token, and only these are asked about further.

        A word of several tokens costs a masked model several passes, and would not be counted.
        """
        if settings.whole != "one-token":
            return iter(()) if answers is not None else self.questions(materials, settings, family)
        if answers is None:
            return _asked(islice(materials.prompts(), FIRST_ROUND), tuple(materials.words), settings, family)
        if answers["question"].n_unique() > 2 * FIRST_ROUND:
            return iter(())
        one_token = answers.filter((pl.col("asked") == WHOLE) & (pl.col("pieces") == 1))["token"]
        words = tuple(word for word in materials.words if word in {*one_token})
        return _asked(islice(materials.prompts(), FIRST_ROUND, None), words or (*materials.words,), settings, family)

    def most_questions(self, materials: Stereotype, settings: CounterknowledgeSettings) -> int:
        """How many questions there are in all rounds together."""
        return sum(1 for _ in materials.prompts()) * (1 if settings.whole == "off" else 2)

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


def _asked(
    prompts: Iterable[Prompt], words: tuple[str, ...], settings: CounterknowledgeSettings, family: Family
) -> Iterator[Asked]:
    if family == "classifier":
        raise TacitError("A classifier fills no blank: give this probe a masked, causal or seq2seq model.")
    for prompt in prompts:
        keys: dict[str, str | int] = {"kind": prompt.kind, "item": prompt.item, "background": prompt.background}
        text, placed = _placed(prompt, settings.separate, family)
        yield Asked({**keys, "asked": TOP}, Fill(text, top=max(settings.tops), **placed))
        if settings.whole != "off":
            yield Asked({**keys, "asked": WHOLE}, Choose(text, words, **placed))


def _placed(prompt: Prompt, separate: bool, family: Family) -> tuple[str, dict[str, Any]]:
    """The text with the blank, and where the knowledge stands: before it as a context, or in it."""
    text = prompt.causal if family == "causal" else prompt.base
    if separate:
        return text, {"context": prompt.knowledge, "pair": bool(prompt.knowledge)}
    return f"{prompt.knowledge} {text}".strip(), {}
