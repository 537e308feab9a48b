"""The whole way through small random models: every family answers the probe and gives tables that recompute."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit import ask
from tacit.methods.counterknowledge import Counterknowledge
from tacit.models import Model
from tacit.questions import Choose
from tacit.runs.answers import AnswersWriter
from tacit.runs.execute import run
from tacit.runs.measure import measure
from tests.methods.counterknowledge.stereotypes import answered, settled, write_probe

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


def test_segments_and_one_text_are_told_apart_by_a_model_that_knows_segments(
    tmp_path: Path, tiny: Callable[[str], Model]
) -> None:
    probe = write_probe(tmp_path)
    margins = {}
    for separate in (True, False):
        settings = {"resamples": 50, "separate": separate}
        measures = run(probe.source, model=tiny("bert"), out=tmp_path / str(separate), settings=settings).measures
        margins[separate] = measures.filter((pl.col("measure") == "margin, all words") & pl.col("item").is_null())
    groups = {separate: dict(found.select("group", "value").rows()) for separate, found in margins.items()}
    assert groups[True]["base"] == groups[False]["base"]
    assert groups[True]["pro"] != groups[False]["pro"]


@pytest.mark.parametrize("whole", ["one-token", "all", "off"])
def test_asking_in_rounds_gives_the_same_measures_as_asking_everything(
    tmp_path: Path, tiny: Callable[[str], Model], whole: str
) -> None:
    probe = write_probe(tmp_path)
    materials, settings = settled(probe, whole=whole, resamples=50)
    kept = {"resamples": 50, "tops": "1,3", "whole": whole}
    in_rounds = run(probe.source, model=tiny("bert"), out=tmp_path / "run", settings=kept).measures
    writer = AnswersWriter(tmp_path)
    asked = list(METHOD.questions(materials, settings, "masked"))
    for one, answer in zip(asked, ask(tiny("bert"), [one.question for one in asked]), strict=True):
        writer.add(one, answer)
    at_once = METHOD.measure(materials, settings, writer.so_far())["measures"]
    assert in_rounds.select("measure", "group", "item").equals(at_once.select("measure", "group", "item"))
    assert in_rounds["value"].to_list() == pytest.approx(at_once["value"].to_list(), abs=1e-6, nan_ok=True)


def test_the_second_round_asks_only_about_words_of_one_token(tmp_path: Path) -> None:
    materials, settings = settled(write_probe(tmp_path))
    told = answered(materials, settings, lambda *_: dict.fromkeys(("woman", "man", "girl", "boy"), 0.1))
    first = list(METHOD.next_questions(materials, settings, "masked", None))
    second = list(METHOD.next_questions(materials, settings, "masked", told.filter(pl.col("question") < len(first))))
    assert {one.question.words for one in first if isinstance(one.question, Choose)} == {
        ("woman", "girl", "man", "boy")
    }
    assert {one.question.words for one in second if isinstance(one.question, Choose)} == {("woman", "girl", "man")}
    assert (
        len(first) + len(second) == METHOD.count_questions(materials, settings, "masked") == told["question"].n_unique()
    )
    assert list(METHOD.next_questions(materials, settings, "masked", told)) == []
