"""Causal models: next words, whole sentences and begin tokens, against one sentence at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import tacit
from tacit import Choose, Fill, Likelihood, TacitError, ask
from tacit.models import Model
from tacit.questions import ChooseAnswer, FillAnswer, LikelihoodAnswer
from tests.models.hf.reference import Reference
from tests.tiny import CAUSAL

SENTENCES = ["People in France are bald.", "Thou art the man, and thou knowest it well.", "He is probably exhausted!"]
WORDS = ("great", "terrible", "pizza", "weatherman")


@pytest.fixture(params=CAUSAL)
def pair(
    request: pytest.FixtureRequest, tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]
) -> tuple[Model, Reference]:
    return tiny(request.param), Reference(tiny_folder(request.param), "causal")


def test_a_blank_at_the_end_is_the_next_word(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    for text in ("Why wilt [MASK]", "The nurse said that it was ___"):
        left = reference.tokenizer(text.replace("[MASK]", "").replace("___", "").rstrip())["input_ids"]
        values, tokens = reference.logprobs(left)[-1].exp().topk(6)
        (answer,) = ask(model, [Fill(text, 6)], cache=None)
        assert isinstance(answer, FillAnswer)
        assert answer.scoring == "next token"
        assert [f.probability for f in answer.fillings] == pytest.approx(values.tolist(), abs=1e-5)
        assert answer.fillings[0].token == model.tokens.spelling(tokens[0].item(), False)


def test_words_of_several_tokens_get_the_product(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    left = reference.tokenizer("The pizza was")["input_ids"]
    single = reference.logprobs(left)[-1]
    for choice in model.choose("The pizza was [MASK]", WORDS):
        expected = reference.continuation(left, reference.in_place(choice.word))
        assert math.log(choice.probability or 0) == pytest.approx(expected, abs=1e-4)
        assert choice.rank == pytest.approx(1 + int((single > expected).sum()), abs=1)


def test_a_blank_inside_is_answered_by_whole_sentences(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    text, size = "Why wilt [MASK] be offended by that?", 30
    left = reference.tokenizer("Why wilt")["input_ids"]
    whole = reference.tokenizer("Why wilt great be offended by that?")["input_ids"]
    right = whole[len(left) + len(reference.in_place("great")) :]
    shortlist = [(i,) for i in reference.logprobs(left)[-1].topk(size).indices.tolist()]
    words = [tuple(reference.in_place(word)) for word in WORDS]
    totals = {c: reference.continuation(left, [*c, *right]) for c in dict.fromkeys([*words, *shortlist])}
    norm = math.log(sum(math.exp(total) for total in totals.values()))
    (answer,) = ask(model, [Choose(text, WORDS, shortlist=size)], cache=None)
    assert isinstance(answer, ChooseAnswer)
    assert answer.scoring == f"whole sentences of {len(totals)} candidates"
    for choice, pieces in zip(answer.choices, words, strict=True):
        assert choice.probability == pytest.approx(math.exp(totals[pieces] - norm), rel=1e-3)
        assert choice.rank == 1 + sum(total > totals[pieces] for total in totals.values())
    (filled,) = ask(model, [Fill(text, 3, shortlist=size)], cache=None)
    assert isinstance(filled, FillAnswer)
    best = max(shortlist, key=lambda candidate: totals[candidate])
    assert filled.fillings[0].token == model.tokens.spelling(best[0], False)


def test_likelihood_follows_the_tokenizers_begin_convention(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    for text in SENTENCES:
        ids = reference.tokenizer(text)["input_ids"]
        scores = reference.logprobs(ids)
        expected = [scores[i - 1, ids[i]].item() for i in range(1, len(ids))]
        (answer,) = ask(model, [Likelihood(text, "causal")], cache=None)
        assert isinstance(answer, LikelihoodAnswer)
        assert [t.logprob for t in answer.tokens if t.logprob is not None] == pytest.approx(expected, abs=1e-5)
        assert answer.mean == pytest.approx(sum(expected) / len(expected), abs=1e-5)
        assert answer.begin == ("<s>" if ids[0] == 0 else None)


def test_the_begin_token_can_be_overridden_and_is_recorded(tiny_folder: Callable[[str], Path]) -> None:
    reference = Reference(tiny_folder("gpt2"), "causal")
    plain, begun = tacit.load(tiny_folder("gpt2")), tacit.load(tiny_folder("gpt2"), begin=True)
    ids = [0, *reference.tokenizer("It was great.")["input_ids"]]
    scores = reference.logprobs(ids)
    expected = sum(scores[i - 1, ids[i]].item() for i in range(1, len(ids)))
    assert begun.likelihood(["It was great."], reduce="total") == pytest.approx([expected], abs=1e-5)
    assert plain.likelihood(["It was great."], reduce="total") != pytest.approx([expected], abs=1e-2)
    assert begun.fingerprint != plain.fingerprint
    (answer,) = ask(begun, [Fill("It was [MASK]")], cache=None)
    assert isinstance(answer, FillAnswer)
    assert answer.begin == "<s>"
    assert begun.fill("[MASK] was great.")
    with pytest.raises(TacitError, match="Nothing comes before the blank"):
        plain.fill("[MASK] was great.")


def test_a_shared_context_changes_no_number(pair: tuple[Model, Reference]) -> None:
    model, _ = pair
    review = "The pizza was great and the service was terrible, she said."
    questions = [
        Choose(f"{word} {word} It was [MASK]", ("great", "terrible", "pizza"), review)
        for word in ("nurse", "France", "happy", "chair")
    ]
    together = list(ask(model, questions, cache=None))
    for question, answer in zip(questions, together, strict=True):
        (alone,) = ask(model, [Choose(f"{review} {question.text}", question.words)], cache=None)
        assert isinstance(answer, ChooseAnswer)
        assert isinstance(alone, ChooseAnswer)
        for choice, expected in zip(answer.choices, alone.choices, strict=True):
            assert choice.probability == pytest.approx(expected.probability, rel=1e-4)
            assert choice.tokens == expected.tokens


def test_masked_likelihoods_are_refused(tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match=r"causal model .* has no likelihood 'aul'"):
        tiny("gpt2").likelihood(["It was great."], method="aul")
