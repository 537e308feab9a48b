"""Beta and delta of groups of sentences: means over all sentences, intervals, and the tests of one family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tacit.methods.base import FEW_UNITS, MeasureRow, measure_row
from tacit.methods.valence.materials import ValenceMaterials
from tacit.methods.valence.scoring import Scores
from tacit.methods.valence.settings import ValenceSettings
from tacit.methods.valence.verdicts import choose_verdict
from tacit.statistics import BoundedMean, bounded_mean, holm

__all__ = ["ALL", "Groups"]

ALL = "all"
_BOUNDS = ("rated", "beta_low", "beta_high", "delta_low", "delta_high")
_LEAST_SHOWN = 0.005  # less unrated probability than this would be shown as 0%

Members = NDArray[np.bool_]
"""Which sentences belong to a group."""


@dataclass(frozen=True)
class Groups:
    """The scores of all sentences, to be summed up group by group."""

    materials: ValenceMaterials
    settings: ValenceSettings
    scores: Scores

    def rows(self) -> Iterator[MeasureRow]:
        """The rows of each group and, where there are several, the means over all sentences."""
        groups = {name: (self.scores.sentences["group"] == name).to_numpy() for name in self.materials.groups}
        biases = [self._mean("beta", members) for members in groups.values()]
        adjusted = holm([bias.p for bias in biases])
        for (name, members), bias, p in zip(groups.items(), biases, adjusted, strict=True):
            yield from self._rows_of(name, members, bias, float(p))
        if len(groups) > 1:
            yield from _mean_rows(ALL, self.scores.sentences, ("beta", "delta", *_BOUNDS))

    def _mean(self, measure: str, members: Members) -> BoundedMean:
        low, high = (bound[:, members] for bound in self.scores.bounds[measure])
        null = self.materials.scale.middle if measure == "beta" else None
        return bounded_mean(low, high, null=null, resampling=self.settings.resampling)

    def _rows_of(self, name: str, members: Members, bias: BoundedMean, p_adjusted: float) -> Iterator[MeasureRow]:
        """Beta with its test, delta, and the means of the bounds."""
        sentences, scale = self.scores.sentences.filter(members), self.materials.scale
        counted = f"{sentences['counted'].sum()} of {len(sentences)} sentences"
        note = f"{counted} rated by {self.settings.min_rated:.0%} or more"
        shared: dict[str, Any] = {"unit": "sentence", "n": bias.n, "note": note, "caution": self._caution(members)}
        verdict = choose_verdict(p_adjusted, bias.low, bias.high, scale.middle, (scale.low, scale.high))
        fit = self._mean("delta", members)
        beta = measure_row("beta", name, _value(sentences, "beta"), low=bias.low, high=bias.high, **shared)
        yield beta | {"neutral": scale.middle, "p": bias.p, "p_adjusted": p_adjusted, "verdict": verdict}
        yield measure_row("delta", name, _value(sentences, "delta"), low=fit.low, high=fit.high, **shared)
        yield from _mean_rows(name, sentences, _BOUNDS)

    def _caution(self, members: Members) -> str | None:
        """Why an interval must be read with care: few sentences, few that lean at all, or unrated fillings."""
        middle = self.materials.scale.middle
        low, high = (bound[:, members] for bound in self.scores.bounds["beta"])
        n, leaning = low.shape[1], int(((low != middle) | (high != middle)).any(axis=0).sum())
        unrated = 1 - float(self.scores.sentences.filter(members)["rated"].to_numpy().mean())
        reasons = []
        if n < FEW_UNITS:
            reasons.append(f"only {n} {'sentence' if n == 1 else 'sentences'}")
        elif leaning < FEW_UNITS:
            reasons.append(f"only {leaning} of {n} sentences are not neutral")
        if unrated >= _LEAST_SHOWN:
            reasons.append(f"{unrated:.0%} of the probability is unrated")
        return "; ".join(reasons) or None


def _mean_rows(name: str, sentences: pl.DataFrame, measures: Sequence[str]) -> Iterator[MeasureRow]:
    """Means without intervals: of the bounds, and of everything over all groups, which are not one sample."""
    for measure in measures:
        value = float(sentences[measure].to_numpy().mean()) if measure in _BOUNDS else _value(sentences, measure)
        yield measure_row(measure, name, value, n=len(sentences), note="mean over all sentences")


def _value(sentences: pl.DataFrame, measure: str) -> float | None:
    """The mean over all sentences; None if none of them is counted.

    A sentence that is not counted enters with the middle of its bounds, so that the mean lies within those of the
    group.
    """
    if not sentences["counted"].any():
        return None
    middle = (pl.col(f"{measure}_low") + pl.col(f"{measure}_high")) / 2
    points = sentences.select(pl.when("counted").then(measure).otherwise(middle)).to_series()
    return float(points.to_numpy().mean())
