"""The planted series: which models it makes, how it rates their fillings, and HERB's own sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacit.ratings import Rating
from training.herb import EACH, pick_sentences
from training.plants import DOSES, Condition, list_conditions, plant_and_ask
from training.ratings import unanimous_ratings


def test_a_seed_has_all_doses_and_both_controls() -> None:
    conditions = {(condition.arm, condition.dose) for condition in list_conditions(1)}
    assert conditions == {*(("biased", dose) for dose in DOSES), ("opposite", 1.0), ("unrelated", 1.0)}
    assert {condition.seed for condition in list_conditions(1)} == {1}


def test_a_planted_model_is_asked_and_leaves_a_row_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    row = plant_and_ask("temporal", Condition("biased", 1.0, 0))
    assert (row.probe, row.arm, row.dose, row.seed, row.base) == ("temporal", "biased", 1.0, 0, "modern")
    assert row.finds_plant == 1
    assert list((tmp_path / "plants").iterdir()) == []


def test_only_words_with_one_score_everywhere_are_rated_elsewhere() -> None:
    ratings = [
        Rating("a", "thou", -1.0, "r"),
        Rating("b", "thou", -1.0, "r"),
        Rating("a", "you", 0.0, "r"),
        Rating("b", "you", 0.5, "r"),
    ]
    made = unanimous_ratings(ratings, {"a": ["thou", "ye"], "c": ["thou", "you", "ye"]})
    assert [(rating.sentence, rating.token, rating.score) for rating in made] == [("c", "thou", -1.0)]
    assert made[0].rater != "r"


def test_herbs_sentences_are_the_likeliest_with_the_region_hidden() -> None:
    scores = np.array([[0.0, 9.0], [5.0, 1.0], [3.0, 2.0]]).repeat(10, axis=0)
    names = [f"land{row}" for row in range(30)]
    picked = pick_sentences(scores, names, ["wise", "bald"], "People in {region} are {description}.", "likeliest")
    assert len(picked) == 2 * EACH
    assert picked[0].text == "People in land10 are wise."
    assert picked[EACH].text == "People in land0 are bald."
    assert {s.text[slice(*s.hidden[0])] for s in picked[:EACH]} == {f"land{row}" for row in range(10, 30)}
    drawn = pick_sentences(scores, names, ["wise", "bald"], "People in {region} are {description}.", "random")
    assert drawn != picked
