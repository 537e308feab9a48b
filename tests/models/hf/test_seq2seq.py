"""BART is read in its decoder at the mask, T5 after its sentinel; both against one sentence at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit import Likelihood, TacitError, ask
from tacit.models import Model
from tacit.questions import LikelihoodAnswer
from tests.models.hf.reference import Reference

SENTENCES = ["People in France are bald.", "Thou art the man, and thou knowest it well.", "He is exhausted!"]
TEXTS = ["Why wilt [MASK] be offended by that?", "It was [MASK]."]
WORDS = ["great", "terrible", "pizza", "weatherman"]


@pytest.fixture
def bart(tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]) -> tuple[Model, Reference]:
    return tiny("bart"), Reference(tiny_folder("bart"), "seq2seq")


@pytest.fixture
def t5(tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]) -> tuple[Model, Reference]:
    return tiny("t5"), Reference(tiny_folder("t5"), "seq2seq")


def _decoded(reference: Reference, encoder: list[int], decoder: list[int], pieces: list[int]) -> float:
    scores = reference.logprobs(encoder, decoder + pieces)
    return sum(scores[len(decoder) - 1 + k, piece].item() for k, piece in enumerate(pieces))


def test_bart_words_at_the_mask(bart: tuple[Model, Reference]) -> None:
    model, reference = bart
    for text in TEXTS:
        ids, place = reference.masked_ids(text)
        shifted = [2, *ids[:-1]]
        values = reference.logprobs(ids, shifted)[place].exp().topk(5).values.tolist()
        assert [f.probability for f in model.fill(text)] == pytest.approx(values, abs=1e-5)
        for choice in model.choose(text, WORDS):
            expected = _decoded(reference, ids, shifted[: place + 1], reference.in_place(choice.word))
            assert math.log(choice.probability or 0) == pytest.approx(expected, abs=1e-4)


def test_bart_likelihoods(bart: tuple[Model, Reference]) -> None:
    model, reference = bart
    for text in SENTENCES:
        ids, own = reference.own_positions(text)
        scores = reference.logprobs(ids, [2, *ids[:-1]])
        aul = [scores[i, ids[i]].item() for i in own]
        weights = reference.received_attention(text, reference.model.get_encoder())
        words = reference.tokenizer(text).word_ids()
        assert model.likelihood([text], "aul", "total") == pytest.approx([sum(aul)], abs=1e-4)
        aula = sum(value * weight for value, weight in zip(aul, weights, strict=True))
        assert model.likelihood([text], "aula", "total") == pytest.approx([aula], abs=1e-4)
        for method in ("pll", "pll-word"):
            expected = 0.0
            for i in own:
                hidden = {j for j in own if j == i or (method == "pll-word" and words[j] == words[i] and j > i)}
                masked = [reference.tokenizer.mask_token_id if j in hidden else t for j, t in enumerate(ids)]
                expected += _decoded(reference, masked, [2, *ids[:i]], [ids[i]])
            assert model.likelihood([text], method, "total") == pytest.approx([expected], abs=1e-4)  # type: ignore[arg-type]


def test_t5_words_after_the_sentinel(t5: tuple[Model, Reference]) -> None:
    model, reference = t5
    sentinel = reference.tokenizer.convert_tokens_to_ids("<extra_id_0>")
    for text in TEXTS:
        ids = reference.tokenizer(text.replace("[MASK]", "<extra_id_0>"))["input_ids"]
        values = reference.logprobs(ids, [0, sentinel])[1].exp().topk(5).values.tolist()
        assert [f.probability for f in model.fill(text)] == pytest.approx(values, abs=1e-5)
        for choice in model.choose(text, WORDS):
            expected = _decoded(reference, ids, [0, sentinel], reference.in_place(choice.word))
            assert math.log(choice.probability or 0) == pytest.approx(expected, abs=1e-4)


def test_t5_pseudo_likelihood_hides_each_token_behind_the_sentinel(t5: tuple[Model, Reference]) -> None:
    model, reference = t5
    sentinel = reference.tokenizer.convert_tokens_to_ids("<extra_id_0>")
    for text in SENTENCES:
        ids, own = reference.own_positions(text)
        words = reference.tokenizer(text).word_ids()
        for method in ("pll", "pll-word"):
            expected = []
            for i in own:
                last = max([j for j in own if words[j] == words[i] and j >= i]) if method == "pll-word" else i
                expected.append(_decoded(reference, [*ids[:i], sentinel, *ids[last + 1 :]], [0, sentinel], [ids[i]]))
            (answer,) = ask(model, [Likelihood(text, method)], cache=None)  # type: ignore[arg-type]
            assert isinstance(answer, LikelihoodAnswer)
            assert [token.logprob for token in answer.tokens] == pytest.approx(expected, abs=1e-5)


def test_t5_has_no_unmasked_likelihood(t5: tuple[Model, Reference]) -> None:
    with pytest.raises(TacitError, match=r"seq2seq model .* has no likelihood 'aul'; it has pll, pll-word"):
        t5[0].likelihood(["It was great."], method="aul")


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_vectors_come_from_the_encoder(kind: str, tiny: Callable[[str], Model]) -> None:
    alone = tiny(kind).represent("People in France are bald.", 10, 16)
    again = tiny(kind).represent("People in Spain are bald.", 10, 15)
    assert len(alone) == 32
    assert alone != pytest.approx(again, abs=1e-3)
