"""Simulated probes and models for the valence method: the spread of real answers, with a leaning of a known size.

The numbers follow the runs of `temporal` on the two standards and on small English models: about half of the sentences
have neutral fillings only, in the others a marked word takes a third to a half of the probability, and the five
likeliest fillings share it unevenly.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from tacit.methods.valence.formulas import Floats
from tacit.methods.valence.materials import ValenceMaterials
from tacit.ratings import Rating, Scale

__all__ = ["MOST_LEANING", "TEMPORAL", "simulate_answers", "simulate_materials"]

TEMPORAL: Mapping[str, int] = {"Early Modern": 20, "Neutral": 20, "Modern": 20}
"""The design of the probe `temporal`: how many sentences each group has."""
_FILLINGS = 5
_OPEN = 0.55  # the share of sentences that have a marked filling
_MARKED = 0.7  # the share of marked words among the fillings of those
_SPREAD = 0.5  # the shape of the gamma distribution of the probabilities: the likeliest filling has about half
_SIZES = {0.5: 0.7, 1.0: 0.3}  # how many of the marked words are a little and fully marked
_POINTS = (-1.0, -0.5, 0.0, 0.5, 1.0)
_WORDS = _FILLINGS  # words per point of the scale, so that the fillings of a sentence are different words
_NOISE = 0.25  # how much raters differ from filling to filling, in points
_MASS = 0.4  # the probability of the fillings together

MOST_LEANING = _OPEN * _MARKED * sum(size * share for size, share in _SIZES.items())
"""The mean beta of a simulated model whose marked words are all of one pole: 0.25."""


def simulate_materials(
    groups: Mapping[str, int] = TEMPORAL, *, raters: int = 1, bias: float = 0.0, noise: float = _NOISE, seed: int = 0
) -> ValenceMaterials:
    """A probe whose words are rated in every sentence.

    Args:
        groups: How many sentences each group has.
        raters: How many raters score every word. A single one scores each word as it is meant.
        bias: The standard deviation of what a rater adds to every marked word.
        noise: The standard deviation of what a rater adds to a single marked word.
        seed: Of the raters.
    """
    rng = np.random.default_rng(seed)
    names = [group for group, size in groups.items() for _ in range(size)]
    ids = [f"s{number:03}" for number in range(len(names))]
    rho = rng.choice(_POINTS, size=len(names))
    sentences = pl.DataFrame(
        {
            "sentence": ids,
            "group": names,
            "text": [f"Sentence {sentence} has a [MASK]." for sentence in ids],
            "original": [_word(0.0, 0)] * len(names),
            "word_class": [""] * len(names),
            "rho": rho,
        }
    )
    scale = Scale("old", "new", _POINTS, ("",) * len(_POINTS))
    ratings = _ratings(ids, rng, raters, bias, noise)
    return ValenceMaterials("simulated", scale, sentences, tuple(ratings))


def simulate_answers(
    materials: ValenceMaterials, seed: int, *, effect: float = 0.0, unrated: float = 0.0
) -> pl.DataFrame:
    """The answers of a model in new sentences of the same kind.

    Args:
        materials: Simulated materials.
        seed: Of the sentences and the fillings.
        effect: The mean beta over all sentences that could be drawn, between -0.25 and 0.25; at 0 every sentence is as
            likely to lean to one pole as to the other.
        unrated: The share of the fillings that nobody has rated.
    """
    rng, n = np.random.default_rng(seed), len(materials.sentences)
    p = np.sort(rng.gamma(_SPREAD, size=(n, _FILLINGS)), axis=1)[:, ::-1] + 1e-6
    p *= _MASS / p.sum(axis=1, keepdims=True)
    points = _marked_points(rng, n, effect)
    known = rng.random((n, _FILLINGS)) >= unrated
    rows = []
    for row, sentence in enumerate(materials.sentences["sentence"]):
        for column in range(_FILLINGS):
            word = _word(points[row, column], column)
            token = word if known[row, column] else f"unrated {word}"
            rows.append((sentence, token, float(p[row, column]), column + 1))
    schema = {"sentence": pl.String, "token": pl.String, "probability": pl.Float64, "rank": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _marked_points(rng: np.random.Generator, sentences: int, effect: float) -> Floats:
    """The point of the scale that each filling is meant to have: an open sentence leans to one pole."""
    is_open = rng.random(sentences) < _OPEN
    pole = np.where(rng.random(sentences) < (1 + effect / MOST_LEANING) / 2, 1.0, -1.0)
    marked = is_open[:, None] & (rng.random((sentences, _FILLINGS)) < _MARKED)
    size = rng.choice(list(_SIZES), p=list(_SIZES.values()), size=marked.shape)
    return np.asarray(np.where(marked, pole[:, None] * size, 0.0))


def _ratings(ids: list[str], rng: np.random.Generator, raters: int, bias: float, noise: float) -> list[Rating]:
    words = [(point, number) for point in _POINTS for number in range(_WORDS)]
    meant = np.array([point for point, _ in words])
    ratings = []
    for rater in range(raters):
        added = rng.normal(0, bias)
        for sentence in ids:
            scores = meant if raters == 1 else _scored(meant, added + rng.normal(0, noise, meant.size))
            ratings += [
                Rating(sentence, _word(*word), float(score), f"rater {rater}")
                for word, score in zip(words, scores, strict=True)
            ]
    return ratings


def _scored(meant: Floats, added: Floats) -> Floats:
    """The nearest point of the scale; raters agree on words that are neutral."""
    return np.asarray(np.where(meant == 0, 0.0, np.clip(np.round(2 * (meant + added)) / 2, -1, 1)))


def _word(point: float, number: int) -> str:
    return f"word {number} of {point:g}"
