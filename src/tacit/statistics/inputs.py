"""Checking what comes in: every statistic starts from finite numbers and complete labels, or says what is wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from tacit.arguments import require_count, require_number, wrong_argument
from tacit.errors import TacitError

__all__ = [
    "LARGEST_SEED",
    "MOST_RESAMPLES",
    "Alternative",
    "Floats",
    "Integers",
    "Method",
    "as_numbers",
    "check_alternative",
    "check_confidence",
    "check_resampling",
    "cluster_codes",
    "column",
    "finite",
    "pair",
]

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Method: TypeAlias = Literal["percentile", "bca"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

MOST_RESAMPLES = 1_000_000
"""More would take hours and change no digit that is printed."""
LARGEST_SEED = 2**32 - 1


def as_numbers(values: npt.ArrayLike, name: str) -> Floats:
    """The values as floats, NaN and infinity among them; what holds anything else is refused."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise wrong_argument(name, "numbers", values) from None


def finite(values: npt.ArrayLike, name: str = "values") -> Floats:
    """The values as floats, refused when there are none or when one is not a finite number."""
    array = as_numbers(values, name)
    if array.size == 0:
        raise TacitError(f"There are no {name} to compute a statistic from: give at least one.")
    if not np.isfinite(array).all():
        nans, infinite = int(np.isnan(array).sum()), int(np.isinf(array).sum())
        raise TacitError(
            f"Of the {array.size} {name}, {nans} are NaN and {infinite} are infinite: leave them out and say so."
        )
    return array


def column(values: npt.ArrayLike, name: str = "values") -> Floats:
    """Finite values in one dimension."""
    array = finite(values, name)
    if array.ndim != 1:
        raise TacitError(f"The {name} have {array.ndim} dimensions where a plain list is needed: pass one column.")
    return array


def pair(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Two columns that belong together, item by item."""
    left, right = column(a, "first values"), column(b, "second values")
    if left.size != right.size:
        raise TacitError(f"Paired values differ in number, {left.size} and {right.size}: pair them item by item.")
    return left, right


def cluster_codes(clusters: Iterable[Hashable] | None, items: int) -> Integers | None:
    """Labels as the numbers 0, 1, ... in order of first appearance, refused when one is missing."""
    if clusters is None:
        return None
    labels = list(clusters)
    if len(labels) != items:
        raise TacitError(f"There are {len(labels)} cluster labels for {items} items: give one label an item.")
    # NaN is the one label that differs from itself.
    missing = [row for row, label in enumerate(labels) if label is None or label != label]  # noqa: PLR0124
    if missing:
        raise TacitError(
            f"{len(missing)} of {items} cluster labels are missing, the first in row {missing[0]}: label every item."
        )
    codes: dict[Hashable, int] = {}
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.int64)


def check_resampling(method: str, resamples: int, confidence: float, seed: int) -> None:
    """Refuse settings under which no interval can be drawn."""
    if method not in get_args(Method):
        raise TacitError(f"There is no interval method {method!r}: choose 'percentile' or 'bca'.")
    require_count("resamples", resamples, 1, MOST_RESAMPLES)
    require_count("seed", seed, 0, LARGEST_SEED)
    check_confidence(confidence)


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is no share."""
    require_number("confidence", confidence, 0, 1)


def check_alternative(alternative: str, resamples: int, seed: int) -> None:
    """Refuse settings under which no test can be made."""
    if alternative not in get_args(Alternative):
        raise TacitError(f"There is no alternative {alternative!r}: choose 'two-sided', 'greater' or 'less'.")
    require_count("resamples", resamples, 1, MOST_RESAMPLES)
    require_count("seed", seed, 0, LARGEST_SEED)
