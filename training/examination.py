"""Measures of how well a masked model knows a variety: pseudo-perplexity, marked forms, labels of reviews."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tacit.questions import Choose, ChooseAnswer, Likelihood, LikelihoodAnswer
from tacit.statistics import Interval, bootstrap

if TYPE_CHECKING:
    from tacit.models import Model

__all__ = [
    "MARKED",
    "NEGATIVE_LABELS",
    "POSITIVE_LABELS",
    "marked_share",
    "marked_shares",
    "pseudo_perplexity",
    "review_accuracy",
    "review_leanings",
]

# A blank and the two forms, the older first, that compete for it.
MARKED = (
    ("Why wilt [MASK] be offended by that?", "thou", "you"),
    ("I pray [MASK], tell me the truth.", "thee", "you"),
    ("Honour [MASK] father and mother.", "thy", "your"),
    ("He [MASK] a great house and many servants.", "hath", "has"),
    ("What [MASK] he say of me?", "doth", "does"),
    ("Come [MASK], my son, and sit by me.", "hither", "here"),
    ("Thou [MASK] not go into the city.", "shalt", "shall"),
    ("He went [MASK] the king and spoke with him.", "unto", "to"),
    ("The man [MASK] that it is true.", "saith", "says"),
    ("We have waited long, [MASK] even many years.", "yea", "yes"),
    ("He sat [MASK] the two of them.", "betwixt", "between"),
    ("They shall return [MASK] with the others.", "thither", "there"),
)
REVIEW_BLANK = "It was [MASK]."
POSITIVE_LABELS = ("great", "good", "excellent", "wonderful")
NEGATIVE_LABELS = ("terrible", "bad", "awful", "boring")


def pseudo_perplexity(model: Model, texts: Sequence[str], seed: int = 0) -> Interval:
    """exp(- sum_s sum_t log P(w_t | s without w_t) / number of tokens), the interval by bootstrap over the texts."""
    weighed = _asked(model, [Likelihood(text, "pll", detail=False) for text in texts])
    rows = np.array([(answer.total, answer.count) for answer in weighed if isinstance(answer, LikelihoodAnswer)])
    return bootstrap(rows, lambda drawn: np.exp(-drawn[..., 0].sum(axis=1) / drawn[..., 1].sum(axis=1)), seed=seed)


def marked_share(model: Model, seed: int = 0) -> Interval:
    """Mean over the blanks of P(older form) / (P(older form) + P(newer form)); 0.5 leans neither way."""
    return bootstrap(np.array(list(marked_shares(model).values())), seed=seed)


def marked_shares(model: Model) -> dict[str, float]:
    """The share of the older form, blank by blank."""
    answers = _asked(model, [Choose(text, (old, new)) for text, old, new in MARKED])
    shares = {}
    for (text, old, new), answer in zip(MARKED, answers, strict=True):
        assert isinstance(answer, ChooseAnswer)
        first, second = (choice.probability or 0.0 for choice in answer.choices)
        shares[f"{text} ({old}/{new})"] = first / (first + second)
    return shares


def review_leanings(model: Model, texts: Sequence[str]) -> NDArray[np.float64]:
    """Mean log P of the positive words minus that of the negative ones, at "It was [MASK]." after each review."""
    words = POSITIVE_LABELS + NEGATIVE_LABELS
    answers = _asked(model, [Choose(REVIEW_BLANK, words, context=text) for text in texts])
    return np.array([_leaning(answer) for answer in answers if isinstance(answer, ChooseAnswer)])


def review_accuracy(leanings: NDArray[np.float64], labels: Sequence[str], zero: float, seed: int = 0) -> Interval:
    """Share of the reviews whose leaning is above `zero` where they are positive, not above it where negative.

    With `zero` at the median of all leanings, which needs no label, a general liking for good or bad words decides
    nothing; chance is 0.5 where both labels are equally frequent.
    """
    positive = np.array([label == "positive" for label in labels])
    return bootstrap(((leanings > zero) == positive).astype(float), seed=seed)


def _leaning(answer: ChooseAnswer) -> float:
    logs = [math.log(choice.probability) for choice in answer.choices if choice.probability is not None]
    split = len(POSITIVE_LABELS)
    return sum(logs[:split]) / split - sum(logs[split:]) / len(NEGATIVE_LABELS)


def _asked(model: Model, questions: Sequence[Likelihood | Choose]) -> list[object]:
    from tacit.asking import ask  # noqa: PLC0415 - torch is slow to import

    return list(ask(model, questions, cache=None))
