"""End to end with small random models: every family answers the probe, and its tables can be recomputed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit import ask
from tacit.methods.base import KeyedQuestion
from tacit.methods.counterknowledge import Counterknowledge
from tacit.models import Model
from tacit.questions import Choose
from tacit.runs.answers import AnswersWriter
from tacit.runs.execute import run
from tacit.runs.measure import measure
from tests.methods.counterknowledge.stereotypes import (
    CONTROLLED_GRAMMAR,
    answers_of,
    read_with_settings,
    write_probe,
)
from tests.tiny import build

METHOD = Counterknowledge()


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "bart", "t5"])
def test_every_family_answers_and_its_run_recomputes(tmp_path: Path, tiny: Callable[[str], Model], kind: str) -> None:
    write_probe(tmp_path)
    settings = {"resamples": 50, "tops": "1,3"}
    done = run(tmp_path / "probe.yaml", model=tiny(kind), out=tmp_path / "run", settings=settings)
    items = pl.read_parquet(tmp_path / "run" / "items.parquet")
    assert items.height == 3 * 4 * 4
    assert items.select(pl.col("first", "second").is_between(0, 1).all()).row(0) == (True, True)
    before = done.measures
    assert measure(tmp_path / "run").measures.equals(before)


def test_a_model_with_segments_answers_two_segments_and_one_text_differently(
    tmp_path: Path, tiny: Callable[[str], Model]
) -> None:
    probe = write_probe(tmp_path)
    margins = {}
    for separate in (True, False):
        settings = {"resamples": 50, "separate": separate}
        measures = run(probe.source, model=tiny("bert"), out=tmp_path / str(separate), settings=settings).measures
        margins[separate] = measures.filter((pl.col("measure") == "margin, all words") & pl.col("item").is_null())
    groups = {separate: dict(rows.select("group", "value").rows()) for separate, rows in margins.items()}
    assert groups[True]["base"] == groups[False]["base"]
    assert groups[True]["pro"] != groups[False]["pro"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nothing_is_claimed_of_a_random_model(tmp_path: Path, seed: int) -> None:
    folder = build("bert", tmp_path / "model", seed)
    settings = {"size": "small", "tops": "10"}
    done = run("stereotype", model=str(folder), out=tmp_path / "run", settings=settings)
    assert done.validity.reason.startswith("it cannot tell female from male words")
    assert not any(verdict.holds for verdict in METHOD.verdicts(done.tables))
    text = (tmp_path / "run" / "summary.md").read_text()
    assert "cannot be asked this" in text
    assert not any(word in text for word in ("leans", "rises", "falls", "weakened", "moved"))


@pytest.mark.parametrize("whole", ["one-token", "all", "off"])
def test_asking_in_rounds_gives_the_same_measures_as_asking_everything(
    tmp_path: Path, tiny: Callable[[str], Model], whole: str
) -> None:
    probe = write_probe(tmp_path, grammar=CONTROLLED_GRAMMAR)
    materials, settings = read_with_settings(probe, whole=whole, resamples=50)
    as_text = {"resamples": 50, "tops": "1,3", "whole": whole}
    in_rounds = run(probe.source, model=tiny("bert"), out=tmp_path / "run", settings=as_text).measures
    writer = AnswersWriter(tmp_path)
    questions = list(METHOD.questions(materials, settings, "masked"))
    answers = ask(tiny("bert"), [keyed.question for keyed in questions])
    for keyed, answer in zip(questions, answers, strict=True):
        writer.add(keyed, answer)
    at_once = METHOD.measure(materials, settings, writer.so_far())["measures"]
    assert in_rounds.select("measure", "group", "item").equals(at_once.select("measure", "group", "item"))
    assert in_rounds["value"].to_list() == pytest.approx(at_once["value"].to_list(), abs=1e-6, nan_ok=True)


def test_the_second_round_asks_only_about_words_of_one_token(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path))
    words = ("woman", "man", "girl", "boy")
    answers = answers_of(lambda *_: dict.fromkeys(words, 0.1), materials, settings)
    first_answers = answers.filter(pl.col("question") < 4)
    first = list(METHOD.next_questions(materials, settings, "masked", None))
    second = list(METHOD.next_questions(materials, settings, "masked", first_answers))
    assert len(first) == 4
    assert chosen_words(first) == {("woman", "girl", "man", "boy")}
    assert chosen_words(second) == {("woman", "girl", "man")}
    count = METHOD.count_questions(materials, settings, "masked")
    assert len(first) + len(second) == count == answers["question"].n_unique()
    assert list(METHOD.next_questions(materials, settings, "masked", answers)) == []


def chosen_words(questions: list[KeyedQuestion]) -> set[tuple[str, ...]]:
    return {keyed.question.words for keyed in questions if isinstance(keyed.question, Choose)}
