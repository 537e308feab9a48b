"""What was asked: real sentences with the words of each model, one row per sentence and one column per model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit.methods.base import KeyedQuestion
from tacit.methods.exchanges import list_exchanges, probability_text
from tacit.models import Model
from tacit.questions import Choose, Fill, Likelihood
from tacit.reports.sections import Section, sections
from tacit.runs import Run, run
from tests.runs.making import make_probe


@pytest.fixture(scope="module")
def runs(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """One probe on two models. Read them, do not change them."""
    folder = tmp_path_factory.mktemp("asked")
    probe = make_probe(folder / "probe")
    return [run(probe, tiny(kind), folder / kind, cache=None) for kind in ("bert", "distilbert")]


@pytest.fixture(scope="module")
def section(runs: list[Run]) -> Section:
    """The section of the report about them."""
    return sections(runs)[0]


def test_every_sentence_has_one_row_and_every_model_one_column(runs: list[Run], section: Section) -> None:
    asked = section.asked
    assert asked.table is not None
    assert [column.name for column in asked.table.columns] == ["group", "sentence", *(run.model for run in runs)]
    assert asked.total == len(asked.table.rows) == 12
    assert asked.table.rows[0][:2] == ["old", "The man number 0 was ____ great."]


def test_the_words_are_those_that_the_model_answered(runs: list[Run], section: Section) -> None:
    example = section.asked.example
    assert example is not None
    assert (example.before, example.after) == ("The man number 0 was ", " great.")
    for one in runs:
        answered = one.answers.filter(pl.col("sentence") == "s000").sort("rank").head(5)
        words = example.words[one.model]
        assert [word.word for word in words] == answered["token"].to_list()
        assert [word.weight for word in words] == answered["probability"].to_list()


def test_a_run_without_its_materials_is_still_reported_and_says_so(runs: list[Run], tmp_path: Path) -> None:
    damaged = Run(Path(shutil.copytree(runs[0].folder, tmp_path / "copy")), runs[0].record)
    (damaged.folder / "materials" / "sentences.csv").write_text("changed", encoding="utf-8")
    section = sections([damaged])[0]
    assert section.asked.example is None
    assert "sentences.csv is missing, or not what the run used" in section.asked.problems[0]
    assert section.answers[damaged.model].glance is not None


def test_other_words_for_the_same_item_make_another_row() -> None:
    answers = pl.DataFrame(
        {
            "item": ["a", "a", "b"],
            "token": ["x", "y", "x"],
            "probability": [0.2, 0.7, None],
            "logprob": [None, None, None],
        },
        schema_overrides={"probability": pl.Float64, "logprob": pl.Float64},
    )
    asked = [KeyedQuestion({"item": name}, Choose(f"{name} [MASK].", ("x", "y"), context="Once.")) for name in "abc"]
    first, second = list_exchanges(asked, answers)
    assert first.text == "Once. a [MASK]."
    assert [(word.word, word.text) for word in first.words] == [("y", "70%"), ("x", "20%")]
    assert [(word.word, word.text, word.weight) for word in second.words] == [("x", "cannot be written", None)]


def test_a_likelihood_is_shown_as_a_number() -> None:
    answers = pl.DataFrame({"item": [1], "token": ["a"], "probability": [None], "logprob": [-2.5]})
    (exchange,) = list_exchanges([KeyedQuestion({"item": 1}, Likelihood("People are bald.", "aul"))], answers)
    assert exchange.words[0].text == "log-likelihood -2.50 per token"
    assert list_exchanges([KeyedQuestion({"item": 2}, Fill("a [MASK]"))], answers) == []


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.96, "96%"), (0.0996, "10%"), (0.034, "3.4%"), (0.0044, "0.44%"), (0.0009, "<0.1%"), (1.0, "100%")],
)
def test_probabilities_have_two_digits(probability: float, text: str) -> None:
    assert probability_text(probability) == text
