"""Is this model loaded right? Checks on the model itself that nothing but the question changes an answer."""

from __future__ import annotations

import copy
import math
import random
import tempfile
from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import torch

from tacit.asking import ask
from tacit.models.hf.causal import CausalModel
from tacit.models.hf.masked import MaskedModel
from tacit.models.hf.model import HFModel
from tacit.models.hf.sequences import Sequence, TargetLogprobs, Targets
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

__all__ = ["TOLERANCE", "Check", "examine"]

TOLERANCE = 1e-5
_PLAIN = (
    "He went into the house and sat down.",
    "The king said that he would come to the city.",
    "They have seen the light of the day.",
    "She gave him the book, and he read it.",
    "There was a man who had two sons.",
    "The people of the land were many.",
)
# The same words in every order are equally many tokens, so that these surely meet in one batch.
_EQUALLY_LONG = tuple(
    f"Then the {one} saw the {other} and the {third}." for one, other, third in permutations(("man", "king", "child"))
)
_BLANKS = ("The man went into the [MASK]", "She gave [MASK]", "Why wilt [MASK]")
_WORDS = ("great", "terrible", "house", "unbelievable")
# Beyond this a copy in double precision would crowd the machine.
_MOST_PARAMETERS = 400_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its name, whether it passed, and what was found."""

    name: str
    passed: bool
    found: str


def examine(model: HFModel) -> list[Check]:
    """All checks that make sense for this model's family."""
    questions = _questions(model)
    alone = [_numbers(answer) for question in questions for answer in ask(model, [question], cache=None)]
    checks = [_batch(model, questions, alone), _order(model, questions, alone), _cache(model, questions)]
    if isinstance(model, MaskedModel | CausalModel):
        checks += [_padding(model), _precision(model)]
    if model.family != "classifier":
        checks += [_words(model), _special_tokens(model), _sense(model), *_fills(model)]
    return checks


def _questions(model: HFModel) -> list[Question]:
    if model.family == "classifier":
        return [Classify(text) for text in _PLAIN + _EQUALLY_LONG]
    weighed: list[Question] = [Likelihood(text, model.natural_likelihood) for text in _PLAIN + _EQUALLY_LONG]
    blanks = [_with_blank(model, text) for text in _BLANKS]
    return weighed + [Fill(text, 3) for text in blanks] + [Choose(text, _WORDS) for text in blanks]


def _with_blank(model: HFModel, text: str) -> str:
    # A causal model reads on from the end; the others see that the sentence is over.
    return text if model.family == "causal" else f"{text}."


def _batch(model: HFModel, questions: list[Question], alone: list[list[float]]) -> Check:
    together = [_numbers(answer) for answer in ask(model, questions, cache=None)]
    return _same("batch size changes nothing", together, alone)


def _order(model: HFModel, questions: list[Question], alone: list[list[float]]) -> Check:
    order = list(range(len(questions)))
    random.Random(0).shuffle(order)
    shuffled = ask(model, [questions[i] for i in order], cache=None)
    found = dict(zip(order, map(_numbers, shuffled), strict=True))
    return _same("order changes nothing", [found[i] for i in range(len(order))], alone)


def _cache(model: HFModel, questions: list[Question]) -> Check:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.sqlite"
        first = [_numbers(answer) for answer in ask(model, questions, cache=path)]
        again = [_numbers(answer) for answer in ask(model, questions, cache=path)]
    return _same("the cache changes nothing", again, first)


@torch.inference_mode()
def _padding(model: HFModel) -> Check:
    """The same sentences in one padded batch straight through the network, against equal-length batches."""
    rows = [model.tokens.unblanked(text).ids for text in _PLAIN]
    longest = max(map(len, rows))
    filler = model.tokens.tokenizer.pad_token_id or 0
    ids = torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows], device=model.network.device)
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=model.network.device)
    padded = model.network.model(input_ids=ids, attention_mask=mask).logits
    found = [model.network.head.logprobs_of(padded[k, : len(row)], ids[k, : len(row)]) for k, row in enumerate(rows)]
    exact = _traced(model, rows)
    return _same("padding changes nothing", [each.exp().tolist() for each in found], exact)


