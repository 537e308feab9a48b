"""What a user can set: the size of the tree, and one switch for each point where the paper or its code is in error."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from tacit.methods.base import MOST_RESAMPLES, Settings
from tacit.methods.hierarchy.formulas import PairWeights

__all__ = ["HierarchySettings", "Limit"]

Limit = Annotated[int, Field(ge=0, le=1_000_000)] | Literal["all"]

_PAPER: dict[str, str] = {
    "weights": "sum-to-one",
    "single": "siblings",
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
    """Settings of the hierarchy method.

    The mode sets all switches; a switch that you set yourself overrides the mode. Letters refer to docs/errata/herb.md.
    """

    mode: Literal["corrected", "as-published", "reference-code"] = "corrected"  # type: ignore[assignment]
    """Repair the study's defects (corrected), do what the study printed (as-published), or what its code does."""
    resamples: int = Field(default=500, ge=2, le=MOST_RESAMPLES)
    """How many resamples intervals and tests are based on."""

    cities: Limit = "all"
    """How many regions of the lowest level to keep per parent, the most populous first; 0 drops the level."""
    countries: Limit = "all"
    """The same for the level above the lowest."""
    studies: Limit = 2
    """How many levels, from the top, to ask with paraphrased templates and substituted words; 0 skips both studies."""
    represent: bool = True
    """Whether to ask for the vector of each region's name, for the plot of section 4.3."""
    word: str = ""
    """The word shown on the world map; empty means the one in the materials."""
    zoom: str = ""
    """The top region that figures zoom in on; empty means Europe, or the one with the most parts."""
    likelihood: Literal["auto", "aul", "aula", "pll", "pll-word", "causal"] = "auto"
    """How to score a sentence; `auto` is `causal` for causal models and `aul`, the paper's choice, for all others."""

    weights: PairWeights = "sum-to-one"
    """(a) Pair weights that sum to one, or divided once more by the number of pairs (Eq. 8 as printed)."""
    labels: Literal["own", "as-printed"] = "own"
    """(b) Show each region under its own name, or under the heading that the paper's Table 1 gives it."""
    alpha: Literal["softmax", "uniform", "share", "last-pair"] = "softmax"
    """(c, d) Eq. 7; 1/n, which is almost the same; each word's share of all differences; or the reference code's."""
    leaf: Literal["distance", "last-zero"] = "distance"
    """(d) The reference code leaves the last sub-region of each region with a C of 0."""
    vectors: Literal["own", "renormalised"] = "own"
    """(d) The reference code normalizes aggregated vectors again, but not the upper regions' own vectors."""
    z: Literal["all", "last-only"] = "all"
    """(d) The reference code's C_z scores only the last name."""
    stop: Literal["kept", "dropped"] = "kept"
    """(d) The reference code's template has no period at the end."""
    spelling: Literal["clean", "blanks"] = "clean"
    """(d) Ten of the reference code's words have leading spaces."""
    single: Literal["siblings", "undefined", "zero"] = "siblings"
    """(e) A region with fewer than two sub-regions: takes its siblings' mean C as weight, is left out, or has C = 0."""

    @model_validator(mode="before")
    @classmethod
    def _apply_mode(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        mode = values.get("mode", "corrected")
        return {**(_SWITCHES.get(mode, {}) if isinstance(mode, str) else {}), **values}
