"""Turn the raw text of a source into clean sentences: no verse numbers, stage directions, headers or mark-up."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

__all__ = ["packed", "plain", "sentences", "speeches", "without_html", "without_wiki_markup"]

SIGNS = str.maketrans({"‘": "'", "’": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": ".", "\u00a0": " "})
SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"')]))\s+(?=[\"'(]?[A-Z0-9])")
ABBREVIATION = re.compile(r"\b(?:mr|mrs|ms|dr|st|sr|jr|vs|etc|e\.g|i\.e|u\.s|[a-z])\.$", re.IGNORECASE)
STAGE_DIRECTION = re.compile(r"\[[^\]]*\]|^\s*(?:re-)?(?:enter|exit|exeunt)\b.*$", re.IGNORECASE | re.MULTILINE)
HEADING = re.compile(r"^\s*(?:act|scene|book|the \w+ book|[ivxlcdm]+\.?|\d+)\b[^a-z]*$|^\s*scene\b.*$", re.IGNORECASE)
SPEAKER = re.compile(r"^[A-Z][A-Za-z' &-]{0,30}\.?\s*$")


def plain(text: str) -> str:
    """Straight quotes, single blanks, no brackets around words that an editor supplied, no dash runs."""
    text = html.unescape(text).translate(SIGNS)
    text = re.sub(r"[\[\]{}*_|<>]", "", text)
    text = re.sub(r"\s*-{2,}\s*", " - ", text)
    text = re.sub(r"\s*\.(?:\s*\.)+\s*(?=[a-z])", ", ", text)
    text = re.sub(r"\.(?:\s*\.)+", ".", text)
    text = re.sub(r"([a-z])([.!?])([A-Z])", r"\1\2 \3", text)
    return re.sub(r"\s+", " ", text).strip().lstrip(".,;: ")


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph; an abbreviation such as "Mr." ends none."""
    sentences_of: list[str] = []
    for piece in SENTENCE_END.split(plain(text)):
        if sentences_of and ABBREVIATION.search(sentences_of[-1]):
            sentences_of[-1] += " " + piece
        elif piece:
            sentences_of.append(piece)
    return sentences_of


def packed(parts: Iterable[str], words: int) -> Iterator[str]:
    """Neighbouring sentences joined while they stay within a number of words, so that short ones keep a context."""
    held: list[str] = []
    size = 0
    for part in parts:
        length = len(part.split())
        if held and size + length > words:
            yield " ".join(held)
            held, size = [], 0
        held.append(part)
        size += length
    if held:
        yield " ".join(held)


def speeches(play: str) -> Iterator[str]:
    """What is said in a play or a poem, speech by speech: no speakers, directions, headings or line numbers."""
    for block in re.split(r"\n\s*\n", STAGE_DIRECTION.sub("", play)):
        lines = [re.sub(r"\s{3,}\d+\s*$", "", line).rstrip() for line in block.splitlines()]
        lines = [line for line in lines if line.strip() and not HEADING.match(line)]
        if len(lines) > 1 and SPEAKER.match(lines[0]) and len(lines[0].split()) <= 4:
            lines = lines[1:]
        speech = " ".join(lines)
        if len(speech.split()) > 1 and speech != speech.upper():
            yield speech


def without_html(page: str) -> Iterator[str]:
    """The paragraphs of a page, without tags and without the bracketed references that the pages are full of."""
    for paragraph in re.findall(r"<p>(.*?)</p>", page, flags=re.DOTALL):
        text = html.unescape(re.sub(r"<[^>]+>", "", paragraph))
        # "[s]ociety" is a word; "[Op. Cit., p. 12]" is a reference.
        yield re.sub(r"\[[^\]]*\]", "", re.sub(r"\[(\w)\]", r"\1", text))


def without_wiki_markup(article: str) -> Iterator[str]:
    """The prose paragraphs of a wiki article: links keep their words; templates, tables, notes and lists go."""
    text = html.unescape(html.unescape(article))
    text = re.sub(r"<!--.*?-->|<ref[^>/]*/>|<ref.*?</ref>|<math.*?</math>", "", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", "", text)
    for _ in range(4):
        text = re.sub(r"\{\{[^{}]*\}\}|\{\|.*?\|\}", "", text, flags=re.DOTALL)
    text = re.sub(r"\[\[(?:File|Image|Category):(?:[^\[\]]|\[\[[^\]]*\]\])*\]\]", "", text)
    text = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", text)
    text = re.sub(r"\[https?:\S*\s?([^\]]*)\]", r"\1", text).replace("'''", "").replace("''", "")
    for line in text.splitlines():
        if line[:1].isalnum() and len(line.split()) > 7 and "|" not in line and "{" not in line:
            yield line
