"""From corpus files to a CSV of sentences that a contrast probe can be run on."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tacit.errors import TacitError
from tacit.harvest.finding import Finder
from tacit.harvest.progress import Progress, progress_path, read_progress, write_progress
from tacit.harvest.reading import read_texts
from tacit.harvest.sampling import Picked, pick
from tacit.harvest.tagging import Tagger, find_tagger
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.storage import write_atomic

__all__ = ["Harvest", "harvest"]

KEEP_EVERY = 100_000
"""Texts between two savings of the progress."""
RAREST_SPELLING = 1.5
"""Zipf value below which an adjective is taken for a spelling error: fewer than one in 30 million words."""

Watch = Callable[[int], object]
"""Told how many more texts were read."""


@dataclass(frozen=True)
class Harvest:
    """What came of it: rows written, texts read, words with fewer combinations than wanted, and the tagger used."""

    rows: int
    texts: int
    short: dict[str, int]
    tagger: str


def harvest(
    materials: ContrastMaterials,
    corpus: Sequence[Path],
    out: Path,
    *,
    each: int = 40,
    seed: int = 0,
    any_verb: bool = False,
    language: str = "en",
    tagger: Tagger | None = None,
    watch: Watch | None = None,
) -> Harvest:
    """Read the corpus once, keep `each` combinations of every word, and write them whole or not at all."""
    tagger = tagger or find_tagger()
    of = {"corpus": _identity(corpus), "words": sorted(materials.words), "tagger": tagger.name, "seed": seed}
    progress = read_progress(out, {**of, "any_verb": any_verb})
    finder = Finder(materials.words, tagger, any_verb=any_verb)
    for text in _texts(corpus, out, progress):
        for found in finder.found_in(text):
            progress.tallies.add(found)
        if watch:
            watch(1)
    picked = [row for word in materials.words for row in _picked(progress, word, each, language)]
    if not picked:
        raise TacitError(
            f"Nothing in the corpus ends in one of the {materials.noun}s and an adjective; no file written."
        )
    _write(out, materials, picked)
    progress_path(out).unlink(missing_ok=True)
    counts = {word: sum(row.word == word for row in picked) for word in materials.words}
    short = {word: count for word, count in counts.items() if count < each}
    return Harvest(len(picked), progress.all_texts, short, tagger.name)


def _texts(corpus: Sequence[Path], out: Path, progress: Progress) -> Iterator[str]:
    """The texts that are still to be read; what the caller did with the one before is saved now and then."""
    for path in corpus[progress.files :]:
        for text in islice(read_texts(path), progress.texts, None):
            yield text
            progress.texts += 1
            progress.all_texts += 1
            if progress.all_texts % KEEP_EVERY == 0:
                write_progress(out, progress)
        progress.files, progress.texts = progress.files + 1, 0
        write_progress(out, progress)


def _picked(progress: Progress, word: str, each: int, language: str) -> list[Picked]:
    from wordfreq import zipf_frequency  # noqa: PLC0415 - its lists are large

    seen = [adjective for name, adjective in progress.tallies.combinations if name == word]
    spelled = (adjective for adjective in seen if zipf_frequency(adjective, language) >= RAREST_SPELLING)
    return pick(progress.tallies, word, each, known=frozenset(spelled))


def _write(out: Path, materials: ContrastMaterials, picked: Sequence[Picked]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "text", materials.noun, "category", "adjective", "count", "picked"])
    numbers: dict[str, int] = {}
    for row in picked:
        numbers[row.word] = numbers.get(row.word, 0) + 1
        category = materials.words[row.word].category
        cells = [row.text, row.word, category, row.adjective, row.count, row.why]
        writer.writerow([f"{row.word}-{numbers[row.word]:02d}", *cells])
    write_atomic(out, text.getvalue().encode())


def _identity(corpus: Sequence[Path]) -> list[list[Any]]:
    for path in corpus:
        if not path.is_file():
            raise TacitError(f"There is no file {path}.")
    return [[str(path), path.stat().st_size] for path in corpus]
