"""`tacit.ask` needs nothing of a model but answers and a fingerprint, and lets an executor decide where to answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tacit import Choose, Classify, Fill, ask
from tacit.asking import Tally
from tacit.errors import ModelError
from tacit.models import Answerer, Model
from tacit.questions import Answer, ChooseAnswer, FillAnswer, Question
from tests.models.table_model import PlainAnswerer, TableModel

QUESTIONS = [Fill("It was [MASK]", 1), Choose("She is [MASK]", ("poor", "rich")), Fill("It was [MASK]", 1)]


def test_a_third_partys_model_is_asked_once_and_then_answered_from_the_cache(tmp_path: Path) -> None:
    model = TableModel()
    answers = list(ask(model, QUESTIONS, cache=tmp_path / "a.sqlite"))
    assert model.asked == QUESTIONS[:2]
    assert isinstance(answers[0], FillAnswer)
    assert [filling.token for filling in answers[0].fillings] == ["great"]
    assert isinstance(answers[1], ChooseAnswer)
    assert [choice.probability for choice in answers[1].choices] == [0.125, None]
    assert answers[2] == answers[0]

    again, tally = TableModel(), Tally()
    assert list(ask(again, QUESTIONS, cache=tmp_path / "a.sqlite", tally=tally)) == answers
    assert again.asked == []
    assert tally.cached == len(QUESTIONS)


def test_a_third_partys_model_has_the_conveniences_of_every_model() -> None:
    model = TableModel()
    assert [filling.token for filling in model.fill("It was [MASK].")] == ["great", "terrible"]
    assert [choice.probability for choice in model.choose("She is [MASK]", ["kind"])] == [0.75]
    with pytest.raises(ModelError, match="The masked model 'table' cannot score sentences"):
        model.likelihood(["It was great."])
    with pytest.raises(ModelError, match="only fills blanks"):
        model.classify(["It was great."])


def test_a_refusal_in_the_middle_keeps_the_answers_before_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="only fills blanks"):
        list(ask(TableModel(), [QUESTIONS[0], Classify("It was great.")], cache=tmp_path / "a.sqlite"))
    again = TableModel()
    list(ask(again, QUESTIONS[:1], cache=tmp_path / "a.sqlite"))
    assert again.asked == []


def test_what_does_not_extend_model_can_be_asked_too(tmp_path: Path) -> None:
    model = PlainAnswerer()
    questions = [Fill("thou art [MASK]"), Fill("she is [MASK]")]
    for _ in range(2):
        answers = list(ask(model, questions, cache=tmp_path / "a.sqlite"))
        assert [answer.fillings[0].token for answer in answers if isinstance(answer, FillAnswer)] == ["art", "is"]
    assert model.asked == questions


class BackwardsExecutor:
    """An executor that answers the last question first, and works on three windows at once, as a cluster might."""

    ahead = 3
    title = "backwards"

    def __init__(self) -> None:
        self.windows: list[list[Question]] = []

    def load(self, name: str, **options: Any) -> Model:
        """Models are loaded elsewhere."""
        raise NotImplementedError

    def start(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Ask one question at a time, from the end."""
        self.windows.append(list(questions))
        for index in reversed(range(len(questions))):
            (answer,) = model.answer([questions[index]])
            yield index, answer


def test_an_executor_gets_the_unknown_questions_and_order_is_restored(tmp_path: Path) -> None:
    model, executor = TableModel(), BackwardsExecutor()
    list(ask(model, QUESTIONS[:1], cache=tmp_path / "a.sqlite"))
    answers = list(ask(model, [*QUESTIONS, Fill("She is [MASK]")], cache=tmp_path / "a.sqlite", executor=executor))
    assert executor.windows == [[QUESTIONS[1], Fill("She is [MASK]")]]
    assert answers == list(ask(TableModel(), [*QUESTIONS, Fill("She is [MASK]")], cache=None))


def test_a_question_of_two_windows_at_once_is_asked_once_if_there_is_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["tacit.asking.ask"], "WINDOW", 64)
    questions = [Fill(f"{number % 70} is [MASK]") for number in range(150)]
    model, executor = TableModel(), BackwardsExecutor()
    answers = list(ask(model, questions, cache=tmp_path / "a.sqlite", executor=executor))
    assert [len(window) for window in executor.windows] == [64, 6]
    assert answers == list(ask(TableModel(), questions, cache=None))


def test_asking_a_model_of_a_third_party_imports_no_torch() -> None:
    code = """if True:
        import sys
        import tacit
        from tests.models.table_model import TableModel
        list(tacit.ask(TableModel(), [tacit.Fill("It was [MASK]")]))
        assert "torch" not in sys.modules and "transformers" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
