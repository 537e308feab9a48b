"""The materials of a contrast: words with what each is held against, and sentences with one blank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from tacit.errors import TacitError
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.questions import compose, split_blank
from tacit.tables import Row, read_csv, refuse, require_unique

__all__ = ["ContrastMaterials", "ContrastShape", "Item", "Word", "known_word", "read_materials"]


class ContrastShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    noun: str = "word"
    words: FileName
    sentences: FileName
    bare: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word (with others that count as it), what it is held against, its place on a scale and how common it is."""

    name: str
    words: tuple[str, ...]
    against: tuple[str, ...]
    category: str
    intensity: float | None
    frequency: float


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence whose blank stood for the word; `bare` is the blank with hardly any context, "" if there is none."""

    id: str
    text: str
    word: str
    bare: str


@dataclass(frozen=True, slots=True)
class ContrastMaterials:
    """`noun` is what a word is called ("adverb"): the heading of its column, and the word used in the results."""

    noun: str
    words: dict[str, Word]
    items: tuple[Item, ...]

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word.category for word in self.words.values()))


def read_materials(probe: Probe, language: str) -> ContrastMaterials:
    """Read and check the words and the sentences; all complaints name the row."""
    noun = str(probe.materials.get("noun", "word"))
    words = _read_words(probe.path("words"), noun, language)
    items = tuple(_read_items(probe, noun, words))
    return ContrastMaterials(noun, words, items)


def known_word(path: Path, row: Row, noun: str, words: dict[str, Word]) -> Word:
    """The word that a row names; refused if it is not among the probe's words, or if its category is another."""
    name = row[noun]
    if name not in words:
        close = get_close_matches(name, words, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"the words are {', '.join(words)}."
        raise refuse(path, row, f"the {noun} {name!r} is not in the list: {hint}")
    word = words[name]
    if row["category"] and row["category"] != word.category:
        raise refuse(path, row, f"the category of {name!r} is {word.category!r}, not {row['category']!r}.")
    return word


def _read_words(path: Path, noun: str, language: str) -> dict[str, Word]:
    rows = read_csv(path, [noun, "against"], ["category", "intensity", "also"])
    require_unique(path, rows, noun)
    names = {row[noun] for row in rows}
    for row in rows:
        # Results are given by word and by category under their names, which must not be confused.
        if row["category"] in names:
            raise refuse(path, row, f"the category {row['category']!r} is also one of the {noun}s; call it otherwise.")
    return {row[noun]: _word(path, row, noun, language) for row in rows}


def _word(path: Path, row: Row, noun: str, language: str) -> Word:
    name = row[noun]
    words, against = (name, *_listed(row["also"])), _listed(row["against"])
    if not name or not against:
        raise refuse(path, row, f"give the {noun} and, under `against`, at least one word that it is held against.")
    both = sorted({*words} & {*against})
    if both:
        raise refuse(path, row, f"{both[0]!r} is held against itself; a contrast takes two different words.")
    try:
        intensity = float(row["intensity"]) if row["intensity"] else None
    except ValueError:
        raise refuse(path, row, f"the intensity of {name!r} must be a number, not {row['intensity']!r}.") from None
    return Word(name, words, against, row["category"] or "all words", intensity, _frequency(name, language))


def _frequency(word: str, language: str) -> float:
    """How common a word is: the Zipf value of the package wordfreq, log10 of its occurrences in a billion words."""
    from wordfreq import zipf_frequency  # noqa: PLC0415 - its lists are large, and only this method reads them

    try:
        return float(zipf_frequency(word, language))
    except LookupError:
        raise TacitError(f"The package wordfreq knows no language {language!r}: set language=en or another.") from None


def _read_items(probe: Probe, noun: str, words: dict[str, Word]) -> Iterator[Item]:
    path, bare = probe.path("sentences"), str(probe.materials.get("bare", ""))
    slots = re.findall(r"\{(\w+)\}", bare)
    rows = read_csv(path, ["id", "text", noun, *slots], ["category"])
    require_unique(path, rows, "id")
    require_unique(path, rows, "text")
    for row in rows:
        word = known_word(path, row, noun, words)
        _check_blank(path, row, row["text"])
        short = compose(bare, **{slot: row[slot] for slot in slots})[0] if bare else ""
        if bare:
            _check_blank(probe.source, 1, short)
        yield Item(row["id"], row["text"], word.name, short)


def _check_blank(path: Path, row: Row | int, text: str) -> None:
    try:
        split_blank(text)
    except TacitError as error:
        raise refuse(path, row, str(error)) from None


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in cell.split(";") if part.strip()))
