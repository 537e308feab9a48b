"""Dose and response: does a measure follow a planted bias, from which dose on, and do the controls stay silent?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import numpy.typing as npt
from scipy import stats

from tacit.validation.checks import Check, Outcome
from tacit.validation.dose_rows import DoseRow

__all__ = [
    "MIXTURES",
    "PLANTED",
    "DoseResponse",
    "Slope",
    "dose_check",
    "dose_response",
    "mixtures_check",
    "slope_interval",
    "smallest_dose",
    "trend_p",
]

PLANTED, MIXTURES = "planted bias", "graded mixtures"

SIGNIFICANT = 0.05
_FEWEST_SEEDS = 3
_MOST_ORDERS = 20_000
_BALANCED, _FULL = 0.0, 1.0
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Slope:
    """By how much the response changes from dose 0 to dose 1, with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class DoseResponse:
    """What a planted series shows; responses are counted in the planted direction from the measure's neutral point.

    Attributes:
        doses: The doses of the biased text.
        seeds: How many seeds have all of them.
        trend: The p-value of the trend, one-sided in the planted direction; NaN without a complete seed.
        slope: The mean slope over seeds with its interval; None with no complete seed.
        smallest: The smallest dose from which on every seed finds the plant; None if even the full dose is not found.
        found: In how many models of the full dose the plant is found, and in how many it was looked for.
        interpreted: How many of these the probe could interpret; it claims nothing about the others.
        follows: Whether the opposite text moves the measure as it should, compared with balanced text; None if unasked.
        claims: In how many models of the control arms the probe claims the planted direction, and how many there are.
        uninterpreted: How many models of the biased text could not be interpreted.
    """

    doses: tuple[float, ...]
    seeds: int
    trend: float
    slope: Slope | None
    smallest: float | None
    found: tuple[int, int]
    interpreted: int
    follows: bool | None
    claims: tuple[int, int]
    uninterpreted: int


def trend_p(doses: npt.ArrayLike, responses: npt.ArrayLike, seed: int = 0) -> float:
    """The one-sided p-value of "the response does not rise with the dose".

    T = sum_s sum_d (d - mean d) y_sd, for seeds s and doses d. If the dose does nothing, the responses of a seed could
    have come in any order, so the null distribution of T is that over all orders of the doses within each seed:
    p = #{T* >= T} / #orders, over all orders where there are at most 20,000, otherwise over as many random ones and the
    observed one.

    Args:
        doses: The doses, one per column.
        responses: One row per seed.
        seed: Of the random orders.
    """
    x = np.asarray(doses, dtype=np.float64)
    y = np.atleast_2d(np.asarray(responses, dtype=np.float64))
    x = x - x.mean()
    observed = float((y @ x).sum())
    if math.factorial(x.size) ** y.shape[0] <= _MOST_ORDERS:
        per_seed = [[float(np.dot(row, order)) for order in permutations(x)] for row in y]
        totals = np.array([sum(parts) for parts in product(*per_seed)])
    else:
        rng = np.random.default_rng(seed)
        orders = rng.permuted(np.broadcast_to(x, (_MOST_ORDERS, *y.shape)), axis=2)
        totals = np.append((orders * y).sum(axis=(1, 2)), observed)
    # Orders that tie with the observed one must count, whatever the rounding.
    return float((totals >= observed - 1e-12 * max(1.0, abs(observed))).mean())


