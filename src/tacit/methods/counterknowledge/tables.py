"""Tables of the answers: the probability of each group per item and kind of prompt, and the words behind it."""

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
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.methods.counterknowledge.questions import TOP, WHOLE
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings

__all__ = ["ALL_WORDS", "item_table", "names_table", "relative_table", "vocabulary_table", "word_table"]

ALL_WORDS = "all words"
"""The reach that covers the whole verbalizer; the others are called "top 3", "top 5" and so on."""
_PROMPT = ["kind", "item", "background"]
_ITEM = ["reach", "kind", "item"]
_MOST_WORDS = 200


def item_table(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
) -> pl.DataFrame:
    """P_first, P_second and the measures derived from them, for each reach (top k, all words), kind and item.

    Backgrounds are averaged first, because items were sampled, not prompts.
    """
    top_answers = answers.filter(pl.col("asked") == TOP)
    prompts = [_prompt_probabilities(materials, top_answers, k) for k in settings.tops]
    if settings.whole != "off":
        prompts.append(_whole_probabilities(materials, settings, answers.filter(pl.col("asked") == WHOLE)))
    means = pl.concat(prompts).group_by(_ITEM, maintain_order=True).agg(pl.mean("first", "second", "neither"))
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
    """Equation 1 for every word that a prompt with knowledge shares with its base prompt, and the side of the word."""
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


def _prompt_probabilities(materials: CounterknowledgeMaterials, answers: pl.DataFrame, k: int | None) -> pl.DataFrame:
    """P_first, P_second and P_0 of every prompt, over its k most likely words (None: all words of the verbalizer)."""
    prompts = answers.group_by("question", maintain_order=True).agg(pl.first(*_PROMPT))
    # A word's rank may count the whole vocabulary, so with all words their order in the question is used.
    order = pl.col("part") if k is None else pl.col("rank").rank("ordinal").over("question") - 1
    probabilities, groups = _matrices(materials, answers.with_columns(column=order))
    sides = {"first": FIRST, "second": SECOND, "neither": NEITHER}
    sums = {side: pl.Series(group_probability(probabilities, groups, group, k)) for side, group in sides.items()}
    reach = ALL_WORDS if k is None else f"top {k}"
    return prompts.select(pl.lit(reach).alias("reach"), *_PROMPT, **sums)


def _whole_probabilities(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
) -> pl.DataFrame:
    """P_first, P_second and P_0 of every prompt over the whole verbalizer.

    A masked model scores a word of several tokens given its length, so its score cannot be added to those of other
    words: unless `whole=all`, such words count as zero. P_0 is the rest, where the counted words are one token each.
    """
    counts = pl.col("probability").is_not_null() & ((pl.col("pieces") == 1) | pl.lit(settings.whole == "all"))
    counted = answers.with_columns(probability=pl.when(counts).then("probability").otherwise(0.0))
    rest = 1.0 - pl.col("first") - pl.col("second") if settings.whole == "one-token" else pl.lit(None, pl.Float64)
    return _prompt_probabilities(materials, counted, None).with_columns(neither=rest)


def _matrices(
    materials: CounterknowledgeMaterials, answers: pl.DataFrame
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int8]]:
    """Probabilities and groups as matrices: one row per question, one column per word."""
    sign = {word: FIRST if group == materials.grammar.first else SECOND for word, group in materials.words.items()}
    code = pl.col("token").str.to_lowercase().replace_strict(sign, default=NEITHER, return_dtype=pl.Int8)
    cells = answers.select("probability", "column", row=pl.col("question").rank("dense") - 1, group=code)
    rows, columns = cells["row"].to_numpy(), cells["column"].to_numpy()
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    probabilities, groups = np.zeros(shape), np.zeros(shape, dtype=np.int8)
    probabilities[rows, columns], groups[rows, columns] = cells["probability"].to_numpy(), cells["group"].to_numpy()
    return probabilities, groups


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
