"""Variance shares of words, prompts and label words: worked by hand, by a property, and recomputed plainly."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.methods.wording.formulas import LABELS, PROMPTS, REST, WORDS, variance_parts, variance_shares
from tacit.statistics import share_interval

BLOCKS = 10


def contributions(scores: np.ndarray, noise: float = 0.0, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return scores[..., None] + rng.normal(0, noise, (*scores.shape, BLOCKS))


def test_each_source_alone_takes_all_of_the_variance() -> None:
    words, prompts, labels = np.array([1.0, -1, 2, -2]), np.array([1.0, -1, 0]), np.array([3.0, -3])
    shape = (4, 3, 2)
    sources = {
        WORDS: np.broadcast_to(words[:, None, None], shape),
        PROMPTS: np.broadcast_to(prompts[:, None], shape),
        LABELS: np.broadcast_to(labels, shape),
        REST: np.broadcast_to(prompts[:, None] * labels, shape),
    }
    for source, scores in sources.items():
        shares = variance_shares(variance_parts(contributions(scores)), 0.95)
        assert shares is not None
        assert {name: share.value for name, share in shares.items()} == pytest.approx(
            {name: float(name == source) for name in sources}
        )


def test_worked_by_hand() -> None:
    """Two words, two prompts, two pairs: x = ±1 for the word, ±2 for the prompt, ±3 for the pair."""
    signs = np.array([1.0, -1.0])
    scores = signs[:, None, None] + 2 * signs[:, None] + 3 * signs
    means = {name: float(part.mean()) for name, part in variance_parts(contributions(scores)).items()}
    # W² is 1, times n / (n - 1) = 2 for two words.
    assert means == pytest.approx({WORDS: 2, PROMPTS: 4, LABELS: 9, REST: 0})


def test_parts_agree_with_loops_over_words_and_wordings() -> None:
    scores = np.random.default_rng(1).normal(size=(5, 3, 4))
    parts = {name: float(part.mean()) for name, part in variance_parts(contributions(scores)).items()}
    prompt = label = rest = 0.0
    means = [scores[w].mean() for w in range(5)]
    for w in range(5):
        for p in range(3):
            prompt += (scores[w, p].mean() - means[w]) ** 2 / 15
            for own in range(4):
                residual = scores[w, p, own] - scores[w, p].mean() - scores[w, :, own].mean() + means[w]
                rest += residual**2 / 60
        for own in range(4):
            label += (scores[w, :, own].mean() - means[w]) ** 2 / 20
    assert parts == pytest.approx({WORDS: np.var(means, ddof=1), PROMPTS: prompt, LABELS: label, REST: rest})


def test_noise_of_the_reviews_adds_nothing_on_average() -> None:
    signs = np.array([1.0, -1.0])
    scores = np.tile(0.3 * signs[:, None], (20, 1, 3))
    shares = [variance_shares(variance_parts(contributions(scores, 1.0, seed)), 0.95) for seed in range(60)]
    assert np.mean([share[PROMPTS].value for share in shares if share]) == pytest.approx(1, abs=0.1)
    assert np.mean([share[REST].value for share in shares if share]) == pytest.approx(0, abs=0.1)


def test_intervals_cover_when_words_and_reviews_are_sampled() -> None:
    """Effects of words, of prompts and of pairs within words are drawn anew, and so are the reviews."""
    inside: dict[str, list[bool]] = {}
    truth = {WORDS: 1.0, PROMPTS: 0.5 * 2 / 3, LABELS: 0.25 * 0.5, REST: 0.1 * 2 / 3 * 0.5}
    truth[WORDS] += 0.5 / 3 + 0.25 / 2 + 0.1 / 6  # the mean of a word over its wordings varies with them
    whole = sum(truth.values())
    for seed in range(200):
        rng = np.random.default_rng([7, seed])
        words = rng.normal(0, 1, (40, 1, 1)) + rng.normal(0, 0.5**0.5, (40, 3, 1))
        scores = words + rng.normal(0, 0.5, (40, 1, 2)) + rng.normal(0, 0.1**0.5, (40, 3, 2))
        common = 0.5 * rng.normal(size=(1, 3, 2, BLOCKS))
        made = contributions(scores, 1.5, seed) + common - common.mean(axis=3, keepdims=True)
        shares = variance_shares(variance_parts(made), 0.95)
        assert shares is not None
        for name, share in shares.items():
            inside.setdefault(name, []).append(share.low <= truth[name] / whole <= share.high)
    for name, held in inside.items():
        covered = share_interval(held)
        assert covered.high >= 0.95, (name, covered)
        assert covered.value <= 0.995, (name, covered)


def test_without_any_signal_there_is_nothing_to_divide() -> None:
    assert variance_shares(variance_parts(np.zeros((3, 2, 2, BLOCKS))), 0.95) is None


def test_one_pair_of_label_words_leaves_words_and_prompts() -> None:
    assert set(variance_parts(np.ones((3, 2, 1, BLOCKS)))) == {WORDS, PROMPTS}
