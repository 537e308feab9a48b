"""The measures of the cards are what they say, recomputed plainly on a small model."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tacit
from training.examination import MARKED, marked_shares, pseudo_perplexity, review_accuracy


def test_pseudo_perplexity_is_the_exponential_of_the_mean_loss_over_all_tokens() -> None:
    model = tacit.load("modern")
    texts = ["It was good.", "We went to the house of the old man."]
    totals = model.likelihood(texts, method="pll", reduce="total")
    means = model.likelihood(texts, method="pll")
    tokens = sum(total / mean for total, mean in zip(totals, means, strict=True))
    assert pseudo_perplexity(model, texts).value == pytest.approx(math.exp(-sum(totals) / tokens))


def test_the_share_of_a_form_is_its_part_of_the_two() -> None:
    model = tacit.load("modern")
    text, old, new = MARKED[0]
    first, second = (choice.probability for choice in model.choose(text, [old, new]))
    assert first is not None
    assert second is not None
    assert next(iter(marked_shares(model).values())) == pytest.approx(first / (first + second))


def test_accuracy_counts_both_labels() -> None:
    leanings = np.array([2.0, 1.0, -1.0, 0.5])
    labels = ["positive", "negative", "negative", "positive"]
    assert review_accuracy(leanings, labels, zero=0.0).value == 0.75
    assert review_accuracy(leanings, labels, zero=5.0).value == 0.5
