"""How much the same question's answer varies at one server: alone, in a batch, and under load."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from tacit.models.endpoints.dialect import Dialect
from tacit.models.endpoints.loop import as_completed, iterate
from tacit.models.hf.sequences import Pieces

__all__ = ["largest_difference", "noise_floor"]


def noise_floor(dialect: Dialect, rows: Seq[Pieces], alone: Seq[Seq[float]], concurrency: int) -> float:
    """The largest difference in log-probability between answers to the same questions.

    Args:
        dialect: Speaks to the server.
        rows: The questions: sentences as tokens.
        alone: The log-probabilities of their tokens, asked one by one.
        concurrency: How many requests are under way at once.
    """
    batch = _together(dialect, rows, len(rows))
    # Between the sentences come beginnings of others, so that batches have all shapes.
    others = [row[: 2 + number % (len(row) - 1)] for number, row in enumerate(reversed(rows))]
    crowd = [row for pair in zip(rows, others, strict=True) for row in pair]
    load = _together(dialect, crowd, max(2, concurrency))[::2]
    return max(largest_difference(alone, batch), largest_difference(alone, load))


def largest_difference(first: Seq[Seq[float]], second: Seq[Seq[float]]) -> float:
    """The largest difference between two answers to the same questions; infinite if they have other tokens."""
    if [len(row) for row in first] != [len(row) for row in second]:
        return float("inf")
    return max(
        (abs(a - b) for rows in zip(first, second, strict=True) for a, b in zip(*rows, strict=True)), default=0.0
    )


def _together(dialect: Dialect, rows: Seq[Pieces], concurrency: int) -> list[list[float]]:
    scores = dict(iterate(as_completed(lambda row: dialect.score(row, 1), rows, concurrency)))
    return [scores[index] for index in range(len(rows))]
