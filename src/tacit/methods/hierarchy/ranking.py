"""The order of the top regions by C_w: what of it can be told when words and parts are both sampled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from scipy.special import stdtr, stdtrit

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.hierarchy.evaluate import evaluate, group_c_w
from tacit.methods.hierarchy.formulas import Floats
from tacit.methods.hierarchy.headline import SIGNIFICANT, UNDECIDED, WORD, Headline
from tacit.statistics import Interval, JackknifeInterval, holm, jackknife_interval

__all__ = ["HIGHEST", "Ranking", "compare_tops", "highest_rows", "ranking_table"]

HIGHEST = "C_w, ratio of the highest to the next"
# Without one of them, two are left to compare.
_FEWEST_PARTS = 3


@dataclass(frozen=True)
class _Candidate:
    """A top region: its place among them, log C_w also without each block of words, and its error over parts."""

    place: int
    name: str
    log: float
    without: Floats
    over_parts: JackknifeInterval

    @property
    def parts(self) -> int:
        """How many parts it has."""
        return self.over_parts.n


@dataclass(frozen=True)
class _Ratio:
    """The ratio of two C_w as a logarithm, with its standard error over words and parts."""

    log: float
    error: float
    degrees: float
    parts: int

    @classmethod
    def of(cls, first: _Candidate, second: _Candidate) -> _Ratio:
        """Variances over words and over the parts of both regions add up, and so do their errors (Satterthwaite)."""
        over_words = jackknife_interval(first.log - second.log, first.without - second.without)
        sources = (over_words, first.over_parts, second.over_parts)
        variances = np.array([source.error**2 for source in sources])
        total = float(variances.sum())
        spread = float((variances**2 / [source.degrees for source in sources]).sum())
        degrees = total**2 / spread if spread > 0 else float("nan")
        return cls(first.log - second.log, float(np.sqrt(total)), degrees, min(first.parts, second.parts))

    @property
    def p(self) -> float:
        """Two-sided, for equal C_w; 1 if there are too few words or parts to tell."""
        return float(2 * stdtr(self.degrees, -abs(self.log) / self.error)) if self.error > 0 else 1.0

    def interval(self, confidence: float) -> Interval | float:
        """The ratio with its interval, or alone if there are too few words or parts to tell."""
        ratio = float(np.exp(self.log))
        if not self.error > 0:
            return ratio
        reach = float(stdtrit(self.degrees, (1 + confidence) / 2)) * self.error
        low, high = np.exp([self.log - reach, self.log + reach]).tolist()
        return Interval(ratio, low, high, confidence, self.parts, "jackknife")


@dataclass(frozen=True)
class Ranking:
    """The top regions that have a C_w, highest first, and the comparison of each pair of them."""

    candidates: list[_Candidate]
    ratios: dict[tuple[int, int], _Ratio]

    def bounds(self, tops: int) -> list[tuple[int, int] | None]:
        """The ranks that each top region can have, from comparisons corrected for all pairs (Holm)."""
        higher, lower = np.zeros((2, tops), dtype=np.int64)
        for (first, second), p in zip(self.ratios, holm([ratio.p for ratio in self.ratios.values()]), strict=True):
            if p < SIGNIFICANT:
                lower[first] += 1
                higher[second] += 1
        known = {candidate.place for candidate in self.candidates}
        count = len(known)
        return [(1 + int(higher[i]), count - int(lower[i])) if i in known else None for i in range(tops)]


def compare_tops(headline: Headline) -> Ranking | None:
    """Compare all pairs of top regions by C_w.

    None for fewer than two of them, and for weights `per-pair`, which make regions of unequal size incomparable.
    """
    if headline.settings.weights == "per-pair":
        return None
    candidates = sorted(_candidates(headline), key=lambda candidate: -candidate.log)
    if len(candidates) < 2:
        return None
    pairs = combinations(candidates, 2)
    return Ranking(candidates, {(first.place, second.place): _Ratio.of(first, second) for first, second in pairs})


def highest_rows(headline: Headline, ranking: Ranking | None) -> Iterator[MeasureRow]:
    """The ratio of the two highest C_w, and whether the highest is above all others.

    The highest is compared with every other region, and the largest p-value decides: with two-sided tests this names a
    wrong region no more often than stated (Hung and Fithian 2019).
    """
    if ranking is None:
        return
    highest, following = ranking.candidates[:2]
    p = max(ratio.p for (first, _), ratio in ranking.ratios.items() if first == highest.place)
    tree, nearest = headline.tree, ranking.ratios[highest.place, following.place]
    yield measure_row(
        HIGHEST,
        headline.groups[-1],
        nearest.interval(headline.settings.confidence),
        unit=f"{WORD} and {tree.level_of(tree.depth_below_top)}",
        neutral=1.0,
        p=p,
        p_adjusted=p,
        verdict=f"{highest.name} has the highest C_w" if p < SIGNIFICANT else UNDECIDED,
        note=f"{highest.name} to {following.name}; p is the largest over all other top regions",
        caution="the two highest were chosen after looking at the values",
    )


def ranking_table(headline: Headline, ranking: Ranking | None) -> pl.DataFrame:
    """One row per top region: its rank (1 = highest C_w) and the ranks that cannot be ruled out.

    `pairs` is the number of pairs of parts, which the `per-pair` weights divide by; `used` is the number of parts in
    C_w, of which `without_c` have no C of their own. The other columns have C_w and ranks if those parts were left out
    (`single=undefined`), or had a C of 0 (`single=zero`).
    """
    tree, tops = headline.tree, headline.tree.top.tolist()
    values = headline.evaluation.c_w[tree.top]
    bounds = ranking.bounds(len(tops)) if ranking is not None else [None] * len(tops)
    children = tree.child_counts[tree.top]
    left_out, zero = (_values_if(headline, single) for single in ("undefined", "zero"))
    return pl.DataFrame(
        {
            "group": headline.groups[:-1],
            "c_w": pl.Series(values).fill_nan(None),
            "rank": _ranks(values),
            "rank_low": [ranks and ranks[0] for ranks in bounds],
            "rank_high": [ranks and ranks[1] for ranks in bounds],
            "children": children,
            "pairs": children * (children - 1) // 2,
            "used": [len(headline.parts(top)) for top in tops],
            "without_c": [headline.parts_without_c(top) for top in tops],
            "c_w_if_left_out": pl.Series(left_out).fill_nan(None),
            "rank_if_left_out": _ranks(left_out),
            "c_w_if_zero": pl.Series(zero).fill_nan(None),
            "rank_if_zero": _ranks(zero),
        },
        schema_overrides={"rank_low": pl.Int64, "rank_high": pl.Int64},
    )


def _values_if(headline: Headline, single: str) -> Floats:
    """C_w of the top regions under another rule for parts with fewer than two sub-regions."""
    settings = headline.settings.model_copy(update={"single": single})
    answers, tree = headline.answers, headline.tree
    return np.asarray(evaluate(tree, answers.scores, answers.names, settings).c_w[tree.top])


def _ranks(values: Floats) -> pl.Series:
    """1 for the highest; null for an undefined value."""
    order = (-np.where(np.isnan(values), -np.inf, values)).argsort(kind="stable").argsort(kind="stable") + 1
    return pl.Series([None if np.isnan(value) else rank for value, rank in zip(values, order.tolist(), strict=True)])


def _candidates(headline: Headline) -> Iterator[_Candidate]:
    for i, top in enumerate(headline.tree.top.tolist()):
        value = float(headline.evaluation.c_w[top])
        if value > 0:
            with np.errstate(divide="ignore"):
                without = np.log(headline.c_w[:, top])
            yield _Candidate(i, headline.groups[i], float(np.log(value)), without, _over_parts(headline, top))


def _over_parts(headline: Headline, region: int) -> JackknifeInterval:
    """C_w of a region with its interval over parts: without each of them, the others keep their V and C."""
    parts = headline.parts(region)
    without_each = ~np.eye(len(parts), dtype=np.bool_) if len(parts) >= _FEWEST_PARTS else np.empty((0, len(parts)))
    values = group_c_w(headline.evaluation, parts, without_each.astype(np.bool_), headline.settings)
    return jackknife_interval(float(headline.evaluation.c_w[region]), values, n=len(parts), positive=True)
