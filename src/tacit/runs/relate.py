"""What the regional measure goes together with: how often a name was read, and how often a classifier changes its mind.

The HERB study says that its measure and the label changes of fine-tuned models go together (section 4.5), from the
order of four models. Here are the rank correlations, over models and over countries, each with its interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tacit.errors import RunError
from tacit.methods.hierarchy.headline import C_W
from tacit.methods.prefix.measures import CHANGED
from tacit.methods.prefix.quality import ALL_REGIONS
from tacit.numbers import interval_text, p_text
from tacit.probes import load_probe
from tacit.runs.store import Run, must_fit, open_runs
from tacit.standards import standard_names
from tacit.statistics import correlation, spearman_interval

__all__ = ["Relation", "Relations", "relate"]

NAME_COUNTS = "name-counts.csv"
_SPREAD = "C_w"
_APART = "distance from the others of its continent"
_LIKELY = "log-likelihood of its name"
_COUNT = "how often its name occurs in the training text"
_CHANGED = "share of labels that naming it changes"
_FEWEST = 4
_ENOUGH_MODELS = 5


@dataclass(frozen=True)
class Relation:
    """A rank correlation.

    Attributes:
        first: What is correlated.
        second: With what.
        over: "countries" or "models".
        model: Which model, or all of them.
        value: Spearman's rho; NaN if one side is constant or there are too few.
        low: The lower end of its interval.
        high: The upper end.
        p: Two-sided, under shuffled pairs.
        n: How many pairs.
    """

    first: str
    second: str
    over: str
    model: str
    value: float
    low: float
    high: float
    p: float
    n: int

    def sentence(self) -> str:
        """The number in words; whether there is a correlation is never claimed, only that none is shown."""
        what = f"{self.model}: {self.first} and {self.second}"
        if np.isnan(self.value):
            return f"{what}: cannot tell ({self.n} {self.over})."
        numbers = f"{interval_text(self.value, self.low, self.high)}, {p_text(self.p)}, {self.n} {self.over}"
        if self.over == "models" and self.n < _ENOUGH_MODELS:
            return f"{what}: cannot tell; of {self.n} models, any order may be chance (rank correlation {numbers})."
        shown = self.low > 0 or self.high < 0
        return f"{what}: {'rank correlation' if shown else 'no correlation shown'} ({numbers})."


@dataclass(frozen=True)
class Relations:
    """All correlations that the runs allow: as a table, and as sentences."""

    table: pl.DataFrame
    sentences: tuple[str, ...]


def relate(runs: Sequence[str | Path | Run], *, in_order: bool = False) -> Relations:
    """Correlate regional runs with name counts, and with the downstream runs of classifiers made from the same models.

    Args:
        runs: Runs of a hierarchy probe, such as regional, and (optional) of regional-downstream, or folders above them.
        in_order: Take the first downstream run for the first regional run's classifier, and so on; by default
            each classifier is paired with the model that `tacit tune classifier` made it from.
    """
    opened = open_runs(runs)
    for run in opened:
        if not run.validity.can_be_interpreted:
            raise RunError(f"{run.folder} cannot be used: {run.model} cannot be asked this ({run.validity.reason}).")
    regional = [run for run in opened if run.record.probe.method == "hierarchy"]
    downstream = [run for run in opened if run.record.probe.method == "prefix"]
    if not regional or len(regional) + len(downstream) < len(opened):
        probes = ", ".join(dict.fromkeys(run.probe for run in opened)) or "none"
        raise RunError(f"Relating takes runs of regional and of regional-downstream, but these are of {probes}.")
    pairs = _pairs(regional, downstream, in_order=in_order)
    with must_fit(opened):
        found = [*_counts(regional), *_classifiers(pairs), *_models(pairs)]
    if not found:
        raise RunError(
            "There is nothing to relate: the counts of names are known for the standards only, and no run of "
            "regional-downstream is given. Add one, on a classifier made with `tacit tune classifier`."
        )
    return Relations(pl.DataFrame([asdict(one) for one in found]), tuple(one.sentence() for one in found))


def _pairs(regional: list[Run], downstream: list[Run], *, in_order: bool) -> list[tuple[Run, Run]]:
    """Each classifier's run with the run of the model that it was made from."""
    if in_order:
        if len(regional) != len(downstream):
            raise RunError(f"In order, {len(regional)} regional and {len(downstream)} downstream runs make no pairs.")
        return list(zip(regional, downstream, strict=True))
    by_fingerprint = {run.record.model.fingerprint: run for run in regional}
    pairs = []
    for run in downstream:
        origin = by_fingerprint.get(str(run.record.model.description.get("tuned_from")))
        if origin is None:
            raise RunError(
                f"No regional run here is of the model that the classifier {run.model} was made from. Add that run, "
                "or pair the runs as you give them with --in-order."
            )
        pairs.append((origin, run))
    return pairs


