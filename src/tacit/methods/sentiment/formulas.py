"""How often models, or the two tests, find the same words (Garg et al. 2022, sections 4.3 and 4.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

__all__ = ["overlap", "shared_by_two", "top_and_bottom"]


def shared_by_two(word_sets: Sequence[Collection[str]]) -> float | None:
    """|{w: at least two models find w}| / |{w: a model finds w}| (section 4.3); None if no model finds any word."""
    counts = Counter(word for words in word_sets for word in set(words))
    return sum(count > 1 for count in counts.values()) / len(counts) if counts else None


def overlap(words: Collection[str], others: Collection[str]) -> float | None:
    """|words ∩ others| / |words|: the share of one test's words that the other finds too; None without words."""
    distinct = set(words)
    return len(distinct & set(others)) / len(distinct) if distinct else None


def top_and_bottom(
    strength: Mapping[str, float], others: Collection[str], size: int = 50
) -> tuple[float | None, float | None]:
    """Overlap of the `size` strongest words, and of the `size` weakest, with the other test's words (section 4.4).

    With fewer than 2 · `size` words the stronger and the weaker half are used, so that no word is in both. Both shares
    are None with fewer than two words.
    """
    ranked = sorted(strength, key=lambda word: (-strength[word], word))
    taken = min(size, len(ranked) // 2)
    if not taken:
        return None, None
    return overlap(ranked[:taken], others), overlap(ranked[-taken:], others)