def slope_interval(
    doses: npt.ArrayLike, responses: npt.ArrayLike, errors: npt.ArrayLike | None = None, confidence: float = 0.95
) -> Slope:
    """The mean slope of the response over seeds, with an interval over seeds and items.

    The slope of seed s is b_s = sum_d w_d y_sd with w_d = (d - mean d) / sum_d (d - mean d)^2, and b = mean_s b_s. Its
    variance has two parts: var_s(b_s) / S over seeds, and sum_d w_d^2 e_d^2 over items, where e_d is the mean standard
    error over items at dose d. The items are the same for all seeds, so that more seeds do not shrink the second part;
    they are also the same at all doses, where their errors are alike, so that it is an upper bound. The interval is
    b +- t sqrt(variance) with S - 1 degrees of freedom, and infinite for a single seed.

    Args:
        doses: The doses, one per column.
        responses: One row per seed.
        errors: The standard errors over items, in the shape of the responses; missing ones (NaN) count as 0.
        confidence: How often the interval should cover the slope.
    """
    x = np.asarray(doses, dtype=np.float64)
    y = np.atleast_2d(np.asarray(responses, dtype=np.float64))
    weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    slopes = y @ weights
    mean, seeds = float(slopes.mean()), len(slopes)
    if seeds < 2:
        return Slope(mean, -math.inf, math.inf)
    variance = float(slopes.var(ddof=1)) / seeds
    if errors is not None:
        of_items = np.nan_to_num(np.atleast_2d(np.asarray(errors, dtype=np.float64))).mean(axis=0)
        variance += float((weights**2 * of_items**2).sum())
    reach = float(stats.t.ppf((1 + confidence) / 2, seeds - 1)) * math.sqrt(variance)
    return Slope(mean, mean - reach, mean + reach)


def smallest_dose(doses: Sequence[float], found: npt.ArrayLike) -> float | None:
    """The smallest dose d such that at d and at every larger dose at least four of five seeds find the plant.

    With fewer than five seeds that is every seed: three seeds cannot show "four of five".

    Args:
        doses: The doses in rising order, one per column.
        found: Whether each seed (row) finds the plant at each dose.
    """
    shares = np.atleast_2d(np.asarray(found, dtype=np.float64)).mean(axis=0)
    smallest = None
    for dose, share in sorted(zip(doses, shares.tolist(), strict=True), reverse=True):
        if share < 0.8 or dose == _BALANCED:
            break
        smallest = dose
    return smallest


def dose_response(rows: Sequence[DoseRow]) -> DoseResponse:
    """What the rows of a probe's series show; seeds that lack a dose do not enter the curve."""
    biased = {(row.seed, row.dose): row for row in rows if row.arm == "biased"}
    doses = tuple(sorted({dose for _, dose in biased}))
    seeds = [seed for seed in sorted({seed for seed, _ in biased}) if all((seed, dose) in biased for dose in doses)]
    curves = [[biased[seed, dose] for dose in doses] for seed in seeds]
    is_curve = bool(curves) and len(doses) > 1
    responses = [[row.response for row in curve] for curve in curves]
    full = [row for row in biased.values() if row.dose == _FULL]
    controls = [row for row in rows if row.arm == "unrelated" or row.dose == _BALANCED]
    return DoseResponse(
        doses=doses,
        seeds=len(seeds),
        trend=trend_p(doses, responses) if is_curve else math.nan,
        slope=slope_interval(doses, responses, [[_error(r) for r in curve] for curve in curves]) if is_curve else None,
        smallest=smallest_dose(doses, [[row.finds_plant == 1 for row in curve] for curve in curves])
        if curves
        else None,
        found=(sum(row.finds_plant == 1 for row in full), len(full)),
        interpreted=sum(row.validity != "none" for row in full),
        follows=_follows(rows),
        claims=(sum(row.finds_plant == 1 for row in controls), len(controls)),
        uninterpreted=sum(row.validity == "none" for row in biased.values()),
    )


def dose_check(rows: Sequence[DoseRow]) -> Check | None:
    """The certificate's line about planted biases; None if no series was made."""
    if not rows:
        return None
    shown = dose_response(rows)
    return Check(
        name=PLANTED,
        outcome=_outcome(shown),
        number=_number(shown, rows[0]),
        bar=(
            "pass if, over three seeds or more, every model of the full dose is found, the trend over doses has "
            "p < .05, the opposite text moves the measure as it should, and no control is claimed; fail if no model of "
            "the full dose is found, though the probe interprets some"
        ),
        reason="A probe that does not see a bias that was put there says nothing where it sees none.",
    )


