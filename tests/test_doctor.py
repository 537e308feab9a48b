"""The doctor passes a model whose answers depend on the question alone, and notices one whose answers do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from tacit.doctor import examine
from tacit.models import Check, Model
from tacit.questions import Answer, FillAnswer, Question
from tests.models.table_model import TableModel
from tests.tiny import BUILDERS

NOTHING = [f"{cause} changes nothing" for cause in ("repetition", "batch size", "order", "the cache")]


def checks_of(model: Model) -> dict[str, Check]:
    return {check.name: check for check in examine(model)}


@pytest.mark.parametrize("kind", BUILDERS)
def test_nothing_but_the_question_changes_an_answer(kind: str, tiny: Callable[[str], Model]) -> None:
    checks = checks_of(tiny(kind))
    for name, check in checks.items():
        if "nothing" in name or "precision" in name or "space" in name:
            assert check.passed, check
    assert set(NOTHING) <= set(checks)
    assert len(checks) >= (5 if "classifier" in kind else 10)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5"])
def test_a_random_head_is_noticed(kind: str, tiny: Callable[[str], Model]) -> None:
    assert not checks_of(tiny(kind))["the head is not random"].passed


def test_a_model_that_looks_at_its_batch_neighbors_is_noticed(tiny: Callable[[str], Model]) -> None:
    model = tiny("bert")
    layer = model.network.model.bert.encoder.layer[0].output.dense
    handle = layer.register_forward_hook(lambda _m, _i, out: out + out.mean(0, keepdim=True) * (len(out) > 1))
    try:
        failed = {check.name for check in examine(model) if not check.passed}
    finally:
        handle.remove()
    assert failed >= {"batch size changes nothing", "order changes nothing"}
    assert "repetition changes nothing" not in failed


def test_a_model_of_a_third_party_is_examined_as_far_as_it_answers() -> None:
    checks = checks_of(TableModel())
    assert checks["answers questions"].detail == "Fill, Choose; refuses Classify"
    assert all(check.passed for check in checks.values())
    assert set(NOTHING) <= set(checks)
    assert "the head is not random" not in checks
    assert checks["She gave [MASK]."].detail == "the 0.50, a 0.25"


def test_a_model_that_changes_its_mind_is_noticed() -> None:
    class Fickle(TableModel):
        """Less sure each time it is asked."""

        def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
            for answer in super().answer(questions):
                if isinstance(answer, FillAnswer):
                    less = 1 / len(self.asked)
                    yield FillAnswer(tuple(replace(f, probability=f.probability * less) for f in answer.fillings), "")
                else:
                    yield answer

    failed = {check.name for check in examine(Fickle()) if not check.passed}
    assert failed == {"repetition changes nothing", "batch size changes nothing", "order changes nothing"}


def test_a_model_that_answers_nothing_fails() -> None:
    class Mute(TableModel):
        """Refuses everything."""

        def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
            raise self.refuse("says nothing")

    (check,) = examine(Mute())
    assert not check.passed
    assert check.detail == "nothing; refuses Fill, Choose, Classify"
