"""The bank keeps what people rated, by the sentence's own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.ratings import Bank, Rating, bank_path

TEXTS = {"s1": "Why wilt [MASK] go?", "s2": "Fare [MASK] well, sir."}


def test_what_was_added_comes_back(tmp_path: Path) -> None:
    bank = Bank(tmp_path / "deep" / "ratings.sqlite")
    given = [Rating("s1", "thou", -1, "ann", "2026-01-02", "sure"), Rating("s2", "you", -1, "bob")]
    bank.add("temporal", TEXTS, given)
    assert sorted(bank.ratings("temporal", TEXTS), key=lambda rating: rating.sentence) == given


def test_an_unwritten_bank_is_empty_and_leaves_no_file(tmp_path: Path) -> None:
    bank = Bank(tmp_path / "ratings.sqlite")
    assert bank.ratings("temporal", TEXTS) == []
    assert list(tmp_path.iterdir()) == []


def test_probes_do_not_share_ratings(tmp_path: Path) -> None:
    bank = Bank(tmp_path / "ratings.sqlite")
    bank.add("temporal", TEXTS, [Rating("s1", "thou", -1, "ann")])
    assert bank.ratings("other", TEXTS) == []


def test_a_reworded_sentence_needs_new_ratings(tmp_path: Path) -> None:
    bank = Bank(tmp_path / "ratings.sqlite")
    bank.add("temporal", TEXTS, [Rating("s1", "thou", -1, "ann")])
    assert bank.ratings("temporal", {**TEXTS, "s1": "Why will [MASK] go?"}) == []


def test_a_renumbered_sentence_keeps_its_ratings(tmp_path: Path) -> None:
    bank = Bank(tmp_path / "ratings.sqlite")
    bank.add("temporal", TEXTS, [Rating("s1", "thou", -1, "ann")])
    assert bank.ratings("temporal", {"e01": TEXTS["s1"]}) == [Rating("e01", "thou", -1, "ann")]


def test_a_new_score_replaces_that_raters_earlier_one_only(tmp_path: Path) -> None:
    bank = Bank(tmp_path / "ratings.sqlite")
    bank.add("temporal", TEXTS, [Rating("s1", "Thou", -1, "ann"), Rating("s1", "thou", 0, "bob")])
    bank.add("temporal", TEXTS, [Rating("s1", "thou", -0.5, "ann")])
    assert {rating.rater: rating.score for rating in bank.ratings("temporal", TEXTS)} == {"ann": -0.5, "bob": 0}


def test_one_unwritable_rating_leaves_the_bank_as_it_was(tmp_path: Path) -> None:
    bank = Bank(tmp_path / "ratings.sqlite")
    bank.add("temporal", TEXTS, [Rating("s1", "thou", -1, "ann")])
    broken = Rating("s2", "you", None, "ann")  # type: ignore[arg-type]
    with pytest.raises(TacitError):
        bank.add("temporal", TEXTS, [Rating("s1", "ye", -1, "ann"), broken])
    assert [rating.token for rating in bank.ratings("temporal", TEXTS)] == ["thou"]


def test_a_file_that_is_not_a_bank_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ratings.sqlite"
    path.write_text("not a database " * 100)
    with pytest.raises(TacitError, match=r"ratings\.sqlite cannot be used"):
        Bank(path).ratings("temporal", TEXTS)


def test_the_bank_is_kept_where_the_user_chooses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    assert bank_path() == tmp_path / "ratings.sqlite"
    monkeypatch.delenv("TACIT_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert bank_path() == tmp_path / "data" / "tacit" / "ratings.sqlite"
