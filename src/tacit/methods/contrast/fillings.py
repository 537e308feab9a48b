"""Error analysis: what a model fills in instead, by class of word. The rule of the classes is in `classify`."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import polars as pl

from tacit.methods.base import MeasureRow, Settings, measure_row
from tacit.methods.contrast.estimates import Columns, Units, estimate
from tacit.methods.contrast.materials import WITH, WITHOUT, ContrastMaterials, Word
from tacit.methods.contrast.means import Group, category_groups, measure_name
from tacit.methods.contrast.verdicts import ALL_ITEMS

__all__ = ["CLASSES", "FIRST", "NEGATIONS", "classify", "error_table", "filling_rows", "filling_table"]

ORIGINAL, NEGATION, RIVAL = "the word itself", "negation", "another rival"
SAME, INTENSIFIER, ADVERB, OTHER = "same category", "other intensifier", "other adverb", "anything else"
CLASSES = (ORIGINAL, NEGATION, RIVAL, SAME, INTENSIFIER, ADVERB, OTHER)
FIRST = "likeliest filling is"
NEGATIONS = frozenset({"not", "n't", "no", "never", "nor", "neither", "none", "nothing"})

_FOLDER = Path(__file__).parent
_SHORTEST_IN_LY = 5


def classify(token: str, word: Word, materials: ContrastMaterials) -> str:
    """The class of a filling in the blank of a word: the first of these that fits, case ignored.

    1. the word itself, or another form of it; 2. a negation (not, never, no, ...); 3. another rival of the word;
    4. the word's own category: another word of the probe, or one of intensifiers.csv; 5. an intensifier of another
    category; 6. another adverb: five letters or more that end in -ly, unless WordNet knows the word but not as an
    adverb ("family"), or a word that is an adverb in at least half of its senses there ("here"); 7. anything else.
    """
    plain = token.strip().lower()
    if plain in word.forms:
        return ORIGINAL
    if plain in NEGATIONS:
        return NEGATION
    if plain in word.rivals:
        return RIVAL
    category = materials.words[plain].category if plain in materials.words else _intensifiers().get(plain)
    if category is not None:
        return SAME if category == word.category else INTENSIFIER
    return ADVERB if _is_adverb(plain) else OTHER


def filling_table(materials: ContrastMaterials, items: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """One row per filling: item, word, category, context, rank, token, probability, class, and the item's `acc`."""
    words = materials.words
    pairs = answers.select("word", "token").unique(maintain_order=True)
    kinds = pairs.with_columns(
        pl.Series("class", [classify(token, words[word], materials) for word, token in pairs.iter_rows()], pl.String)
    )
    known = items.select("item", "context", "category", "frame", "acc")
    place = pl.col("rank").rank("ordinal").over("question").cast(pl.Int64)
    return (
        answers.with_columns(rank=place)
        .join(kinds, on=["word", "token"], maintain_order="left")
        .join(known, on=["item", "context"], maintain_order="left")
        .select("item", "word", "category", "frame", "context", "rank", "token", "probability", "class", "acc")
    )


def filling_rows(materials: ContrastMaterials, settings: Settings, fillings: pl.DataFrame) -> list[MeasureRow]:
    """The share of items whose likeliest filling is of each class, overall and by category, over the sampled units."""
    first, units = fillings.filter(pl.col("rank") == 1), Units(materials.noun, materials.frame)
    rows = []
    for context in (WITH, WITHOUT):
        asked = first.filter(pl.col("context") == context)
        for kind in _present(fillings) if len(asked) else ():
            marked = Columns.of(asked.with_columns(acc=(pl.col("class") == kind).cast(pl.Float64)))
            for group in [Group("all", ALL_ITEMS), *category_groups(materials)]:
                share = estimate(group.select(marked), "acc", units, settings.confidence)
                name = measure_name(f"{FIRST} {kind}", context)
                rows.append(measure_row(name, group.name, share.interval, unit=share.unit, caution=share.caution))
    return rows


def error_table(materials: ContrastMaterials, fillings: pl.DataFrame) -> pl.DataFrame:
    """By context, group, outcome and class: the share of likeliest fillings, of all fillings, and the probability.

    `outcome` is "all", or "wrong" for the items in which the word ranks below its rival. `probability` is the mean over
    items of what the fillings of the class have together.
    """
    parts = []
    groups = [(ALL_ITEMS, pl.lit(True)), *((name, pl.col("category") == name) for name in materials.categories)]
    words = [(name, pl.col("word") == name) for name in materials.words]
    for group, chosen in [*groups, *words]:
        for outcome, kept in (("all", pl.lit(True)), ("wrong", pl.col("acc") == 0)):
            parts.append(_class_shares(fillings.filter(chosen & kept), group, outcome))
    order = {kind: place for place, kind in enumerate(CLASSES)}
    return pl.concat(parts).sort(
        "context", "group", "outcome", pl.col("class").replace_strict(order, return_dtype=pl.Int64), maintain_order=True
    )


def _class_shares(fillings: pl.DataFrame, group: str, outcome: str) -> pl.DataFrame:
    totals = fillings.group_by("context").agg(items=pl.col("item").n_unique(), every=pl.len())
    counted = fillings.group_by("context", "class").agg(
        first=(pl.col("rank") == 1).sum(), fillings=pl.len(), probability=pl.col("probability").sum()
    )
    return counted.join(totals, on="context").select(
        "context",
        pl.lit(group).alias("group"),
        pl.lit(outcome).alias("outcome"),
        "class",
        first=pl.col("first") / pl.col("items"),
        fillings=pl.col("fillings") / pl.col("every"),
        probability=pl.col("probability") / pl.col("items"),
        items=pl.col("items").cast(pl.Int64),
    )


def _present(fillings: pl.DataFrame) -> list[str]:
    """The classes that may occur: another rival only where there is one."""
    found = {*fillings["class"]}
    return [kind for kind in CLASSES if kind != RIVAL or kind in found]


def _is_adverb(word: str) -> bool:
    if word.endswith("ly") and len(word) >= _SHORTEST_IN_LY and word.isalpha():
        return word not in _read_list("not-adverbs.txt")
    return word in _read_list("adverbs.txt")


@cache
def _intensifiers() -> dict[str, str]:
    with (_FOLDER / "intensifiers.csv").open(encoding="utf-8", newline="") as file:
        return {word: row["category"] for row in csv.DictReader(file) for word in row["words"].split()}


@cache
def _read_list(name: str) -> frozenset[str]:
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
