"""From fillings and ratings to beta and delta: per sentence, and per group with intervals over sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tacit.errors import RunError
from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.valence.formulas import Floats, beta, beta_bounds, delta, delta_bounds, renormalize
from tacit.methods.valence.materials import ValenceMaterials
from tacit.methods.valence.settings import ValenceSettings
from tacit.ratings import Rating, Scale, agreement, combine_ratings, disputed_tokens, token_key
from tacit.statistics import Interval, bootstrap_many

__all__ = ["compute_measures"]

_ALL = "all"
_BOUNDS = ("rated", "beta_low", "beta_high", "delta_low", "delta_high")
_ROUNDING = 1e-12  # a share that equals `min_rated` may be stored a few bits below it


def compute_measures(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Tables:
    """Score the fillings with the ratings, and compute beta and delta; the unit that is resampled is the sentence.

    Returns:
        `measures`, `sentences`, `fillings`, `scale` and `raters`; also `agreement` and `disputed` if tokens have
        several raters, and `published` if a study's own results are recomputed.
    """
    fillings = _score_fillings(materials, settings, answers)
    sentences = _score_sentences(materials, settings, fillings)
    rows = [*_group_rows(materials, settings, sentences), *_sentence_rows(materials, sentences)]
    tables = {
        "measures": measures_table(rows).with_columns(pl.col("low", "high").fill_nan(None)),
        "sentences": sentences,
        "fillings": fillings.drop("row", "column"),
        "scale": _scale_table(materials.scale),
        "raters": _raters_table(materials.ratings),
    }
    return tables | _agreement_tables(materials, settings) | _published_table(materials, answers, sentences)


def _score_fillings(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> pl.DataFrame:
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
        .select("sentence", "token", "rank", "probability", "share", "sigma", "raters", "row", "column")
    )


def _score_sentences(materials: ValenceMaterials, settings: ValenceSettings, fillings: pl.DataFrame) -> pl.DataFrame:
    """Beta and delta of each sentence over its rated mass, with their bounds given the unrated rest."""
    scale, rho = materials.scale, materials.sentences["rho"].to_numpy()
    p, sigma, is_rated = _matrices(fillings, len(materials.sentences))
    share = renormalize(p) if settings.renormalise else p
    rated = np.where(is_rated, share, 0.0)
    rest = np.clip(1 - rated.sum(axis=1), 0, 1)
    rated_share = np.where(is_rated, renormalize(p), 0.0).sum(axis=1)
    bias = beta(sigma, renormalize(rated)) if settings.renormalise else beta(sigma, rated) + scale.middle * rest
    beta_low, beta_high = beta_bounds(sigma, rated, rest, scale.points[0], scale.points[-1])
    delta_low, delta_high = delta_bounds(rho, beta_low, beta_high, scale.width)
    described = fillings.group_by("row").agg(fillings=_filling_text().str.join(", ")).sort("row")
    return materials.sentences.with_columns(
        beta=pl.Series(bias, dtype=pl.Float64),
        delta=pl.Series(delta(rho, bias, scale.width), dtype=pl.Float64),
        beta_low=pl.Series(beta_low),
        beta_high=pl.Series(beta_high),
        delta_low=pl.Series(delta_low),
        delta_high=pl.Series(delta_high),
        rated=pl.Series(rated_share),
        mass=pl.Series(p.sum(axis=1)),
        counted=pl.Series((rated_share >= settings.min_rated - _ROUNDING) & ~np.isnan(bias)),
        fillings=described["fillings"],
    ).with_columns(pl.col("beta", "delta").fill_nan(None))


def _matrices(fillings: pl.DataFrame, sentences: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Probability, sigma, and whether rated: one row per sentence, one column per filling; 0 in empty cells."""
    shape = (sentences, int(fillings["column"].to_numpy().max()) + 1)
    cells = (fillings["row"].to_numpy(), fillings["column"].to_numpy())
    p, sigma, is_rated = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
    p[cells] = fillings["probability"].to_numpy()
    sigma[cells] = fillings["sigma"].fill_null(0).to_numpy()
    is_rated[cells] = fillings["sigma"].is_not_null().to_numpy()
    return p, sigma, is_rated