def _precision(model: HFModel) -> Check:
    """The same sentences in double precision: what is lost in the precision that the model was loaded in?"""
    name = "single precision is enough"
    if sum(each.numel() for each in model.network.model.parameters()) > _MOST_PARAMETERS:
        return Check(name, True, "not tried: the model is too large to hold twice")
    rows = [model.tokens.unblanked(text).ids for text in _PLAIN]
    single = _traced(model, rows)
    twin = copy.copy(model)
    twin.network = copy.copy(model.network)
    twin.network.model = copy.deepcopy(model.network.model).double()
    twin.network.head = model.network.head.double()
    with torch.inference_mode():
        double = [_plain_scores(twin, row) for row in rows]
    return _same(name, single, double)


def _plain_scores(model: HFModel, row: tuple[int, ...]) -> list[float]:
    ids = torch.tensor([row], device=model.network.device)
    logits = model.network.model(input_ids=ids).logits[0]
    return model.network.head.logprobs_of(logits, ids[0]).exp().tolist()


def _traced(model: HFModel, rows: Seq[tuple[int, ...]]) -> list[list[float]]:
    sequences = [Sequence(row, Targets(tuple(range(len(row))), row)) for row in rows]
    readings = dict(model.network.run(sequences))
    traced = [reading for _, reading in sorted(readings.items()) if isinstance(reading, TargetLogprobs)]
    return [[math.exp(value) for value in reading.logprobs] for reading in traced]


def _words(model: HFModel) -> Check:
    pieces = model.tokens.pieces("great", " ")
    spelled = "".join(model.tokens.names(pieces)).replace("##", "") if pieces else "nothing"
    return Check("a word after a space is itself", spelled.lower() == "great", f"great -> {spelled}")


def _special_tokens(model: HFModel) -> Check:
    text = model.tokens.unblanked(_PLAIN[0])
    added = [token for i, token in enumerate(text.ids) if i not in text.own]
    names = " ".join(model.tokens.tokenizer.convert_ids_to_tokens(added)) or "none"
    if isinstance(model, CausalModel):
        return Check("begin token", True, f"{model.tokens.begin_name or 'none'}: what it does is shown by the fills")
    blank = model.tokens.tokenizer.mask_token or "<extra_id_0>"
    known = model.tokens.tokenizer.convert_tokens_to_ids(blank) != model.tokens.unknown
    return Check("special tokens", known, f"around a text: {names}; the blank: {blank}")


def _sense(model: HFModel) -> Check:
    """A head that was never trained finds words in a senseless order as likely as a sentence."""
    shuffled = [_out_of_order(text) for text in _PLAIN]
    plain = model.likelihood(_PLAIN)
    senseless = model.likelihood(shuffled)
    better = sum(one > other for one, other in zip(plain, senseless, strict=True))
    found = f"{better} of {len(_PLAIN)} sentences are likelier than their own words out of order"
    return Check("the head is not random", better >= len(_PLAIN) - 1, found)


def _out_of_order(text: str) -> str:
    words = text.rstrip(".").split()
    random.Random(1).shuffle(words)
    return " ".join(words) + "."


def _fills(model: HFModel) -> Iterator[Check]:
    for text in (_with_blank(model, blank) for blank in _BLANKS):
        found = ", ".join(f"{each.token} {each.probability:.2f}" for each in model.fill(text, 4))
        yield Check(text, True, found)


def _same(name: str, found: list[list[float]], expected: list[list[float]]) -> Check:
    pairs = [pair for one, other in zip(found, expected, strict=True) for pair in zip(one, other, strict=True)]
    largest = max(abs(one - other) for one, other in pairs)
    return Check(name, largest <= TOLERANCE, f"largest difference {largest:.1e} in {len(pairs)} numbers")


def _numbers(answer: Answer) -> list[float]:
    if isinstance(answer, FillAnswer):
        return [each.probability for each in answer.fillings]
    if isinstance(answer, ChooseAnswer):
        return [each.probability for each in answer.choices if each.probability is not None]
    if isinstance(answer, ClassifyAnswer):
        return [each.probability for each in answer.labels]
    return [math.exp(answer.mean)] if isinstance(answer, LikelihoodAnswer) else list(answer.vector)
