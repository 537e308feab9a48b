"""The item table: one row per item and context with both ranks and the resulting scores."""

from __future__ import annotations

import polars as pl

from tacit.errors import ModelError
from tacit.methods.contrast.formulas import rank_difference, reciprocal_rank, ties, wins
from tacit.methods.contrast.materials import ContrastMaterials

__all__ = ["BY_PEOPLE", "item_table", "word_table"]

BY_PEOPLE = "chosen by"
"""How the answers of people are marked: they have no ranks in a vocabulary."""

_COLUMNS: dict[str, type[pl.DataType]] = {
    "item": pl.String,
    "word": pl.String,
    "category": pl.String,
    "frame": pl.String,
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
    """One row per item and context; acc is 1 or 0, and null for a tie unless ties are wrong.

    Where a side has several words, the most likely one represents it. An item is missing, and has no score, if the
    model cannot represent one of its sides. `frame` is what the item's bare form shares with other items. People have
    no ranks in a vocabulary, so only their acc is defined.
    """
    keys = ["item", "word", "context"]
    _require_ranks(answers)
    sides = answers.join(_side_table(materials), on=["word", "token"], how="inner", maintain_order="left")
    own, rival = (pl.col("side") == side for side in ("own", "rival"))
    ranks = sides.group_by(keys, maintain_order=True).agg(
        rank=pl.col("rank").filter(own).min(),
        against_rank=pl.col("rank").filter(rival).min(),
        probability=pl.col("probability").filter(own).max(),
        against_probability=pl.col("probability").filter(rival).max(),
        several=(pl.col("pieces") > 1).any(),
        ranked_among=pl.col("made").first(),
    )
    labeled = ranks.join(word_table(materials).select("word", "category"), on="word", maintain_order="left")
    labeled = labeled.join(_frame_table(materials), on="item", how="left", maintain_order="left")
    # Ranks from elsewhere may be about sentences that the probe does not have: each is a frame of its own.
    labeled = labeled.with_columns(pl.col("frame").fill_null(pl.col("item")))
    scored = _with_scores(labeled, ties_are_wrong=ties_are_wrong)
    return scored.select(pl.col(name).cast(dtype) for name, dtype in _COLUMNS.items())


def _require_ranks(answers: pl.DataFrame) -> None:
    """Reject a word with a probability but no rank: without the rare words, the others would be a biased sample."""
    if answers.filter(pl.col("rank").is_null() & pl.col("probability").is_not_null()).height:
        raise ModelError(
            "The model gives probabilities, but no ranks of rare words, as servers do. Set causal=whole to rank words "
            "within a shortlist."
        )


def word_table(materials: ContrastMaterials) -> pl.DataFrame:
    """One row per word, in the order of the materials."""
    words = list(materials.words.values())
    return pl.DataFrame(
        {
            "word": [word.name for word in words],
            "category": [word.category for word in words],
            "intensity": [word.intensity for word in words],
            "frequency": [word.frequency for word in words],
            "against": ["; ".join(word.rivals) for word in words],
        },
        schema_overrides={"intensity": pl.Float64, "frequency": pl.Float64},
    )


def _side_table(materials: ContrastMaterials) -> pl.DataFrame:
    rows = [
        (word.name, token, side)
        for word in materials.words.values()
        for side, tokens in (("own", word.forms), ("rival", word.rivals))
        for token in tokens
    ]
    return pl.DataFrame(rows, schema=["word", "token", "side"], orient="row")


def _frame_table(materials: ContrastMaterials) -> pl.DataFrame:
    rows = [(item.id, item.bare or item.id) for item in materials.items]
    return pl.DataFrame(rows, schema={"item": pl.String, "frame": pl.String}, orient="row")


def _with_scores(items: pl.DataFrame, *, ties_are_wrong: bool) -> pl.DataFrame:
    rank, rival_rank = (items[column].cast(pl.Float64).to_numpy() for column in ("rank", "against_rank"))
    # Two words of several tokens may have the same rank among single tokens although one is more likely.
    lead = (items["probability"] - items["against_probability"]).fill_null(0.0).to_numpy()
    ranked = pl.col("rank").is_not_null() & pl.col("against_rank").is_not_null()
    by_model = pl.col("ranked_among").str.starts_with(BY_PEOPLE).not_()
    return items.with_columns(
        acc=pl.Series(wins(rank, rival_rank, lead, ties_are_wrong=ties_are_wrong)).fill_nan(None),
        MRR=pl.when(ranked & by_model).then(pl.Series(reciprocal_rank(rank))),
        diff=pl.when(ranked & by_model).then(pl.Series(rank_difference(rank, rival_rank))),
        tie=pl.Series(ties(rank, rival_rank, lead)),
        missing=ranked.not_(),
    )
