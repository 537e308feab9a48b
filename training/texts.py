"""Put the passages of a standard together: which sources, how much of each, deduplicated, some held out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from training.corpora import cache_folder
from training.passages import Passage, share
from training.reading import read

__all__ = [
    "HELD_OUT",
    "VARIETIES",
    "Texts",
    "is_held_out",
    "mixture",
    "split",
    "taken",
    "texts_of",
    "verse_pairs",
    "write_texts",
]

HELD_OUT = 0.03
# Source and the share of its keys that is taken: reviews would otherwise be two thirds of modern English.
VARIETIES: dict[str, dict[str, float]] = {
    "early-modern": {"kjv": 1.0, "shakespeare": 1.0},
    "modern": {
        "web": 1.0,
        "vader": 1.0,
        "reviews": 0.35,
        "addresses": 1.0,
        "wordnet": 1.0,
        "wikipedia": 1.0,
        "anarchism": 0.5,
        "jargon": 1.0,
        "wikitext": 1.0,
        "tatoeba": 1.0,
        "glosses": 1.0,
        "oanc": 1.0,
        "factbook": 1.0,
        "fiction": 1.0,
    },
}


@dataclass(frozen=True)
class Texts:
    """What a model is trained on and what it is examined on; no text is in both."""

    training: tuple[Passage, ...]
    held_out: tuple[Passage, ...]


def texts_of(variety: str, folder: Path) -> Texts:
    """The texts of one standard."""
    passages = (passage for name, part in VARIETIES[variety].items() for passage in taken(read(name, folder), part))
    return split(passages)


def taken(passages: Iterable[Passage], part: float) -> Iterator[Passage]:
    """That part of the keys of a source, and those that are held out."""
    return (each for each in passages if share(each.key + "-taken") < part or is_held_out(each.key))


def is_held_out(key: str) -> bool:
    """Whether everything under this key (a verse in both Bibles, a whole review) is kept for examination."""
    return share(key + "-held-out") < HELD_OUT


def split(passages: Iterable[Passage]) -> Texts:
    """Deduplicate by text and separate; a text that occurs among the held-out ones is never trained on."""
    training: dict[str, Passage] = {}
    held_out: dict[str, Passage] = {}
    for passage in passages:
        if len(passage.text.split()) > 1:
            (held_out if is_held_out(passage.key) else training).setdefault(_folded(passage.text), passage)
    for text in held_out.keys() & training.keys():
        del training[text]
    return Texts(tuple(training.values()), tuple(held_out.values()))


def write_texts(variety: str, out: Path, folder: Path | None = None) -> list[Path]:
    """Write what a standard is trained on, a paragraph per passage and a file per source."""
    by_source: dict[str, list[str]] = {}
    for passage in texts_of(variety, folder or cache_folder()).training:
        by_source.setdefault(passage.source, []).append(passage.text)
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, passages in by_source.items():
        path = out / f"{name}.txt"
        path.write_text("\n\n".join(passages) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def verse_pairs(folder: Path) -> list[tuple[Passage, Passage]]:
    """Each verse in Early Modern and in modern English, as (King James, World English)."""
    modern = {passage.key: passage for passage in read("web", folder)}
    pairs = ((verse, modern.get(verse.key)) for verse in read("kjv", folder))
    return [(old, new) for old, new in pairs if new is not None and len(old.text) > 9 and len(new.text) > 9]


def mixture(pairs: Iterable[tuple[Passage, Passage]], early_modern: float) -> list[Passage]:
    """Every verse once: in Early Modern English for that share of the verses, in modern English for the others.

    The verses of a smaller share are among those of a larger one, so that neighbouring models differ by few verses.
    """
    return [old if share(old.key + "-mixture") < early_modern else new for old, new in pairs]


def _folded(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
