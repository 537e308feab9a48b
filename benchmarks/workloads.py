"""What the benchmarks ask: the workloads of the studies with made-up words, at the lengths that the studies have."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from benchmarks.random_models import WORDS

__all__ = ["LABELS", "REVIEW_LENGTHS", "TARGETS", "Shape", "blanks", "repeated", "reviews", "sentences"]

_RANDOM = Random(7)
_TEXT_WORDS = WORDS[: len(WORDS) // 2]
TARGETS = tuple(WORDS[len(WORDS) // 2 :][:1200])
LABELS = TARGETS[:2]
# Between 30 and 300, as reviews are; several of each length, as a window of 2,048 questions has them.
REVIEW_LENGTHS = (30, 170, 300)


@dataclass(frozen=True)
class Shape:
    """What counts for a model's arithmetic."""

    vocabulary: int
    layers: int = 12
    width: int = 768

    def body(self, tokens: int, seen: int, wanted: int | None = None) -> float:
        """GFLOP of `tokens` tokens through all layers, each attending to `seen` positions.

        Behind the last attention only the `wanted` tokens are needed, where the engine makes use of it.
        """
        spared = 0 if wanted is None else 18 * (tokens - wanted) * self.width**2
        return 1e-9 * (self.layers * tokens * (24 * self.width**2 + 4 * seen * self.width) - spared)

    def head(self, positions: int) -> float:
        """GFLOP of the vocabulary projection."""
        return 2e-9 * positions * self.width * self.vocabulary


def sentences(count: int, lengths: tuple[int, ...]) -> list[str]:
    """Sentences of these many words in turn; the first is one syllable, which is one token for every tokenizer."""
    return [" ".join(["ba", *_RANDOM.choices(_TEXT_WORDS, k=lengths[i % len(lengths)] - 1)]) for i in range(count)]


def blanks(count: int, length: int) -> list[str]:
    """Sentences of `length` words, one of them blank."""
    found = []
    for text in sentences(count, (length,)):
        words = text.split()
        words[_RANDOM.randrange(1, length)] = "[MASK]"
        found.append(" ".join(words))
    return found


def reviews(each: int) -> list[str]:
    """Reviews of all lengths in turn; with the prompt and the special tokens of BERT they come to REVIEW_LENGTHS."""
    return sentences(each * len(REVIEW_LENGTHS), tuple(length - 5 for length in REVIEW_LENGTHS))


def repeated(words: int) -> list[str]:
    """What the shift test puts after a review: a word 5, 10 or 15 times, and the prompt."""
    return [" ".join([word] * k + ["it was [MASK]"]) for word in TARGETS[2 : 2 + words] for k in (5, 10, 15)]
