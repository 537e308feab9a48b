"""Sequence-to-sequence models: BART restores the text in its decoder, T5 predicts what its sentinel replaces."""

from __future__ import annotations

from abc import abstractmethod

from tacit.models.base import Family
from tacit.models.hf.masked import attention_weighted
from tacit.models.hf.model import HFModel, sentence_answer
from tacit.models.hf.sequences import (
    Conversation,
    Pieces,
    Sequence,
    TargetLogprobs,
    Targets,
    TokenLogprobs,
    Top,
    TopTokens,
    Wanted,
    WordScores,
)
from tacit.models.hf.tokens import WholeText, left_of_blank
from tacit.models.hf.words import Candidates, choices, fillings
from tacit.questions import Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodMethod

__all__ = ["SENTINEL", "DenoisingModel", "SentinelModel"]

SENTINEL = "<extra_id_0>"


class _Seq2SeqModel(HFModel):
    """What BART and T5 share: the encoder sees the blank, and the decoder is read where the word would come."""

    family: Family = "seq2seq"
    scoring: str

    def _fill(self, question: Fill) -> Conversation:
        encoder, decoder, cut = self._encode_blank(question, 0)
        (reading,) = yield [Sequence(encoder, Top(len(decoder) - 1, question.top), decoder=decoder)]
        assert isinstance(reading, TopTokens)
        return FillAnswer(fillings(self.tokens, reading, self._left(question)), self.scoring, cut=cut)

    def _choose(self, question: Choose) -> Conversation:
        candidates = Candidates(self.tokens, question, self._left(question))
        encoder, decoder, cut = self._encode_blank(question, candidates.spare)
        last = len(decoder) - 1
        multi = yield from self._multi_token_logprobs(encoder, decoder, candidates.multi)
        read = Wanted(last, candidates.single, ranked=True, others=tuple(multi.values()))
        (reading,) = yield [Sequence(encoder, read, decoder=decoder)]
        assert isinstance(reading, TokenLogprobs)
        return ChooseAnswer(choices(self.tokens, candidates, multi, reading), self.scoring, cut=cut)

    def _multi_token_logprobs(self, encoder: Pieces, decoder: Pieces, words: tuple[Pieces, ...]) -> WordScores:
        """log P of words of several tokens: the product over their tokens."""
        if not words:
            return {}
        last = len(decoder) - 1
        readings = yield [
            Sequence(encoder, Targets(tuple(range(last, last + len(word))), word), decoder=decoder + word[:-1])
            for word in words
        ]
        scores = zip(words, readings, strict=True)
        return {word: sum(reading.logprobs) for word, reading in scores if isinstance(reading, TargetLogprobs)}

    def _likelihood(self, question: Likelihood) -> Conversation:
        text = self.tokens.encode_whole(question.text, question.roles)
        own = tuple(text.ids[position] for position in text.own)
        readings = yield self._likelihood_sequences(text, own, question.method)
        return sentence_answer(self.tokens.names(own), attention_weighted(readings), text.roles, question)

    @abstractmethod
    def _encode_blank(self, question: Fill | Choose, spare: int) -> tuple[Pieces, Pieces, int]:
        """The encoder's tokens, the decoder's up to where the word would come, and how many were cut."""

    def _left(self, question: Fill | Choose) -> str:
        return left_of_blank(question)

    @abstractmethod
    def _likelihood_sequences(self, text: WholeText, own: Pieces, method: LikelihoodMethod) -> list[Sequence]:
        """The sequences whose readings are the log-probabilities of the text's own tokens, in order."""

    def _masked_count(self, text: WholeText, k: int, method: LikelihoodMethod) -> int:
        """How many tokens are masked from token k on: itself, and for `pll-word` the rest of its word."""
        if method != "pll-word":
            return 1
        return sum(word == text.words[k] for word in text.words[k:])

    @property
    def _start(self) -> Pieces:
        return (int(self.network.model.config.decoder_start_token_id),)


class DenoisingModel(_Seq2SeqModel):
    """BART: the decoder restores the text token by token, and is read at the position of the mask."""

    likelihoods: tuple[LikelihoodMethod, ...] = ("aul", "aula", "pll", "pll-word")
    scoring: str = "denoising"

    def _encode_blank(self, question: Fill | Choose, spare: int) -> tuple[Pieces, Pieces, int]:
        text = self.tokens.encode_blank(question, str(self.tokens.tokenizer.mask_token), spare)
        return text.ids, self._start + text.ids[: text.blank], text.cut

    def _likelihood_sequences(self, text: WholeText, own: Pieces, method: LikelihoodMethod) -> list[Sequence]:
        if method in {"aul", "aula"}:
            read = Targets(text.own, own, attended=method == "aula")
            return [Sequence(text.ids, read, decoder=self._start + text.ids[:-1])]
        return [self._with_tokens_masked(text, k, self._masked_count(text, k, method)) for k in range(len(own))]

    def _with_tokens_masked(self, text: WholeText, k: int, count: int) -> Sequence:
        mask = int(self.tokens.tokenizer.mask_token_id)
        place = text.own[k]
        encoder = text.ids[:place] + (mask,) * count + text.ids[place + count :]
        return Sequence(encoder, Targets((place,), (text.ids[place],)), decoder=self._start + text.ids[:place])


class SentinelModel(_Seq2SeqModel):
    """T5: a sentinel replaces the blank, and the decoder, given that sentinel, predicts what it replaces."""

    likelihoods: tuple[LikelihoodMethod, ...] = ("pll", "pll-word")
    scoring: str = "sentinel"

    def _encode_blank(self, question: Fill | Choose, spare: int) -> tuple[Pieces, Pieces, int]:
        text = self.tokens.encode_blank(question, SENTINEL)
        return text.ids, self._decoder_start, text.cut

    def _left(self, question: Fill | Choose) -> str:
        # The decoder starts with the sentinel, so the word always comes after a space there.
        return " "

    def _likelihood_sequences(self, text: WholeText, own: Pieces, method: LikelihoodMethod) -> list[Sequence]:
        return [self._with_tokens_masked(text, k, self._masked_count(text, k, method)) for k in range(len(own))]

    def _with_tokens_masked(self, text: WholeText, k: int, count: int) -> Sequence:
        place = text.own[k]
        encoder = text.ids[:place] + self._decoder_start[-1:] + text.ids[place + count :]
        return Sequence(encoder, Targets((1,), (text.ids[place],)), decoder=self._decoder_start)

    @property
    def _decoder_start(self) -> Pieces:
        return (*self._start, int(self.tokens.tokenizer.convert_tokens_to_ids(SENTINEL)))
