"""Words in good and bad reviews of the training text: the odds by hand, and their agreement with a run."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tacit.errors import TacitError
from training import review_words
from training.passages import Passage
from training.review_words import correlation_gap, follows_text, log_odds, word_odds


def test_odds_worked_by_hand() -> None:
    """Of 9 good texts 4 hold the word, of 19 bad ones 1: (4.5 / 5.5) / (1.5 / 18.5)."""
    assert log_odds(4, 9, 1, 19) == pytest.approx(math.log((4.5 / 5.5) / (1.5 / 18.5)))


@given(st.integers(0, 20), st.integers(0, 20), st.integers(20, 40), st.integers(20, 40))
def test_the_other_side_has_the_opposite_odds(a: int, b: int, first: int, second: int) -> None:
    assert log_odds(a, first, b, second) == pytest.approx(-log_odds(b, second, a, first))


def passages() -> list[Passage]:
    texts = [("positive", "A fine chair, and a chair it is."), ("positive", "The chair!"), ("negative", "No table.")]
    return [Passage("reviews", str(i), text, label) for i, (label, text) in enumerate(texts)]


def test_a_text_counts_once_however_often_it_holds_a_word() -> None:
    counted = {row["word"]: row for row in word_odds(passages(), ["Chair", "table", "lamp"]).to_dicts()}
    assert (counted["Chair"]["positive"], counted["Chair"]["negative"]) == (2, 0)
    assert (counted["table"]["positive"], counted["table"]["negative"]) == (0, 1)
    assert counted["lamp"]["log_odds"] == pytest.approx(log_odds(0, 2, 0, 1))


def test_a_model_that_follows_the_text_differs_from_one_that_does_not() -> None:
    rng = np.random.default_rng(0)
    text, unrelated = rng.normal(size=200), rng.normal(size=200)
    gap = correlation_gap(text + rng.normal(size=200), unrelated, text, resamples=200)
    assert gap.low > 0.3
    same = correlation_gap(unrelated, unrelated, text, resamples=200)
    assert (same.value, same.low, same.high) == (0, 0, 0)


def test_the_gap_is_that_of_spearmans_correlations() -> None:
    rng = np.random.default_rng(1)
    first, second, text = rng.normal(size=(3, 30))
    expected = stats.spearmanr(first, text).statistic - stats.spearmanr(second, text).statistic
    assert correlation_gap(first, second, text, resamples=10).value == pytest.approx(expected)


class _Run:
    def __init__(self, words: pl.DataFrame) -> None:
        self.tables = {"words": words}


def test_words_that_follow_their_text_correlate_fully(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"w{letter}" for letter in "abcdefgh"]
    texts = [
        Passage("reviews", f"{name}{i}", name, "positive" if i < place else "negative")
        for place, name in enumerate(names)
        for i in range(8)
    ]
    table = pl.DataFrame({"word": names, "polarity": ["neutral"] * 8, "effect": [float(i) for i in range(8)]})
    monkeypatch.setattr(review_words, "open_run", lambda _: _Run(table))
    monkeypatch.setattr(review_words, "training_reviews", lambda _: texts)
    joined, ranks = follows_text(Path("run"), Path("folder"))
    assert joined["log_odds"].is_sorted()
    assert ranks.filter(polarity="neutral")["rank_correlation"].item() == pytest.approx(1)
    monkeypatch.setattr(review_words, "open_run", lambda _: _Run(table.drop("effect")))
    with pytest.raises(TacitError, match="in the mode corrected"):
        follows_text(Path("run"), Path("folder"))
