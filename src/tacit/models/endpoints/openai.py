"""Any other server with OpenAI's completions API, if it really scores the prompt that it echoes."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from tacit.models.endpoints.client import ServerError
from tacit.models.endpoints.dialect import OLLAMA, Dialect, Served, find_model
from tacit.models.endpoints.replies import ReplyError, field, logprob, texts, token_id
from tacit.models.hf.sequences import Pieces, TopTokens

__all__ = ["OpenAI"]

_PROMPTS = ("The king said that he would come to the city", "She gave him the book, and he", "There was a man who")
# An echo that is off by one position is wrong by nats; rounding, even in quantized models, by less than this.
_TOLERANCE = 0.5
# How part of a character is written.
_UNWRITTEN = "\N{REPLACEMENT CHARACTER}"


class OpenAI(Dialect):
    """Keys its log-probabilities by text, so that a local tokenizer must say which token each text is."""

    server = "an OpenAI-compatible server"
    flags = (
        "Use a server that scores the tokens of a prompt, such as vLLM (vllm+) or llama.cpp's llama-server (llama+)."
    )

    async def _open(self) -> Served:
        models = await self.client.find("/v1/models")
        if await self.client.find("/api/version") is not None:
            raise self._wrong(OLLAMA)
        entry = find_model(self, models or {"data": [{"id": self.address.model}]})
        if entry.get("owned_by") == "llamacpp":
            raise self._wrong(f"it is llama.cpp's server, which ignores `echo`. Write llama+{self.address.url}")
        self.model = str(entry["id"])
        limit = entry.get("max_model_len")
        owner = str(entry.get("owned_by") or "an unknown server")
        # One token is written after each prompt.
        return Served(server=owner, model=self.model, limit=limit - 1 if isinstance(limit, int) else None)

    async def check(self) -> None:
        """Check that texts are echoed with the right numbers, and that the local tokenizer is the server's."""
        # All first for their alignment: a flat distribution can hide it in one.
        echoes = [await self._sound(self._aligned_echo(prompt)) for prompt in _PROMPTS]
        for text, tokens, values in echoes:
            await self._sound(self._check_tokens(text, tokens, values))

    async def _aligned_echo(self, prompt: str) -> tuple[str, list[str], list[float | None]]:
        """A text that ends with what the server itself writes, and its tokens and log-probabilities in the echo."""
        token, value = self._written(await self._complete(prompt, max_tokens=1, logprobs=1))
        text = prompt + token
        tokens, values = self._echoed(await self._complete(text, max_tokens=1, logprobs=1, echo=True))
        # llama-cpp-python leaves out the token that it writes after the echo.
        ends = [end for end in (-1, len(tokens)) if _letters("".join(tokens[:end])).endswith(_letters(text))]
        if not ends:
            raise ReplyError("it does not echo the text that it is given, so that its numbers are of other tokens")
        tokens, values = tokens[: ends[0]], values[: ends[0]]
        echoed = values[-1] or 0.0
        if tokens[-1] == token and abs(echoed - value) > _TOLERANCE:
            raise ReplyError(
                f"its echo is misaligned: it wrote {token!r} with the log-probability {value:.2f}, and then echoes it "
                f"with {echoed:.2f}"
            )
        return text, tokens, values

    async def _check_tokens(self, text: str, tokens: list[str], values: list[float | None]) -> None:
        ids = self.tokenizer(text)["input_ids"], self.tokenizer(text, add_special_tokens=False)["input_ids"]
        fitting = next((own for own in ids if len(own) == len(tokens)), None)
        scores = None if fitting is None else await self._score(tuple(fitting), 1)
        if scores is None or max(abs(a - (b or 0.0)) for a, b in zip(scores, values[1:], strict=True)) > _TOLERANCE:
            raise ReplyError(
                f"it does not have the tokenizer {self.address.tokenizer}, which makes other tokens of {text!r}"
            )

    async def _top(self, ids: Pieces, count: int) -> TopTokens:
        reply = await self._complete(list(ids), max_tokens=1, logprobs=count)
        pairs = field(reply, "choices", 0, "logprobs", "top_logprobs", 0)
        if not isinstance(pairs, dict):
            raise ReplyError("its reply has no top_logprobs")
        told = {text: logprob(value) for text, value in pairs.items()}
        scored: dict[int, float] = {}
        for text, value in told.items():
            tokens = self._tokens_written(text)
            # Several tokens may be written alike, and the reply has only one of their numbers.
            values = (
                [value] if len(tokens) == 1 else [(await self._score((*ids, token), len(ids)))[0] for token in tokens]
            )
            scored.update(zip(tokens, values, strict=True))
        # Of tokens that are written alike, some may be less likely than tokens that the reply left out.
        lowest = min(told.values(), default=-math.inf) - 1e-6
        ranked = sorted(((v, t) for t, v in scored.items() if v >= lowest), key=lambda pair: -pair[0])
        return TopTokens([token for _, token in ranked], [value for value, _ in ranked])

    async def _score(self, ids: Pieces, first: int) -> list[float]:
        try:
            reply = await self._complete(list(ids), max_tokens=1, logprobs=1, echo=True)
        except ServerError as error:
            raise self.unusable(f"it takes no token numbers as a prompt ({error.message})") from None
        tokens, values = self._echoed(reply)
        if len(tokens) != len(ids) + 1:
            raise ReplyError(f"it echoes {len(tokens) - 1} of {len(ids)} tokens")
        return [logprob(value) for value in values[first:-1]]

    def _echoed(self, reply: Any) -> tuple[list[str], list[float | None]]:
        """The texts and log-probabilities of all tokens of a prompt, and of the one that was written after it."""
        echoed = field(reply, "choices", 0, "logprobs")
        if echoed is None:
            raise ReplyError("it gives no log-probabilities")
        tokens, values = texts(field(echoed, "tokens")), field(echoed, "token_logprobs")
        if not isinstance(values, list) or len(values) != len(tokens):
            raise ReplyError("it does not give one log-probability per token")
        if len(tokens) < 3:
            raise ReplyError("it ignores `echo`: it scores the tokens that it writes, but not those of a prompt")
        return tokens, [None if k == 0 and value is None else logprob(value) for k, value in enumerate(values)]

    def _written(self, reply: Any) -> tuple[str, float]:
        found = field(reply, "choices", 0, "logprobs")
        if found is None:
            raise ReplyError("it gives no log-probabilities")
        return texts(field(found, "tokens"))[0], logprob(field(found, "token_logprobs", 0))

    def _tokens_written(self, text: str) -> list[int]:
        if text.startswith("token_id:"):
            return [token_id(text)]
        tokens = self._vocabulary.get(_UNWRITTEN if _UNWRITTEN in text else text)
        if not tokens:
            raise ReplyError(f"it names a token {text!r}, which the tokenizer {self.address.tokenizer} does not have")
        return tokens

    @cached_property
    def _vocabulary(self) -> dict[str, list[int]]:
        """The tokens that are written like each text; parts of characters and special tokens like no text at all."""
        written: dict[str, list[int]] = {}
        for token in range(len(self.tokenizer)):
            text = self.tokenizer.decode([token], clean_up_tokenization_spaces=False)
            is_unwritten = _UNWRITTEN in text or token in self.tokenizer.all_special_ids
            written.setdefault(_UNWRITTEN if is_unwritten else text, []).append(token)
        return written | {"": written.get(_UNWRITTEN, [])}

    async def _complete(self, prompt: str | list[int], **options: Any) -> Any:
        body = {"model": self.model, "prompt": prompt, "temperature": 0, **options}
        return await self.client.post("/v1/completions", body)


def _letters(text: str) -> str:
    return "".join(text.split())
