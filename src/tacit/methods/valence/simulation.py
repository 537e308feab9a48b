"""Simulated probes and models for the valence method: the spread of real answers, with a leaning of a known size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl

from tacit.methods.valence.formulas import Floats
from tacit.methods.valence.materials import ValenceMaterials
from tacit.ratings import Rating, Scale

__all__ = ["TEMPORAL", "SimulatedModel", "make_materials"]

TEMPORAL: Mapping[str, int] = {"Early Modern": 20, "Neutral": 20, "Modern": 20}
"""The design of the probe `temporal`: how many sentences each group has."""

_POINTS = (-1.0, -0.5, 0.0, 0.5, 1.0)
_RHO = ((-1.0, -0.5), (0.0,), (0.5, 1.0))
"""What a sentence of the first, second and third group can score."""
_FILLINGS = 5
# Measured on the runs of `temporal` on the standards and on a small English BERT: the share of marked words among the
# fillings of a sentence that has any, and how many of them are half marked and fully marked.
_MARKED, _SIZES = 0.7, {0.5: 0.7, 1.0: 0.3}
# The fillings have this probability together; the likeliest has about half of it.
_MASS, _UNEVENNESS = 0.4, 0.5
# How much raters differ from word to word; a step of the scale is 0.5.
_NOISE = 0.25


@dataclass(frozen=True)
class SimulatedModel:
    """A model that fills sentences with words of known points of the scale.

    A sentence that is open to marked words leans to one pole; the others have neutral fillings only.

    Attributes:
        effect: The mean beta over all sentences that could be drawn, at most 0.25 either way (`most_leaning`). At 0 a
            sentence is as likely to lean by an amount to one pole as to the other.
        unrated: The share of the fillings that nobody has rated.
        skewed: A third of the open sentences lean fully to the low pole and two thirds half as far to the high pole:
            the mean is 0, but the leanings are not symmetric about it. Without `effect`.
        open: The share of sentences that have a marked filling: a half in the groups that lean, a quarter in others.
    """

    effect: float = 0.0
    unrated: float = 0.0
    skewed: bool = False
    open: float = 0.55

    @property
    def most_leaning(self) -> float:
        """The mean beta if all marked words are of one pole."""
        return self.open * _MARKED * sum(size * share for size, share in _SIZES.items())

    def answers(self, materials: ValenceMaterials, seed: int) -> pl.DataFrame:
        """The fillings of each sentence; the same seed gives the same answers."""
        rng, n = np.random.default_rng([1, seed]), len(materials.sentences)
        p = np.sort(rng.gamma(_UNEVENNESS, size=(n, _FILLINGS)), axis=1)[:, ::-1] + 1e-6
        p *= _MASS / p.sum(axis=1, keepdims=True)
        points, rated = self._points(rng, n), rng.random((n, _FILLINGS)) >= self.unrated
        sentence, column = (axis.ravel() for axis in np.indices((n, _FILLINGS)))
        words = [_word(point, int(number)) for point, number in zip(points.ravel(), column, strict=True)]
        return pl.DataFrame(
            {
                "sentence": materials.sentences["sentence"].to_numpy()[sentence],
                "token": [word if known else f"unrated {word}" for word, known in zip(words, rated.flat, strict=True)],
                "probability": p.ravel(),
                "rank": column + 1,
            }
        )

    def _points(self, rng: np.random.Generator, sentences: int) -> Floats:
        """The point that each filling is meant to have."""
        high = 2 / 3 if self.skewed else (1 + self.effect / self.most_leaning) / 2
        pole = np.where(rng.random(sentences) < high, 1.0, -1.0)
        marked = (rng.random(sentences) < self.open)[:, None] & (rng.random((sentences, _FILLINGS)) < _MARKED)
        size = rng.choice(list(_SIZES), p=list(_SIZES.values()), size=marked.shape)
        if self.skewed:
            size = np.where(pole < 0, 1.0, 0.5)[:, None]
        return np.asarray(np.where(marked, pole[:, None] * size, 0.0))


def make_materials(
    groups: Mapping[str, int] = TEMPORAL, seed: int = 0, *, raters: int = 1, bias: float = 0.0
) -> ValenceMaterials:
    """A probe of at most three groups, in which every word of a simulated model is rated.

    Args:
        groups: How many sentences each group has.
        seed: Of the sentences' own scores, and of the raters.
        raters: How many people score every word. One alone without a bias scores each word as it is meant.
        bias: The standard deviation of what a rater adds to all marked words.
    """
    rng = np.random.default_rng([2, seed])
    names = [group for group, size in groups.items() for _ in range(size)]
    ids = [f"s{number:03}" for number in range(len(names))]
    sentences = pl.DataFrame(
        {
            "sentence": ids,
            "group": names,
            "text": [f"Sentence {sentence} has a [MASK]." for sentence in ids],
            "original": [""] * len(ids),
            "word_class": [""] * len(ids),
            "rho": [
                rng.choice(scores) for scores, size in zip(_RHO, groups.values(), strict=False) for _ in range(size)
            ],
        }
    )
    ratings = _meant(tuple(ids)) if raters == 1 and not bias else _rated(ids, rng, raters, bias)
    return ValenceMaterials("simulated", Scale("old", "new", _POINTS, ("",) * 5), sentences, ratings)


@cache
def _meant(ids: tuple[str, ...]) -> tuple[Rating, ...]:
    return tuple(Rating(sentence, _word(*word), word[0], "rater") for sentence in ids for word in _words())


def _rated(ids: list[str], rng: np.random.Generator, raters: int, bias: float) -> tuple[Rating, ...]:
    """The nearest points to what is meant plus what a rater adds; everyone agrees on neutral words."""
    meant = np.array([point for point, _ in _words()])
    ratings = []
    for rater in range(raters):
        shift = rng.normal(0, bias)
        for sentence in ids:
            felt = meant + shift + rng.normal(0, _NOISE, meant.size)
            scores = np.where(meant == 0, 0.0, np.clip(np.round(2 * felt) / 2, -1, 1))
            for word, score in zip(_words(), scores, strict=True):
                ratings.append(Rating(sentence, _word(*word), float(score), f"rater {rater}"))
    return tuple(ratings)


def _words() -> list[tuple[float, int]]:
    """As many words of each point as a sentence has fillings, so that these are different."""
    return [(point, number) for point in _POINTS for number in range(_FILLINGS)]


def _word(point: float, number: int) -> str:
    return f"word {number} of {point:g}"
