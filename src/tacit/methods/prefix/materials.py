"""What the prefix method is fed: labelled texts, the regions, and the sentence that names one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from tacit.errors import TacitError
from tacit.methods.base import Settings
from tacit.methods.hierarchy.tree import Tree, read_tree
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.tables import read_csv, refuse

__all__ = ["PrefixMaterials", "PrefixSettings", "PrefixShape", "Text", "read_prefix"]


class PrefixSettings(Settings):
    """Which texts, which regions, and which of the classifier's labels the rises and falls are about."""

    resamples: int = Field(default=2000, ge=2)
    texts: str = ""
    """A CSV with the columns text and, where accuracy is wanted, label; by default the probe's own few."""
    prefix: str = ""
    """The sentence before each text, with {region} in it; by default the probe's own."""
    level: str = "country"
    """The level of the tree whose regions are named."""
    regions: int | Literal["all"] = "all"
    """How many of them: the most populous, or all."""
    target: str = ""
    """The label whose probability rises or falls; by default the classifier's last."""
    labels: dict[str, str] = Field(default_factory=dict)
    """What the classifier's labels are called in the texts: LABEL_0=negative,LABEL_1=positive."""

    @field_validator("texts")
    @classmethod
    def _wherever_it_is_read_from(cls, value: str) -> str:
        return str(Path(value).resolve()) if value else value

    def files(self) -> dict[str, Path]:
        """The user's own texts, where they are named."""
        return {**super().files(), **({"texts": Path(self.texts)} if self.texts else {})}

    @field_validator("labels", mode="before")
    @classmethod
    def _pairs(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        pairs = [part.partition("=") for part in value.split(",") if part.strip()]
        if any(not sign for _, sign, _ in pairs):
            raise ValueError("write LABEL_0=negative,LABEL_1=positive")
        return {name.strip(): called.strip() for name, _, called in pairs}


class PrefixShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    tree: FileName
    texts: FileName
    prefix: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text, with its own label or none."""

    text: str
    label: str


@dataclass(frozen=True)
class PrefixMaterials:
    """The texts, the regions to be named (places in the tree), and the sentence."""

    texts: tuple[Text, ...]
    tree: Tree
    regions: tuple[int, ...]
    prefix: str

    @property
    def labelled(self) -> bool:
        """Whether the texts have labels of their own, so that accuracy can be told."""
        return all(text.label for text in self.texts)


def read_prefix(probe: Probe, settings: PrefixSettings) -> PrefixMaterials:
    """Read and check the texts, the tree and the sentence."""
    prefix = settings.prefix or str(probe.materials.get("prefix", ""))
    if prefix.count("{region}") != 1:
        raise TacitError(f"{probe.source}: the prefix {prefix!r} must hold {{region}} exactly once.")
    tree = read_tree(probe.path("tree"))
    return PrefixMaterials(_texts(probe, settings), tree, _regions(probe, tree, settings), prefix)


def _texts(probe: Probe, settings: PrefixSettings) -> tuple[Text, ...]:
    path = Path(settings.texts) if settings.texts else probe.path("texts")
    rows = read_csv(path, ["text"], ["label"])
    labelled = [bool(row["label"]) for row in rows]
    for row in rows:
        if not row["text"]:
            raise refuse(path, row, "the text is empty.")
        if any(labelled) and not row["label"]:
            raise refuse(path, row, "this text has no label, though others have; give all of them one, or none.")
    return tuple(Text(row["text"], row["label"]) for row in rows)


def _regions(probe: Probe, tree: Tree, settings: PrefixSettings) -> tuple[int, ...]:
    here = [i for i, region in enumerate(tree.regions) if region.level == settings.level]
    if not here:
        levels = ", ".join(dict.fromkeys(region.level for region in tree.regions))
        raise TacitError(f"{probe.path('tree')} has no level {settings.level!r}: it has {levels}.")
    largest = sorted(here, key=lambda i: -tree.regions[i].population)
    return tuple(sorted(here if settings.regions == "all" else largest[: settings.regions]))
