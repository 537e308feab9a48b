"""Answers of simulated models, with the spread and clustering of real ones, to see how often a verdict is wrong.

Scores are log-likelihoods per token. The sizes below are those of the standard `modern` and of MiniLM on the countries
of the probe `regional`: words differ by .4, names by .5 (half of that through their number of tokens), and what is
left, .1, is mostly two directions in which all regions differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.questions import (
    HEADLINE,
    NAME,
    NEUTRAL,
    PARAPHRASE,
    SUBSTITUTE,
    VECTOR,
    order_questions,
    study_tree,
)
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Ints, Tree

__all__ = ["simulate_answers"]

_MEAN, _WORD_SPREAD, _NAME_SPREAD, _FACTOR_SPREAD, _NOISE = -2.0, 0.4, 0.35, 0.09, 0.05
_FACTORS = 2
_VECTOR_SIZE = 8
_NATURAL_ORDER = 0.5  # how much likelier per token the natural word order is
# Below the regions that the verdicts are about, parts take after their parent: cities share spellings.
_LOWER_RESEMBLANCE = 0.3


def simulate_answers(
    materials: HierarchyMaterials,
    settings: HierarchySettings,
    seed: int,
    *,
    effect: float = 0.0,
    spread: float = 1.0,
    scale: float = 1.0,
    regions: int | None = None,
) -> pl.DataFrame:
    """The answers of one simulated model.

    Args:
        materials: What it is asked about.
        settings: Which questions it is asked.
        seed: Draws the words, and the regions too unless `regions` is given.
        effect: How much the parts of a top region take after it, as a share of their variance: 0 is the null of "the
            grouping matters".
        spread: How many times as far apart the parts of the first top region are: 1 is the null of "one top region has
            the highest C_w".
        scale: How many times as far apart all regions are: 1 is the null of a comparison with another model.
        regions: A seed of its own for the regions: with it, data sets differ by their words alone.
    """
    tree = materials.tree
    draw = np.random.default_rng([seed if regions is None else regions, 1])
    world = _World.drawn(tree, draw, effect, spread, scale)
    frames = list(_frames(materials, settings, world, np.random.default_rng([seed, 2])))
    return pl.concat(frames, how="diagonal").with_row_index("question")


@dataclass(frozen=True)
class _World:
    """What is particular to each region.

    Attributes:
        tokens: In its name: (regions,).
        levels: How likely its name is: (regions,).
        loadings: Where it lies in the directions in which regions differ: (regions, factors).
        noise: How much single words deviate: (regions,).
        vectors: Of its name: (regions, size).
    """

    tokens: Ints
    levels: Floats
    loadings: Floats
    noise: Floats
    vectors: Floats

    @classmethod
    def drawn(cls, tree: Tree, draw: np.random.Generator, effect: float, spread: float, scale: float) -> _World:
        count = len(tree)
        tokens = 1 + draw.poisson(1.5, count)
        traits = _inherited(tree, draw.normal(size=(count, 1 + _FACTORS)), effect, spread)
        return cls(
            tokens=tokens,
            levels=scale * _NAME_SPREAD * (traits[:, 0] - (tokens - 2.5) / np.sqrt(1.5)),
            loadings=scale * _FACTOR_SPREAD / np.sqrt(_FACTORS) * traits[:, 1:],
            noise=scale * _NOISE * np.exp(draw.normal(0, 0.4, count)),
            vectors=_inherited(tree, draw.normal(size=(count, _VECTOR_SIZE)), effect, 1.0),
        )

    def scores(self, draw: np.random.Generator, words: _Words) -> Floats:
        """f of every region with every word: (regions, words)."""
        deviations = draw.normal(size=(len(self.levels), len(words.levels))) * self.noise[:, None]
        differing = (self.loadings @ words.factors + deviations) * words.spreads
        # A log-likelihood cannot be positive: the softplus bends what comes near 0.
        return np.asarray(-np.logaddexp(0.0, -_MEAN - self.levels[:, None] - words.levels - differing))


def _inherited(tree: Tree, own: Floats, effect: float, spread: float) -> Floats:
    """Traits of which each region has a share from its parent; those of the first top region's parts are stretched."""
    traits = own.copy()
    first, below = int(tree.top[0]), int(tree.depths[tree.top[0]]) + 1
    for region in np.flatnonzero(tree.depths >= below).tolist():
        share = effect if tree.depths[region] == below else _LOWER_RESEMBLANCE
        parent = int(tree.parents[region])
        stretch = spread if parent == first else 1.0
        traits[region] = stretch * (np.sqrt(share) * traits[parent] + np.sqrt(1 - share) * own[region])
    return traits


