"""What the prefix method reads: texts, with or without labels, the regions, and the sentence that names one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import field_validator

from tacit.data import FETCHED, require_data
from tacit.methods.hierarchy.tree import Region, Tree
from tacit.methods.hierarchy.tree_csv import read_tree
from tacit.methods.prefix.named_regions import path_name, select_regions
from tacit.methods.prefix.settings import PREFIX_SLOTS, PrefixSettings
from tacit.methods.templates import check_one_of_slots
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.questions import compose
from tacit.tables import read_table, refuse

__all__ = ["PrefixMaterials", "PrefixShape", "Text", "read_materials"]


class PrefixShape(MaterialsShape):
    """What a probe's YAML can contain under `materials`."""

    tree: FileName
    """Table with the columns `name` and `parent`; optional: `level`, `population`, `iso` (country code), `id`."""
    texts: FileName
    """Table with the column `text`; optional: `label`, for accuracy and F1."""
    prefix: str
    """The sentence before each text, with {region} or {path} in it."""

    @field_validator("prefix")
    @classmethod
    def _check_prefix(cls, prefix: str) -> str:
        return check_one_of_slots(prefix, PREFIX_SLOTS)


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its true label, empty if it has none."""

    text: str
    label: str


@dataclass(frozen=True)
class PrefixMaterials:
    """The materials after reading.

    Attributes:
        texts: The texts.
        tree: All regions.
        indices: The places in the tree of the regions to name.
        prefix: The sentence before each text.
        baseline: The same sentence without a region ("The cast is from here."); empty asks none.
    """

    texts: tuple[Text, ...]
    tree: Tree
    indices: tuple[int, ...]
    prefix: str
    baseline: str = ""

    @property
    def regions(self) -> list[Region]:
        """The regions to name."""
        return [self.tree.regions[i] for i in self.indices]

    def sentence(self, index: int) -> str:
        """The sentence that names a region, by its place in the tree."""
        region = self.tree.regions[index]
        slot = PREFIX_SLOTS[0] if "{region}" in self.prefix else PREFIX_SLOTS[1]
        name = region.name if slot == "region" else path_name(self.tree, index)
        return compose(self.prefix, **{slot: name})[0]

    @property
    def labeled(self) -> bool:
        """Whether the texts have true labels, so that accuracy can be computed."""
        return all(text.label for text in self.texts)


def read_materials(probe: Probe, settings: PrefixSettings) -> PrefixMaterials:
    """Read and check the texts, the tree and the sentence."""
    shape = probe.parse(PrefixShape)
    tree = read_tree(probe.path("tree"))
    prefix = settings.prefix or shape.prefix
    return PrefixMaterials(
        texts=_read_texts(_texts_file(probe, settings)),
        tree=tree,
        indices=select_regions(probe.path("tree"), tree, settings.level, settings.regions),
        prefix=prefix,
        baseline=re.sub(r"\{\w+\}", lambda _: settings.baseline, prefix) if settings.baseline else "",
    )


def _texts_file(probe: Probe, settings: PrefixSettings) -> Path:
    if settings.texts == FETCHED:
        return require_data("reviews")
    return settings.texts_file or probe.path("texts")


def _read_texts(path: Path) -> tuple[Text, ...]:
    rows = read_table(path, ["text"], ["label"])
    labeled = any(row["label"] for row in rows)
    for row in rows:
        if not row["text"]:
            raise refuse(path, row, "the text is empty. Write one, or remove the row.")
        if labeled and not row["label"]:
            raise refuse(path, row, "this text has no label, but others do. Label all texts, or none.")
    return tuple(Text(row["text"], row["label"]) for row in rows)
