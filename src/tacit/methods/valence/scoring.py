"""Fillings scored by raters, and what follows for each sentence: beta and delta, and the bounds of what is unrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tacit.errors import RunError
from tacit.methods.valence.formulas import Floats, beta, beta_bounds, delta, delta_bounds, renormalize
from tacit.methods.valence.materials import ValenceMaterials
from tacit.methods.valence.settings import ValenceSettings
from tacit.ratings import Aggregate, Rating, combine_ratings, token_key

__all__ = ["Bounds", "Scores", "score_versions", "score_words"]

_ROUNDING = 1e-12  # a share that equals `min_rated` may be stored a few bits below it
_MOST_VERSIONS = 200

Bounds = tuple[Floats, Floats]
"""The lowest and the highest possible values: one row per version of the scores, one column per sentence."""


@dataclass(frozen=True)
class Scores:
    """What the ratings say about the fillings.

    Attributes:
        fillings: The likeliest fillings of each sentence with their score.
        sentences: The sentences with beta and delta by the combined scores of all raters.
        bounds: The bounds of "beta" and "delta", in several versions where several raters scored the same filling.
    """

    fillings: pl.DataFrame
    sentences: pl.DataFrame
    bounds: dict[str, Bounds]


@dataclass(frozen=True)
class _Matrices:
    """The fillings as arrays, one row per sentence: shares of the probability, scores, and which cells are rated."""

    p: Floats
    sigma: Floats
    rated: NDArray[np.bool_]

    @property
    def rated_share(self) -> Floats:
        """The rated part of the fillings' probability."""
        return np.asarray(np.where(self.rated, np.nan_to_num(renormalize(self.p)), 0.0).sum(axis=1))


