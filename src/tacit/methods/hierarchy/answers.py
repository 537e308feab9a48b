"""The answers as arrays: one row a region of the tree, one column a word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import TacitError
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.questions import HEADLINE, NAME, NEUTRAL, VECTOR
from tacit.methods.hierarchy.tree import Tree

__all__ = ["Answered", "read_answers", "scores_of"]


@dataclass(frozen=True)
class Answered:
    """f of each region and word, f and number of tokens of each bare name, f of the template alone, and the vectors."""

    scores: Floats
    names: Floats
    pieces: npt.NDArray[np.int64]
    neutral: Floats | None
    vectors: dict[str, Floats]


def read_answers(materials: HierarchyMaterials, answers: pl.DataFrame) -> Answered:
    """Everything that the headline and its controls need."""
    names, pieces = _names(materials.tree, answers)
    return Answered(
        scores=scores_of(HEADLINE, materials.tree, materials, answers),
        names=names,
        pieces=pieces,
        neutral=_neutral(answers),
        vectors=_vectors(answers),
    )


def scores_of(kind: str, tree: Tree, materials: HierarchyMaterials, answers: pl.DataFrame, template: int = 0) -> Floats:
    """f of each region of the tree and each word."""
    asked = answers.filter((pl.col("kind") == kind) & (pl.col("template") == template))
    order = pl.DataFrame({"region": [r.key for r in tree.regions], "row": np.arange(len(tree))})
    found = asked.select("region", "word", "logprob").join(order, on="region", how="inner")
    scores = np.full((len(tree), len(materials.words)), np.nan)
    scores[found["row"].to_numpy(), found["word"].to_numpy()] = found["logprob"].to_numpy()
    missing = np.argwhere(np.isnan(scores))
    if len(missing):
        row, word = missing[0].tolist()
        raise TacitError(
            f"The answers lack {len(missing)} scores of the {kind} sentences, the first for "
            f"{tree.regions[row].key} and {materials.words[word].word!r}: run the probe again."
        )
    return scores


def _names(tree: Tree, answers: pl.DataFrame) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The mean over the name's own tokens, and how many there are."""
    asked = answers.filter((pl.col("kind") == NAME) & (pl.col("role") == "region"))
    per_name = asked.group_by("region").agg(pl.col("logprob").mean(), pieces=pl.len())
    order = pl.DataFrame({"region": [r.key for r in tree.regions]})
    found = order.join(per_name, on="region", how="left", maintain_order="left")
    lost = found["logprob"].is_null().arg_true().to_list()
    if lost:
        region = tree.regions[lost[0]]
        where = f"{region.key!r} (line {region.line} of the tree)"
        raise TacitError(f"The name {where} has no token of its own for this model: leave it out of the tree.")
    return found["logprob"].to_numpy(), found["pieces"].cast(pl.Int64).to_numpy()


def _neutral(answers: pl.DataFrame) -> Floats | None:
    """f of the template alone, the mean over the phrases that name no region."""
    asked = answers.filter(pl.col("kind") == NEUTRAL)
    if not len(asked):
        return None
    return asked.group_by("word").agg(pl.col("logprob").mean()).sort("word")["logprob"].to_numpy()


def _vectors(answers: pl.DataFrame) -> dict[str, Floats]:
    if "vector" not in answers.columns:
        return {}
    asked = answers.filter(pl.col("kind") == VECTOR)
    return {key: np.array(vector) for key, vector in zip(asked["region"], asked["vector"], strict=True)}
