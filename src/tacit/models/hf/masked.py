"""Masked language models: the blank is a mask that the model fills from both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from typing import ClassVar

from tacit.models.base import Family
from tacit.models.hf.model import HFModel, sentence_answer
from tacit.models.hf.sequences import (
    Conversation,
    Reading,
    Sequence,
    TargetLogprobs,
    Targets,
    TokenLogprobs,
    Top,
    TopTokens,
    Wanted,
)
from tacit.models.hf.tokens import Blanked, Unblanked, left_of_blank
from tacit.models.hf.words import Candidates, choices, fillings
from tacit.questions import Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodMethod

__all__ = ["MaskedModel", "weighted"]

_Pieces = tuple[int, ...]
_Scores = Generator[list[Sequence], list[Reading], dict[_Pieces, float]]


class MaskedModel(HFModel):
    """BERT and its kin."""

    family: ClassVar[Family] = "masked"
    likelihoods: ClassVar[tuple[LikelihoodMethod, ...]] = ("pll", "pll-word", "aul", "aula")

    def _fill(self, question: Fill) -> Conversation:
        text = self.tokens.blanked(question, self._mask)
        (reading,) = yield [Sequence(text.ids, Top(text.blank, question.top), text.types)]
        assert isinstance(reading, TopTokens)
        return FillAnswer(fillings(self.tokens, reading, left_of_blank(question)), "mask", cut=text.cut)

    def _choose(self, question: Choose) -> Conversation:
        candidates = Candidates(self.tokens, question)
        text = self.tokens.blanked(question, self._mask, candidates.spare)
        several = yield from self._several_tokens(text, candidates.several)
        read = Wanted(text.blank, candidates.single, ranked=True, others=tuple(several.values()))
        (reading,) = yield [Sequence(text.ids, read, text.types)]
        assert isinstance(reading, TokenLogprobs)
        return ChooseAnswer(choices(self.tokens, candidates, several, reading), "mask", cut=text.cut)

    def _several_tokens(self, text: Blanked, words: tuple[_Pieces, ...]) -> _Scores:
        """log P of words of several tokens: one mask a token, filled from left to right; shared beginnings run once."""
        if not words:
            return {}
        nexts: dict[tuple[int, _Pieces], list[int]] = defaultdict(list)
        for word in words:
            for k, token in enumerate(word):
                nexts[len(word), word[:k]].append(token)
        steps = {step: tuple(dict.fromkeys(ids)) for step, ids in nexts.items()}
        readings = yield [self._step(text, length, known, ids) for (length, known), ids in steps.items()]
        logprobs: dict[tuple[int, _Pieces], float] = {}
        for ((length, known), ids), reading in zip(steps.items(), readings, strict=True):
            assert isinstance(reading, TokenLogprobs)
            found = zip(ids, reading.logprobs, strict=True)
            logprobs |= {(length, (*known, token)): value for token, value in found}
        return {word: sum(logprobs[len(word), word[: k + 1]] for k in range(len(word))) for word in words}

    def _step(self, text: Blanked, length: int, known: _Pieces, ids: _Pieces) -> Sequence:
        masks = (self._mask_id,) * (length - len(known))
        filled = text.ids[: text.blank] + known + masks + text.ids[text.blank + 1 :]
        types = (
            text.types
            and text.types[: text.blank]
            + text.types[text.blank : text.blank + 1] * length
            + (text.types[text.blank + 1 :])
        )
        return Sequence(filled, Wanted(text.blank + len(known), ids), types)

    def _weigh(self, question: Likelihood) -> Conversation:
        text = self.tokens.unblanked(question.text, question.roles)
        own_ids = tuple(text.ids[position] for position in text.own)
        if question.method in {"aul", "aula"}:
            read = Targets(text.own, own_ids, attended=question.method == "aula")
            readings = yield [Sequence(text.ids, read, text.types)]
        else:
            readings = yield [self._with_hidden(text, k, question.method) for k in range(len(own_ids))]
        logprobs = [v for reading in readings if isinstance(reading, TargetLogprobs) for v in weighted(reading)]
        return sentence_answer(self.tokens.names(own_ids), logprobs, text.roles, question)

    def _with_hidden(self, text: Unblanked, k: int, method: LikelihoodMethod) -> Sequence:
        """Token k masked; for `pll-word` with the tokens that follow it in its word, lest they give it away."""
        hidden = {text.own[k]}
        if method == "pll-word":
            hidden |= {text.own[j] for j in range(k, len(text.own)) if text.words[j] == text.words[k]}
        ids = tuple(self._mask_id if i in hidden else token for i, token in enumerate(text.ids))
        return Sequence(ids, Targets((text.own[k],), (text.ids[text.own[k]],)), text.types)

    @property
    def _mask(self) -> str:
        return str(self.tokens.tokenizer.mask_token)

    @property
    def _mask_id(self) -> int:
        return int(self.tokens.tokenizer.mask_token_id)


def weighted(reading: TargetLogprobs) -> list[float]:
    """AULA weighs each log-probability by the attention that its token receives (Kaneko and Bollegala 2022, Eq. 5)."""
    if not reading.attention:
        return reading.logprobs
    return [value * weight for value, weight in zip(reading.logprobs, reading.attention, strict=True)]
