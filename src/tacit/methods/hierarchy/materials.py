"""What the hierarchy method is fed: a tree, words by topic with substitutes, and templates; checked on reading."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from tacit.errors import TacitError
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree, read_tree
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.tables import Row, read_csv, refuse, require_unique

__all__ = ["HierarchyMaterials", "HierarchyShape", "Word", "read_hierarchy"]

_SLOTS = ("{region}", "{description}")


class HierarchyShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    tree: FileName
    words: FileName
    templates: list[str] | str
    root: str = "overall"
    neutral: list[str] | str = Field(default_factory=list)
    map_word: str = ""
    printed_as: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of description; it may stand in two topics. `blanks` is how many the reference code puts before it."""

    topic: str
    word: str
    substitute: str = ""
    blanks: int = 0


@dataclass(frozen=True)
class HierarchyMaterials:
    """The first template is the headline's, the others paraphrase it; `neutral` phrases stand where no region does."""

    tree: Tree
    words: tuple[Word, ...]
    templates: tuple[str, ...]
    neutral: tuple[str, ...]
    map_word: str
    printed_as: dict[str, str]

    @property
    def topics(self) -> list[str]:
        """The topics, in the order of the file."""
        return list(dict.fromkeys(word.topic for word in self.words))

    @property
    def substitutable(self) -> bool:
        """Whether every word has a substitute."""
        return all(word.substitute for word in self.words)

    def headings(self, settings: HierarchySettings) -> list[str]:
        """What the top regions are called: by their own names, or as Table 1 heads them."""
        names = [self.tree.regions[i].name for i in self.tree.top.tolist()]
        return names if settings.labels == "own" else [self.printed_as.get(name, name) for name in names]


def read_hierarchy(probe: Probe, settings: HierarchySettings) -> HierarchyMaterials:
    """Read and check everything, and cut the tree to the size that was set."""
    tree = read_tree(probe.path("tree"), str(probe.materials.get("root", "overall")))
    limits = {tree.deepest - 1: settings.countries, tree.deepest: settings.cities}
    tree = tree.largest({depth: limit for depth, limit in limits.items() if depth >= 0 and limit != "all"})
    if len(tree.top) < 2:
        raise TacitError(
            f"{probe.path('tree')} leaves fewer than two regions to compare; add some, or raise the limits."
        )
    words = _words(probe.path("words"))
    map_word = settings.word or str(probe.materials.get("map_word", words[0].word))
    if map_word not in {word.word for word in words}:
        raise TacitError(f"The word of the map, {map_word!r}, is not in {probe.path('words')}; choose one that is.")
    return HierarchyMaterials(
        tree=tree,
        words=words,
        templates=_templates(probe, settings),
        neutral=_texts(probe, "neutral"),
        map_word=map_word,
        printed_as={str(a): str(b) for a, b in dict(probe.materials.get("printed_as", {})).items()},
    )


def _words(path: Path) -> tuple[Word, ...]:
    rows = read_csv(path, ["topic", "word"], ["substitute", "blanks"])
    require_unique(path, rows, "topic", "word")
    words = tuple(_word(path, row) for row in rows)
    if len(words) < 2:
        raise TacitError(f"{path} has one word only: a vector of judgements needs at least two.")
    return words


def _word(path: Path, row: Row) -> Word:
    if not row["word"]:
        raise refuse(path, row, "the word is empty.")
    if row["blanks"] and not row["blanks"].isdigit():
        raise refuse(path, row, f"blanks must be a whole number, not {row['blanks']!r}.")
    return Word(row["topic"], row["word"], row["substitute"], int(row["blanks"] or 0))


def _templates(probe: Probe, settings: HierarchySettings) -> tuple[str, ...]:
    templates = _texts(probe, "templates")
    if not templates:
        raise TacitError(f"{probe.source}: the materials name no templates; write one with {' and '.join(_SLOTS)}.")
    for template in templates:
        missing = [slot for slot in _SLOTS if template.count(slot) != 1]
        if missing:
            raise TacitError(f"{probe.source}: the template {template!r} must hold {missing[0]} exactly once.")
    if len(set(templates)) < len(templates):
        raise TacitError(f"{probe.source}: two of the templates are the same; keep one.")
    return tuple(template.rstrip(".") if settings.stop == "dropped" else template for template in templates)


def _texts(probe: Probe, name: str) -> tuple[str, ...]:
    given = probe.materials.get(name, ())
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise TacitError(f"{probe.source}: {name} must be a list of texts, none of them empty.")
    return tuple(texts)
