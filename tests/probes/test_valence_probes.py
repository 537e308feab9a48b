"""The shipped valence materials are what they claim to be: counts, blanks, classes, sources, scores on the scale."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tacit.methods.valence import ValenceSettings
from tacit.methods.valence.materials import ValenceMaterials, read_materials
from tacit.probes import load_probe
from tacit.questions import split_blank
from tacit.tables import Row, read_csv

COLUMNS = ["id", "group", "text", "original", "word_class", "rho", "reason", "source", "locus"]
CLASSES = {"pronoun", "verb", "adverb", "adjective", "noun"}
RATED = ["temporal", "british-american"]


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))


@pytest.fixture
def rows() -> list[Row]:
    return read_csv(load_probe("temporal").path("sentences"), COLUMNS)


def materials(probe: str) -> ValenceMaterials:
    return read_materials(load_probe(probe), ValenceSettings())


def test_each_group_has_twenty_sentences(rows: list[Row]) -> None:
    assert Counter(row["group"] for row in rows) == {"Early Modern": 20, "Neutral": 20, "Modern": 20}


def test_all_five_word_classes_stand_four_times_in_each_group(rows: list[Row]) -> None:
    counted = Counter((row["group"], row["word_class"]) for row in rows)
    assert {word_class for _, word_class in counted} == CLASSES
    assert set(counted.values()) == {4}


def test_every_sentence_has_one_blank_a_word_for_it_and_a_reason(rows: list[Row]) -> None:
    for row in rows:
        split_blank(row["text"])
        assert row["original"].isalpha()
        assert row["reason"]


def test_rho_has_the_sign_of_its_group(rows: list[Row]) -> None:
    allowed = {"Early Modern": {-1.0, -0.5}, "Neutral": {0.0}, "Modern": {0.5, 1.0}}
    assert all(float(row["rho"]) in allowed[row["group"]] for row in rows)


def test_every_early_modern_sentence_names_a_text_of_1560_to_1680_and_the_place_in_it(rows: list[Row]) -> None:
    for row in rows:
        if row["group"] == "Early Modern":
            year = int(row["source"].rstrip(")")[-4:])
            assert 1560 <= year <= 1680, row
            assert row["locus"], row


def test_the_modern_sentences_cover_three_registers(rows: list[Row]) -> None:
    registers = Counter(row["source"].partition("(")[2].rstrip(")") for row in rows if row["group"] == "Modern")
    assert set(registers) == {"journalistic", "conversational", "online"}
    assert min(registers.values()) >= 5


@pytest.mark.parametrize("probe", [*RATED, "temporal-paper"])
def test_the_probe_loads_and_states_what_it_does_not_show(probe: str) -> None:
    loaded = load_probe(probe)
    assert materials(probe).ratings
    assert loaded.limits
    readme = (loaded.folder / "README.md").read_text(encoding="utf-8")
    assert "does NOT show" in readme


@pytest.mark.parametrize("probe", RATED)
def test_the_original_word_of_each_sentence_is_rated(probe: str) -> None:
    loaded = materials(probe)
    rated = {(rating.sentence, rating.token) for rating in loaded.ratings}
    originals = {
        (sentence, word.lower()) for sentence, word in loaded.sentences.select("sentence", "original").iter_rows()
    }
    assert originals <= rated


def test_thou_is_never_scored_as_modern_and_never_without_context() -> None:
    scores = {
        rating.score for rating in materials("temporal").ratings if rating.token in {"thou", "thee", "hath", "saith"}
    }
    assert scores == {-1}


def test_you_is_scored_by_its_sentence() -> None:
    scores = {rating.score for rating in materials("temporal").ratings if rating.token == "you"}
    assert len(scores) > 1
