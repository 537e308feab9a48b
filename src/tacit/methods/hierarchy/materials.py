"""What the hierarchy method reads: a tree of regions, words by topic, and sentence templates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, field_validator

from tacit.errors import MaterialsError
from tacit.methods.base import plural
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree
from tacit.methods.hierarchy.tree_csv import read_tree
from tacit.methods.templates import check_slots
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.tables import Row, read_table, refuse, require_unique

__all__ = ["HierarchyMaterials", "HierarchyShape", "Word", "read_materials"]

_SHOWN_IN_THE_PAPER = "Europe"


class HierarchyShape(MaterialsShape):
    """What a probe's YAML can contain under `materials`."""

    tree: FileName
    """Table with the columns `name` and `parent`; optional: `level`, `population`, `iso` (country code), `id`."""
    words: FileName
    """Table with the columns `topic` and `word`; optional: `substitute`, `blanks` (leading spaces in the code)."""
    templates: tuple[str, ...]
    """Sentences with {region} and {description}: the first gives the headline, the others paraphrase it."""
    root: str = "overall"
    """What to call the whole tree in tables and figures."""
    neutral: tuple[str, ...] = ()
    """Phrases that name no region, for the control without a region; empty skips that control."""
    map_word: str = ""
    """The word shown on the world map; empty means the first word."""
    printed_as: dict[str, str] = Field(default_factory=dict)
    """The headings that the paper printed over the wrong regions, by region; used with `labels=as-printed`."""

    @field_validator("templates", "neutral", mode="before")
    @classmethod
    def _accept_single_text(cls, texts: object) -> object:
        return (texts,) if isinstance(texts, str) else texts

    @field_validator("templates")
    @classmethod
    def _check_templates(cls, templates: tuple[str, ...]) -> tuple[str, ...]:
        if not templates:
            raise ValueError("there is no template; write a sentence with {region} and {description}")
        if len(set(templates)) < len(templates):
            raise ValueError("two of the templates are the same; keep one")
        return tuple(check_slots(template, "region", "description") for template in templates)

    @field_validator("neutral")
    @classmethod
    def _check_neutral(cls, phrases: tuple[str, ...]) -> tuple[str, ...]:
        if not all(phrase.strip() for phrase in phrases):
            raise ValueError("one of the phrases is empty; write a phrase that names no region, or remove the line")
        return phrases


@dataclass(frozen=True, slots=True)
class Word:
    """A word that describes people; the same word can belong to two topics.

    Attributes:
        topic: Its topic, such as "intelligence".
        word: The word itself.
        substitute: The word that replaces it in the substitution study; empty for none.
        blanks: How many spaces the reference code puts before it.
    """

    topic: str
    word: str
    substitute: str = ""
    blanks: int = 0


@dataclass(frozen=True)
class HierarchyMaterials:
    """The materials after reading: `HierarchyShape` with its files loaded and the tree cut to size."""

    tree: Tree
    words: tuple[Word, ...]
    templates: tuple[str, ...]
    neutral: tuple[str, ...]
    map_word: str
    printed_as: dict[str, str]
    zoom: str = ""

    @property
    def topics(self) -> list[str]:
        """The topics, in the order of the file."""
        return list(dict.fromkeys(word.topic for word in self.words))

    @property
    def substitutable(self) -> bool:
        """Whether every word has a substitute."""
        return all(word.substitute for word in self.words)

    @property
    def units(self) -> str:
        """What the regions one level below the top are called, in the plural: "countries"."""
        return plural(self.tree.level_of(self.tree.depth_below_top))

    def headings(self, settings: HierarchySettings) -> list[str]:
        """The name of each top region and, last, of the whole tree, as the settings want them labeled."""
        names = [self.tree.regions[i].name for i in self.tree.top.tolist()]
        if settings.labels == "as-printed":
            names = [self.printed_as.get(name, name) for name in names]
        return [*names, self.tree.root]


def read_materials(probe: Probe, settings: HierarchySettings) -> HierarchyMaterials:
    """Read and check all materials, and cut the tree to the size in the settings."""
    shape = probe.parse(HierarchyShape)
    words = _read_words(probe.path("words"))
    map_word = settings.word or shape.map_word or words[0].word
    if map_word not in {word.word for word in words}:
        raise MaterialsError(
            f"The map word {map_word!r} is not in {probe.path('words')}. Choose one of its words with --set word=WORD."
        )
    tree = _read_limited_tree(probe.path("tree"), shape.root, settings)
    return HierarchyMaterials(
        tree=tree,
        words=words,
        templates=tuple(text.rstrip(".") if settings.stop == "dropped" else text for text in shape.templates),
        neutral=shape.neutral,
        map_word=map_word,
        printed_as=shape.printed_as,
        zoom=_zoom(probe.path("tree"), tree, settings.zoom),
    )


def _zoom(path: Path, tree: Tree, wanted: str) -> str:
    """The name of the top region that figures zoom in on."""
    names = [tree.regions[i].name for i in tree.top.tolist()]
    if wanted and wanted not in names:
        raise MaterialsError(f"{path} has no top region {wanted!r}. Set `zoom` to one of {', '.join(names)}.")
    largest = names[int(tree.child_counts[tree.top].argmax())]
    return wanted or (_SHOWN_IN_THE_PAPER if _SHOWN_IN_THE_PAPER in names else largest)


def _read_limited_tree(path: Path, root: str, settings: HierarchySettings) -> Tree:
    tree = read_tree(path, root)
    limits = {tree.deepest - 1: settings.countries, tree.deepest: settings.cities}
    tree = tree.largest({depth: limit for depth, limit in limits.items() if depth >= 0 and limit != "all"})
    if len(tree.top) < 2:
        raise MaterialsError(
            f"{path}: fewer than two regions are left to compare. Add regions, or raise the settings `countries` and "
            "`cities`."
        )
    return tree


def _read_words(path: Path) -> tuple[Word, ...]:
    rows = read_table(path, ["topic", "word"], ["substitute", "blanks"])
    require_unique(path, rows, "topic", "word")
    words = tuple(_word(path, row) for row in rows)
    if len(words) < 2:
        raise MaterialsError(f"{path} has only one word. Add another: a region's vector needs at least two.")
    return words


def _word(path: Path, row: Row) -> Word:
    if not row["word"]:
        raise refuse(path, row, "the word is empty. Write one, or remove the row.")
    if row["blanks"] and not row["blanks"].isdigit():
        raise refuse(path, row, f"blanks must be a whole number, not {row['blanks']!r}.")
    return Word(row["topic"], row["word"], row["substitute"], int(row["blanks"] or 0))
