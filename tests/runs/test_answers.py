"""Every kind of answer has its rows, many answers stream to disk, and other programs can read the file."""

from __future__ import annotations

import hashlib
import tracemalloc
from pathlib import Path

import polars as pl
import pytest

from tacit.errors import TacitError
from tacit.methods.base import ANSWER_SCHEMA, KeyedQuestion
from tacit.questions import (
    Choice,
    Choose,
    ChooseAnswer,
    Classify,
    ClassifyAnswer,
    Fill,
    FillAnswer,
    Filling,
    Label,
    Likelihood,
    LikelihoodAnswer,
    Represent,
    RepresentAnswer,
    TokenScore,
)
from tacit.runs.answers import AnswersWriter

FILLED = FillAnswer((Filling("thou", 0.4, 1), Filling("##ists", 0.1, 2)), "masked", begin="<s>", cut=3)


def test_fillings_have_a_row_each(tmp_path: Path) -> None:
    table = _written(tmp_path, [(KeyedQuestion({"sentence": "a", "k": 3}, Fill("x [MASK]")), FILLED)])
    assert table.columns == ["sentence", "k", *ANSWER_SCHEMA]
    assert table["token"].to_list() == ["thou", "##ists"]
    assert table["rank"].to_list() == [1, 2]
    assert table["begin"].to_list() == ["<s>", "<s>"]
    assert table["k"].to_list() == [3, 3]


def test_a_word_that_cannot_be_written_has_no_probability_and_is_counted(tmp_path: Path) -> None:
    choices = (Choice("great", 0.5, 1, ("great",)), Choice("☃", None, None, ()))
    writer = AnswersWriter(tmp_path)
    writer.add(KeyedQuestion({"s": "a"}, Choose("x [MASK]", ("great", "☃"))), ChooseAnswer(choices, "masked"))
    writer.finish(tmp_path / "answers.parquet")
    table = pl.read_parquet(tmp_path / "answers.parquet")
    assert table["probability"].to_list() == [0.5, None]
    assert table["pieces"].to_list() == [1, 0]
    assert writer.warnings() == ("1 candidate words cannot be written with the model's tokens.",)


def test_likelihoods_are_kept_by_token_or_as_their_mean(tmp_path: Path) -> None:
    tokens = (TokenScore("people", None, None), TokenScore("france", -2.5, "region"))
    detail = LikelihoodAnswer(-2.5, -2.5, 1, "aul", tokens=tokens)
    plain = LikelihoodAnswer(-9.0, -3.0, 3, "aul")
    table = _written(
        tmp_path,
        [
            (KeyedQuestion({"s": "a"}, Likelihood("x", "aul")), detail),
            (KeyedQuestion({"s": "b"}, Likelihood("x", "aul")), plain),
        ],
    )
    assert table["logprob"].to_list() == [None, -2.5, -3.0]
    assert table["role"].to_list() == [None, "region", None]
    assert table["pieces"].to_list() == [1, 1, 3]


def test_labels_and_vectors_have_their_columns(tmp_path: Path) -> None:
    labels = _written(
        tmp_path / "l",
        [(KeyedQuestion({"s": "a"}, Classify("x")), ClassifyAnswer((Label("neg", 0.2), Label("pos", 0.8))))],
    )
    assert labels["token"].to_list() == ["neg", "pos"]
    assert "vector" not in labels.columns
    vectors = _written(
        tmp_path / "v", [(KeyedQuestion({"s": "a"}, Represent("x", 0, 1)), RepresentAnswer((0.5, -1.0), ("x",)))]
    )
    assert vectors["vector"].to_list() == [[0.5, -1.0]]


@pytest.mark.parametrize("rows_per_part", [1, 2, 100])
def test_vectors_are_kept_also_when_another_answer_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_per_part: int
) -> None:
    monkeypatch.setattr("tacit.runs.answers._PART_ROWS", rows_per_part)
    vector = RepresentAnswer((0.5, -1.0), ("x",))
    likelihood = LikelihoodAnswer(-9.0, -3.0, 3, "aul")
    pairs = [
        (KeyedQuestion({"s": "a"}, Likelihood("x", "aul")), likelihood),
        (KeyedQuestion({"s": "b"}, Represent("x", 0, 1)), vector),
        (KeyedQuestion({"s": "c"}, Likelihood("x", "aul")), likelihood),
    ]
    table = _written(tmp_path, pairs)
    assert table.columns == ["s", *ANSWER_SCHEMA, "vector"]
    assert table["s"].to_list() == ["a", "b", "c"]
    assert table["vector"].to_list() == [None, [0.5, -1.0], None]
    assert table["logprob"].to_list() == [-3.0, None, -3.0]


def test_answers_so_far_include_vectors_that_came_late(tmp_path: Path) -> None:
    writer = AnswersWriter(tmp_path)
    writer.add(KeyedQuestion({"s": "a"}, Fill("x [MASK]")), FILLED)
    assert "vector" not in writer.so_far().columns
    writer.add(KeyedQuestion({"s": "b"}, Represent("x", 0, 1)), RepresentAnswer((0.5,), ("x",)))
    assert writer.so_far()["vector"].to_list() == [None, None, [0.5]]


def test_a_key_that_changes_its_type_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="The key 'k' of a question is 'three', but of the first one it was a number"):
        _written(
            tmp_path,
            [
                (KeyedQuestion({"k": 3}, Fill("x [MASK]")), FILLED),
                (KeyedQuestion({"k": "three"}, Fill("x [MASK]")), FILLED),
            ],
        )


def test_questions_are_numbered_in_the_order_asked(tmp_path: Path) -> None:
    table = _written(tmp_path, [(KeyedQuestion({"s": str(n)}, Fill("x [MASK]")), FILLED) for n in range(5)])
    assert table["question"].to_list() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_the_same_answers_give_the_same_bytes_across_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.runs.answers._PART_ROWS", 100)
    pairs = [(KeyedQuestion({"s": str(n)}, Fill("x [MASK]")), FILLED) for n in range(1000)]
    hashes = set()
    for name in ("a", "b", "c"):
        _written(tmp_path / name, pairs)
        hashes.add(hashlib.sha256((tmp_path / name / "answers.parquet").read_bytes()).hexdigest())
    assert len(hashes) == 1


def test_memory_does_not_grow_with_the_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.runs.answers._PART_ROWS", 4000)

    def peak(count: int) -> int:
        folder = tmp_path / str(count)
        folder.mkdir()
        tracemalloc.start()
        writer = AnswersWriter(folder)
        for number in range(count):
            writer.add(KeyedQuestion({"s": str(number)}, Fill("x [MASK]")), FILLED)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(20_000) < 1.3 * peak(5_000)


def test_questions_with_other_keys_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="has the keys t, the first one had s"):
        _written(
            tmp_path,
            [
                (KeyedQuestion({"s": "a"}, Fill("x [MASK]")), FILLED),
                (KeyedQuestion({"t": "a"}, Fill("x [MASK]")), FILLED),
            ],
        )


def test_a_probe_that_asks_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="asks this model no question"):
        AnswersWriter(tmp_path).finish(tmp_path / "answers.parquet")


def _written(folder: Path, pairs: list[tuple[KeyedQuestion, object]]) -> pl.DataFrame:
    folder.mkdir(exist_ok=True)
    writer = AnswersWriter(folder)
    for asked, answer in pairs:
        writer.add(asked, answer)  # type: ignore[arg-type]
    writer.finish(folder / "answers.parquet")
    assert [path.name for path in folder.glob("*.parquet")] == ["answers.parquet"]
    return pl.read_parquet(folder / "answers.parquet")
