"""The answers as arrays: one row per region of the tree, one column per word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.errors import MaterialsError, RunError
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.questions import HEADLINE, NAME, NEUTRAL, VECTOR
from tacit.methods.hierarchy.tree import Ints, Tree

__all__ = ["AnswerArrays", "read_answers", "sentence_scores"]


@dataclass(frozen=True)
class AnswerArrays:
    """What the headline and its controls are computed from.

    Attributes:
        scores: f of each region's sentence with each word: (regions, words).
        names: f of each region's bare name: (regions,).
        token_counts: How many tokens each bare name has: (regions,).
        neutral: f of the template without a region: (words,); None if it was not asked.
        vectors: The contextual vectors of names, by region key; empty if they were not asked.
    """

    scores: Floats
    names: Floats
    token_counts: Ints
    neutral: Floats | None
    vectors: dict[str, Floats]


def read_answers(materials: HierarchyMaterials, answers: pl.DataFrame) -> AnswerArrays:
    """Arrange the answers in arrays; a missing one is an error."""
    names, token_counts = _names(materials.tree, answers)
    return AnswerArrays(
        scores=sentence_scores(HEADLINE, materials.tree, materials, answers),
        names=names,
        token_counts=token_counts,
        neutral=_neutral(answers),
        vectors=_vectors(answers),
    )


def sentence_scores(
    kind: str, tree: Tree, materials: HierarchyMaterials, answers: pl.DataFrame, template: int = 0
) -> Floats:
    """f of each region of the tree with each word, from the answers of one kind and template: (regions, words)."""
    of_kind = answers.filter((pl.col("kind") == kind) & (pl.col("template") == template))
    order = pl.DataFrame({"region": list(tree.index), "row": np.arange(len(tree))})
    cells = of_kind.select("region", "word", "logprob").join(order, on="region", how="inner")
    scores = np.full((len(tree), len(materials.words)), np.nan)
    scores[cells["row"].to_numpy(), cells["word"].to_numpy()] = cells["logprob"].to_numpy()
    missing = np.argwhere(np.isnan(scores))
    if len(missing):
        row, word = missing[0].tolist()
        raise RunError(
            f"{len(missing)} scores of the {kind} sentences are missing, the first for {tree.regions[row].key} and "
            f"{materials.words[word].word!r}. Run the probe again."
        )
    return scores


def _names(tree: Tree, answers: pl.DataFrame) -> tuple[Floats, Ints]:
    """The mean over each name's own tokens, and how many there are."""
    tokens = answers.filter((pl.col("kind") == NAME) & (pl.col("role") == "region"))
    per_name = tokens.group_by("region").agg(pl.col("logprob").mean(), pieces=pl.len())
    order = pl.DataFrame({"region": list(tree.index)})
    names = order.join(per_name, on="region", how="left", maintain_order="left")
    missing = names["logprob"].is_null().arg_true().to_list()
    if missing:
        region = tree.regions[missing[0]]
        raise MaterialsError(
            f"The model has no token for the name {region.key!r} (line {region.line} of the tree). Remove that row."
        )
    return names["logprob"].to_numpy(), names["pieces"].cast(pl.Int64).to_numpy()


def _neutral(answers: pl.DataFrame) -> Floats | None:
    """f of the template without a region: the mean over the neutral phrases."""
    of_kind = answers.filter(pl.col("kind") == NEUTRAL)
    if of_kind.is_empty():
        return None
    return of_kind.group_by("word").agg(pl.col("logprob").mean()).sort("word")["logprob"].to_numpy()


def _vectors(answers: pl.DataFrame) -> dict[str, Floats]:
    if "vector" not in answers.columns:
        return {}
    of_kind = answers.filter(pl.col("kind") == VECTOR)
    return {key: np.array(vector) for key, vector in zip(of_kind["region"], of_kind["vector"], strict=True)}
