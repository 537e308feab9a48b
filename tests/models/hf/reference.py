"""One sentence at a time, straight through transformers: slow, plain, and what every score is held against."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
)

CLASSES = {
    "masked": AutoModelForMaskedLM,
    "causal": AutoModelForCausalLM,
    "seq2seq": AutoModelForSeq2SeqLM,
    "classifier": AutoModelForSequenceClassification,
}


class Reference:
    """A model as transformers loads it."""

    def __init__(self, folder: Path, family: str) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = CLASSES[family].from_pretrained(folder, attn_implementation="eager").eval()

    @torch.no_grad()
    def logprobs(
        self, ids: list[int], decoder: list[int] | None = None, types: list[int] | None = None
    ) -> torch.Tensor:
        """log P over the vocabulary at every position (of the decoder, where there is one)."""
        more: dict[str, Any] = {} if decoder is None else {"decoder_input_ids": torch.tensor([decoder])}
        if types is not None:
            more["token_type_ids"] = torch.tensor([types])
        return torch.log_softmax(self.model(input_ids=torch.tensor([ids]), **more).logits[0], -1)

    def masked_ids(self, text: str) -> tuple[list[int], int]:
        """The ids of a text with [MASK] in it, and where the mask is."""
        ids = self.tokenizer(text.replace("[MASK]", self.tokenizer.mask_token))["input_ids"]
        return ids, ids.index(self.tokenizer.mask_token_id)

    def in_place(self, word: str) -> list[int]:
        """The tokens of a word after a space, read off a whole sentence."""
        without = self.tokenizer("It was", add_special_tokens=False)["input_ids"]
        return self.tokenizer(f"It was {word}", add_special_tokens=False)["input_ids"][len(without) :]

    def word_logprob(self, text: str, word: str) -> float:
        """A masked model's log P of a word: one mask per token, filled left to right."""
        ids, place = self.masked_ids(text)
        pieces, mask = self.in_place(word), self.tokenizer.mask_token_id
        total = 0.0
        for k, piece in enumerate(pieces):
            filled = ids[:place] + pieces[:k] + [mask] * (len(pieces) - k) + ids[place + 1 :]
            total += self.logprobs(filled)[place + k, piece].item()
        return total

    def own_positions(self, text: str) -> tuple[list[int], list[int]]:
        """The ids of a whole text, and which of them are its own."""
        encoded = self.tokenizer(text, return_special_tokens_mask=True)
        return encoded["input_ids"], [i for i, special in enumerate(encoded["special_tokens_mask"]) if not special]

    def aul(self, text: str) -> list[float]:
        """log P of each token, nothing masked."""
        ids, own = self.own_positions(text)
        scores = self.logprobs(ids)
        return [scores[i, ids[i]].item() for i in own]

    def pll(self, text: str, whole_word: bool = False) -> list[float]:
        """log P of each token when it (and for whole words what follows it in its word) is masked."""
        ids, own = self.own_positions(text)
        words = self.tokenizer(text).word_ids()
        logprobs = []
        for i in own:
            hidden = [j for j in own if j == i or (whole_word and words[j] == words[i] and j > i)]
            masked = [self.tokenizer.mask_token_id if j in hidden else token for j, token in enumerate(ids)]
            logprobs.append(self.logprobs(masked)[i, ids[i]].item())
        return logprobs

    @torch.no_grad()
    def received_attention(self, text: str, body: Any) -> list[float]:
        """Mean attention that each own token receives, over layers, heads and attending positions."""
        ids, own = self.own_positions(text)
        layers = body(input_ids=torch.tensor([ids]), output_attentions=True).attentions
        mean = sum(layer[0].mean(0).mean(0) for layer in layers) / len(layers)
        return [mean[i].item() for i in own]

    def continuation(self, ids: list[int], more: list[int]) -> float:
        """A causal model's log P of tokens after others."""
        scores = self.logprobs(ids + more)
        return sum(scores[len(ids) - 1 + k, token].item() for k, token in enumerate(more))
