"""From answers to one row an item: the rank of its word, the rank of what it is held against, and who won."""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.contrast.materials import ContrastMaterials

__all__ = ["BY_PEOPLE", "WITH", "WITHOUT", "item_table", "word_table"]

WITH, WITHOUT = "with", "without"
BY_PEOPLE = "chosen by"
"""How the answers of people are marked: they have no ranks in a vocabulary."""

_ITEMS: dict[str, Any] = {
    "item": pl.String,
    "word": pl.String,
    "category": pl.String,
    "context": pl.String,
    "rank": pl.Int64,
    "against_rank": pl.Int64,
    "probability": pl.Float64,
    "against_probability": pl.Float64,
    "acc": pl.Float64,
    "MRR": pl.Float64,
    "diff": pl.Float64,
    "tie": pl.Boolean,
    "several": pl.Boolean,
    "missing": pl.Boolean,
    "ranked_among": pl.String,
}


def item_table(materials: ContrastMaterials, answers: pl.DataFrame, *, ties_are_wrong: bool) -> pl.DataFrame:
    """One row an item and context; acc is 1 or 0, and null for a tie unless ties are wrong.

    Where several words count on a side, the likeliest speaks for it. An item of which a side cannot be written with
    the model's tokens is missing and has no measure; where no rank is over a vocabulary (people), only acc is defined.
    """
    keys = ["item", "word", "context"]
    sides = answers.join(_sides(materials), on=["word", "token"], how="inner", maintain_order="left")
    own, other = (pl.col("side") == side for side in ("own", "against"))
    rows = sides.group_by(keys, maintain_order=True).agg(
        rank=pl.col("rank").filter(own).min(),
        against_rank=pl.col("rank").filter(other).min(),
        probability=pl.col("probability").filter(own).max(),
        against_probability=pl.col("probability").filter(other).max(),
        several=(pl.col("pieces") > 1).any(),
        ranked_among=pl.col("made").first(),
    )
    joined = rows.join(word_table(materials).select("word", "category"), on="word", maintain_order="left")
    return joined.with_columns(*_scores(ties_are_wrong)).select(
        pl.col(name).cast(kind) for name, kind in _ITEMS.items()
    )


def word_table(materials: ContrastMaterials) -> pl.DataFrame:
    """The words as a table, in the order of the materials."""
    words = list(materials.words.values())
    return pl.DataFrame(
        {
            "word": [word.name for word in words],
            "category": [word.category for word in words],
            "intensity": [word.intensity for word in words],
            "frequency": [word.frequency for word in words],
            "against": ["; ".join(word.against) for word in words],
        },
        schema_overrides={"intensity": pl.Float64, "frequency": pl.Float64},
    )


def _sides(materials: ContrastMaterials) -> pl.DataFrame:
    rows = [
        (word.name, token, side)
        for word in materials.words.values()
        for side, tokens in (("own", word.words), ("against", word.against))
        for token in tokens
    ]
    return pl.DataFrame(rows, schema=["word", "token", "side"], orient="row")


def _scores(ties_are_wrong: bool) -> tuple[pl.Expr, ...]:
    rank, against = pl.col("rank"), pl.col("against_rank")
    # Two words of several tokens may share the place that they would take among single tokens, and yet one is likelier.
    ahead = (pl.col("probability") - pl.col("against_probability")).fill_null(0.0)
    tie = (rank == against) & (ahead == 0)
    won = ((rank < against) | ((rank == against) & (ahead > 0))).cast(pl.Float64)
    in_vocabulary = pl.col("ranked_among").str.starts_with(BY_PEOPLE).not_()
    both = rank.is_not_null() & against.is_not_null()
    return (
        (won if ties_are_wrong else pl.when(tie.not_()).then(won)).alias("acc"),
        pl.when(both & in_vocabulary).then(1 / rank).alias("MRR"),
        pl.when(in_vocabulary).then(rank - against).cast(pl.Float64).alias("diff"),
        tie.fill_null(False).alias("tie"),
        both.not_().alias("missing"),
    )
