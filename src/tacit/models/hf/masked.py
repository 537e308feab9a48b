"""Masked language models: the blank is a mask token, filled from the text on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tacit.models.base import Family
from tacit.models.hf.model import HFModel, sentence_answer
from tacit.models.hf.sequences import (
    Conversation,
    Pieces,
    Reading,
    Sequence,
    TargetLogprobs,
    Targets,
    TokenLogprobs,
    Top,
    TopTokens,
    Wanted,
    WordScores,
)
from tacit.models.hf.tokens import BlankText, WholeText, left_of_blank
from tacit.models.hf.words import Candidates, choices, fillings
from tacit.questions import Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodMethod

__all__ = ["MaskedModel", "attention_weighted"]


class MaskedModel(HFModel):
    """BERT, RoBERTa, ALBERT, ELECTRA and the like."""

    family: Family = "masked"
    likelihoods: tuple[LikelihoodMethod, ...] = ("pll", "pll-word", "aul", "aula")

    def _fill(self, question: Fill) -> Conversation:
        text = self.tokens.encode_blank(question, self._mask)
        (reading,) = yield [Sequence(text.ids, Top(text.blank, question.top), text.types)]
        assert isinstance(reading, TopTokens)
        return FillAnswer(fillings(self.tokens, reading, left_of_blank(question)), "mask", cut=text.cut)

    def _choose(self, question: Choose) -> Conversation:
        candidates = Candidates(self.tokens, question)
        text = self.tokens.encode_blank(question, self._mask, candidates.spare)
        multi = yield from self._multi_token_logprobs(text, candidates.multi)
        read = Wanted(text.blank, candidates.single, ranked=True, others=tuple(multi.values()))
        (reading,) = yield [Sequence(text.ids, read, text.types)]
        assert isinstance(reading, TokenLogprobs)
        return ChooseAnswer(choices(self.tokens, candidates, multi, reading), "mask", cut=text.cut)

    def _multi_token_logprobs(self, text: BlankText, words: tuple[Pieces, ...]) -> WordScores:
        """log P of words of several tokens: one mask per token, filled left to right; shared beginnings run once."""
        if not words:
            return {}
        next_tokens: dict[tuple[int, Pieces], list[int]] = defaultdict(list)
        for word in words:
            for k, token in enumerate(word):
                next_tokens[len(word), word[:k]].append(token)
        steps = {step: tuple(dict.fromkeys(ids)) for step, ids in next_tokens.items()}
        readings = yield [self._step(text, length, known, ids) for (length, known), ids in steps.items()]
        logprobs: dict[tuple[int, Pieces], float] = {}
        for ((length, known), ids), reading in zip(steps.items(), readings, strict=True):
            assert isinstance(reading, TokenLogprobs)
            scores = zip(ids, reading.logprobs, strict=True)
            logprobs |= {(length, (*known, token)): value for token, value in scores}
        return {word: sum(logprobs[len(word), word[: k + 1]] for k in range(len(word))) for word in words}

    def _step(self, text: BlankText, length: int, known: Pieces, ids: Pieces) -> Sequence:
        """The text with a word of `length` tokens in its blank, of which `known` are filled and the rest are masks."""
        masks = (self._mask_id,) * (length - len(known))
        filled = text.ids[: text.blank] + known + masks + text.ids[text.blank + 1 :]
        word_types = text.types[text.blank : text.blank + 1] * length
        types = text.types and text.types[: text.blank] + word_types + text.types[text.blank + 1 :]
        return Sequence(filled, Wanted(text.blank + len(known), ids), types)

    def _likelihood(self, question: Likelihood) -> Conversation:
        text = self.tokens.encode_whole(question.text, question.roles)
        own_ids = tuple(text.ids[position] for position in text.own)
        if question.method in {"aul", "aula"}:
            read = Targets(text.own, own_ids, attended=question.method == "aula")
            readings = yield [Sequence(text.ids, read, text.types)]
        else:
            readings = yield [self._with_token_masked(text, k, question.method) for k in range(len(own_ids))]
        logprobs = attention_weighted(readings)
        return sentence_answer(self.tokens.names(own_ids), logprobs, text.roles, question)

    def _with_token_masked(self, text: WholeText, k: int, method: LikelihoodMethod) -> Sequence:
        """Mask token k; `pll-word` also masks the tokens after it in its word, so that they cannot leak the answer."""
        masked = {text.own[k]}
        if method == "pll-word":
            masked |= {text.own[j] for j in range(k, len(text.own)) if text.words[j] == text.words[k]}
        ids = tuple(self._mask_id if i in masked else token for i, token in enumerate(text.ids))
        return Sequence(ids, Targets((text.own[k],), (text.ids[text.own[k]],)), text.types)

    @property
    def _mask(self) -> str:
        return str(self.tokens.tokenizer.mask_token)

    @property
    def _mask_id(self) -> int:
        return int(self.tokens.tokenizer.mask_token_id)


def attention_weighted(readings: Iterable[Reading]) -> list[float]:
    """All log-probabilities; where attention was read (AULA), each is weighted by the attention its token receives.

    Kaneko and Bollegala 2022, Eq. 5.
    """
    logprobs: list[float] = []
    for reading in readings:
        assert isinstance(reading, TargetLogprobs)
        if reading.attention:
            logprobs += [value * weight for value, weight in zip(reading.logprobs, reading.attention, strict=True)]
        else:
            logprobs += reading.logprobs
    return logprobs
