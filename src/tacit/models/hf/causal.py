"""Causal language models: a blank at the end is the next word; a blank inside is scored by whole sentences."""

from __future__ import annotations

import math
from collections.abc import Generator

from tacit.errors import ModelError
from tacit.models.base import Family
from tacit.models.hf.model import ConversationModel, HFModel, sentence_answer
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
from tacit.models.hf.tokens import BlankText, left_of_blank
from tacit.models.hf.words import Candidates, choices, fillings
from tacit.questions import Choice, Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodMethod, split_blank

__all__ = ["CausalConversations", "CausalModel"]

_Shortlist = Generator[list[Sequence], list[Reading], list[Pieces]]


class CausalConversations(ConversationModel):
    """How causal models are asked, in this process or behind an endpoint."""

    family: Family = "causal"
    likelihoods: tuple[LikelihoodMethod, ...] = ("causal",)

    def _fill(self, question: Fill) -> Conversation:
        text, right = self._before_blank(question, 1)
        if not right:
            (reading,) = yield [Sequence(text.ids, Top(len(text.ids) - 1, question.top), prefix=text.prefix)]
            assert isinstance(reading, TopTokens)
            return FillAnswer(
                fillings(self.tokens, reading, left_of_blank(question)), "next token", self.tokens.begin_name, text.cut
            )
        shortlist = yield from self._shortlist(text, max(question.shortlist, question.top))
        shares = yield from self._sentence_shares(text, shortlist, right)
        best = sorted(shares, key=lambda pieces: -shares[pieces])[: question.top]
        ordered = TopTokens([pieces[0] for pieces in best], [math.log(shares[pieces]) for pieces in best])
        best_fillings = fillings(self.tokens, ordered, left_of_blank(question))
        scoring = f"whole sentences of {len(shares)} candidates"
        return FillAnswer(best_fillings, scoring, self.tokens.begin_name, text.cut)

    def _choose(self, question: Choose) -> Conversation:
        candidates = Candidates(self.tokens, question)
        text, right = self._before_blank(question, candidates.spare + 1)
        if not right:
            multi = yield from self._multi_token_logprobs(text, candidates.multi)
            read = Wanted(len(text.ids) - 1, candidates.single, ranked=True, others=tuple(multi.values()))
            (reading,) = yield [Sequence(text.ids, read, prefix=text.prefix)]
            assert isinstance(reading, TokenLogprobs)
            return ChooseAnswer(
                choices(self.tokens, candidates, multi, reading), "next token", self.tokens.begin_name, text.cut
            )
        shortlist = yield from self._shortlist(text, question.shortlist)
        asked = [pieces for pieces in candidates.pieces.values() if pieces]
        shares = yield from self._sentence_shares(text, list(dict.fromkeys([*asked, *shortlist])), right)
        word_choices = tuple(self._choice(word, pieces, shares) for word, pieces in candidates.pieces.items())
        scoring = f"whole sentences of {len(shares)} candidates"
        return ChooseAnswer(word_choices, scoring, self.tokens.begin_name, text.cut)

    def _choice(self, word: str, pieces: Pieces | None, shares: dict[Pieces, float]) -> Choice:
        if pieces is None:
            return Choice(word, None, None, ())
        rank = 1 + sum(share > shares[pieces] for share in shares.values())
        return Choice(word, shares[pieces], rank, self.tokens.names(pieces))

    def _shortlist(self, text: BlankText, size: int) -> _Shortlist:
        """The most likely tokens after the text before the blank."""
        (reading,) = yield [Sequence(text.ids, Top(len(text.ids) - 1, size))]
        assert isinstance(reading, TopTokens)
        return [(token,) for token in reading.ids]

    def _multi_token_logprobs(self, text: BlankText, words: tuple[Pieces, ...]) -> WordScores:
        """log P of words of several tokens: the product over their tokens."""
        if not words:
            return {}
        readings = yield [self._continued(text, word) for word in words]
        return dict(zip(words, _totals(readings), strict=True))

    def _sentence_shares(self, text: BlankText, words: list[Pieces], right: Pieces) -> WordScores:
        """P of each word given both sides: the likelihood of its sentence as a share of all candidates' sentences."""
        readings = yield [self._continued(text, word + right) for word in words]
        totals = _totals(readings)
        highest = max(totals)
        likelihoods = [math.exp(total - highest) for total in totals]
        return dict(zip(words, (value / sum(likelihoods) for value in likelihoods), strict=True))

    def _continued(self, text: BlankText, targets: Pieces) -> Sequence:
        """The text before the blank, followed by tokens whose log-probabilities are read."""
        last = len(text.ids) - 1
        read = Targets(tuple(range(last, last + len(targets))), targets)
        # The last token predicts nothing that is read; the prefix ends before the token that predicts the first target.
        return Sequence((text.ids + targets)[:-1], read, prefix=last)

    def _likelihood(self, question: Likelihood) -> Conversation:
        text = self.tokens.encode_whole(question.text, question.roles)
        own = tuple(text.ids[position] for position in text.own)
        ids = self.tokens.begin + own
        first = 0 if self.tokens.begin else 1
        targets = own[first:]
        logprobs: list[float | None] = [None] * first
        if targets:
            start = len(ids) - len(targets) - 1
            (reading,) = yield [Sequence(ids[:-1], Targets(tuple(range(start, len(ids) - 1)), targets))]
            assert isinstance(reading, TargetLogprobs)
            logprobs += reading.logprobs
        return sentence_answer(self.tokens.names(own), logprobs, text.roles, question, self.tokens.begin_name)

    def _before_blank(self, question: Fill | Choose, spare: int) -> tuple[BlankText, Pieces]:
        right = self.tokens.after_word(split_blank(question.text)[1])
        text = self.tokens.encode_left(question, spare + len(right))
        if not text.ids:
            raise ModelError(
                f"Nothing comes before the blank in {question.text!r}, and this model's tokenizer puts no begin token "
                "there. Write something before it, or load the model with begin=True (--begin)."
            )
        return text, right


class CausalModel(CausalConversations, HFModel):
    """GPT-2, Llama, Gemma and the like, in this process."""


def _totals(readings: list[Reading]) -> list[float]:
    return [sum(reading.logprobs) for reading in readings if isinstance(reading, TargetLogprobs)]
