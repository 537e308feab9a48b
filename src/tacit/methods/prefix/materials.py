"""What the prefix method reads: texts, with or without labels, the regions, and the sentence that names one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import field_validator

from tacit.errors import MaterialsError
from tacit.methods.hierarchy.tree import Region, Tree
from tacit.methods.hierarchy.tree_csv import read_tree
from tacit.methods.prefix.settings import PrefixSettings
from tacit.methods.templates import check_slots
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.tables import read_csv, refuse

__all__ = ["PrefixMaterials", "PrefixShape", "Text", "read_materials"]


class PrefixShape(MaterialsShape):
    """What a probe's YAML can contain under `materials`."""

    tree: FileName
    """CSV with the columns `name` and `parent`; optional: `level`, `population`, `iso` (country code), `id`."""
    texts: FileName
    """CSV with the column `text`; optional: `label`, for accuracy and F1."""
    prefix: str
    """The sentence before each text, with {region} in it."""

    @field_validator("prefix")
    @classmethod
    def _check_prefix(cls, prefix: str) -> str:
        return check_slots(prefix, "region")


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its true label, empty if it has none."""

    text: str
    label: str


@dataclass(frozen=True)
class PrefixMaterials:
    """The materials after reading; `indices` are the places in the tree of the regions to name."""

    texts: tuple[Text, ...]
    tree: Tree
    indices: tuple[int, ...]
    prefix: str

    @property
    def regions(self) -> list[Region]:
        """The regions to name."""
        return [self.tree.regions[i] for i in self.indices]

    @property
    def labeled(self) -> bool:
        """Whether the texts have true labels, so that accuracy can be computed."""
        return all(text.label for text in self.texts)


def read_materials(probe: Probe, settings: PrefixSettings) -> PrefixMaterials:
    """Read and check the texts, the tree and the sentence."""
    shape = probe.parse(PrefixShape)
    tree = read_tree(probe.path("tree"))
    return PrefixMaterials(
        texts=_read_texts(Path(settings.texts) if settings.texts else probe.path("texts")),
        tree=tree,
        indices=_select_regions(probe.path("tree"), tree, settings),
        prefix=settings.prefix or shape.prefix,
    )


def _read_texts(path: Path) -> tuple[Text, ...]:
    rows = read_csv(path, ["text"], ["label"])
    labeled = any(row["label"] for row in rows)
    for row in rows:
        if not row["text"]:
            raise refuse(path, row, "the text is empty. Write one, or remove the row.")
        if labeled and not row["label"]:
            raise refuse(path, row, "this text has no label, but others do. Label all texts, or none.")
    return tuple(Text(row["text"], row["label"]) for row in rows)


def _select_regions(path: Path, tree: Tree, settings: PrefixSettings) -> tuple[int, ...]:
    on_level = [i for i, region in enumerate(tree.regions) if region.level == settings.level]
    if not on_level:
        levels = ", ".join(dict.fromkeys(region.level for region in tree.regions))
        raise MaterialsError(f"{path} has no level {settings.level!r}. Set `level` to one of its levels: {levels}.")
    if settings.regions == "all":
        return tuple(on_level)
    return tuple(sorted(sorted(on_level, key=lambda i: -tree.regions[i].population)[: settings.regions]))
