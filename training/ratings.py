"""Ratings of what planted models fill in: a word keeps the score that the shipped rater gave it elsewhere."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.methods import get_method
from tacit.probes import load_probe
from tacit.ratings import Bank, Rating

if TYPE_CHECKING:
    from tacit.models import Model

__all__ = ["unanimous_ratings", "use_ratings"]

_RATER = "same-score-elsewhere"


def unanimous_ratings(ratings: list[Rating], fillings: dict[str, list[str]]) -> list[Rating]:
    """Scores for unrated fillings whose word has one and the same score in all sentences where it is rated.

    "thou" is -1 in each of the 14 sentences where the shipped rater met it; it is -1 here too. A word that was never
    rated, or that has different scores in different sentences, stays unrated.

    Args:
        ratings: The shipped ratings.
        fillings: What the model fills in, by the sentence's id.
    """
    scores: dict[str, set[float]] = defaultdict(set)
    for rating in ratings:
        scores[rating.token].add(rating.score)
    rated = {(rating.sentence, rating.token) for rating in ratings}
    example = ratings[0]
    return [
        replace(example, sentence=sentence, token=token, score=next(iter(scores[token])), rater=_RATER, note="")
        for sentence, tokens in fillings.items()
        for token in tokens
        if (sentence, token) not in rated and len(scores.get(token, ())) == 1
    ]


@contextmanager
def use_ratings(probe: str, model: Model) -> Iterator[None]:
    """Inside this context the probe has ratings for what this model fills in, in a bank of its own."""
    before = os.environ.get("TACIT_HOME")
    with tempfile.TemporaryDirectory() as home:
        os.environ["TACIT_HOME"] = home
        try:
            _add_ratings(probe, model, Path(home))
            yield
        finally:
            if before is None:
                del os.environ["TACIT_HOME"]
            else:
                os.environ["TACIT_HOME"] = before


def _add_ratings(name: str, model: Model, home: Path) -> None:
    probe = load_probe(name)
    method = get_method(probe.method)
    settings = method.settings(**probe.settings)
    materials = method.materials(probe, settings)
    ratings = method.ratings(materials)
    if not ratings:
        return
    texts = dict(materials.sentences.select("sentence", "text").iter_rows())
    fillings = {key: [f.token for f in model.fill(text, top=settings.top)] for key, text in texts.items()}
    Bank(home / "ratings.sqlite").add(name, texts, unanimous_ratings(list(ratings), fillings))