@dataclass(frozen=True)
class _Words:
    """What is particular to each word: how likely it is, its factors: (factors, words), and how much it differs."""

    levels: Floats
    factors: Floats
    spreads: Floats

    @classmethod
    def drawn(cls, count: int, draw: np.random.Generator) -> _Words:
        factors = draw.normal(size=(_FACTORS, count))
        return cls(draw.normal(0, _WORD_SPREAD, count), factors, np.exp(draw.normal(0, 0.35, count)))


def _frames(
    materials: HierarchyMaterials, settings: HierarchySettings, world: _World, draw: np.random.Generator
) -> Iterator[pl.DataFrame]:
    """The answers of each kind; a paraphrase keeps the words, a substitute has words of its own."""
    tree, count = materials.tree, len(materials.words)
    words = _Words.drawn(count, draw)
    scores = world.scores(draw, words)
    if settings.represent:
        yield _vectors(tree, world)
    yield _sentences(HEADLINE, 0, list(tree.index), scores)
    yield _names(tree, world)
    neutral = _MEAN + words.levels + draw.normal(0, _NOISE, (len(materials.neutral), count))
    yield _sentences(NEUTRAL, 0, list(materials.neutral), neutral)
    yield _orders(materials, settings, draw)
    studied = study_tree(materials, settings)
    if studied is None:
        return
    rows = [tree.index[region.key] for region in studied.regions]
    for number in range(1, len(materials.templates)):
        yield _sentences(PARAPHRASE, number, list(studied.index), world.scores(draw, words)[rows])
    if materials.substitutable:
        substituted = world.scores(draw, _Words.drawn(count, draw))[rows]
        yield _sentences(SUBSTITUTE, 0, list(studied.index), substituted)


def _sentences(kind: str, template: int, keys: list[str], scores: Floats) -> pl.DataFrame:
    words = scores.shape[1]
    columns = {"region": np.repeat(keys, words), "word": np.tile(np.arange(words), len(keys))}
    return _frame(kind, template, {**columns, "logprob": scores.ravel()})


def _names(tree: Tree, world: _World) -> pl.DataFrame:
    """The bare names, one row per token."""
    rows = np.repeat(np.arange(len(tree)), world.tokens)
    columns = {"region": np.array(list(tree.index))[rows], "logprob": 2 * _MEAN + 2 * world.levels[rows]}
    return _frame(NAME, 0, {**columns, "word": np.full(len(rows), -1)}).with_columns(role=pl.lit("region"))


def _vectors(tree: Tree, world: _World) -> pl.DataFrame:
    rows = np.flatnonzero(tree.depths == tree.depth_below_top)
    columns = {"region": np.array(list(tree.index))[rows], "word": np.full(len(rows), -1)}
    vectors = pl.Series("vector", world.vectors[rows].tolist(), dtype=pl.List(pl.Float64))
    return _frame(VECTOR, 0, {**columns, "logprob": np.full(len(rows), np.nan)}).with_columns(vectors)


def _orders(materials: HierarchyMaterials, settings: HierarchySettings, draw: np.random.Generator) -> pl.DataFrame:
    """Sentences whose natural order is likelier than all others."""
    words = [word.word for word in materials.words]
    keys = pl.DataFrame([each.keys for each in order_questions(materials, words, settings.seed, "aul")])
    natural = (keys["template"] == 0).to_numpy()
    return keys.with_columns(logprob=_MEAN + _NATURAL_ORDER * natural + draw.normal(0, _NOISE, len(keys)))


def _frame(kind: str, template: int, columns: dict[str, Floats | Ints]) -> pl.DataFrame:
    frame = pl.DataFrame(columns, schema_overrides={"region": pl.String, "word": pl.Int64, "logprob": pl.Float64})
    return frame.with_columns(kind=pl.lit(kind), template=pl.lit(template, pl.Int64))
