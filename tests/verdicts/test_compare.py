"""`tacit compare` says "differs" no more often than it states, for items, clusters of items, and crossed units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from tacit.methods.base import MEASURE_SCHEMA, PairedMeasure, Tables
from tacit.runs.compare import compare_tables
from tacit.statistics import Interval, Resampling, share_interval
from tests.verdicts.datasets import DATASETS

RESAMPLING = Resampling(resamples=400, confidence=0.95, seed=0)

Simulate = Callable[[np.random.Generator, float], Tables]


def _tables(values: np.ndarray, units: dict[str, list[str]]) -> Tables:
    items = [f"i{number:03}" for number in range(values.size)]
    blank = {name: [None] * values.size for name in MEASURE_SCHEMA}
    rows = {**blank, "measure": ["m"] * values.size, "group": ["g"] * values.size, "item": items, "value": values}
    measures = pl.DataFrame(rows, schema=MEASURE_SCHEMA)
    return {"measures": measures, "units": pl.DataFrame({"group": ["g"] * values.size, "item": items, **units})}


def _independent(draw: np.random.Generator, effect: float) -> Tables:
    """40 sentences, each with its own deviation."""
    return _tables(effect + draw.normal(size=40), {})


def _clustered(draw: np.random.Generator, effect: float) -> Tables:
    """20 adverbs with 8 sentences each; half of the variance is that of the adverb."""
    adverbs = np.repeat(np.arange(20), 8)
    values = draw.normal(size=20)[adverbs] + draw.normal(size=adverbs.size)
    return _tables(effect + values, {"adverb": [f"a{code}" for code in adverbs]})


def _crossed(draw: np.random.Generator, effect: float) -> Tables:
    """20 adverbs with 15 adjectives each; both have a deviation of their own."""
    adverbs, adjectives = (axis.ravel() for axis in np.indices((20, 15)))
    values = draw.normal(size=20)[adverbs] + draw.normal(size=15)[adjectives] + draw.normal(size=adverbs.size)
    units = {"adverb": [f"a{code}" for code in adverbs], "adjective": [f"j{code}" for code in adjectives]}
    return _tables(effect + values, units)


def _share_of_findings(simulate: Simulate, resampled: tuple[str, ...], effect: float = 0.0) -> Interval:
    """How often two simulated models, whose populations differ by `effect`, are said to differ."""
    measure = PairedMeasure("m", "is lower", "is higher", "sentences", resampled)
    findings = []
    for seed in range(DATASETS):
        draw = np.random.default_rng(seed)
        models = {"one": simulate(draw, 0.0), "two": simulate(draw, effect)}
        findings.append(bool(compare_tables("probe", [measure], models, RESAMPLING).findings))
    return share_interval(findings)


DESIGNS = {
    "items": (_independent, ("item",)),
    "clusters": (_clustered, ("adverb",)),
    "crossed units": (_crossed, ("adverb", "adjective")),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_models_of_one_population_are_said_to_differ_no_more_often_than_stated(design: str) -> None:
    share = _share_of_findings(*DESIGNS[design])
    assert share.low <= 0.05, f"{share.value:.3f} of {DATASETS}"
    assert share.value < 0.085, "an error rate of 10 % would be noticed"


def test_the_wrong_unit_would_be_noticed() -> None:
    """What `tacit compare` did before: sentences of one adverb taken as independent."""
    assert _share_of_findings(_clustered, ("item",)).low > 0.2
    assert _share_of_findings(_crossed, ("adverb",)).low > 0.1


@pytest.mark.parametrize(("design", "effect"), [("items", 0.9), ("clusters", 1.2), ("crossed units", 1.8)])
def test_a_planted_difference_is_found(design: str, effect: float) -> None:
    """Power of at least 80 %, with effects in standard deviations of a single unit."""
    assert _share_of_findings(*DESIGNS[design], effect).value >= 0.8


def test_several_measures_and_models_are_one_family() -> None:
    measures = [PairedMeasure(name, "is lower", "is higher", "sentences") for name in ("m", "k")]
    findings = []
    for seed in range(DATASETS):
        draw = np.random.default_rng(seed)
        models = {name: _two_measures(draw) for name in ("one", "two", "three")}
        findings.append(bool(compare_tables("probe", measures, models, RESAMPLING).findings))
    share = share_interval(findings)
    assert share.low <= 0.05
    assert share.value < 0.085


def _two_measures(draw: np.random.Generator) -> Tables:
    first, second = _independent(draw, 0.0), _independent(draw, 0.0)
    renamed = second["measures"].with_columns(measure=pl.lit("k"))
    return {"measures": pl.concat([first["measures"], renamed])}
