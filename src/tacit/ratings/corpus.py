"""A rater made of two corpora: a token is as old or as new as the text in which it is commoner.

The rule, for a token in the blank of a sentence (low pole: the first corpus; high pole: the second):

1. Count the token where the word class of the blank is expected: a noun after an article or a possessive, a verb after
   a subject pronoun, `to` or an auxiliary, an adjective after a form of `be` or a degree word; a pronoun, an adverb or
   a blank of no known class anywhere. If it has fewer than five such occurrences in both corpora, count it anywhere.
2. Compare its odds in the two corpora (`log_odds`). Less than three times the odds, or no clear difference (z within
   1.96): the middle of the scale. Three times or more: half way to the pole. Thirty times or more: the pole.
3. What has no letter (punctuation) is the middle. What has fewer than five occurrences anywhere, or is a piece of a
   word, gets no score.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from tacit.ratings.rating import Rating, token_key
from tacit.ratings.scale import Scale
from tacit.ratings.sheet import TokenToRate

__all__ = ["CUES", "Corpus", "LogOdds", "count_words", "log_odds", "rate_by_corpora", "scale_point"]

FEWEST = 5
HALF, FULL = math.log(3), math.log(30)
_CLEAR = 1.96
_WORD = re.compile(r"[^\W\d_]+")

_CUES = {
    "noun": "a an the my thy mine thine his her its our your their this that these those no every each some any",
    "verb": "i thou he she it we ye you they who to will wilt shall shalt would should can canst could may might must "
    "do dost doth does did",
    "adjective": "am art is are was wast were wert be been being so too very more most as how seem seems seemed",
}
CUES = {name: frozenset(words.split()) for name, words in _CUES.items()}
"""By word class: the words after which a word of that class is expected. Other classes are counted anywhere."""


@dataclass(frozen=True)
class Corpus:
    """How often wanted words occur in a corpus, anywhere ("") and where each word class is expected.

    Attributes:
        counts: Occurrences by word class and word.
        totals: All words by word class.
    """

    counts: Counter[tuple[str, str]]
    totals: Counter[str]


@dataclass(frozen=True)
class LogOdds:
    """How much commoner a word is in the second corpus: the logarithm of the ratio of odds, and its z-value."""

    value: float
    z: float


def count_words(texts: Iterable[str], wanted: Collection[str]) -> Corpus:
    """Count the wanted words of a corpus; case is ignored, and a word is a stretch of letters."""
    counts: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    classes = {cue: [name for name, cues in CUES.items() if cue in cues] for cue in frozenset().union(*CUES.values())}
    for text in texts:
        words = _WORD.findall(text.casefold())
        totals[""] += len(words)
        counts.update(("", word) for word in words if word in wanted)
        for cue, word in pairwise(words):
            for name in classes.get(cue, ()):
                totals[name] += 1
                if word in wanted:
                    counts[name, word] += 1
    return Corpus(counts, totals)


def log_odds(first: int, first_total: int, second: int, second_total: int) -> LogOdds:
    """ln[(b + 1/2) / (B - b + 1/2)] - ln[(a + 1/2) / (A - a + 1/2)], and z = that / sqrt(1/(a + 1/2) + 1/(b + 1/2)).

    a of A words in the first corpus are the word, and b of B in the second; positive where the second has more of it.
    """
    a, b = first + 0.5, second + 0.5
    value = math.log(b / (second_total - second + 0.5)) - math.log(a / (first_total - first + 0.5))
    return LogOdds(value, value / math.sqrt(1 / a + 1 / b))


def scale_point(odds: LogOdds, scale: Scale) -> float:
    """The point of the scale for a difference in odds: the middle, half way to a pole, or the pole itself.

    On a scale without that point the nearest one is taken, and of two equally near ones the one closer to the middle.
    """
    size = 0.0
    if abs(odds.z) >= _CLEAR:
        size = 1.0 if abs(odds.value) >= FULL else 0.5 if abs(odds.value) >= HALF else 0.0
    wanted = scale.middle + math.copysign(size, odds.value) * scale.width / 2
    return min(scale.points, key=lambda point: (round(abs(point - wanted), 9), abs(point - scale.middle)))


def rate_by_corpora(
    tokens: Iterable[TokenToRate],
    classes: Mapping[str, str],
    corpora: tuple[Corpus, Corpus],
    scale: Scale,
    rater: tuple[str, str],
) -> list[Rating]:
    """The ratings by the rule above; tokens that it cannot score are left out.

    Args:
        tokens: What to rate.
        classes: The word class of each sentence's blank, by the sentence's id.
        corpora: The corpus of the low pole, and that of the high pole.
        scale: The scale.
        rater: The rater's name, and the date.
    """
    ratings = {}
    for token in tokens:
        found = _score(token_key(token.token), classes.get(token.sentence, ""), corpora, scale)
        if found is not None:
            score, note = found
            ratings[token.key] = Rating(token.sentence, token_key(token.token), score, *rater, note)
    return list(ratings.values())


def _score(word: str, word_class: str, corpora: tuple[Corpus, Corpus], scale: Scale) -> tuple[float, str] | None:
    """The score of a word in a blank of a class with the counts behind it; None without enough occurrences."""
    if not any(letter.isalpha() for letter in word):
        return min(scale.points, key=lambda point: abs(point - scale.middle)), "no word"
    for place in (word_class, "") if word_class in CUES else ("",):
        first, second = (corpus.counts[place, word] for corpus in corpora)
        if first + second >= FEWEST:
            totals = [corpus.totals[place] for corpus in corpora]
            odds = log_odds(first, totals[0], second, totals[1])
            where = f"where a {place} is expected" if place else "anywhere"
            note = f"{first} of {totals[0]} and {second} of {totals[1]} words {where}; log-odds {odds.value:+.2f}"
            return scale_point(odds, scale), note
    return None
