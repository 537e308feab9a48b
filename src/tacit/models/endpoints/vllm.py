"""vLLM: its completions give the log-probabilities of a prompt, keyed by token."""

from __future__ import annotations

from typing import Any

from tacit.models.endpoints.dialect import Dialect, Piece, Served, find_model
from tacit.models.endpoints.pieces import named_bytes
from tacit.models.endpoints.replies import ReplyError, field, logprob, texts, token_id, token_ids
from tacit.models.hf.sequences import Pieces, TopTokens

__all__ = ["VLLM"]


class VLLM(Dialect):
    """`vllm serve MODEL --max-logprobs -1`."""

    server = "vLLM"
    flags = "Start it with vllm serve MODEL --max-logprobs -1 (and no other --logprobs-mode than raw_logprobs)."
    tokenizes = True
    _byte_level = False
    _letter = 0

    async def _open(self) -> Served:
        models = await self.client.get("/v1/models")
        version = await self.client.find("/version")
        if not isinstance(version, dict) or "version" not in version:
            raise self.not_this_server(models)
        entry = find_model(self, models)
        limit = entry.get("max_model_len")
        self.model = str(entry["id"])
        ids, names = await self._tokenize("a a", special=False)
        self._byte_level, self._letter = any(name.startswith("Ġ") for name in names), ids[-1]
        return Served(
            server=f"vLLM {version['version']}",
            model=self.model,
            # It keeps room for one token that it would write, even where it writes none.
            limit=limit - 1 if isinstance(limit, int) else None,
            details={"root": str(entry.get("root"))},
        )

    async def begin_text(self) -> str | None:
        """What `--enable-tokenizer-info-endpoint` tells, if the server was started with it."""
        information = await self.client.find("/tokenizer_info")
        begin = information.get("bos_token") if isinstance(information, dict) else None
        begin = begin.get("content") if isinstance(begin, dict) else begin
        return begin if isinstance(begin, str) else None

    async def _pieces(self, text: str, special: bool) -> list[Piece]:
        ids, names = await self._tokenize(text, special)
        return [Piece(token, named_bytes(name, self._byte_level)) for token, name in zip(ids, names, strict=True)]

    async def _tokenize(self, text: str, special: bool) -> tuple[list[int], list[str]]:
        body = {"model": self.model, "prompt": text, "add_special_tokens": special, "return_token_strs": True}
        reply = await self.client.post("/tokenize", body)
        ids, names = token_ids(field(reply, "tokens")), texts(field(reply, "token_strs"))
        if len(ids) != len(names):
            raise ReplyError(f"its tokenizer gives {len(ids)} tokens and {len(names)} names of tokens")
        return ids, names

    async def _bytes_of(self, token: int) -> bytes:
        # Alone, a token of SentencePiece would lose the space in front.
        texts = [await self._text_of(ids) for ids in ([self._letter], [self._letter, token])]
        text = texts[1].removeprefix(texts[0])
        # vLLM does not tell which bytes the part of a character has, so it is called by its number.
        return f"<{token}>".encode() if "\N{REPLACEMENT CHARACTER}" in text else text.encode()

    async def _text_of(self, ids: list[int]) -> str:
        return str(field(await self.client.post("/detokenize", {"model": self.model, "tokens": ids}), "prompt"))

    async def _top(self, ids: Pieces, count: int) -> TopTokens:
        reply = await self._complete(ids, max_tokens=1, logprobs=count)
        pairs = field(reply, "choices", 0, "logprobs", "top_logprobs", 0)
        if not isinstance(pairs, dict):
            raise ReplyError("its reply has no top_logprobs")
        ranked = sorted(((logprob(value), token_id(key)) for key, value in pairs.items()), key=lambda pair: -pair[0])
        return TopTokens([token for _, token in ranked], [value for value, _ in ranked])

    async def _score(self, ids: Pieces, first: int) -> list[float]:
        # Without echo, vLLM takes no max_tokens of 0.
        reply = await self._complete(ids, max_tokens=0, echo=True, logprobs=0)
        echoed = field(reply, "choices", 0, "logprobs")
        values, tokens = field(echoed, "token_logprobs"), token_ids(field(echoed, "tokens"))
        if tokens != list(ids) or not isinstance(values, list) or len(values) != len(ids):
            raise ReplyError("it does not echo the tokens that it is given, each with its log-probability")
        if values[0] is not None:
            raise ReplyError("it gives a log-probability for a first token, before which there is nothing")
        return [logprob(value) for value in values[first:]]

    async def _complete(self, ids: Pieces, **options: Any) -> Any:
        body = {
            "model": self.model,
            "prompt": list(ids),
            "temperature": 0,
            # Keyed by text, tokens that are written alike would be merged.
            "return_tokens_as_token_ids": True,
            **options,
        }
        return await self.client.post("/v1/completions", body)
