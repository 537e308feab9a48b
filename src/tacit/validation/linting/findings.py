"""What a linter finds in materials, and the rules that are about words and sentences alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.questions import BLANK, split_blank
from tacit.tables import LINE, Row, place

__all__ = [
    "DUPLICATE",
    "FEW",
    "GRAMMAR",
    "LENGTH",
    "NO_GROUP",
    "PIECES",
    "PRESENT",
    "TWO_DIFFERENCES",
    "Finding",
    "article_decides",
    "differ_in_number",
    "differing_words",
    "duplicates",
    "is_plural",
    "normalized",
    "present_in",
    "words_of",
]

# The rules, as findings name them.
TWO_DIFFERENCES, NO_GROUP, GRAMMAR = "two differences", "no named group", "grammar decides"
LENGTH, PIECES, PRESENT = "unequal length", "unequal pieces", "rival present"
DUPLICATE, FEW = "duplicate", "too few"

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_VOWELS = "aeiou"
_PLURALS = {"men", "women", "children", "people", "they", "them", "these", "those", "we", "ladies", "wives"}
_SINGULAR_S = ("ss", "us", "is", "ous")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something in the materials that critics found to spoil benchmarks.

    Attributes:
        path: The file.
        line: Its line.
        rule: Which rule, such as "rival present".
        problem: What is wrong, and what to do.
    """

    path: Path
    line: int
    rule: str
    problem: str


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without its blank."""
    return [word.lower() for word in _WORD.findall(text.replace(BLANK, " "))]


def normalized(text: str) -> str:
    """A text without case, punctuation and spaces, so that two that differ in nothing else are the same."""
    return " ".join(word.lower() for word in _WORD.findall(text))


def duplicates(path: Path, rows: Iterable[Row], column: str) -> Iterator[Finding]:
    """Rows whose text is that of an earlier row, but for case and punctuation."""
    seen: dict[str, str] = {}
    for row in rows:
        text = normalized(row[column])
        if text and text in seen:
            problem = f"the same {column} as on {seen[text]}, but for case and punctuation. Delete one of them."
            yield Finding(path, int(row[LINE]), DUPLICATE, problem)
        seen.setdefault(text, place(path, row))


def present_in(text: str, words: Sequence[str]) -> list[str]:
    """Those of the words that the text contains outside its blank."""
    outside = words_of(text)
    joined = f" {' '.join(outside)} "
    return [word for word in words if f" {' '.join(words_of(word))} " in joined]


def article_decides(text: str, words: Sequence[str]) -> str | None:
    """Why the article before the blank rules some of the words out and not others; None where it does not."""
    before = split_blank(text)[0].split()
    article = before[-1].lower() if before else ""
    if article not in ("a", "an"):
        return None
    vowel = [word for word in words if word[:1].lower() in _VOWELS]
    if not vowel or len(vowel) == len(words):
        return None
    other = next(word for word in words if word not in vowel)
    wrong = other if article == "an" else vowel[0]
    return f'"{article}" before the blank rules out "{wrong}" whatever a model believes. Reword the sentence.'


def differing_words(first: str, second: str) -> int:
    """How many words differ between two texts: the longest part that only one of them has, word by word.

    The number of words of the longer text minus the length of the longest common subsequence.
    """
    a, b = words_of(first), words_of(second)
    lengths = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            same = lengths[i][j] + 1
            lengths[i + 1][j + 1] = same if left == right else max(lengths[i][j + 1], lengths[i + 1][j])
    return max(len(a), len(b)) - lengths[-1][-1]


def is_plural(word: str) -> bool:
    """Whether a noun looks like a plural; names and adjectives in -s are mistaken for one."""
    lower = word.lower()
    return lower in _PLURALS or (lower.endswith("s") and not lower.endswith(_SINGULAR_S) and len(lower) > 3)


def differ_in_number(first: str, second: str) -> bool:
    """Whether one of two words is the plural of the other, or only one of them is an irregular plural."""
    a, b = first.lower(), second.lower()
    endings = {f"{a}s", f"{a}es"} & {b} or {f"{b}s", f"{b}es"} & {a}
    return bool(endings) or (a in _PLURALS) != (b in _PLURALS)