def mixtures_check(rows: Sequence[DoseRow]) -> Check:
    """The certificate's line about models that were trained from nothing on mixtures of two kinds of text."""
    shown = dose_response(rows)
    is_clear = shown.trend < SIGNIFICANT and shown.seeds >= _FEWEST_SEEDS
    parts = [f"{shown.seeds} seeds of {len(shown.doses)} mixtures"]
    if shown.slope is not None:
        parts.append(f"{rows[0].measure} moves by {_slope(shown.slope)} from one end to the other")
    parts.append(f"trend p = {shown.trend:.3g}")
    parts.append(f"the whole text is found in {shown.found[0]} of {shown.found[1]} models")
    if shown.uninterpreted:
        parts.append(f"{shown.uninterpreted} of {len(rows)} models cannot be interpreted")
    return Check(
        name=MIXTURES,
        outcome="pass" if is_clear else "fail" if shown.slope is not None and shown.slope.value <= 0 else "doubtful",
        number="; ".join(parts),
        bar="pass if the trend has p < .05 over three seeds or more, fail if the measure moves the other way",
        reason="What a model was trained on is known; a measure of it has to follow.",
    )


def _outcome(shown: DoseResponse) -> Outcome:
    found, asked = shown.found
    if shown.interpreted and not found:
        return "fail"
    is_clear = found == asked > 0 and shown.trend < SIGNIFICANT and shown.follows is True
    is_clear = is_clear and shown.seeds >= _FEWEST_SEEDS
    return "pass" if is_clear and shown.claims[0] == 0 and shown.claims[1] > 0 else "doubtful"


def _number(shown: DoseResponse, row: DoseRow) -> str:
    found, asked = shown.found
    if asked and not shown.interpreted:
        start = f"not shown to see a planted bias: it can interpret none of the {asked} models of the full dose"
    elif asked and not found:
        start = f"the planted bias is not seen: the full dose is found in 0 of {asked} models"
    else:
        start = f"the full dose is found in {found} of {asked} models"
    parts = [start, _smallest(shown)]
    if shown.slope is not None:
        parts.append(f"{row.measure} moves by {_slope(shown.slope)} per full dose (trend p = {shown.trend:.3g})")
    parts.append(_opposite(shown, row))
    parts.append(f"controls claimed: {shown.claims[0]} of {shown.claims[1]}")
    if shown.uninterpreted:
        parts.append(f"{shown.uninterpreted} planted models cannot be interpreted")
    return "; ".join(part for part in parts if part)


def _smallest(shown: DoseResponse) -> str:
    if shown.smallest is None:
        return ""
    seeds = (
        "the one seed" if shown.seeds == 1 else f"all {shown.seeds} seeds" if shown.seeds < 5 else "four of five seeds"
    )
    return f"smallest dose found in {seeds}, there and at every larger dose: {shown.smallest:g}"


def _slope(slope: Slope) -> str:
    if not math.isfinite(slope.low):
        return f"{slope.value:.3f} (one seed, no interval)"
    return f"{slope.value:.3f} [{slope.low:.3f}, {slope.high:.3f}]"


def _opposite(shown: DoseResponse, row: DoseRow) -> str:
    if shown.follows is None:
        return "the opposite bias was not planted"
    if row.signed == "no":
        return "the measure has no sign, so the opposite bias should look the same: it " + (
            "does" if shown.follows else "does not"
        )
    return "the sign " + ("follows" if shown.follows else "does not follow") + " the opposite bias"


def _follows(rows: Sequence[DoseRow]) -> bool | None:
    """Whether the opposite text is on the right side of balanced text in every seed that has both."""
    balanced = {row.seed: row.response for row in rows if row.arm == "biased" and row.dose == _BALANCED}
    moved = [
        row.response - balanced[row.seed]
        for row in rows
        if row.arm == "opposite" and row.dose == _FULL and row.seed in balanced
    ]
    if not moved:
        return None
    is_signed = rows[0].signed == "yes"
    return all(move < 0 if is_signed else move > 0 for move in moved)


def _error(row: DoseRow) -> float:
    """The standard error over items, from the width of the interval; NaN where the measure has none."""
    if row.low is None or row.high is None:
        return math.nan
    return (row.high - row.low) / (2 * float(stats.norm.ppf(0.975)))
