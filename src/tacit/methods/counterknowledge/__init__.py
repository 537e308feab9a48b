"""Counteracts: how far a sentence of knowledge moves a stereotype (Zhang, Rayz, Pradhan 2023)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables, measures_table
from tacit.methods.counterknowledge.materials import CounterknowledgeShape, Prompt, Stereotype, read_stereotype
from tacit.methods.counterknowledge.measures import kind_table, measure_rows, relative_rows
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.methods.counterknowledge.summary import sentences
from tacit.methods.counterknowledge.tables import (
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

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Counterknowledge", "CounterknowledgeSettings"]

# A base prompt and one with knowledge: where the blank opens the text, the same word may have other tokens.
FIRST_ROUND = 2


class Counterknowledge(Method[Stereotype, CounterknowledgeSettings]):
    """Ten kinds of prompt around one base sentence; each item is its own control."""

    name = "counterknowledge"
    settings = CounterknowledgeSettings
    shape = CounterknowledgeShape

    def materials(self, probe: Probe, settings: CounterknowledgeSettings) -> Stereotype:
        """The grammar, the words and the items of the chosen size."""
        return read_stereotype(probe, settings.size)

    def questions(
        self, materials: Stereotype, settings: CounterknowledgeSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        """For every prompt its likeliest words, and the probability of each word of the verbalizer."""
        return _asked(materials.prompts(), tuple(materials.words), settings, family)

    def next_questions(
        self, materials: Stereotype, settings: CounterknowledgeSettings, family: Family, answers: pl.DataFrame | None
    ) -> Iterator[KeyedQuestion]:
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

    def count_questions(self, materials: Stereotype, settings: CounterknowledgeSettings, family: Family) -> int:
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

    def comparisons(self, materials: Stereotype, settings: CounterknowledgeSettings) -> tuple[PairedMeasure, ...]:
        """The stereotype and the margin at the widest reach, kind by kind."""
        reach = f"top {max(settings.tops)}" if settings.whole == "off" else ALL_WORDS
        grammar = materials.grammar
        return (
            PairedMeasure(f"stereotype, {reach}", "is less stereotypical", "is more stereotypical", grammar.many),
            PairedMeasure(
                f"margin, {reach}", f"leans more to {grammar.second}", f"leans more to {grammar.first}", grammar.many
            ),
        )

    def summary(self, tables: Tables, model: str) -> list[str]:
        """What the base prompts show, which knowledge moved it, and how much was neither."""
        return sentences(tables, model)

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of the report."""
        from tacit.methods.counterknowledge.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)


def _asked(
    prompts: Iterable[Prompt], words: tuple[str, ...], settings: CounterknowledgeSettings, family: Family
) -> Iterator[KeyedQuestion]:
    if family == "classifier":
        raise TacitError("A classifier fills no blank: give this probe a masked, causal or seq2seq model.")
    for prompt in prompts:
        keys: dict[str, str | int] = {"kind": prompt.kind, "item": prompt.item, "background": prompt.background}
        text, placed = _placed(prompt, settings.separate, family)
        yield KeyedQuestion({**keys, "asked": TOP}, Fill(text, top=max(settings.tops), **placed))
        if settings.whole != "off":
            yield KeyedQuestion({**keys, "asked": WHOLE}, Choose(text, words, **placed))


def _placed(prompt: Prompt, separate: bool, family: Family) -> tuple[str, dict[str, Any]]:
    """The text with the blank, and where the knowledge stands: before it as a context, or in it."""
    text = prompt.causal if family == "causal" else prompt.base
    if separate:
        return text, {"context": prompt.knowledge, "pair": bool(prompt.knowledge)}
    return f"{prompt.knowledge} {text}".strip(), {}
