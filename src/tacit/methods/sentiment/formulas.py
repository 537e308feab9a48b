"""How far models and tests name the same words (Garg et al. 2022, sections 4.3 and 4.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

__all__ = ["overlap", "shared_by_two", "top_and_bottom"]


def shared_by_two(named: Sequence[Collection[str]]) -> float | None:
    """|{w: at least two models name w}| / |{w: a model names w}|; None where no model names any."""
    times = Counter(word for words in named for word in set(words))
    return sum(count > 1 for count in times.values()) / len(times) if times else None


def overlap(named: Collection[str], also: Collection[str]) -> float | None:
    """|named ∩ also| / |named|, the share of one test's words that the other names; None where there are none."""
    words = set(named)
    return len(words & set(also)) / len(words) if words else None


def top_and_bottom(
    strength: Mapping[str, float], named: Collection[str], size: int = 50
) -> tuple[float | None, float | None]:
    """The shares of the `size` strongest and of the `size` weakest words that the other test names too (section 4.4).

    None twice where there are fewer than two words. With fewer than 2 · `size` words the two halves are taken, so that
    no word is in both.
    """
    ranked = sorted(strength, key=lambda word: (-strength[word], word))
    taken = min(size, len(ranked) // 2)
    if not taken:
        return None, None
    return overlap(ranked[:taken], named), overlap(ranked[-taken:], named)
