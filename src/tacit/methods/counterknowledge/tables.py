"""Tables of the answers: the probability of each group per item and kind of prompt, and the words behind it."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow
from tacit.methods.counterknowledge.formulas import (
    FIRST,
    SECOND,
    first_share,
    margin,
    neither_share,
    preference,
    relative_probability,
    stereotype,
)
from tacit.methods.counterknowledge.grammar import BASE, Grammar
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.methods.counterknowledge.prompts import PROMPT
from tacit.methods.counterknowledge.questions import TOP, WHOLE

__all__ = ["item_table", "kind_table", "names_table", "relative_table", "vocabulary_table", "word_table"]

_ITEM = ["reach", "kind", "item"]
_MOST_WORDS = 200


def item_table(materials: CounterknowledgeMaterials, prompts: pl.DataFrame) -> pl.DataFrame:
    """P_first, P_second and the measures derived from them, for each reach (top k, all words), kind and item.

    Backgrounds are averaged first, because items were sampled, not prompts.
    """
    means = prompts.group_by(_ITEM, maintain_order=True).agg(pl.mean("first", "second", "neither"))
    return _with_measures(_with_labels(materials, means))


def vocabulary_table(materials: CounterknowledgeMaterials, answers: pl.DataFrame) -> pl.DataFrame:
    """How many tokens each word of the verbalizer has in this model; null where the model cannot represent it."""
    words = answers.filter(pl.col("asked") == WHOLE).unique("token", keep="first", maintain_order=True)
    group = pl.col("token").str.to_lowercase().replace_strict(materials.words, default=None, return_dtype=pl.String)
    pieces = pl.when(pl.col("probability").is_not_null()).then("pieces")
    return words.select(word="token", group=group, pieces=pieces)


def word_table(materials: CounterknowledgeMaterials, answers: pl.DataFrame) -> pl.DataFrame:
    """The words that the model returned most: in how many prompts, their mean probability, and their group."""
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


def relative_table(materials: CounterknowledgeMaterials, answers: pl.DataFrame) -> pl.DataFrame:
    """Equation 1 for every word that a prompt with knowledge shares with its base prompt, and the side of the word.

    `within` is the smallest k for which the word is among the k likeliest of both prompts.
    """
    # A very confident model rounds the probability of its tenth word to zero, which has no ratio.
    place = pl.col("rank").rank("ordinal").over("question").cast(pl.Int64)
    asked = answers.filter(pl.col("asked") == TOP).with_columns(place=place).filter(pl.col("probability") > 0)
    fillings = asked.select(*PROMPT, "token", "probability", "place")
    base = fillings.filter(pl.col("kind") == BASE).select("item", "token", base="probability", base_place="place")
    shared = fillings.filter(pl.col("kind") != BASE).join(base, on=["item", "token"])
    ratio = relative_probability(shared["probability"].to_numpy(), shared["base"].to_numpy())
    dominant = {item.name: item.group for item in materials.items}
    group = pl.col("token").str.to_lowercase().replace_strict(materials.words, default="neither")
    pro = group == pl.col("item").replace_strict(dominant, return_dtype=pl.String)
    side = pl.when(group == "neither").then(pl.lit("neither")).when(pro).then(pl.lit("pro")).otherwise(pl.lit("anti"))
    return (
        shared.with_columns(
            ratio=pl.Series(ratio, dtype=pl.Float64),
            group=group,
            side=side,
            within=pl.max_horizontal("place", "base_place"),
        )
        .select(*PROMPT, "token", "group", "side", "ratio", "within")
        .sort(*PROMPT, "token")
    )


def kind_table(grammar: Grammar, rows: list[MeasureRow], items: pl.DataFrame) -> pl.DataFrame:
    """The paper's figures as a table: the probability of each group with its interval, by reach and kind of prompt.

    `expected` says what the study expects of a kind: that it raises or lowers the stereotype, or leaves it the same.
    """
    reaches = items["reach"].unique()
    probability = {f"{group} words, {reach}": (group, reach) for group in grammar.groups for reach in reaches}
    cells = [
        (*probability[str(row["measure"])], row["group"], row["value"], row["low"], row["high"])
        for row in rows
        if row["measure"] in probability
    ]
    texts, numbers = ("group", "reach", "kind"), ("value", "low", "high")
    schema = dict.fromkeys(texts, pl.String) | dict.fromkeys(numbers, pl.Float64)
    expected = {kind.name: kind.expected for kind in grammar.kinds}
    order = items.select("kind", "short", "position").unique(maintain_order=True)
    return (
        pl.DataFrame(cells, schema=schema, orient="row")
        .join(order, on="kind", maintain_order="left")
        .with_columns(expected=pl.col("kind").replace_strict(expected, default=None, return_dtype=pl.String))
    )


def names_table(materials: CounterknowledgeMaterials) -> pl.DataFrame:
    """The names that summaries and figures use for groups and items."""
    grammar = materials.grammar
    names = {
        "first": grammar.first,
        "second": grammar.second,
        "one": grammar.singular,
        "many": grammar.plural,
        "statistic": grammar.statistic,
    }
    return pl.DataFrame({"name": list(names), "value": list(names.values())})


def _with_labels(materials: CounterknowledgeMaterials, means: pl.DataFrame) -> pl.DataFrame:
    """The means with what is known of each kind and item, the widest reach first."""
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
    # "all words" comes first, then top 10, top 5 and top 3.
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
