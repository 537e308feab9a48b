"""Sequence-to-sequence models: BART rebuilds the text in its decoder, T5 says what its sentinel stands for."""

from __future__ import annotations

from typing import Any, ClassVar

from tacit.models.base import Family
from tacit.models.hf.masked import weighted
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
from tacit.models.hf.tokens import Unblanked, left_of_blank
from tacit.models.hf.words import Candidates, choices, fillings
from tacit.questions import Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodMethod

__all__ = ["SENTINEL", "DenoisingModel", "SentinelModel"]

SENTINEL = "<extra_id_0>"
_Pieces = tuple[int, ...]


class _Seq2SeqModel(HFModel):
    """What both kinds share: the encoder sees the blank, the decoder is read where the blank's word would come."""

    family: ClassVar[Family] = "seq2seq"
    scoring: ClassVar[str]

    def _fill(self, question: Fill) -> Conversation:
        encoder, decoder, cut = self._read_here(question, 0)
        (reading,) = yield [Sequence(encoder, Top(len(decoder) - 1, question.top), decoder=decoder)]
        assert isinstance(reading, TopTokens)
        return FillAnswer(fillings(self.tokens, reading, self._left(question)), self.scoring, cut=cut)

    def _choose(self, question: Choose) -> Conversation:
        candidates = Candidates(self.tokens, question, self._left(question))
        encoder, decoder, cut = self._read_here(question, candidates.spare)
        last = len(decoder) - 1
        several = yield from self._several_tokens(encoder, decoder, candidates.several)
        read = Wanted(last, candidates.single, ranked=True, others=tuple(several.values()))
        (reading,) = yield [Sequence(encoder, read, decoder=decoder)]
        assert isinstance(reading, TokenLogprobs)
        return ChooseAnswer(choices(self.tokens, candidates, several, reading), self.scoring, cut=cut)

    def _several_tokens(self, encoder: _Pieces, decoder: _Pieces, words: tuple[_Pieces, ...]) -> Any:
        """log P of words of several tokens: the product over their tokens."""
        if not words:
            return {}
        last = len(decoder) - 1
        readings = yield [
            Sequence(encoder, Targets(tuple(range(last, last + len(word))), word), decoder=decoder + word[:-1])
            for word in words
        ]
        return {word: sum(reading.logprobs) for word, reading in zip(words, readings, strict=True)}

    def _weigh(self, question: Likelihood) -> Conversation:
        text = self.tokens.unblanked(question.text, question.roles)
        own = tuple(text.ids[position] for position in text.own)
        readings = yield self._weighing(text, own, question.method)
        logprobs = [value for reading in readings if isinstance(reading, TargetLogprobs) for value in weighted(reading)]
        return sentence_answer(self.tokens.names(own), logprobs, text.roles, question)

    def _read_here(self, question: Fill | Choose, spare: int) -> tuple[_Pieces, _Pieces, int]:
        """The encoder's tokens, the decoder's up to where the blank's word would come, and how many were cut."""
        raise NotImplementedError

    def _left(self, question: Fill | Choose) -> str:
        return left_of_blank(question)

    def _weighing(self, text: Unblanked, own: _Pieces, method: LikelihoodMethod) -> list[Sequence]:
        raise NotImplementedError

    def _hidden(self, text: Unblanked, k: int, method: LikelihoodMethod) -> int:
        """How many tokens from token k on are hidden: itself, or for `pll-word` the rest of its word too."""
        if method != "pll-word":
            return 1
        return sum(word == text.words[k] for word in text.words[k:])

    @property
    def _start(self) -> _Pieces:
        config: Any = self.network.model.config
        return (int(config.decoder_start_token_id),)


class DenoisingModel(_Seq2SeqModel):
    """BART: the decoder rebuilds the text token by token, and is read at the place of the mask."""

    likelihoods: ClassVar[tuple[LikelihoodMethod, ...]] = ("aul", "aula", "pll", "pll-word")
    scoring: ClassVar[str] = "denoising"

    def _read_here(self, question: Fill | Choose, spare: int) -> tuple[_Pieces, _Pieces, int]:
        text = self.tokens.blanked(question, str(self.tokens.tokenizer.mask_token), spare)
        return text.ids, self._start + text.ids[: text.blank], text.cut

    def _weighing(self, text: Unblanked, own: _Pieces, method: LikelihoodMethod) -> list[Sequence]:
        if method in {"aul", "aula"}:
            read = Targets(text.own, own, attended=method == "aula")
            return [Sequence(text.ids, read, decoder=self._start + text.ids[:-1])]
        return [self._with_hidden(text, k, self._hidden(text, k, method)) for k in range(len(own))]

    def _with_hidden(self, text: Unblanked, k: int, count: int) -> Sequence:
        mask = int(self.tokens.tokenizer.mask_token_id)
        place = text.own[k]
        encoder = text.ids[:place] + (mask,) * count + text.ids[place + count :]
        return Sequence(encoder, Targets((place,), (text.ids[place],)), decoder=self._start + text.ids[:place])


class SentinelModel(_Seq2SeqModel):
    """T5: a sentinel stands in the blank, and the decoder, given that sentinel, says what it hides."""

    likelihoods: ClassVar[tuple[LikelihoodMethod, ...]] = ("pll", "pll-word")
    scoring: ClassVar[str] = "sentinel"

    def _read_here(self, question: Fill | Choose, spare: int) -> tuple[_Pieces, _Pieces, int]:
        text = self.tokens.blanked(question, SENTINEL)
        return text.ids, self._opening, text.cut

    def _left(self, question: Fill | Choose) -> str:
        # The decoder opens with the sentinel, so the word always stands after a space there.
        return " "

    def _weighing(self, text: Unblanked, own: _Pieces, method: LikelihoodMethod) -> list[Sequence]:
        return [self._with_hidden(text, k, self._hidden(text, k, method)) for k in range(len(own))]

    def _with_hidden(self, text: Unblanked, k: int, count: int) -> Sequence:
        place = text.own[k]
        encoder = text.ids[:place] + self._opening[-1:] + text.ids[place + count :]
        return Sequence(encoder, Targets((1,), (text.ids[place],)), decoder=self._opening)

    @property
    def _opening(self) -> _Pieces:
        return (*self._start, int(self.tokens.tokenizer.convert_tokens_to_ids(SENTINEL)))
