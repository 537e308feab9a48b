"""Many questions: answered in order, each asked once, independent of their batch neighbors."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from tacit import Choose, Classify, Fill, Likelihood, Represent, TacitError, ask
from tacit.asking import Cache, Tally
from tacit.asking.ask import SMALLEST_WINDOW, WINDOW, window_size
from tacit.models import Model
from tacit.questions import Answer, ChooseAnswer, FillAnswer, LikelihoodAnswer, Question
from tests.tiny import BUILDERS

WORDS = ["thou", "art", "the", "man", "who", "said", "that", "pizza", "was", "great", "service", "terrible", "France"]


def _questions(model: Model, count: int = 60) -> list[Question]:
    """Questions of every kind and of mixed lengths."""
    rng = random.Random(7)
    questions: list[Question] = []
    for k in range(count):
        text = " ".join(rng.choices(WORDS, k=rng.randint(2, 12)))
        if model.family == "classifier":
            questions.append(Classify(text))
        elif k % 4 == 0:
            questions.append(Fill(f"{text} [MASK]", top=3))
        elif k % 4 == 1:
            questions.append(Choose(f"{text} [MASK]", ("great", "weatherman", "thou")))
        elif k % 4 == 2:
            questions.append(Likelihood(text, model.natural_likelihood))
        else:
            questions.append(Represent(text, 0, 3))
    return questions


def _numbers(answer: Answer) -> list[float]:
    if isinstance(answer, FillAnswer):
        return [filling.probability for filling in answer.fillings]
    if isinstance(answer, ChooseAnswer):
        return [choice.probability or math.nan for choice in answer.choices]
    if isinstance(answer, LikelihoodAnswer):
        return [token.logprob for token in answer.tokens if token.logprob is not None]
    return list(getattr(answer, "vector", ())) or [label.probability for label in answer.labels]  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", BUILDERS)
def test_score_does_not_depend_on_batch_mates(kind: str, tiny: Callable[[str], Model]) -> None:
    model = tiny(kind)
    questions = _questions(model)
    alone = [_numbers(answer) for question in questions for answer in ask(model, [question], cache=None)]
    together = [_numbers(answer) for answer in ask(model, questions, cache=None)]
    backwards = [_numbers(answer) for answer in ask(model, questions[::-1], cache=None)][::-1]
    for expected, *others in zip(alone, together, backwards, strict=True):
        for numbers in others:
            assert numbers == pytest.approx(expected, abs=1e-5)


def test_identical_questions_are_asked_once(tiny: Callable[[str], Model]) -> None:
    tally = Tally()
    answers = list(ask(tiny("bert"), [Fill("It was [MASK].")] * 50 + [Fill("He is [MASK].")], cache=None, tally=tally))
    assert (tally.asked, tally.cached) == (51, 49)
    assert answers[0] == answers[49] != answers[50]


def test_the_stream_is_read_no_further_than_a_window_ahead(tiny: Callable[[str], Model]) -> None:
    taken = 0

    def endless() -> Iterator[Question]:
        nonlocal taken
        while True:
            taken += 1
            yield Fill(f"It was {WORDS[taken % 7]} [MASK].")

    answers = ask(tiny("bert"), endless(), cache=None)
    for _ in range(10):
        next(answers)
    assert taken == SMALLEST_WINDOW


def test_windows_grow_with_the_job_but_not_above_their_limit() -> None:
    asked, sizes = 0, []
    while len(sizes) < 40:
        sizes.append(window_size(asked))
        asked += sizes[-1]
        assert sizes[-1] <= max(SMALLEST_WINDOW, asked // 8)
    assert sizes == sorted(sizes)
    assert {*sizes} == {512, 1024, WINDOW}


def test_what_was_answered_before_an_interruption_is_not_asked_again(
    tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    model, path = tiny("bert"), tmp_path / "answers.sqlite"
    questions = _questions(model, 40)

    def interrupted() -> Iterator[Question]:
        yield from questions * (WINDOW // 40 + 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(ask(model, interrupted(), cache=path))
    tally = Tally()
    list(ask(model, questions, cache=path, tally=tally))
    assert tally.cached == len(questions)


def test_a_question_that_cannot_be_answered_loses_nothing_that_was(
    tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    model, path = tiny("bert"), tmp_path / "answers.sqlite"
    good = [Fill(f"It was {word} [MASK].") for word in WORDS] * (WINDOW // len(WORDS) + 1)
    with pytest.raises(TacitError, match="no blank"):
        list(ask(model, [*good, Fill("It was great.")], cache=path))
    tally = Tally()
    list(ask(model, good, cache=path, tally=tally))
    assert tally.cached == tally.asked


def test_two_models_share_a_cache_but_never_an_answer(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    question = Fill("It was [MASK].")
    with Cache(tmp_path / "answers.sqlite") as cache:
        (first,) = ask(tiny("bert"), [question], cache=cache)
        (second,) = ask(tiny("electra"), [question], cache=cache)
        tally = Tally()
        (again,) = ask(tiny("bert"), [question], cache=cache, tally=tally)
    assert first == again != second
    assert tally.cached == 1


def test_a_lack_of_memory_halves_the_batch_and_changes_no_answer(
    tiny: Callable[[str], Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny("bert")
    questions = _questions(model)
    expected = [_numbers(answer) for answer in ask(model, questions, cache=None)]
    network, forward, sizes = model.network, model.network.model.forward, []

    def scarce(*args: object, **inputs: torch.Tensor) -> object:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 2:
            raise torch.OutOfMemoryError("no room")
        return forward(*args, **inputs)

    monkeypatch.setattr(network, "budget", network.budget)
    monkeypatch.setattr(network.model, "forward", scarce)
    halved = [_numbers(answer) for answer in ask(model, questions, cache=None)]
    assert max(sizes) > 2
    for numbers, expected_numbers in zip(halved, expected, strict=True):
        assert numbers == pytest.approx(expected_numbers, abs=1e-5)
