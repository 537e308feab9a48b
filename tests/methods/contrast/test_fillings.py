"""The error analysis: what is likeliest in the blank, by a rule that is written down."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.methods.contrast import Contrast
from tacit.methods.contrast.fillings import CLASSES, classify
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.methods.contrast.questions import PAIR, TOP
from tacit.questions import Fill
from tests.methods.contrast.contrasts import answers, read, settings, value, write_probe

METHOD = Contrast()
FILLINGS = {"never": ["not", "always", "family"], "always": ["always", "so", "quickly"]}


@pytest.fixture(scope="module")
def adverbs() -> ContrastMaterials:
    return read("intensifier")


@pytest.mark.parametrize(
    ("token", "word", "expected"),
    [
        ("always", "always", "the word itself"),
        ("Always", "always", "the word itself"),
        ("not", "always", "negation"),
        ("never", "always", "negation"),
        ("never", "never", "the word itself"),
        ("often", "always", "same category"),
        ("rarely", "always", "same category"),
        ("very", "always", "other intensifier"),
        ("surely", "very", "other intensifier"),
        ("so", "very", "same category"),
        ("here", "very", "other adverb"),
        ("politically", "very", "other adverb"),
        ("family", "very", "anything else"),
        ("friendly", "very", "anything else"),
        ("bad", "very", "anything else"),
        ("##ly", "very", "anything else"),
        (",", "very", "anything else"),
    ],
)
def test_the_rule_of_the_classes(adverbs: ContrastMaterials, token: str, word: str, expected: str) -> None:
    assert classify(token, adverbs.words[word], adverbs) == expected


def test_every_word_of_the_probe_is_in_the_list_under_its_own_category(adverbs: ContrastMaterials) -> None:
    for word in adverbs.words.values():
        others = [other for other in adverbs.words.values() if other.category == word.category and other != word]
        assert {classify(other.name, word, adverbs) for other in others} <= {"same category", "negation"}


def _answers(materials: ContrastMaterials) -> pl.DataFrame:
    pairs = answers([(item.id, item.word, "with", 2, 1) for item in materials.items]).with_columns(asked=pl.lit(PAIR))
    rows = [
        {"item": item.id, "word": item.word, "context": "with", "asked": TOP, "question": 100 + number, "part": part}
        | {"token": token, "probability": 0.5 / (part + 1), "rank": part + 1, "pieces": 1, "made": "one mask"}
        for number, item in enumerate(materials.items)
        for part, token in enumerate(FILLINGS.get(item.word, ["maybe", "it", "a"]))
    ]
    return pl.concat([pairs, pl.DataFrame(rows, schema=pairs.schema)])


def test_shares_by_class_are_those_counted_by_hand(tmp_path: Path) -> None:
    materials = read(write_probe(tmp_path))
    tables = METHOD.measure(materials, settings(fillings=3), _answers(materials))
    assert value(tables, "likeliest filling is negation")["value"] == pytest.approx(2 / 8)
    assert value(tables, "likeliest filling is the word itself", "time")["value"] == pytest.approx(2 / 4)
    errors = tables["errors"].filter(pl.col("outcome") == "all")
    assert errors.group_by("group").agg(pl.sum("first", "fillings"))["first"].to_list() == pytest.approx([1.0] * 7)
    always = {row["class"]: row for row in errors.filter(group="always").iter_rows(named=True)}
    assert set(always) == {"the word itself", "other intensifier", "other adverb"}
    assert always["other intensifier"]["fillings"] == pytest.approx(1 / 3)
    assert always["other adverb"]["probability"] == pytest.approx(0.5 / 3)
    wrong = tables["errors"].filter(outcome="wrong", group="all items")
    assert wrong["items"].to_list() == [8] * len(wrong), "the rival wins everywhere here"
    assert set(tables["fillings"]["class"]) <= set(CLASSES)


def test_the_other_measures_do_not_see_the_fillings(tmp_path: Path) -> None:
    materials = read(write_probe(tmp_path))
    whole = METHOD.measure(materials, settings(fillings=3), _answers(materials))
    pairs = METHOD.measure(materials, settings(), _answers(materials).filter(pl.col("asked") == PAIR).drop("asked"))
    count = len(pairs["measures"])
    assert whole["measures"].head(count).equals(pairs["measures"], null_equal=True)
    assert whole["items"].equals(pairs["items"], null_equal=True)
    assert "errors" not in pairs


def test_likeliest_words_are_asked_only_where_they_are_wanted(tmp_path: Path) -> None:
    materials = read(write_probe(tmp_path))
    asked = list(METHOD.questions(materials, settings(fillings=10), "masked"))
    fills = [keyed.question for keyed in asked if isinstance(keyed.question, Fill)]
    assert len(fills) == len(asked) / 2 == 16
    assert {fill.top for fill in fills} == {10}
    assert all("asked" not in keyed.keys for keyed in METHOD.questions(materials, settings(), "masked"))


def test_the_figure_and_the_summary_name_the_classes(tmp_path: Path) -> None:
    materials = read(write_probe(tmp_path))
    tables = METHOD.measure(materials, settings(fillings=3), _answers(materials))
    figures = {figure.name: figure for figure in METHOD.figures({"m": tables})}
    assert "negation 25%" in figures["contrast-fillings"].alt
    figures["contrast-fillings"].chart.to_dict()
    assert any(sentence.startswith("The likeliest word in the blank is: ") for sentence in METHOD.summary(tables, "m"))
