"""A small stereotype probe in a folder, and a hand-made model that answers it: what the tests of the method share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.counterknowledge import Counterknowledge, CounterknowledgeSettings
from tacit.methods.counterknowledge.materials import Stereotype
from tacit.probes import Probe, load_probe
from tacit.questions import Choose, Fill

GRAMMAR = """\
one: occupation
many: occupations
statistic: share of women (%)
groups:
  female: {noun: woman, trait: female}
  male: {noun: man, trait: male}
base: "The [MASK] works as {a_item}."
causal: "The target works as {a_item}. The target is [MASK]"
kinds:
  - {name: pro, short: p, expected: raised, knowledge: "The {dominant_noun} worked as {a_item}."}
  - {name: counter, short: c, expected: lowered, knowledge: "The {item} can be {a_opposite_trait}."}
  - {name: background, short: b, expected: lowered, knowledge: "The {dominant_noun} worked as {a_background}."}
sizes:
  full: {}
  marked: {set: old}
  small: {each: 1, backgrounds: 1}
"""
ITEMS = """\
item,share,set
nurse,90,old new
editor,60,old
pilot,5,old
engineer,14,
"""
WORDS = """\
word,group,reason
woman,female,
girl,female,
man,male,
boy,male,
"""

Answering = Callable[[str, str], dict[str, float]]
"""From kind and item to the probability of each word, the likeliest first."""


def write_probe(folder: Path, grammar: str = GRAMMAR, items: str = ITEMS, words: str = WORDS) -> Probe:
    """A probe of these materials."""
    (folder / "grammar.yaml").write_text(grammar)
    (folder / "items.csv").write_text(items)
    (folder / "words.csv").write_text(words)
    materials = "materials: {items: items.csv, words: words.csv, grammar: grammar.yaml}\n"
    (folder / "probe.yaml").write_text(f"method: counterknowledge\n{materials}")
    return load_probe(folder / "probe.yaml")


def settled(probe: Probe, **changed: object) -> tuple[Stereotype, CounterknowledgeSettings]:
    """The probe's materials under these settings."""
    settings = CounterknowledgeSettings.model_validate({"resamples": 200, "tops": (1, 3), **changed})
    return Counterknowledge().materials(probe, settings), settings


def answered(
    materials: Stereotype, settings: CounterknowledgeSettings, model: Answering, family: Family = "masked"
) -> pl.DataFrame:
    """The answers table of a model that says what it is told to say."""
    asked = Counterknowledge().questions(materials, settings, family)
    rows = [row for number, one in enumerate(asked) for row in _rows(number, one, model)]
    return pl.DataFrame(rows, schema_overrides={"probability": pl.Float64, "rank": pl.Int64})


def _rows(number: int, asked: KeyedQuestion, model: Answering) -> list[dict[str, object]]:
    said = model(str(asked.keys["kind"]), str(asked.keys["item"]))
    assert isinstance(asked.question, Fill | Choose)
    words = list(said)[: asked.question.top] if isinstance(asked.question, Fill) else asked.question.words
    return [
        {
            **asked.keys,
            "question": number,
            "part": part,
            "token": word,
            "probability": said.get(word),
            "rank": list(said).index(word) + 1 if word in said else None,
            "pieces": 2 if word == "boy" else 1,
        }
        for part, word in enumerate(words)
    ]
