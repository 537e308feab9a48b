"""What a user can set: the texts, the regions, and the classifier's labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from tacit.data import FETCHED, data_path
from tacit.methods.base import MOST_RESAMPLES, Settings
from tacit.methods.templates import check_one_of_slots

__all__ = ["PREFIX_SLOTS", "PrefixSettings"]

PREFIX_SLOTS = ("region", "path")
"""What a prefix can say of a region: its name, or its path ("Cork, Ireland")."""


class PrefixSettings(Settings):
    """Settings of the prefix method."""

    resamples: int = Field(default=2000, ge=2, le=MOST_RESAMPLES)
    """How many resamples intervals and tests are based on."""
    texts: str = ""
    """Your own texts, a table with the columns text and (for accuracy and F1) label; `fetched`, the 4,000 reviews of
    `tacit data fetch reviews`; empty means the probe's."""
    prefix: str = ""
    """The sentence before each text, with {region} or {path} ("Cork, Ireland") in it; empty means the probe's."""
    baseline: str = "here"
    """What replaces the region in a sentence that names none, to tell the sentence from the region; empty asks none."""
    level: str = "country"
    """The level of the tree whose regions are named."""
    regions: Annotated[int, Field(ge=1, le=1_000_000)] | Literal["all"] | tuple[str, ...] = "all"
    """How many of these regions to name, the most populous first; or which: Ireland,Mexico (names, codes or paths)."""
    target: str = ""
    """The label whose probability is followed; empty means the classifier's last."""
    labels: dict[str, str] = Field(default_factory=dict)
    """What the texts call the classifier's labels: LABEL_0=negative,LABEL_1=positive."""

    @field_validator("texts")
    @classmethod
    def _make_absolute(cls, path: str) -> str:
        return str(Path(path).resolve()) if path and path != FETCHED else path

    @field_validator("prefix")
    @classmethod
    def _check_prefix(cls, prefix: str) -> str:
        return check_one_of_slots(prefix, PREFIX_SLOTS) if prefix else prefix

    @field_validator("regions", mode="before")
    @classmethod
    def _split_names(cls, regions: Any) -> Any:
        if not isinstance(regions, str) or regions == "all" or regions.lstrip("-").isdecimal():
            return regions
        names = tuple(dict.fromkeys(name.strip() for name in regions.split(",") if name.strip()))
        if not names:
            raise ValueError("give a number, all, or names such as Ireland,Mexico")
        return names

    @field_validator("labels", mode="before")
    @classmethod
    def _split_pairs(cls, labels: Any) -> Any:
        if not isinstance(labels, str):
            return labels
        pairs = [part.partition("=") for part in labels.split(",") if part.strip()]
        if not all(sign for _, sign, _ in pairs):
            raise ValueError("write pairs such as LABEL_0=negative,LABEL_1=positive")
        return {label.strip(): name.strip() for label, _, name in pairs}

    def files(self) -> dict[str, Path]:
        """The files that the settings name; a run keeps a copy of each."""
        return {**super().files(), **({"texts": self.texts_file} if self.texts_file else {})}

    @property
    def texts_file(self) -> Path | None:
        """The file that `texts` names, whether or not it exists; None for the probe's own."""
        if self.texts == FETCHED:
            return data_path("reviews")
        return Path(self.texts) if self.texts else None
