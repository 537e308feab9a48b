"""A bipolar scale: its points with their labels, and the names of its two poles."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

__all__ = ["Scale", "ScaleShape", "read_scale"]

_EXAMPLE = "scale: {low: formal, high: informal, points: [-1, -0.5, 0, 0.5, 1]}"


class ScaleShape(BaseModel):
    """A scale as a probe's YAML writes it: two poles, and points as a list or as a mapping of points to labels."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    low: str
    high: str
    points: dict[float, str]

    @model_validator(mode="before")
    @classmethod
    def _require_keys(cls, given: object) -> object:
        # A misspelled key is left to pydantic, whose error names that key and its line.
        complete = isinstance(given, dict) and (
            cls.model_fields.keys() <= given.keys() or given.keys() - cls.model_fields
        )
        if not complete:
            raise ValueError(f"a scale needs low, high and points. Write it like `{_EXAMPLE}`")
        return given

    @field_validator("points", mode="before")
    @classmethod
    def _label_points(cls, points: object) -> object:
        labels = dict.fromkeys(points, "") if isinstance(points, list) else points
        if not isinstance(labels, dict) or len(labels) < 2 or not all(_is_number(point) for point in labels):
            raise ValueError(f"the points must be two or more different numbers. Write a scale like `{_EXAMPLE}`")
        return {point: "" if label is None else label for point, label in labels.items()}


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale with its points in ascending order.

    Attributes:
        low: What the lowest point stands for.
        high: What the highest point stands for.
        points: The scores that can be given.
        labels: What each point means; may be empty strings.
    """

    low: str
    high: str
    points: tuple[float, ...]
    labels: tuple[str, ...]

    @property
    def width(self) -> float:
        """The distance between the poles."""
        return self.points[-1] - self.points[0]

    @property
    def middle(self) -> float:
        """The value that leans to neither pole."""
        return (self.points[0] + self.points[-1]) / 2

    @property
    def points_text(self) -> str:
        """The points as a person would list them: "-1, 0, 1"."""
        return ", ".join(f"{point:g}" for point in self.points)

    def parse_score(self, text: str, name: str = "the score") -> float:
        """The point that a person wrote; decimal commas and typographic minus signs are accepted.

        Args:
            text: What was written.
            name: What to call the number in the error.

        Raises:
            ValueError: The text is not a point of the scale.
        """
        plain = text.strip().replace("−", "-").replace("–", "-").replace(",", ".")
        try:
            value = float(plain)
        except ValueError:
            raise ValueError(f"{name} {text!r} is not a number. Write one of {self.points_text}.") from None
        for point in self.points:
            if math.isclose(value, point, abs_tol=1e-9):
                return point
        raise ValueError(f"{name} {text} is not on the scale. Write one of {self.points_text}.")


def read_scale(shape: ScaleShape) -> Scale:
    """The scale that a probe's YAML describes, with its points sorted."""
    points = tuple(sorted(shape.points))
    return Scale(shape.low, shape.high, points, tuple(shape.points[point] for point in points))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
