"""The materials: words with their rivals, and sentences with one blank; reading and checking them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import field_validator

from tacit.errors import MaterialsError, TacitError
from tacit.methods.contrast.bigrams import Bigram, read_bigrams
from tacit.methods.contrast.settings import ContrastSettings
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.questions import compose, split_blank
from tacit.registry import did_you_mean
from tacit.tables import Row, read_table, refuse, require_unique

__all__ = [
    "FEWEST_UNITS",
    "WITH",
    "WITHOUT",
    "ContrastMaterials",
    "ContrastShape",
    "Item",
    "Word",
    "read_materials",
    "require_word",
]

WITH, WITHOUT = "with", "without"
"""The values of the key `context`."""

FEWEST_UNITS = 4
"""Fewer words than this are a choice and not a sample: sentences are resampled instead, for these words only."""

# Columns of the table `units`, which has one more column for each sampled unit.
_RESERVED = ("group", "item")


class ContrastShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    noun: str = "word"
    """What a word is called ("adverb"): the name of its column in the files, and its name in the results."""
    words: FileName
    """Table of the words: a column named after the noun, `against`; optionally `category`, `intensity` and `also`."""
    sentences: FileName
    """Table of the sentences: `id`, `text` with one [MASK], a column named after the noun, and the slots of `bare`."""
    bare: str = ""
    """The sentence without its context, with slots: "is [MASK] {adjective}"; empty to ask with context only."""

    @field_validator("noun")
    @classmethod
    def _check_noun(cls, noun: str) -> str:
        if noun in _RESERVED:
            raise ValueError(f"{noun!r} is a column of every result. Call the words something else, such as 'word'")
        return noun

    @property
    def slots(self) -> list[str]:
        """The columns of the sentences that `bare` uses."""
        return list(dict.fromkeys(re.findall(r"\{(\w+)\}", self.bare)))

    @property
    def frame(self) -> str:
        """What a bare form is called after its only slot: "adjective"; "" where items have none."""
        if not self.bare:
            return ""
        return self.slots[0] if len(self.slots) == 1 and self.slots[0] not in _RESERVED else "bare form"


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its rivals.

    Attributes:
        name: The word.
        forms: The word itself, then other words that count as it.
        rivals: The words that it is compared with.
        category: The category that it belongs to.
        intensity: Its position on a scale, or None.
        frequency: How common it is (Zipf value).
    """

    name: str
    forms: tuple[str, ...]
    rivals: tuple[str, ...]
    category: str
    intensity: float | None
    frequency: float


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence whose blank replaces the word.

    Attributes:
        id: Its name in the results.
        text: The sentence with its context and one blank.
        word: The word that belongs in the blank.
        bare: The blank with almost no context, or "".
        bigram: How common the word is before what follows the blank (log10 per billion words), or None.
        rival_bigram: The same for its rival.
    """

    id: str
    text: str
    word: str
    bare: str
    bigram: float | None = None
    rival_bigram: float | None = None


@dataclass(frozen=True, slots=True)
class ContrastMaterials:
    """What the method needs from a probe.

    Attributes:
        noun: What a word is called: "adverb".
        frame: What stays of a sentence in its bare form: "adjective"; "" if sentences have no bare form.
        words: The words by name, in the order of the file.
        items: The sentences.
    """

    noun: str
    frame: str
    words: dict[str, Word]
    items: tuple[Item, ...]

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories in the order of the file."""
        return tuple(dict.fromkeys(word.category for word in self.words.values()))

    @property
    def two_sided(self) -> bool:
        """Whether each word is also a rival, so that always choosing one word is right half of the time."""
        return all(rival in self.words for word in self.words.values() for rival in word.rivals)

    @property
    def resampled(self) -> tuple[str, ...]:
        """What two models are compared over: words and what they are crossed with, or the sentences of few words."""
        if len(self.words) < FEWEST_UNITS:
            return ("item",)
        frames = len({item.bare for item in self.items})
        return (self.noun, self.frame) if self.frame and frames >= FEWEST_UNITS else (self.noun,)


