"""From the answers to tables: each group's probability per item and kind of prompt, and the words that gave it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.counterknowledge.formulas import (
    FIRST,
    NEITHER,
    SECOND,
    first_share,
    group_probability,
    margin,
    neither_share,
    preference,
    relative_probability,
    stereotype,
)
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.counterknowledge.materials import Stereotype

__all__ = ["ALL_WORDS", "TOP", "WHOLE", "item_table", "names_table", "relative_table", "vocabulary_table", "word_table"]

TOP, WHOLE = "top", "whole"
ALL_WORDS = "all words"
_PROMPT = ["kind", "item", "background"]
_ITEM = ["reach", "kind", "item"]
_MOST_WORDS = 200


def item_table(materials: Stereotype, answers: pl.DataFrame, tops: tuple[int, ...], whole: str) -> pl.DataFrame:
    """For each reach (top k, all words), kind of prompt and item: P_first, P_second and what follows from them.

    Backgrounds are averaged first, because items and not prompts were sampled.
    """
    parts = [_prompts(materials, answers.filter(pl.col("asked") == TOP), k) for k in tops]
    if whole != "off":
        counted = _counted(answers.filter(pl.col("asked") == WHOLE), whole)
        rest = 1.0 - pl.col("first") - pl.col("second") if whole == "one-token" else pl.lit(None, pl.Float64)
        parts.append(_prompts(materials, counted, None).with_columns(neither=rest))
    means = pl.concat(parts).group_by(_ITEM, maintain_order=True).agg(pl.mean("first", "second", "neither"))
    return _with_measures(_ordered(materials, means))


def vocabulary_table(materials: Stereotype, answers: pl.DataFrame) -> pl.DataFrame:
    """How many tokens each of the words has in this model; none where it cannot be written."""
    asked = answers.filter(pl.col("asked") == WHOLE).unique("token", keep="first", maintain_order=True)
    group = pl.col("token").str.to_lowercase().replace_strict(materials.words, default=None, return_dtype=pl.String)
    pieces = pl.when(pl.col("probability").is_not_null()).then("pieces")
    return asked.select(word="token", group=group, pieces=pieces)


def word_table(materials: Stereotype, answers: pl.DataFrame) -> pl.DataFrame:
    """The words that the model itself gave, how often and how probably, and how they were counted."""
    prompts = max(1, answers.filter(pl.col("asked") == TOP)["question"].n_unique())
    group = pl.col("token").str.to_lowercase().replace_strict(materials.words, default="neither")
    return (
        answers.filter(pl.col("asked") == TOP)
        .group_by("token", maintain_order=True)
        .agg(prompts=pl.len(), probability=pl.col("probability").sum() / prompts)
        .select("token", "prompts", "probability", group=group)
        .sort("probability", "token", descending=[True, False])
        .head(_MOST_WORDS)
    )


def relative_table(materials: Stereotype, answers: pl.DataFrame) -> pl.DataFrame:
    """Equation 1 for every word that a prompt with knowledge shares with its base prompt, and the word's side."""
    fillings = answers.filter(pl.col("asked") == TOP).select(*_PROMPT, "token", "probability")
    base = fillings.filter(pl.col("kind") == BASE).select("item", "token", base="probability")
    shared = fillings.filter(pl.col("kind") != BASE).join(base, on=["item", "token"])
    ratio = relative_probability(shared["probability"].to_numpy(), shared["base"].to_numpy())
    dominant = {item.name: item.group for item in materials.items}
    group = pl.col("token").str.to_lowercase().replace_strict(materials.words, default="neither")
    pro = group == pl.col("item").replace_strict(dominant, return_dtype=pl.String)
    side = pl.when(group == "neither").then(pl.lit("neither")).when(pro).then(pl.lit("pro")).otherwise(pl.lit("anti"))
    return (
        shared.with_columns(ratio=pl.Series(ratio, dtype=pl.Float64), group=group, side=side)
        .select(*_PROMPT, "token", "group", "side", "ratio")
        .sort(*_PROMPT, "token")
    )


def names_table(materials: Stereotype) -> pl.DataFrame:
    """What the figures call things."""
    grammar = materials.grammar
    names = {
        "first": grammar.first,
        "second": grammar.second,
        "one": grammar.one,
        "many": grammar.many,
        "statistic": grammar.statistic,
    }
    return pl.DataFrame({"name": list(names), "value": list(names.values())})


