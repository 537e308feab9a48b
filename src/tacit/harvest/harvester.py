"""From corpus files to a CSV of sentences for a contrast probe."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.harvest.finder import Finder, Match
from tacit.harvest.progress import Progress, progress_path, read_progress, write_progress
from tacit.harvest.samples import Sample, draw_samples
from tacit.harvest.taggers import Tagger, find_tagger
from tacit.harvest.texts import read_texts
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.storage import write_file

__all__ = ["Harvest", "Search", "harvest", "search_here"]

SAVE_EVERY = 100_000
"""The number of texts between two saves of the progress."""
RAREST_SPELLING = 1.5
"""The Zipf value below which an adjective counts as a spelling error: fewer than one in 30 million words."""

Search = Callable[[Finder, Iterator[str]], Iterator[list[Match]]]
"""Finds the matches of each text of a stream, in the order of the texts."""


def search_here(finder: Finder, texts: Iterator[str]) -> Iterator[list[Match]]:
    """Search one text after the other in this process."""
    return (list(finder.matches(text)) for text in texts)


OnTexts = Callable[[int], object]
"""Called with the number of texts read since the last call."""


@dataclass(frozen=True)
class Harvest:
    """The result of a harvest.

    Attributes:
        rows: The number of sentences written.
        texts: The number of texts read.
        shortfalls: The words with fewer combinations than requested, and how many they have.
        tagger: The name of the tagger that decided what is an adjective.
    """

    rows: int
    texts: int
    shortfalls: dict[str, int]
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
    watch: OnTexts | None = None,
    search: Search = search_here,
) -> Harvest:
    """Read the corpus once and write a CSV of sampled sentences; an interrupted harvest continues where it stopped.

    Args:
        materials: The words to look for.
        corpus: Text or JSON Lines files, plain or compressed.
        out: The CSV file to write.
        each: How many adjectives to keep per word.
        seed: The seed of the random choices.
        any_verb: Also accept verbs other than "be" before the word.
        language: The language in which word frequencies are looked up.
        tagger: Decides what is an adjective; by default spaCy if installed, else a word list.
        watch: Called after each text, for progress bars.
        search: Finds the matches of a stream of texts; by default in this process.
    """
    tagger = tagger or find_tagger()
    identity = {
        "corpus": _corpus_identity(corpus),
        "words": sorted(materials.words),
        "tagger": tagger.name,
        "seed": seed,
        "any_verb": any_verb,
    }
    progress = read_progress(out, identity, seed)
    finder = Finder(materials.words, tagger, any_verb=any_verb)
    for matches in _remaining_matches(corpus, out, progress, lambda texts: search(finder, texts)):
        for match in matches:
            progress.tallies.add(match)
        if watch:
            watch(1)
    samples = [sample for word in materials.words for sample in _word_samples(progress, word, each, language)]
    if not samples:
        raise MaterialsError(
            f"No sentence in the corpus ends in one of the {materials.noun}s and an adjective. Nothing was written."
        )
    _write_csv(out, materials, samples)
    progress_path(out).unlink(missing_ok=True)
    counts = {word: sum(sample.word == word for sample in samples) for word in materials.words}
    shortfalls = {word: count for word, count in counts.items() if count < each}
    return Harvest(len(samples), progress.all_texts, shortfalls, tagger.name)


def _remaining_matches(
    corpus: Sequence[Path], out: Path, progress: Progress, search: Callable[[Iterator[str]], Iterator[list[Match]]]
) -> Iterator[list[Match]]:
    """The matches of each text still to be read; progress is saved once the caller has counted them."""
    for path in corpus[progress.files :]:
        for matches in search(islice(read_texts(path), progress.texts, None)):
            yield matches
            progress.texts += 1
            progress.all_texts += 1
            if progress.all_texts % SAVE_EVERY == 0:
                write_progress(out, progress)
        progress.files, progress.texts = progress.files + 1, 0
        write_progress(out, progress)


def _word_samples(progress: Progress, word: str, count: int, language: str) -> list[Sample]:
    from wordfreq import zipf_frequency  # noqa: PLC0415 - its lists are large

    adjectives = (adjective for name, adjective in progress.tallies.combinations if name == word)
    known = frozenset(adjective for adjective in adjectives if zipf_frequency(adjective, language) >= RAREST_SPELLING)
    return draw_samples(progress.tallies, word, count, known=known)


def _write_csv(out: Path, materials: ContrastMaterials, samples: Sequence[Sample]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "text", materials.noun, "category", "adjective", "count", "picked"])
    numbers: dict[str, int] = {}
    for sample in samples:
        numbers[sample.word] = numbers.get(sample.word, 0) + 1
        category = materials.words[sample.word].category
        cells = [sample.text, sample.word, category, sample.adjective, sample.count, sample.reason]
        writer.writerow([f"{sample.word}-{numbers[sample.word]:02d}", *cells])
    write_file(out, text.getvalue().encode())


def _corpus_identity(corpus: Sequence[Path]) -> list[list[str | int]]:
    for path in corpus:
        if not path.is_file():
            raise MaterialsError(f"There is no file {path}. Check the names after --corpus.")
    return [[str(path), path.stat().st_size] for path in corpus]
