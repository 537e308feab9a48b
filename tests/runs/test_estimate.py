"""The time of a long job is said before it starts, and the sample that it rests on is not asked twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tacit import Fill, ask
from tacit.asking import Cache, Tally
from tacit.models import Model
from tacit.runs.estimate import duration_words, estimate


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59, "59 s"), (61, "1 min"), (3600, "1 h"), (12_000, "3 h 20 min"), (1_051_200, "12 d 4 h")],
)
def test_durations_have_two_units_at_most(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words


def test_the_sample_is_kept_and_what_is_known_needs_no_estimate(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    questions = [Fill(f"It was {k} [MASK].") for k in range(400)]
    with Cache(tmp_path / "answers.sqlite") as cache:
        said = estimate(tiny("bert"), iter(questions), 480_000, cache)
        assert said is not None
        assert said.endswith("for 480,000 questions")
        tally = Tally()
        list(ask(tiny("bert"), questions, cache=cache, tally=tally))
        assert tally.cached == 2
        assert estimate(tiny("bert"), iter(questions), 480_000, cache) is None
