"""Causal language models: a blank at the end is the next word; one inside is answered by whole sentences."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from tacit.errors import TacitError
from tacit.models.base import Family
from tacit.models.hf.model import HFModel, sentence_answer
from tacit.models.hf.sequences import (
    Conversation,
    Sequence,
    TargetLogprobs,
    Targets,
    TokenLogprobs,
    Top,
    TopTokens,
    Wanted,
)
from tacit.models.hf.tokens import Blanked, left_of_blank
from tacit.models.hf.words import Candidates, choices, fillings
from tacit.questions import Choice, Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodMethod, split_blank

__all__ = ["CausalModel"]

_Pieces = tuple[int, ...]


class CausalModel(HFModel):
    """GPT-2, Llama and their kin."""

    family: ClassVar[Family] = "causal"
    likelihoods: ClassVar[tuple[LikelihoodMethod, ...]] = ("causal",)

    def _fill(self, question: Fill) -> Conversation:
        text, right = self._before_blank(question, 1)
        if not right:
            (reading,) = yield [Sequence(text.ids, Top(len(text.ids) - 1, question.top), prefix=text.prefix)]
            assert isinstance(reading, TopTokens)
            return FillAnswer(
                fillings(self.tokens, reading, left_of_blank(question)), "next token", self.tokens.begin_name, text.cut
            )
        shortlist = yield from self._shortlist(text, max(question.shortlist, question.top))
        weighed = yield from self._whole_sentences(text, shortlist, right)
        best = sorted(weighed, key=lambda pieces: -weighed[pieces])[: question.top]
        ordered = TopTokens([pieces[0] for pieces in best], [math.log(weighed[pieces]) for pieces in best])
        found = fillings(self.tokens, ordered, left_of_blank(question))
        return FillAnswer(found, f"whole sentences of {len(weighed)} candidates", self.tokens.begin_name, text.cut)

    def _choose(self, question: Choose) -> Conversation:
        candidates = Candidates(self.tokens, question)
        text, right = self._before_blank(question, candidates.spare + 1)
        if not right:
            several = yield from self._several_tokens(text, candidates.several)
            read = Wanted(len(text.ids) - 1, candidates.single, ranked=True, others=tuple(several.values()))
            (reading,) = yield [Sequence(text.ids, read, prefix=text.prefix)]
            assert isinstance(reading, TokenLogprobs)
            return ChooseAnswer(
                choices(self.tokens, candidates, several, reading), "next token", self.tokens.begin_name, text.cut
            )
        shortlist = yield from self._shortlist(text, question.shortlist)
        asked = [pieces for pieces in candidates.pieces.values() if pieces]
        weighed = yield from self._whole_sentences(text, list(dict.fromkeys([*asked, *shortlist])), right)
        found = tuple(self._choice(word, pieces, weighed) for word, pieces in candidates.pieces.items())
        return ChooseAnswer(found, f"whole sentences of {len(weighed)} candidates", self.tokens.begin_name, text.cut)

    def _choice(self, word: str, pieces: _Pieces | None, weighed: dict[_Pieces, float]) -> Choice:
        if pieces is None:
            return Choice(word, None, None, ())
        rank = 1 + sum(value > weighed[pieces] for value in weighed.values())
        return Choice(word, weighed[pieces], rank, self.tokens.names(pieces))

    def _shortlist(self, text: Blanked, size: int) -> Any:
        """The likeliest next tokens after what stands to the left of the blank."""
        (reading,) = yield [Sequence(text.ids, Top(len(text.ids) - 1, size))]
        assert isinstance(reading, TopTokens)
        return [(token,) for token in reading.ids]

    def _several_tokens(self, text: Blanked, words: tuple[_Pieces, ...]) -> Any:
        """log P of words of several tokens: the product over their tokens."""
        if not words:
            return {}
        readings = yield [self._continued(text, word) for word in words]
        return {word: sum(reading.logprobs) for word, reading in zip(words, readings, strict=True)}

    def _whole_sentences(self, text: Blanked, words: list[_Pieces], right: _Pieces) -> Any:
        """P of each word given both sides: its sentence's likelihood as a share of all candidates' sentences."""
        readings = yield [self._continued(text, word + right) for word in words]
        totals = [sum(reading.logprobs) for reading in readings if isinstance(reading, TargetLogprobs)]
        highest = max(totals)
        shares = [math.exp(total - highest) for total in totals]
        return dict(zip(words, (share / sum(shares) for share in shares), strict=True))

    def _continued(self, text: Blanked, more: _Pieces) -> Sequence:
        last = len(text.ids) - 1
        read = Targets(tuple(range(last, last + len(more))), more)
        # The last token is never read as input; the prefix ends before the one that predicts the first target.
        return Sequence((text.ids + more)[:-1], read, prefix=last)

    def _weigh(self, question: Likelihood) -> Conversation:
        text = self.tokens.unblanked(question.text, question.roles)
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

    def _before_blank(self, question: Fill | Choose, spare: int) -> tuple[Blanked, _Pieces]:
        right = self.tokens.after_word(split_blank(question.text)[1])
        text = self.tokens.open_ended(question, spare + len(right))
        if not text.ids:
            raise TacitError(
                f"Nothing stands before the blank in {question.text!r}, and this model's tokenizer puts no begin token "
                "there: write something before it, or load the model with begin=True (--begin)."
            )
        return text, right
