"""Masked models give the numbers that one sentence at a time through transformers gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tacit import Choose, Fill, Likelihood, ask
from tacit.models import Model
from tacit.questions import ChooseAnswer, FillAnswer, LikelihoodAnswer, compose
from tests.models.hf.reference import Reference
from tests.tiny import MASKED

TEXTS = [
    "Why wilt [MASK] be offended by that?",
    "It was [MASK].",
    "The [MASK] works as a nurse, and she said that the weather was great.",
    "People in [MASK] are kind.",
]
SENTENCES = [
    "People in France are bald.",
    "Thou art the man, and thou knowest it well.",
    "great",
    "He is probably exhausted!",
]
WORDS = ("great", "terrible", "pizza", "weatherman", "kind")


@pytest.fixture(params=MASKED)
def pair(
    request: pytest.FixtureRequest, tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]
) -> tuple[Model, Reference]:
    return tiny(request.param), Reference(tiny_folder(request.param), "masked")


def test_fill_gives_the_likeliest_tokens(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    for text, answer in zip(TEXTS, ask(model, [Fill(text, 7) for text in TEXTS], cache=None), strict=True):
        assert isinstance(answer, FillAnswer)
        ids, place = reference.masked_ids(text)
        values, tokens = reference.logprobs(ids)[place].exp().topk(7)
        assert [f.probability for f in answer.fillings] == pytest.approx(values.tolist(), abs=1e-5)
        assert [f.rank for f in answer.fillings] == list(range(1, 8))
        assert answer.fillings[0].token == model.tokens.spelling(tokens[0].item(), False)


def test_choose_weighs_words_of_one_and_of_several_tokens(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    answers = ask(model, [Choose(text, WORDS) for text in TEXTS], cache=None)
    for text, answer in zip(TEXTS, answers, strict=True):
        assert isinstance(answer, ChooseAnswer)
        ids, place = reference.masked_ids(text)
        single = reference.logprobs(ids)[place]
        for choice in answer.choices:
            expected = reference.word_logprob(text, choice.word)
            assert choice.probability == pytest.approx(math.exp(expected), abs=1e-5)
            assert math.log(choice.probability) == pytest.approx(expected, abs=1e-3)
            assert choice.rank == pytest.approx(1 + int((single > expected).sum()), abs=1)
            assert len(choice.tokens) == len(reference.in_place(choice.word))


@pytest.mark.parametrize("method", ["aul", "pll", "pll-word", "aula"])
def test_likelihood_token_by_token(pair: tuple[Model, Reference], method: str) -> None:
    model, reference = pair
    answers = ask(model, [Likelihood(text, method) for text in SENTENCES], cache=None)  # type: ignore[arg-type]
    for text, answer in zip(SENTENCES, answers, strict=True):
        assert isinstance(answer, LikelihoodAnswer)
        expected = reference.pll(text, method == "pll-word") if "pll" in method else reference.aul(text)
        if method == "aula":
            weights = reference.received_attention(text, reference.model.base_model)
            expected = [value * weight for value, weight in zip(expected, weights, strict=True)]
        assert [token.logprob for token in answer.tokens] == pytest.approx(expected, abs=1e-5)
        assert answer.total == pytest.approx(sum(expected), abs=1e-4)
        assert answer.mean == pytest.approx(sum(expected) / len(expected), abs=1e-5)
        assert answer.count == len(expected)


def test_vector_of_a_span_is_the_mean_of_its_tokens(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    text = "People in France are bald."
    ids, own = reference.own_positions(text)
    spans = reference.tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
    inside = [i for i in own if spans[i][1] > 10 and spans[i][0] < 16]
    with torch.no_grad():
        hidden = reference.model.base_model(input_ids=torch.tensor([ids])).last_hidden_state[0]
    assert model.represent(text, 10, 16) == pytest.approx(hidden[inside].mean(0).tolist(), abs=1e-5)


def test_roles_follow_the_template_down_to_the_tokens(pair: tuple[Model, Reference]) -> None:
    model, _ = pair
    text, roles = compose("People in {region} are {word}.", region="France", word="bald")
    (answer,) = ask(model, [Likelihood(text, "aul", roles)], cache=None)
    assert isinstance(answer, LikelihoodAnswer)
    spelled: dict[str | None, str] = {}
    for token in answer.tokens:
        spelled[token.role] = spelled.get(token.role, "") + token.token.replace("##", "")
    assert spelled["region"].strip().lower() == "france"
    assert spelled["word"].strip().lower() == "bald"


def test_two_segments_are_given_as_the_model_was_trained_to_see_them(
    tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]
) -> None:
    model, reference = tiny("bert"), Reference(tiny_folder("bert"), "masked")
    context, text = "The man worked as a nurse.", "The [MASK] works as a nurse."
    (answer,) = ask(model, [Choose(text, ("woman", "weatherman"), context, pair=True)], cache=None)
    assert isinstance(answer, ChooseAnswer)
    encoded = reference.tokenizer(context, text)
    ids, types = encoded["input_ids"], encoded["token_type_ids"]
    assert 1 in types
    place = ids.index(reference.tokenizer.mask_token_id)
    (woman,) = reference.in_place("woman")[:1]
    expected = reference.logprobs(ids, types=types)[place, woman].exp().item()
    if answer.choices[0].tokens == ("woman",):
        assert answer.choices[0].probability == pytest.approx(expected, abs=1e-6)
    pieces, mask, total = reference.in_place("weatherman"), reference.tokenizer.mask_token_id, 0.0
    for k, piece in enumerate(pieces):
        filled = ids[:place] + pieces[:k] + [mask] * (len(pieces) - k) + ids[place + 1 :]
        scores = reference.logprobs(filled, types=types[:place] + [types[place]] * len(pieces) + types[place + 1 :])
        total += scores[place + k, piece].item()
    assert math.log(answer.choices[1].probability or 0) == pytest.approx(total, abs=1e-4)


def test_great_with_and_without_a_space_are_distinguished(
    tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]
) -> None:
    model, reference = tiny("roberta"), Reference(tiny_folder("roberta"), "masked")
    spaced, bare = model.choose("It was [MASK].", ["great"])[0], model.choose('It was "[MASK]".', ["great"])[0]
    scores = reference.logprobs(*reference.masked_ids("It was [MASK].")[:1])
    place = reference.masked_ids("It was [MASK].")[1]
    token = reference.tokenizer.convert_tokens_to_ids("Ġgreat")
    assert spaced.probability == pytest.approx(scores[place, token].exp().item(), abs=1e-6)
    assert bare.tokens != spaced.tokens


def test_pizza_is_never_scored_as_its_first_piece(pair: tuple[Model, Reference]) -> None:
    model, reference = pair
    (choice,) = model.choose("The [MASK] was great.", ["pizza"])
    pieces = reference.in_place("pizza")
    assert len(pieces) > 1
    ids, place = reference.masked_ids("The [MASK] was great.")
    first = reference.logprobs(ids)[place, pieces[0]].exp().item()
    assert choice.probability is not None
    assert choice.probability < first / 2
    assert len(choice.tokens) == len(pieces)


def test_a_word_beyond_the_vocabulary_is_reported(tiny: Callable[[str], Model]) -> None:
    snowman, great = tiny("bert").choose("It was [MASK].", ["☃", "great"])
    assert (snowman.probability, snowman.rank, snowman.tokens) == (None, None, ())
    assert great.probability is not None
