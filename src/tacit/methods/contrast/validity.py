"""Whether a run can be interpreted: does the model expect these words here, and does its choice follow the sentence?"""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.base import Tables, Validity
from tacit.methods.contrast.materials import WITH
from tacit.numbers import number

__all__ = ["judge_validity", "share_of_changes"]

# A blank that takes an adverb (or a conjunction) takes a few hundred words. A word that is typically further down than
# this is not one that the model expects there at all.
_LOWEST_RANK = 1_000
# With 40 sentences a word, 2 % is less than one change per word: words and contexts cannot be told apart.
_FEWEST_CHANGES = 0.02
# Fewer than four changes per word of 40 sentences: differences can be told apart only where they are large.
_FEW_CHANGES = 0.10


def judge_validity(tables: Tables) -> Validity:
    """Interpretable if most sentences have a winner, the word is expected, and the choice changes with the sentence."""
    items, about = tables["items"].filter(pl.col("context") == WITH), tables["about"].row(0, named=True)
    decided = items.filter(pl.col("acc").is_not_null())
    if 2 * decided.height <= items.height:
        return Validity("none", f"only {decided.height} of {items.height} sentences have a winner")
    rank = items.filter(pl.col("rank").is_not_null())["rank"].median()
    if isinstance(rank, float) and rank > _LOWEST_RANK:
        reason = f"it does not expect the {about['noun']} in these sentences (median rank {number(rank)})"
        return Validity("none", reason)
    return _judge_choices(decided, tables["words"], about)


def share_of_changes(decided: pl.DataFrame, words: pl.DataFrame) -> float:
    """The share of sentences in which the choice is not the usual one between the same two words.

    A model that always says the same word of a pair has 0, whether that is right always, never or half of the time.
    """
    rivals = words.select("word", "against").unique("word")
    pairs = decided.join(rivals, on="word", maintain_order="left").select(
        pair=pl.concat_list("word", "against").list.sort().list.join(" | "),
        choice=pl.when(pl.col("acc") > 0.5).then("word").otherwise("against"),
    )
    usual = pairs.group_by("pair", "choice").len().group_by("pair").agg(pl.col("len").max())
    return 1 - int(usual["len"].sum()) / decided.height


def _judge_choices(decided: pl.DataFrame, words: pl.DataFrame, about: dict[str, Any]) -> Validity:
    changes, right = share_of_changes(decided, words), (decided["acc"] == 1).sum() / decided.height
    if not about["two_sided"] and right > 0.5:
        # Whoever knows only that the rival is the commoner word would not do this, so it is no failure.
        reason = f"the {about['noun']} wins in {right:.1%} of the sentences, so few show what the sentence does"
        return Validity("weak", reason) if changes < _FEWEST_CHANGES else Validity()
    if changes >= _FEW_CHANGES:
        return Validity()
    if about["two_sided"]:
        fixed = f"one word of a pair wins in {1 - changes:.1%} of the sentences"
    else:
        fixed = f"{about['against']} wins in {1 - right:.1%} of the sentences"
    if changes < _FEWEST_CHANGES:
        return Validity("none", f"{fixed}, whatever they say")
    return Validity("weak", f"{fixed}, so differences can hardly show")