def _counts(runs: list[Run]) -> Iterator[Relation]:
    """Names of countries in the training text, for the standards, whose text is known."""
    for run in runs:
        path = load_probe("regional").path("tree").with_name(NAME_COUNTS)
        if run.record.model.name not in standard_names() or run.probe != "regional":
            continue
        counts = pl.read_csv(path).select("region", count=run.record.model.name)
        regions = _countries(run).join(counts, on="region")
        for first, column in ((_SPREAD, "c_w"), (_APART, "apart"), (_LIKELY, "name_score")):
            yield _relation(regions.select(first=column, second="count"), first, _COUNT, "countries", run.model)


def _classifiers(pairs: list[tuple[Run, Run]]) -> Iterator[Relation]:
    """Countries by their measure in the model and by the labels that they change in its classifier."""
    for model, classifier in pairs:
        regions = _countries(model).join(classifier.tables["regions"].select("region", "changed"), on="region")
        for first, column in ((_SPREAD, "c_w"), (_APART, "apart")):
            rows = regions.select(first=column, second="changed")
            yield _relation(rows, first, _CHANGED, "countries", f"{model.model} and {classifier.model}")


def _models(pairs: list[tuple[Run, Run]]) -> Iterator[Relation]:
    """Models by their overall measure and by the labels that their classifiers change (Table 5 beside Table 1)."""
    if len(pairs) < 2:
        return
    spread = [_value(model, C_W) for model, _ in pairs]
    changed = [_value(classifier, CHANGED, ALL_REGIONS) for _, classifier in pairs]
    rows = pl.DataFrame({"first": spread, "second": changed})
    yield _relation(rows, f"overall {_SPREAD}", "share of labels that naming a region changes", "models", "all models")


def _countries(run: Run) -> pl.DataFrame:
    regions = run.tables["regions"]
    top = int(regions.filter(pl.col("name") == pl.col("top"))["depth"].to_list()[0])
    return regions.filter(pl.col("depth") == top + 1).select("region", "c_w", "apart", "name_score")


def _value(run: Run, measure: str, group: str | None = None) -> float | None:
    rows = run.tables["measures"].filter((pl.col("measure") == measure) & pl.col("item").is_null())
    rows = rows if group is None else rows.filter(pl.col("group") == group)
    return rows["value"].to_list()[-1] if len(rows) else None


def _relation(rows: pl.DataFrame, first: str, second: str, over: str, model: str) -> Relation:
    rows = rows.drop_nulls()
    x, y = rows["first"].to_numpy().astype(np.float64), rows["second"].to_numpy().astype(np.float64)
    if x.size < _FEWEST - (over == "models") or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Relation(first, second, over, model, np.nan, np.nan, np.nan, np.nan, int(x.size))
    found = correlation(x, y, resamples=2_000)
    interval = spearman_interval(found.value, x.size)
    return Relation(first, second, over, model, found.value, interval.low, interval.high, found.p, int(x.size))
