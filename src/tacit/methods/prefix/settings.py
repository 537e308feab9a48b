"""What a user can set: the texts, the regions, and the classifier's labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from tacit.methods.base import MOST_RESAMPLES, Settings
from tacit.methods.templates import check_slots

__all__ = ["PrefixSettings"]


class PrefixSettings(Settings):
    """Settings of the prefix method."""

    resamples: int = Field(default=2000, ge=2, le=MOST_RESAMPLES)
    texts: str = ""
    """Your own texts, a CSV with the columns text and (for accuracy and F1) label; empty means the probe's."""
    prefix: str = ""
    """The sentence before each text, with {region} in it; empty means the probe's."""
    level: str = "country"
    """The level of the tree whose regions are named."""
    regions: Annotated[int, Field(ge=1, le=1_000_000)] | Literal["all"] = "all"
    """How many of these regions to name, the most populous first."""
    target: str = ""
    """The label whose probability is followed; empty means the classifier's last."""
    labels: dict[str, str] = Field(default_factory=dict)
    """What the texts call the classifier's labels: LABEL_0=negative,LABEL_1=positive."""

    @field_validator("texts")
    @classmethod
    def _make_absolute(cls, path: str) -> str:
        return str(Path(path).resolve()) if path else path

    @field_validator("prefix")
    @classmethod
    def _check_prefix(cls, prefix: str) -> str:
        return check_slots(prefix, "region") if prefix else prefix

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
        return {**super().files(), **({"texts": Path(self.texts)} if self.texts else {})}
