"""Is this model set up correctly? Checks that any model can undergo, and those that its engine adds."""

from __future__ import annotations

import math
import random
import tempfile
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

from tacit.asking import ask
from tacit.errors import ModelError
from tacit.models import Model
from tacit.models.checks import SAMPLE_TEXTS, Check, compare_numbers
from tacit.questions import (
    Answer,
    Choose,
    ChooseAnswer,
    Classify,
    ClassifyAnswer,
    Fill,
    FillAnswer,
    Likelihood,
    LikelihoodAnswer,
    Question,
)

__all__ = ["examine"]

# The same words in every order have the same number of tokens, so these texts share a batch.
_EQUALLY_LONG = tuple(
    f"Then the {first} saw the {second} and the {third}."
    for first, second, third in permutations(("man", "king", "child"))
)
_BLANKS = ("The man went into the [MASK]", "She gave [MASK]", "Why wilt [MASK]")
_WORDS = ("great", "terrible", "house", "unbelievable")


def examine(model: Model) -> list[Check]:
    """Check a model.

    Args:
        model: Any model. What it refuses to answer is not checked.

    Returns:
        Checks that nothing but the question changes an answer, then those of the model's own engine, then whether the
        model prefers sentences to shuffled words, and a few fills for the user to judge.
    """
    questions, checks = _answerable(model)
    if not questions:
        return checks
    alone = [_numbers(answer) for question in questions for answer in ask(model, [question], cache=None)]
    checks += [
        _repetition(model, questions, alone),
        _batch(model, questions, alone),
        _order(model, questions, alone),
        _cache(model, questions),
        *model.self_checks(),
    ]
    if any(isinstance(question, Likelihood) for question in questions):
        checks.append(_sense(model))
    if any(isinstance(question, Fill) for question in questions):
        checks += _fills(model)
    return checks


def _answerable(model: Model) -> tuple[list[Question], list[Check]]:
    """The questions that this model answers, and which kinds those are: one question of each kind is tried."""
    answered: list[Question] = []
    refused: list[str] = []
    for kind, questions in _questions(model).items():
        try:
            list(ask(model, questions[:1], cache=None))
        except ModelError:
            refused.append(kind)
        else:
            answered += questions
    kinds = ", ".join(dict.fromkeys(type(question).__name__ for question in answered)) or "nothing"
    detail = f"{kinds}; refuses {', '.join(refused)}" if refused else kinds
    return answered, [Check("answers questions", bool(answered), detail)]


def _questions(model: Model) -> dict[str, list[Question]]:
    texts = SAMPLE_TEXTS + _EQUALLY_LONG
    blanks = _blanks(model)
    questions: dict[str, list[Question]] = {
        "Fill": [Fill(text, 3) for text in blanks],
        "Choose": [Choose(text, _WORDS) for text in blanks],
        "Classify": [Classify(text) for text in texts],
    }
    if model.likelihoods:
        questions = {"Likelihood": [Likelihood(text, model.natural_likelihood) for text in texts], **questions}
    return questions


def _blanks(model: Model) -> list[str]:
    # A causal model continues from the end; the others see that the sentence is over.
    return [text if model.family == "causal" else f"{text}." for text in _BLANKS]


def _repetition(model: Model, questions: list[Question], alone: list[list[float]]) -> Check:
    again = [_numbers(answer) for question in questions for answer in ask(model, [question], cache=None)]
    return compare_numbers("repetition changes nothing", again, alone, model.noise_floor)


def _batch(model: Model, questions: list[Question], alone: list[list[float]]) -> Check:
    together = [_numbers(answer) for answer in ask(model, questions, cache=None)]
    return compare_numbers("batch size changes nothing", together, alone, model.noise_floor)


def _order(model: Model, questions: list[Question], alone: list[list[float]]) -> Check:
    order = list(range(len(questions)))
    random.Random(0).shuffle(order)
    answers = ask(model, [questions[index] for index in order], cache=None)
    numbers = dict(zip(order, map(_numbers, answers), strict=True))
    return compare_numbers(
        "order changes nothing", [numbers[index] for index in sorted(order)], alone, model.noise_floor
    )


def _cache(model: Model, questions: list[Question]) -> Check:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.sqlite"
        first = [_numbers(answer) for answer in ask(model, questions, cache=path)]
        again = [_numbers(answer) for answer in ask(model, questions, cache=path)]
    return compare_numbers("the cache changes nothing", again, first, model.noise_floor)


def _sense(model: Model) -> Check:
    """A model whose head was never trained does not prefer a sentence to its own words in random order."""
    sentences = model.likelihood(SAMPLE_TEXTS)
    shuffled = model.likelihood([_shuffle(text) for text in SAMPLE_TEXTS])
    count = sum(sentence > words for sentence, words in zip(sentences, shuffled, strict=True))
    detail = f"{count} of {len(SAMPLE_TEXTS)} sentences are more likely than their own words in random order"
    return Check("the head is not random", count >= len(SAMPLE_TEXTS) - 1, detail)


def _shuffle(text: str) -> str:
    words = text.rstrip(".").split()
    random.Random(1).shuffle(words)
    return " ".join(words) + "."


def _fills(model: Model) -> Iterator[Check]:
    for text in _blanks(model):
        fillings = ", ".join(f"{filling.token} {filling.probability:.2f}" for filling in model.fill(text, 4))
        yield Check(text, True, fillings)


def _numbers(answer: Answer) -> list[float]:
    if isinstance(answer, FillAnswer):
        return [filling.probability for filling in answer.fillings]
    if isinstance(answer, ChooseAnswer):
        return [choice.probability for choice in answer.choices if choice.probability is not None]
    if isinstance(answer, ClassifyAnswer):
        return [label.probability for label in answer.labels]
    return [math.exp(answer.mean)] if isinstance(answer, LikelihoodAnswer) else []
