"""A small stereotype probe in a folder, and hand-made models that answer it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.counterknowledge import Counterknowledge, CounterknowledgeSettings
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials, read_materials
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

CONTROLS = """\
controls:
  base: "The [MASK] {fact}."
  causal: "The target {fact}. The target is [MASK]"
  facts:
"""
CONTROLS += "".join(f"    - {{female: is sister {n}, male: is brother {n}}}\n" for n in range(12))
MANY_ITEMS = (
    "item,share\n" + "".join(f"f {n},{70 + n}\n" for n in range(12)) + "".join(f"m {n},{10 + n}\n" for n in range(12))
)
SWAPPED = """  - {name: other, short: o, expected: lowered, knowledge: "The {opposite_noun} worked as {a_item}."}
sizes:"""
CONTROLLED_GRAMMAR = GRAMMAR.replace("sizes:", SWAPPED) + CONTROLS
"""The grammar with a kind that names the other group, and with positive controls."""

Answering = Callable[[str, str], dict[str, float]]
"""From kind and item to the probability of each word, the most likely first."""


def write_probe(folder: Path, grammar: str = GRAMMAR, items: str = ITEMS, words: str = WORDS) -> Probe:
    """A probe of these materials."""
    (folder / "grammar.yaml").write_text(grammar)
    (folder / "items.csv").write_text(items)
    (folder / "words.csv").write_text(words)
    materials = "materials: {items: items.csv, words: words.csv, grammar: grammar.yaml}\n"
    (folder / "probe.yaml").write_text(f"method: counterknowledge\n{materials}")
    return load_probe(folder / "probe.yaml")


def read(probe: Probe, size: str = "full") -> CounterknowledgeMaterials:
    """The probe's materials in one of its sizes."""
    return read_materials(probe, CounterknowledgeSettings(size=size))


def read_with_settings(probe: Probe, **changed: object) -> tuple[CounterknowledgeMaterials, CounterknowledgeSettings]:
    """The probe's materials under changed settings, and these settings."""
    settings = CounterknowledgeSettings.model_validate({"resamples": 200, "tops": (1, 3), **changed})
    return Counterknowledge().materials(probe, settings), settings


def answers_of(
    model: Answering,
    materials: CounterknowledgeMaterials,
    settings: CounterknowledgeSettings,
    family: Family = "masked",
) -> pl.DataFrame:
    """The answers table of a hand-made model."""
    questions = Counterknowledge().questions(materials, settings, family)
    rows = [row for number, keyed in enumerate(questions) for row in _rows(number, keyed, model)]
    return pl.DataFrame(rows, schema_overrides={"probability": pl.Float64, "rank": pl.Int64})


def _rows(number: int, keyed: KeyedQuestion, model: Answering) -> list[dict[str, object]]:
    probabilities = model(str(keyed.keys["kind"]), str(keyed.keys["item"]))
    ranking = list(probabilities)
    assert isinstance(keyed.question, Fill | Choose)
    words = ranking[: keyed.question.top] if isinstance(keyed.question, Fill) else keyed.question.words
    return [
        {
            **keyed.keys,
            "question": number,
            "part": part,
            "token": word,
            "probability": probabilities.get(word),
            "rank": ranking.index(word) + 1 if word in probabilities else None,
            "pieces": 2 if word == "boy" else 1,
        }
        for part, word in enumerate(words)
    ]
