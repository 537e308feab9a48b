"""How others answer the same questions: a naive loop, Hugging Face's pipeline, and minicons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from minicons.scorer import IncrementalLMScorer, MaskedLMScorer
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer, pipeline

__all__ = ["CausalPeers", "MaskedPeers"]

# minicons marks a blank by a word of the text; this one is a token, and the texts do not use it otherwise.
_BLANK_WORD = "zuzu"


class MaskedPeers:
    """A masked model in other hands, all of them with the same weights."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModelForMaskedLM.from_pretrained(folder).eval()
        self.pipeline: Any = pipeline("fill-mask", model=self.model, tokenizer=self.tokenizer)
        # transformers 5 dropped the name that minicons calls.
        self.tokenizer.batch_encode_plus = self.tokenizer.__call__
        self.minicons: Any = MaskedLMScorer(self.model, "cpu", self.tokenizer)

    @torch.no_grad()
    def naive_aul(self, texts: Sequence[str]) -> list[float]:
        """One sentence after another, the whole vocabulary at every position."""
        found = []
        for text in texts:
            encoded = self.tokenizer(text, return_tensors="pt")
            logprobs = self.model(**encoded).logits.log_softmax(-1)[0]
            ids = encoded["input_ids"][0]
            found.append(logprobs.gather(1, ids[:, None])[1:-1].mean().item())
        return found

    def naive_top(self, texts: Sequence[str]) -> list[float]:
        """The probability of the likeliest of the five likeliest tokens, one text after another."""
        return [row.topk(5).values.tolist()[0] for row in self._naive_blanks(texts)]

    def naive_words(self, texts: Sequence[str], words: Sequence[str]) -> list[list[float]]:
        """The probabilities of these words, one text after another."""
        ids = self.tokenizer.convert_tokens_to_ids(list(words))
        return [row[ids].tolist() for row in self._naive_blanks(texts)]

    @torch.no_grad()
    def naive_pll(self, texts: Sequence[str]) -> list[float]:
        """Each token masked in turn, one forward pass each."""
        found = []
        for text in texts:
            encoded = self.tokenizer(text, return_tensors="pt")
            ids, logprobs = encoded["input_ids"], []
            for place in range(1, ids.shape[1] - 1):
                hidden = ids.clone()
                hidden[0, place] = self.tokenizer.mask_token_id
                scores = self.model(**{**encoded, "input_ids": hidden}).logits.log_softmax(-1)
                logprobs.append(scores[0, place, ids[0, place]].item())
            found.append(sum(logprobs) / len(logprobs))
        return found

    def minicons_top(self, texts: Sequence[str], batch: int) -> list[float]:
        """The same by minicons."""
        return [row.topk(5).values.exp().tolist()[0] for row in self._minicons_blanks(texts, batch)]

    def minicons_words(self, texts: Sequence[str], words: Sequence[str], batch: int) -> list[list[float]]:
        """The same by minicons."""
        ids = self.tokenizer.convert_tokens_to_ids(list(words))
        return [row[ids].exp().tolist() for row in self._minicons_blanks(texts, batch)]

    def minicons_pll(self, texts: Sequence[str], batch: int) -> list[float]:
        """minicons' pseudo-log-likelihood."""
        return [score for some in _batched(texts, batch) for score in self.minicons.sequence_score(list(some))]

    @torch.no_grad()
    def _naive_blanks(self, texts: Sequence[str]) -> Iterator[torch.Tensor]:
        for text in texts:
            encoded = self.tokenizer(text, return_tensors="pt")
            place = (encoded["input_ids"][0] == self.tokenizer.mask_token_id).nonzero().item()
            yield self.model(**encoded).logits[0, place].softmax(-1)

    def _minicons_blanks(self, texts: Sequence[str], batch: int) -> Iterator[torch.Tensor]:
        marked = [(text.replace("[MASK]", _BLANK_WORD), _BLANK_WORD) for text in texts]
        for some in _batched(marked, batch):
            yield from self.minicons.cloze_distribution(some)


class CausalPeers:
    """A causal model in other hands."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        # minicons forgets to do this to a model object that it is handed.
        self.model: Any = AutoModelForCausalLM.from_pretrained(folder).eval()
        self.minicons: Any = IncrementalLMScorer(self.model, "cpu", self.tokenizer)

    @torch.no_grad()
    def naive_likelihood(self, texts: Sequence[str]) -> list[float]:
        """One sentence after another."""
        found = []
        for text in texts:
            encoded = self.tokenizer(text, return_tensors="pt")
            logprobs = self.model(**encoded).logits.log_softmax(-1)[0, :-1]
            found.append(logprobs.gather(1, encoded["input_ids"][0, 1:, None]).mean().item())
        return found

    @torch.no_grad()
    def naive_words(self, texts: Sequence[str], words: Sequence[str]) -> list[list[float]]:
        """The probabilities of these words as the next, one text after another."""
        ids = [self.tokenizer(f" {word}")["input_ids"][0] for word in words]
        encoded = (self.tokenizer(text, return_tensors="pt") for text in texts)
        return [self.model(**each).logits[0, -1].softmax(-1)[ids].tolist() for each in encoded]

    def minicons_likelihood(self, texts: Sequence[str], batch: int) -> list[float]:
        """minicons' mean log-probability; like ours it leaves out the first token, which has nothing before it."""
        return [score for some in _batched(texts, batch) for score in self.minicons.sequence_score(list(some))]


def _batched(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
