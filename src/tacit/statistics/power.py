"""What a design could have seen: the smallest difference that a study of this size finds most of the time."""

from __future__ import annotations

from math import sqrt

from scipy.special import ndtri

from tacit.errors import TacitError

__all__ = ["minimum_detectable_effect"]


def minimum_detectable_effect(sd: float, n: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """The mean paired difference that a two-sided test at level alpha finds with the given power.

    MDE = (Φ⁻¹(1 − α/2) + Φ⁻¹(power)) · sd / √n, with sd the standard deviation of the n differences (normal
    approximation). For two separate groups of n items each, pass √2 times the deviation within a group.
    """
    if n < 1 or not sd >= 0:
        raise TacitError(f"No effect can be computed for sd={sd} and n={n}: sd must be 0 or more and n at least 1.")
    if not (0 < alpha < 1 and 0 < power < 1):
        raise TacitError(f"alpha={alpha} and power={power} must both lie between 0 and 1.")
    return float((ndtri(1 - alpha / 2) + ndtri(power)) * sd / sqrt(n))
