"""Two verbalizers in one run: what changes is only which of the same fillings count as whose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from tacit.errors import MaterialsError
from tacit.methods.counterknowledge import Counterknowledge
from tacit.methods.counterknowledge.formulas import spearman_difference
from tacit.methods.counterknowledge.questions import BESIDE, count_questions, next_questions, questions
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.probes import load_probe
from tests.methods.counterknowledge.stereotypes import MANY_ITEMS, answers_of, read_with_settings, write_probe

METHOD = Counterknowledge()


def _model(kind: str, item: str) -> dict[str, float]:
    """Women are likelier for "f" items; the word "nurse" gets what is left, and all of it after counter-knowledge."""
    female = 0.3 + 0.01 * int(item.split()[1]) if item.startswith("f") else 0.1
    if kind == "counter":
        female /= 2
    return {"man": 0.35, "woman": female, "nurse": 0.2 if item.startswith("f") else 0.02, "it": 0.01}


def _tables(folder: Path, beside: str, **settings: object) -> dict[str, pl.DataFrame]:
    other = folder / "other.csv"
    other.write_text(beside)
    materials, checked = read_with_settings(write_probe(folder, items=MANY_ITEMS), beside=other, **settings)
    return METHOD.measure(materials, checked, answers_of(_model, materials, checked))


def test_the_same_verbalizer_beside_itself_changes_nothing(tmp_path: Path) -> None:
    table = _tables(tmp_path, "word,group\nwoman,female\ngirl,female\nman,male\nboy,male\n")["verbalizers"]
    assert set(table["reach"]) == {"all words", "top 1", "top 3"}
    assert table["difference"].drop_nulls().abs().max() == 0
    assert table["own"].to_list() == table["beside"].to_list()


def test_the_difference_is_that_of_the_two_shares_recomputed_by_hand(tmp_path: Path) -> None:
    tables = _tables(tmp_path, "word,group\nwoman,female\nnurse,female\nman,male\n")
    row = tables["verbalizers"].filter(measure="pro-stereotypical share", reach="all words").row(0, named=True)

    def share(item: str, words: list[str]) -> float:
        said = _model("base", item)
        female = sum(said[word] for word in words)
        own = female / (female + said["man"])
        return own if item.startswith("f") else 1 - own

    items = {group: [f"{group} {n}" for n in range(12)] for group in "fm"}
    plain, wide = (
        np.mean([np.mean([share(item, words) for item in of_group]) for of_group in items.values()])
        for words in (["woman"], ["woman", "nurse"])
    )
    assert (row["own"], row["beside"]) == pytest.approx((plain, wide))
    assert row["difference"] == pytest.approx(wide - plain)
    assert row["low"] < row["difference"] < row["high"]
    assert row["n"] == 24
    kinds = {"base", "pro", "counter", "background"}
    assert set(tables["verbalizers"]["group"]) == kinds


def test_the_measures_of_the_first_verbalizer_stay_what_they_are(tmp_path: Path) -> None:
    beside = _tables(tmp_path, "word,group\nnurse,female\nman,male\n")
    materials, settings = read_with_settings(write_probe(tmp_path, items=MANY_ITEMS))
    alone = METHOD.measure(materials, settings, answers_of(_model, materials, settings))
    assert beside["measures"].equals(alone["measures"], null_equal=True)
    assert "verbalizers" not in alone
    assert "second verbalizer" in METHOD.summary(beside, "m")[-1]
    assert METHOD.summary(beside, "m")[:-1] == METHOD.summary(alone, "m")


def test_a_verbalizer_that_replaces_the_shipped_one_is_the_one_that_counts(tmp_path: Path) -> None:
    probe = write_probe(tmp_path, items=MANY_ITEMS)
    (tmp_path / "mine.csv").write_text("word,group\nnurse,female\nman,male\n")
    materials, _ = read_with_settings(probe, words=tmp_path / "mine.csv")
    assert materials.words == {"nurse": "female", "man": "male"}


def test_words_of_both_verbalizers_are_asked_and_only_those_of_one_token_in_the_second_round(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("word,group\nnurse,female\nboy,male\n")
    materials, settings = read_with_settings(write_probe(tmp_path), beside=tmp_path / "other.csv")
    rounds = list(next_questions(materials, settings, "masked", None))
    first = answers_of(_named, materials, settings).filter(pl.col("question") < len(rounds))
    second = list(next_questions(materials, settings, "masked", first))
    assert len(rounds) + len(second) == count_questions(materials, settings)
    asked = [keyed.question.words for keyed in second if keyed.keys["asked"] == BESIDE]  # type: ignore[union-attr]
    assert set(asked) == {("nurse",)}, "boy has two tokens"
    every = list(questions(materials, settings, "masked"))
    assert len(every) == count_questions(materials, settings)


def _named(_kind: str, _item: str) -> dict[str, float]:
    return {"man": 0.3, "woman": 0.2, "nurse": 0.2, "girl": 0.1, "boy": 0.1}


def test_a_shipped_verbalizer_is_named_by_its_probe() -> None:
    settings = CounterknowledgeSettings(beside="stereotype:prevalence.csv")  # type: ignore[arg-type]
    materials = METHOD.materials(load_probe("stereotype"), settings)
    assert materials.beside is not None
    groups = list(materials.beside.values())
    assert groups.count("female") == groups.count("male"), "the study has as many of each"
    assert settings.files()["beside"].name == "prevalence.csv"


def test_a_verbalizer_that_does_not_exist_or_names_another_group_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no file nothing\.csv; give a table with the columns word and group"):
        CounterknowledgeSettings(beside="nothing.csv")  # type: ignore[arg-type]
    (tmp_path / "other.csv").write_text("word,group\nnurse,feminine\n")
    with pytest.raises(MaterialsError, match="the group must be female or male"):
        read_with_settings(write_probe(tmp_path), beside=tmp_path / "other.csv")


def test_spearman_difference_is_that_of_two_correlations() -> None:
    columns = np.random.default_rng(0).normal(size=(5, 30, 3)).round(1)
    plain = [spearmanr(x, b).statistic - spearmanr(x, a).statistic for x, a, b in np.moveaxis(columns, -1, 1)]
    assert spearman_difference(columns) == pytest.approx(plain)
    reversed_column = columns[0].copy()
    reversed_column[:, 2] = -reversed_column[:, 1]
    rho = spearmanr(columns[0, :, 0], columns[0, :, 1]).statistic
    assert spearman_difference(reversed_column) == pytest.approx(-2 * rho)
    assert np.isnan(spearman_difference(np.ones((4, 3))))