def _filling_text() -> pl.Expr:
    """A filling as figures show it: "thou 0.75 (-1.0)"."""
    unrated = pl.col("sigma").is_null()
    sigma = pl.when(unrated).then(pl.lit("unrated")).otherwise(pl.col("sigma").round(2).cast(pl.String))
    return pl.format("{} {} ({})", pl.col("token"), pl.col("share").round(3), sigma).sort_by("column")


def _group_rows(
    materials: ValenceMaterials, settings: ValenceSettings, sentences: pl.DataFrame
) -> Iterator[MeasureRow]:
    neutral = {"beta": materials.scale.middle}
    for group in [*materials.groups, _ALL] if len(materials.groups) > 1 else materials.groups:
        members = sentences if group == _ALL else sentences.filter(pl.col("group") == group)
        counted = members.filter("counted")
        note = f"{len(counted)} of {len(members)} counted"
        for measure, interval in zip(("beta", "delta"), _mean_intervals(settings, counted), strict=True):
            yield measure_row(measure, group, interval, neutral=neutral.get(measure), note=note, n=len(counted))
        for measure in _BOUNDS:
            mean = float(members[measure].to_numpy().mean())
            yield measure_row(measure, group, mean, n=len(members), note="mean over all sentences, counted or not")


def _mean_intervals(settings: ValenceSettings, counted: pl.DataFrame) -> Sequence[Interval | None]:
    """Mean beta and mean delta with their intervals over the counted sentences; None if there are none."""
    if counted.is_empty():
        return [None, None]
    return bootstrap_many(
        counted.select("beta", "delta").to_numpy(),
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
    )


def _sentence_rows(materials: ValenceMaterials, sentences: pl.DataFrame) -> Iterator[MeasureRow]:
    for row in sentences.iter_rows(named=True):
        note = None if row["counted"] else f"not counted: {row['rated']:.0%} of the mass is rated"
        for measure, neutral in (("beta", materials.scale.middle), ("delta", None)):
            value = row[measure] if row["counted"] else None
            yield measure_row(measure, row["group"], value, item=row["sentence"], neutral=neutral, note=note)


def _scale_table(scale: Scale) -> pl.DataFrame:
    return pl.DataFrame(
        {"low": [scale.low], "high": [scale.high], "least": [scale.points[0]], "greatest": [scale.points[-1]]}
    )


def _raters_table(ratings: Sequence[Rating]) -> pl.DataFrame:
    """Who gave how many ratings: a user's bank can grow between two measurements."""
    counts = Counter(rating.rater for rating in ratings)
    return pl.DataFrame(sorted(counts.items()), schema={"rater": pl.String, "ratings": pl.Int64}, orient="row")


def _agreement_tables(materials: ValenceMaterials, settings: ValenceSettings) -> Tables:
    alpha = agreement(
        materials.ratings, resamples=settings.resamples, confidence=settings.confidence, seed=settings.seed
    )
    if alpha is None:
        return {}
    columns = {"alpha": [alpha.value], "low": [alpha.low], "high": [alpha.high], "tokens": [alpha.n]}
    return {"agreement": pl.DataFrame(columns), "disputed": disputed_tokens(materials.ratings)}


def _published_table(materials: ValenceMaterials, answers: pl.DataFrame, sentences: pl.DataFrame) -> Tables:
    """The published results next to ours, computed from the printed inputs."""
    if materials.published is None or "model" not in answers.columns:
        return {}
    ours = sentences.select("sentence", "beta", "delta")
    published = materials.published.filter(pl.col("model").is_in(answers["model"].unique().implode()))
    theirs = published.select("sentence", printed_beta="beta", printed_delta="delta")
    return {"published": ours.join(theirs, on="sentence", maintain_order="left")}
