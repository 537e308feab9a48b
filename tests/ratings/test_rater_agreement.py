"""Agreement of raters: alpha by a plain pairwise count, and the disputed tokens in order."""

from __future__ import annotations

from itertools import permutations

import pytest

from tacit.ratings import Rating, agreement, disputed_tokens

ANN = {"thou": -1, "you": 0, "ye": -1, "she": 0, "all": 0.5}
BOB = {"thou": -1, "you": 0, "ye": -0.5, "she": 0, "all": -0.5}


def rated(**raters: dict[str, float]) -> list[Rating]:
    return [Rating("s1", token, score, rater) for rater, scores in raters.items() for token, score in scores.items()]


def plain_ordinal_alpha(units: list[list[float]]) -> float:
    values = [value for unit in units for value in unit]
    n = {value: values.count(value) for value in sorted(set(values))}

    def distance(a: float, b: float) -> float:
        between = sum(count for value, count in n.items() if min(a, b) <= value <= max(a, b))
        return (between - (n[a] + n[b]) / 2) ** 2 if a != b else 0

    observed = sum(distance(a, b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2)) / len(values)
    expected = sum(distance(a, b) for a, b in permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - observed / expected


def test_alpha_is_that_of_a_plain_count() -> None:
    alpha = agreement(rated(ann=ANN, bob=BOB))
    assert alpha is not None
    assert alpha.value == pytest.approx(plain_ordinal_alpha([[ANN[token], BOB[token]] for token in ANN]))
    assert alpha.low <= alpha.value <= alpha.high
    assert alpha.n == len(ANN)


def test_one_rater_has_nobody_to_agree_with() -> None:
    assert agreement(rated(ann=ANN)) is None


def test_raters_who_rated_different_tokens_cannot_be_compared() -> None:
    assert agreement(rated(ann={"thou": -1}, bob={"you": 0})) is None


def test_the_most_disputed_token_comes_first() -> None:
    table = disputed_tokens(rated(ann=ANN, bob=BOB))
    assert table["token"].to_list() == ["all", "ye"]
    assert table["spread"].to_list() == [1, 0.5]
    assert table["scores"][0] == "ann 0.5, bob -0.5"


def test_raters_who_agree_dispute_nothing() -> None:
    assert disputed_tokens(rated(ann=ANN, bob=ANN)).is_empty()
