"""Answers by prompt: how much probability the words of each group get, and the measures derived from it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.counterknowledge.formulas import FIRST, NEITHER, SECOND, group_probability
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials
from tacit.methods.counterknowledge.questions import TOP, WHOLE
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings

__all__ = ["ALL_WORDS", "PROMPT", "TOLD_APART", "control_table", "log_ratios", "prompt_table", "widest_reach"]

ALL_WORDS = "all words"
"""The reach that covers the whole verbalizer; the others are called "top 3", "top 5" and so on."""
PROMPT = ["kind", "item", "background"]
"""The keys of a prompt."""
TOLD_APART = "definitional sentences told apart"
"""The positive control: pairs of facts of which each makes its own group clearly likelier than the other fact does."""


def widest_reach(settings: CounterknowledgeSettings) -> str:
    """The reach that the headline, the tests and comparisons are about."""
    return f"top {max(settings.tops)}" if settings.whole == "off" else ALL_WORDS


def prompt_table(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
) -> pl.DataFrame:
    """P_first, P_second, P_0 and the measures derived from them, for each reach (top k, all words) and prompt.

    The mean of a measure over the prompts of an item is the measure of that item. A share of an item is a ratio of
    sums over its prompts, so its prompts get r + (x − r t) / t̄, whose mean is r and which vary as the ratio does.
    """
    top_answers = answers.filter(pl.col("asked") == TOP)
    tables = [_probabilities(materials, top_answers, k) for k in settings.tops]
    if settings.whole != "off":
        tables.append(_whole_probabilities(materials, settings, answers.filter(pl.col("asked") == WHOLE)))
    dominant = {item.name: item.group for item in materials.items}
    first, second, is_first = pl.col("first"), pl.col("second"), pl.col("dominant") == materials.grammar.first
    by_item = ["reach", "kind", "item"]
    return (
        pl.concat(tables)
        .with_columns(dominant=pl.col("item").replace_strict(dominant, return_dtype=pl.String))
        .with_columns(
            margin=first - second,
            pro=pl.when(is_first).then(first).otherwise(second),
            anti=pl.when(is_first).then(second).otherwise(first),
        )
        .with_columns(
            stereotype=pl.col("pro") - pl.col("anti"),
            first_share=_ratio_values(first, first + second, by_item),
            pro_share=_ratio_values(pl.col("pro"), first + second, by_item),
            neither_share=_ratio_values(pl.col("neither"), first + second + pl.col("neither"), by_item),
        )
    )


def control_table(
    materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, answers: pl.DataFrame
) -> pl.DataFrame:
    """The first group's share of the probability of both, after each of the two facts of every control."""
    schema = {"first_fact": pl.String, "second_fact": pl.String, "first_share": pl.Float64, "second_share": pl.Float64}
    controls = materials.grammar.controls
    if controls is None or answers.is_empty():
        return pl.DataFrame(schema=schema)
    if settings.whole == "off":
        shares = _probabilities(materials, answers, max(settings.tops))
    else:
        shares = _whole_probabilities(materials, settings, answers)
    total = pl.col("first") + pl.col("second")
    share = shares.select("item", share=pl.when(total > 0).then(pl.col("first") / total))
    of_fact = dict(share.iter_rows())
    pairs = [(pair[materials.grammar.first], pair[materials.grammar.second]) for pair in controls.facts]
    rows = [(*pair, of_fact.get(pair[0]), of_fact.get(pair[1])) for pair in pairs]
    return pl.DataFrame(rows, schema=schema, orient="row")


def log_ratios(relative: pl.DataFrame) -> pl.DataFrame:
    """The mean log of Equation 1 over the words of an item, as values of its prompts that vary as that mean does."""
    prompts = relative.group_by("side", *PROMPT, maintain_order=True).agg(pl.col("ratio").log().sum(), words=pl.len())
    value = _ratio_values(pl.col("ratio"), pl.col("words"), ["side", "kind", "item"])
    return prompts.with_columns(log_ratio=value)


def _ratio_values(part: pl.Expr, total: pl.Expr, by: list[str]) -> pl.Expr:
    """r + (x − r t) / t̄ for the prompts of an item, with r = Σx / Σt; null where Σt is 0."""
    ratio = part.sum().over(by) / total.sum().over(by)
    return pl.when(total.sum().over(by) > 0).then(ratio + (part - ratio * total) / total.mean().over(by))


def _probabilities(materials: CounterknowledgeMaterials, answers: pl.DataFrame, k: int | None) -> pl.DataFrame:
    """P_first, P_second and P_0 of every prompt, over its k most likely words (None: all words of the verbalizer)."""
    prompts = answers.group_by("question", maintain_order=True).agg(pl.first(*PROMPT))
    # A word's rank may count the whole vocabulary, so with all words their order in the question is used.
    order = pl.col("part") if k is None else pl.col("rank").rank("ordinal").over("question") - 1
    probabilities, groups = _matrices(materials, answers.with_columns(column=order))
    sides = {"first": FIRST, "second": SECOND, "neither": NEITHER}
    sums = {side: pl.Series(group_probability(probabilities, groups, group, k)) for side, group in sides.items()}
    reach = ALL_WORDS if k is None else f"top {k}"
    return prompts.select(pl.lit(reach).alias("reach"), *PROMPT, **sums)


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
    return _probabilities(materials, counted, None).with_columns(neither=rest)


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