def read_materials(probe: Probe, settings: ContrastSettings) -> ContrastMaterials:
    """Read and check the words and the sentences; every error names its line."""
    shape = probe.parse(ContrastShape)
    words = _read_words(probe.file(shape.words), shape.noun, settings.language)
    bigrams = read_bigrams(settings.bigrams, shape.noun, shape.frame) if settings.bigrams else {}
    return ContrastMaterials(shape.noun, shape.frame, words, tuple(_read_items(probe, shape, words, bigrams)))


def require_word(path: Path, row: Row, noun: str, words: dict[str, Word]) -> Word:
    """The word that a row names; an error if the probe has no such word, or has it in another category."""
    name = row[noun]
    if name not in words:
        raise refuse(path, row, f"the {noun} {name!r} is not in the list: {did_you_mean(name, list(words))}")
    word = words[name]
    if row["category"] and row["category"] != word.category:
        raise refuse(path, row, f"the category of {name!r} is {word.category!r}, not {row['category']!r}.")
    return word


def _read_words(path: Path, noun: str, language: str) -> dict[str, Word]:
    rows = read_table(path, [noun, "against"], ["category", "intensity", "also"])
    require_unique(path, rows, noun)
    names = {row[noun] for row in rows}
    for row in rows:
        # Results are grouped by word and by category under these names, which must not be confused.
        if row["category"] in names:
            raise refuse(path, row, f"the category {row['category']!r} is also one of the {noun}s. Rename it.")
    return {row[noun]: _read_word(path, row, noun, language) for row in rows}


def _read_word(path: Path, row: Row, noun: str, language: str) -> Word:
    name = row[noun]
    forms, rivals = (name, *_split_list(row["also"])), _split_list(row["against"])
    if not name or not rivals:
        raise refuse(path, row, f"the {noun} or its rival is missing. Fill in the columns {noun} and `against`.")
    on_both_sides = sorted({*forms} & {*rivals})
    if on_both_sides:
        raise refuse(path, row, f"{on_both_sides[0]!r} is its own rival. Name another word under `against`.")
    try:
        intensity = float(row["intensity"]) if row["intensity"] else None
    except ValueError:
        raise refuse(path, row, f"the intensity of {name!r} must be a number, not {row['intensity']!r}.") from None
    return Word(name, forms, rivals, row["category"] or "all words", intensity, _zipf_frequency(name, language))


def _zipf_frequency(word: str, language: str) -> float:
    """How common a word is: log10 of its occurrences per billion words, from the package wordfreq."""
    from wordfreq import zipf_frequency  # noqa: PLC0415 - its lists are large, and only this method reads them

    try:
        return float(zipf_frequency(word, language))
    except LookupError:
        raise MaterialsError(
            f"The package wordfreq has no language {language!r}. Set language=en or another of its codes."
        ) from None


def _read_items(
    probe: Probe, shape: ContrastShape, words: dict[str, Word], bigrams: Mapping[tuple[str, str], Bigram]
) -> Iterator[Item]:
    path = probe.file(shape.sentences)
    rows = read_table(path, ["id", "text", shape.noun, *shape.slots], ["category"])
    require_unique(path, rows, "id")
    require_unique(path, rows, "text")
    for row in rows:
        word = require_word(path, row, shape.noun, words)
        problem = _blank_problem(row["text"])
        if problem:
            raise refuse(path, row, problem)
        bare = compose(shape.bare, **{slot: row[slot] for slot in shape.slots})[0] if shape.bare else ""
        problem = _blank_problem(bare) if bare else ""
        if problem:
            raise probe.refuse(("materials", "bare"), problem)
        common = bigrams.get((word.name, row.get(shape.frame, "")))
        yield Item(row["id"], row["text"], word.name, bare, *(common or ()))


def _blank_problem(text: str) -> str:
    """What is wrong with the blank of a text, or ""."""
    try:
        split_blank(text)
    except TacitError as error:
        return str(error)
    return ""


def _split_list(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))