def score_words(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Scores:
    """Score the fillings, and compute beta, delta and their bounds for each sentence."""
    fillings = _top_fillings(materials, settings, answers)
    matrices = _matrices(fillings, len(materials.sentences))
    cube = _scores_by_rater(materials.ratings, fillings, matrices.p.shape)
    versions = score_versions(cube, matrices.sigma, settings.aggregate, settings.seed)
    bounds = _bounds(materials, settings, matrices, versions)
    sentences = _sentences(materials, settings, fillings, matrices)
    return Scores(fillings.drop("row", "column", "key"), sentences, bounds)


def score_versions(cube: Floats, sigma: Floats, aggregate: Aggregate, seed: int) -> Floats:
    """The scores as other raters of the same kind would give them: of R raters, R - 1 are drawn with replacement.

    A draw of R - 1 has the variance s²/R that a mean over R raters has, where a draw of R would have less. Raters are
    drawn as a whole, because one who leans to a pole does so in every sentence; what differs from filling to filling
    is already in the spread of the sentences.

    Args:
        cube: One score per rater, sentence and filling; NaN where a rater gave none.
        sigma: The combined scores. They stay where fewer than two raters scored, or where a draw has no score.
        aggregate: How the scores of several raters are combined.
        seed: Of the draws, where there are too many to take all.

    Returns:
        One version of `sigma` per draw; just `sigma` if no filling has several raters.
    """
    disputable = (~np.isnan(cube)).sum(axis=0) > 1
    if not disputable.any():
        return sigma[None]
    judged = cube[:, disputable]
    judged = judged[~np.isnan(judged).all(axis=1)]
    raters = len(judged)
    if raters ** (raters - 1) <= _MOST_VERSIONS:
        draws = np.array(list(product(range(raters), repeat=raters - 1)))
    else:
        draws = np.random.default_rng(seed).integers(0, raters, size=(_MOST_VERSIONS, raters - 1))
    versions = np.repeat(sigma[None], len(draws), axis=0)
    for version, draw in zip(versions, draws, strict=True):
        drawn = judged[draw]
        drawn = np.where(np.isnan(drawn).all(axis=0), sigma[disputable], drawn)
        version[disputable] = np.nanmean(drawn, axis=0) if aggregate == "mean" else np.nanmedian(drawn, axis=0)
    return versions


def _top_fillings(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> pl.DataFrame:
    """The top fillings of each sentence with sigma (null if unrated), and their row and column in the matrices."""
    words = answers if settings.subwords == "keep" else answers.filter(~pl.col("token").str.starts_with("##"))
    order = materials.sentences.select("sentence", row=pl.int_range(pl.len(), dtype=pl.Int64))
    keys = {token: token_key(token) for token in words["token"].unique().to_list()}
    top = (
        words.select("sentence", "token", "probability", "rank")
        .join(order, on="sentence")
        .sort("row", "rank")
        .with_columns(column=pl.int_range(pl.len(), dtype=pl.Int64).over("row"))
        .filter(pl.col("column") < settings.top)
    )
    unanswered = order.join(top, on="sentence", how="anti")
    if not unanswered.is_empty():
        raise RunError(f"The answers have no filling for sentence {unanswered['sentence'][0]}. Run the probe again.")
    scores = combine_ratings(materials.ratings, settings.aggregate)
    return (
        top.with_columns(key=pl.col("token").replace_strict(keys, return_dtype=pl.String))
        .join(scores, on=["sentence", "key"], how="left", maintain_order="left")
        .with_columns(share=pl.col("probability") / pl.col("probability").sum().over("row"))
        .select("sentence", "token", "rank", "probability", "share", "sigma", "raters", "row", "column", "key")
    )


def _matrices(fillings: pl.DataFrame, sentences: int) -> _Matrices:
    """The cells of the fillings; 0 and unrated where a sentence has fewer fillings than others."""
    shape = (sentences, int(fillings["column"].to_numpy().max()) + 1)
    cells = (fillings["row"].to_numpy(), fillings["column"].to_numpy())
    p, sigma, rated = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
    p[cells] = fillings["probability"].to_numpy()
    sigma[cells] = fillings["sigma"].fill_null(0.0).to_numpy()
    rated[cells] = fillings["sigma"].is_not_null().to_numpy()
    return _Matrices(p, sigma, rated)


def _scores_by_rater(ratings: Sequence[Rating], fillings: pl.DataFrame, shape: tuple[int, ...]) -> Floats:
    """One score per rater, sentence and filling; NaN where a rater gave none."""
    codes = {rater: code for code, rater in enumerate(sorted({rating.rater for rating in ratings}))}
    cube = np.full((len(codes), *shape), np.nan)
    table = pl.DataFrame(
        [(*rating.key, codes[rating.rater], rating.score) for rating in ratings],
        schema={"sentence": pl.String, "key": pl.String, "rater": pl.Int64, "score": pl.Float64},
        orient="row",
    )
    placed = fillings.select("sentence", "key", "row", "column").join(table, on=["sentence", "key"])
    cube[tuple(placed[name].to_numpy() for name in ("rater", "row", "column"))] = placed["score"].to_numpy()
    return cube


def _bounds(
    materials: ValenceMaterials, settings: ValenceSettings, matrices: _Matrices, sigma: Floats
) -> dict[str, Bounds]:
    """The lowest and highest possible beta and delta of each sentence, whatever the unrated fillings would score."""
    scale, rho = materials.scale, materials.sentences["rho"].to_numpy()
    share = np.nan_to_num(renormalize(matrices.p)) if settings.renormalise else matrices.p
    rated = np.where(matrices.rated, share, 0.0)
    # Fillings without any probability say nothing, as if all of it were unrated.
    unrated = np.where(matrices.p.sum(axis=1) > 0, np.where(matrices.rated, 0.0, share).sum(axis=1), 1.0)
    low, high = beta_bounds(sigma, rated, unrated, scale.points[0], scale.points[-1])
    # Without renormalization, the rest of the vocabulary counts as the middle of the scale: that is not unrated.
    beyond = scale.middle * np.clip(1 - share.sum(axis=1), 0, 1)
    low, high = low + beyond, high + beyond
    return {"beta": (low, high), "delta": delta_bounds(rho, low, high, scale.width)}


def _sentences(
    materials: ValenceMaterials, settings: ValenceSettings, fillings: pl.DataFrame, matrices: _Matrices
) -> pl.DataFrame:
    """Beta and delta of each sentence over its rated mass, with their bounds given the unrated rest."""
    scale, rho = materials.scale, materials.sentences["rho"].to_numpy()
    rated = np.where(matrices.rated, renormalize(matrices.p) if settings.renormalise else matrices.p, 0.0)
    if settings.renormalise:
        bias = beta(matrices.sigma, renormalize(rated))
    else:
        bias = beta(matrices.sigma, rated) + scale.middle * np.clip(1 - rated.sum(axis=1), 0, 1)
    bounds = _bounds(materials, settings, matrices, matrices.sigma[None])
    columns = {"beta": bias, "delta": delta(rho, bias, scale.width)}
    columns |= {f"{name}_{end}": bound[0] for name, ends in bounds.items() for end, bound in _named(ends)}
    columns |= {"rated": matrices.rated_share, "mass": matrices.p.sum(axis=1)}
    described = fillings.group_by("row").agg(fillings=_filling_text().str.join(", ")).sort("row")
    return materials.sentences.with_columns(
        **{name: pl.Series(values, dtype=pl.Float64) for name, values in columns.items()},
        counted=pl.Series((matrices.rated_share >= settings.min_rated - _ROUNDING) & ~np.isnan(bias)),
        fillings=described["fillings"],
    ).with_columns(pl.col("beta", "delta").fill_nan(None))


def _named(ends: Bounds) -> list[tuple[str, Floats]]:
    return [("low", ends[0]), ("high", ends[1])]


def _filling_text() -> pl.Expr:
    """A filling as figures show it: "thou 0.75 (-1.0)"."""
    unrated = pl.col("sigma").is_null()
    sigma = pl.when(unrated).then(pl.lit("unrated")).otherwise(pl.col("sigma").round(2).cast(pl.String))
    return pl.format("{} {} ({})", pl.col("token"), pl.col("share").round(3), sigma).sort_by("column")