def _prompts(materials: Stereotype, answers: pl.DataFrame, k: int | None) -> pl.DataFrame:
    """P_first, P_second and P_0 of every prompt, among its k likeliest words or all that were asked about."""
    prompts = answers.group_by("question", maintain_order=True).agg(pl.first(*_PROMPT))
    # A word's rank may count the whole vocabulary, so all words stand in the order asked.
    order = pl.col("part") if k is None else pl.col("rank").rank("ordinal").over("question") - 1
    probabilities, groups = _matrices(materials, answers.with_columns(column=order))
    sides = {"first": FIRST, "second": SECOND, "neither": NEITHER}
    found = {side: group_probability(probabilities, groups, group, k) for side, group in sides.items()}
    reach = ALL_WORDS if k is None else f"top {k}"
    return prompts.select(pl.lit(reach).alias("reach"), *_PROMPT, **{side: pl.Series(p) for side, p in found.items()})


def _matrices(materials: Stereotype, answers: pl.DataFrame) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int8]]:
    sign = {word: FIRST if group == materials.grammar.first else SECOND for word, group in materials.words.items()}
    code = pl.col("token").str.to_lowercase().replace_strict(sign, default=NEITHER, return_dtype=pl.Int8)
    cells = answers.select("probability", "column", row=pl.col("question").rank("dense") - 1, group=code)
    rows, columns = cells["row"].to_numpy(), cells["column"].to_numpy()
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    probabilities, groups = np.zeros(shape), np.zeros(shape, dtype=np.int8)
    probabilities[rows, columns], groups[rows, columns] = cells["probability"].to_numpy(), cells["group"].to_numpy()
    return probabilities, groups


def _counted(answers: pl.DataFrame, whole: str) -> pl.DataFrame:
    """The words whose probability counts, the others at zero so that no prompt is lost.

    A masked model scores a word of several tokens in several blanks, so given its length: that adds up with no other.
    """
    counts = pl.col("probability").is_not_null() & ((pl.col("pieces") == 1) | pl.lit(whole == "all"))
    return answers.with_columns(probability=pl.when(counts).then("probability").otherwise(0.0))


def _ordered(materials: Stereotype, means: pl.DataFrame) -> pl.DataFrame:
    kinds = [BASE, *(kind.name for kind in materials.grammar.kinds)]
    shorts = ["b", *(kind.short for kind in materials.grammar.kinds)]
    order = pl.DataFrame({"kind": kinds, "short": shorts, "position": range(len(kinds))})
    items = pl.DataFrame(
        {
            "item": [item.name for item in materials.items],
            "share": [item.share for item in materials.items],
            "dominant": [item.group for item in materials.items],
            "dominant_sign": [FIRST if item.group == materials.grammar.first else SECOND for item in materials.items],
            "place": range(len(materials.items)),
        },
        schema_overrides={"share": pl.Float64, "dominant_sign": pl.Int8},
    )
    joined = means.join(order, on="kind").join(items, on="item")
    # "all words" sorts first, then top 10, top 5, top 3: the widest look at a model leads.
    width = pl.col("reach").str.extract(r"(\d+)").cast(pl.Int64).fill_null(10**9)
    return joined.sort(-width, "position", "place").drop("place")


def _with_measures(items: pl.DataFrame) -> pl.DataFrame:
    first, second, neither = (items[name].to_numpy() for name in ("first", "second", "neither"))
    dominant = items["dominant_sign"].to_numpy()
    pro, anti = np.where(dominant == FIRST, (first, second), (second, first))
    return items.drop("dominant_sign").with_columns(
        margin=pl.Series(margin(first, second)),
        stereotype=pl.Series(stereotype(first, second, dominant)),
        pro=pl.Series(pro),
        anti=pl.Series(anti),
        pro_share=pl.Series(first_share(pro, anti)).fill_nan(None),
        first_share=pl.Series(first_share(first, second)).fill_nan(None),
        neither_share=pl.Series(neither_share(first, second, neither)).fill_nan(None),
        prefers=pl.Series(preference(first, second)),
    )
