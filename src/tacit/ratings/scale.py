"""A bipolar scale: its points, what each means, and the names of its two poles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tacit.errors import TacitError

__all__ = ["Scale", "read_scale"]

_EXAMPLE = "scale: {low: formal, high: informal, points: [-1, -0.5, 0, 0.5, 1]}"


@dataclass(frozen=True, slots=True)
class Scale:
    """Points in rising order with a label each (which may be empty); `low` and `high` name the poles."""

    low: str
    high: str
    points: tuple[float, ...]
    labels: tuple[str, ...]

    @property
    def width(self) -> float:
        return self.points[-1] - self.points[0]

    @property
    def middle(self) -> float:
        """The value that leans to neither pole."""
        return (self.points[0] + self.points[-1]) / 2

    def score(self, text: str) -> float:
        """The point that a person wrote, `0,5` and a typographic minus included; ValueError tells what is wrong."""
        written = text.strip().replace("−", "-").replace("–", "-").replace(",", ".")
        try:
            value = float(written)
        except ValueError:
            raise ValueError(f"the score {text!r} is not a number; write one of {self.shown()}.") from None
        for point in self.points:
            if math.isclose(value, point, abs_tol=1e-9):
                return point
        raise ValueError(f"the score {text} is not on the scale; write one of {self.shown()}.")

    def shown(self) -> str:
        return ", ".join(f"{point:g}" for point in self.points)


def read_scale(given: Any, where: str) -> Scale:
    """The scale as a probe's YAML gives it: two poles, and points as a list or as a mapping of point to label."""
    if not isinstance(given, dict) or not {"low", "high", "points"} <= given.keys():
        raise TacitError(f"{where}: the materials need a scale with low, high and points, such as `{_EXAMPLE}`.")
    points = given["points"]
    labels = points if isinstance(points, dict) else dict.fromkeys(points if isinstance(points, list) else (), "")
    if len(labels) < 2 or not all(_is_number(point) for point in labels):
        raise TacitError(f"{where}: the points of the scale must be two or more numbers, such as `{_EXAMPLE}`.")
    ordered = sorted(labels)
    return Scale(
        low=str(given["low"]),
        high=str(given["high"]),
        points=tuple(float(point) for point in ordered),
        labels=tuple(str(labels[point]) for point in ordered),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
