"""What can be set about the hierarchy method: its size, and a named switch for each point on which the study errs."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from tacit.methods.base import Settings

__all__ = ["HierarchySettings", "Limit"]

Limit = int | Literal["all"]

_PAPER: dict[str, str] = {
    "weights": "sum-to-one",
    "single": "undefined",
    "alpha": "softmax",
    "leaf": "distance",
    "vectors": "own",
    "z": "all",
    "labels": "own",
    "stop": "kept",
    "spelling": "clean",
}
_SWITCHES: dict[str, dict[str, str]] = {
    "corrected": _PAPER,
    "as-published": {**_PAPER, "weights": "per-pair", "single": "zero"},
    "reference-code": {
        **_PAPER,
        "weights": "per-pair",
        "single": "zero",
        "alpha": "last-pair",
        "leaf": "last-zero",
        "vectors": "renormalised",
        "z": "last-only",
        "stop": "dropped",
        "spelling": "blanks",
    },
}


class HierarchySettings(Settings):
    """The mode sets the switches; a switch that is set by hand wins. The letters are those of docs/errata/herb.md."""

    mode: Literal["corrected", "as-published", "reference-code"] = "corrected"  # type: ignore[assignment]
    resamples: int = Field(default=500, ge=2)

    cities: Limit = "all"
    """How many regions of the lowest level to keep in each of the next, the most populous first; 0 leaves it out."""
    countries: Limit = "all"
    """The same for the level above the lowest."""
    studies: Limit = 2
    """How many levels from the top are asked with paraphrased templates and substituted words; 0 asks neither."""
    represent: bool = True
    """Also ask for the vector of each region's name (the picture of section 4.3)."""
    word: str = ""
    """The word of the world map; by default the materials' own."""
    likelihood: Literal["auto", "aul", "aula", "pll", "pll-word", "causal"] = "auto"
    """How a sentence is weighed; `auto` is `causal` for causal models and `aul`, the study's, for all others."""

    weights: Literal["sum-to-one", "per-pair"] = "sum-to-one"
    """(a) Whether the pairs' weights sum to one, or are divided once more by the number of pairs (Eq. 8 as printed)."""
    labels: Literal["own", "as-printed"] = "own"
    """(b) Whether a region stands under its own name, or under the heading that Table 1 gives it."""
    alpha: Literal["softmax", "uniform", "share", "last-pair"] = "softmax"
    """(c, d) Eq. 7; 1/n, which it hardly differs from; a word's share of all differences; or the reference code's."""
    leaf: Literal["distance", "last-zero"] = "distance"
    """(d) The reference code leaves the last sub-region of each region with a C of 0."""
    vectors: Literal["own", "renormalised"] = "own"
    """(d) The reference code gives aggregated vectors length one again, and does not so for the upper regions' own."""
    z: Literal["all", "last-only"] = "all"
    """(d) The reference code's C_z scores only the last name."""
    stop: Literal["kept", "dropped"] = "kept"
    """(d) The reference code's template has no full stop."""
    spelling: Literal["clean", "blanks"] = "clean"
    """(d) Ten of the reference code's words carry leading blanks."""
    single: Literal["undefined", "zero"] = "undefined"
    """(e) What C is for a region with one sub-region or none: undefined and left out, or 0."""

    @model_validator(mode="before")
    @classmethod
    def _switches_follow_the_mode(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {**_SWITCHES.get(given.get("mode", "corrected"), {}), **given}
