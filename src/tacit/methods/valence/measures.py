"""From fillings and ratings to beta and delta: per sentence, per group, and what the unrated rest could change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import Tables, measure_row, measures_table
from tacit.methods.valence.formulas import Floats, beta, beta_bounds, delta, delta_bounds, renormalised
from tacit.methods.valence.materials import ValenceMaterials
from tacit.ratings import Scale, agreement, combined, disputed, token_key
from tacit.statistics import Interval, bootstrap_many

if TYPE_CHECKING:
    from tacit.methods.valence import ValenceSettings

__all__ = ["tables"]

ALL = "all"


def tables(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> Tables:
    """Measures, sentences, fillings, scale and raters; agreement, disputed and published where there is any."""
    fillings = _fillings(materials, settings, answers)
    sentences = _sentences(materials, settings, fillings)
    rows = [*_group_rows(materials, settings, sentences), *_item_rows(materials, sentences)]
    made = {
        "measures": measures_table(rows).with_columns(pl.col("low", "high").fill_nan(None)),
        "sentences": sentences,
        "fillings": fillings.drop("row", "column"),
        "scale": _scale(materials.scale),
        "raters": _raters(materials),
    }
    return made | _agreement(materials, settings) | _published(materials, answers, sentences)


def _fillings(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> pl.DataFrame:
    """The top n fillings of each sentence with their sigma (null where unrated) and their place in the matrix."""
    kept = answers if settings.subwords == "keep" else answers.filter(~pl.col("token").str.starts_with("##"))
    order = materials.sentences.select("sentence", row=pl.int_range(pl.len(), dtype=pl.Int64))
    scores = combined(materials.ratings, settings.aggregate)
    keys = {token: token_key(token) for token in kept["token"].unique().to_list()}
    top = (
        kept.select("sentence", "token", "probability", "rank")
        .join(order, on="sentence")
        .sort("row", "rank")
        .with_columns(column=pl.int_range(pl.len(), dtype=pl.Int64).over("row"))
        .filter(pl.col("column") < settings.top)
    )
    unasked = order.join(top, on="sentence", how="anti")
    if not unasked.is_empty():
        raise TacitError(f"The answers hold no filling for sentence {unasked['sentence'][0]}: run the probe again.")
    return (
        top.with_columns(key=pl.col("token").replace_strict(keys, return_dtype=pl.String))
        .join(scores, on=["sentence", "key"], how="left", maintain_order="left")
        .with_columns(share=pl.col("probability") / pl.col("probability").sum().over("row"))
        .select("sentence", "token", "rank", "probability", "share", "sigma", "raters", "row", "column")
    )


def _sentences(materials: ValenceMaterials, settings: ValenceSettings, fillings: pl.DataFrame) -> pl.DataFrame:
    """Beta and delta of each sentence over its rated mass, with their bounds over the unrated rest."""
    scale, n = materials.scale, len(materials.sentences)
    p, sigma, rated = _matrices(fillings, n)
    share = renormalised(p) if settings.renormalise else p
    known = np.where(rated, share, 0.0)
    rest = np.clip(1 - known.sum(axis=1), 0, 1)
    rated_share = np.where(rated, renormalised(p), 0.0).sum(axis=1)
    bias = beta(sigma, renormalised(known)) if settings.renormalise else beta(sigma, known) + scale.middle * rest
    rho = materials.sentences["rho"].to_numpy()
    low, high = beta_bounds(sigma, known, rest, scale.points[0], scale.points[-1])
    least, greatest = delta_bounds(rho, low, high, scale.width)
    said = fillings.group_by("row").agg(fillings=_said().str.join(", ")).sort("row")
    return materials.sentences.with_columns(
        beta=pl.Series(bias, dtype=pl.Float64),
        delta=pl.Series(delta(rho, bias, scale.width), dtype=pl.Float64),
        beta_low=pl.Series(low),
        beta_high=pl.Series(high),
        delta_low=pl.Series(least),
        delta_high=pl.Series(greatest),
        rated=pl.Series(rated_share),
        mass=pl.Series(p.sum(axis=1)),
        counted=pl.Series((rated_share >= settings.min_rated - 1e-12) & ~np.isnan(bias)),
        fillings=said["fillings"],
    ).with_columns(pl.col("beta", "delta").fill_nan(None))


def _matrices(fillings: pl.DataFrame, n: int) -> tuple[Floats, Floats, np.ndarray]:
    """Probability, sigma (0 where unrated) and whether rated, as (sentences, top), empty places weighing nothing."""
    width = int(fillings["column"].max() or 0) + 1  # type: ignore[arg-type]
    where = (fillings["row"].to_numpy(), fillings["column"].to_numpy())
    p, sigma, rated = np.zeros((n, width)), np.zeros((n, width)), np.zeros((n, width), dtype=bool)
    p[where] = fillings["probability"].to_numpy()
    sigma[where] = fillings["sigma"].fill_null(0).to_numpy()
    rated[where] = fillings["sigma"].is_not_null().to_numpy()
    return p, sigma, rated


def _said() -> pl.Expr:
    sigma = (
        pl.when(pl.col("sigma").is_null()).then(pl.lit("unrated")).otherwise(pl.col("sigma").round(2).cast(pl.String))
    )
    return pl.format("{} {} ({})", pl.col("token"), pl.col("share").round(3), sigma).sort_by("column")


def _group_rows(
    materials: ValenceMaterials, settings: ValenceSettings, sentences: pl.DataFrame
) -> Iterator[dict[str, object]]:
    neutral = {"beta": materials.scale.middle}
    for group in [*materials.groups, ALL] if len(materials.groups) > 1 else materials.groups:
        members = sentences if group == ALL else sentences.filter(pl.col("group") == group)
        counted = members.filter("counted")
        note = f"{len(counted)} of {len(members)} counted"
        for measure, interval in zip(("beta", "delta"), _intervals(settings, counted), strict=True):
            yield measure_row(measure, group, interval, neutral=neutral.get(measure), note=note, n=len(counted))
        for measure in ("rated", "beta_low", "beta_high", "delta_low", "delta_high"):
            mean = float(members[measure].to_numpy().mean())
            yield measure_row(measure, group, mean, n=len(members), note="mean over all sentences, counted or not")


def _intervals(settings: ValenceSettings, counted: pl.DataFrame) -> Sequence[Interval | None]:
    """The mean beta and delta with their intervals over the counted sentences; nothing where none counts."""
    if counted.is_empty():
        return [None, None]
    return bootstrap_many(
        counted.select("beta", "delta").to_numpy(),
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
    )


def _item_rows(materials: ValenceMaterials, sentences: pl.DataFrame) -> Iterator[dict[str, object]]:
    for row in sentences.iter_rows(named=True):
        note = None if row["counted"] else f"not counted: {row['rated']:.0%} of the mass is rated"
        for measure, neutral in (("beta", materials.scale.middle), ("delta", None)):
            value = row[measure] if row["counted"] else None
            yield measure_row(measure, row["group"], value, item=row["sentence"], neutral=neutral, note=note)


def _scale(scale: Scale) -> pl.DataFrame:
    return pl.DataFrame(
        {"low": [scale.low], "high": [scale.high], "least": [scale.points[0]], "greatest": [scale.points[-1]]}
    )


def _raters(materials: ValenceMaterials) -> pl.DataFrame:
    """Whose scores were heeded, and how many each gave: a user's bank may grow between two measurements."""
    counted = Counter(rating.rater for rating in materials.ratings)
    schema = {"rater": pl.String, "ratings": pl.Int64}
    return pl.DataFrame(sorted(counted.items()), schema=schema, orient="row")


def _agreement(materials: ValenceMaterials, settings: ValenceSettings) -> Tables:
    found = agreement(
        materials.ratings, resamples=settings.resamples, confidence=settings.confidence, seed=settings.seed
    )
    if found is None:
        return {}
    alpha = {"alpha": [found.value], "low": [found.low], "high": [found.high], "tokens": [found.n]}
    return {"agreement": pl.DataFrame(alpha), "disputed": disputed(materials.ratings)}


def _published(materials: ValenceMaterials, answers: pl.DataFrame, sentences: pl.DataFrame) -> Tables:
    """What the study printed beside what we compute from its printed inputs."""
    if materials.published is None or "model" not in answers.columns:
        return {}
    ours = sentences.select("sentence", "beta", "delta")
    printed = materials.published.filter(pl.col("model").is_in(answers["model"].unique().implode()))
    renamed = printed.select("sentence", printed_beta="beta", printed_delta="delta")
    return {"published": ours.join(renamed, on="sentence", maintain_order="left")}
