"""llama.cpp's server: it scores no prompt, but tells the raw log-probability of a token that it is forced to write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tacit.models.endpoints.dialect import OLLAMA, Dialect, Piece, Served, find_model
from tacit.models.endpoints.replies import ReplyError, field, is_underflow, logprob, token_id
from tacit.models.hf.sequences import Pieces, TopTokens

__all__ = ["Llama"]

# Added to the logit of a token, this makes it the most likely one; reported log-probabilities leave it out.
_FORCE = 1e6
# A token that is part of a character is looked up among this many most likely ones, then among more.
_WIDTHS = (200, 5_000, 1_000_000)


class Llama(Dialect):
    """`llama-server -m FILE.gguf --cache-type-k f32 --cache-type-v f32 --flash-attn off`."""

    server = "llama.cpp's server"
    flags = (
        "Start it with llama-server -m FILE.gguf --cache-type-k f32 --cache-type-v f32 --flash-attn off (and without "
        "--embeddings)."
    )
    tokenizes = True
    _letter = 0

    async def _open(self) -> Served:
        properties = await self.client.find("/props")
        models = await self.client.find("/v1/models")
        if not isinstance(properties, dict) or "default_generation_settings" not in properties:
            is_ollama = await self.client.find("/api/version") is not None
            raise self._wrong(OLLAMA) if is_ollama else self.not_this_server(models)
        entry = find_model(self, models)
        self._letter = (await self._pieces("a", special=False))[-1].id
        sizes = (
            field(properties, "default_generation_settings", "n_ctx"),
            (entry.get("meta") or {}).get("n_ctx_train"),
        )
        slots = properties.get("total_slots")
        return Served(
            server=f"llama.cpp {properties.get('build_info', 'of an unknown version')}",
            model=str(entry["id"]),
            limit=min((size for size in sizes if isinstance(size, int) and size > 0), default=None),
            concurrency=slots if isinstance(slots, int) and slots > 0 else 1,
            details=_details(properties, entry),
        )

    async def begin_text(self) -> str | None:
        """What the GGUF file names as the begin token, whether or not the tokenizer puts it first."""
        properties = await self.client.get("/props")
        return str(properties.get("bos_token") or "") or None

    async def _pieces(self, text: str, special: bool) -> list[Piece]:
        reply = await self.client.post("/tokenize", {"content": text, "add_special": special, "with_pieces": True})
        tokens = field(reply, "tokens")
        if not isinstance(tokens, list):
            raise ReplyError("its tokenizer gives no list of tokens")
        return [Piece(token_id(field(token, "id")), _bytes(field(token, "piece"))) for token in tokens]

    async def _bytes_of(self, token: int) -> bytes:
        reply = await self.client.post("/detokenize", {"tokens": [self._letter, token]})
        return str(field(reply, "content")).lstrip(" ").removeprefix("a").encode()

    async def _top(self, ids: Pieces, count: int) -> TopTokens:
        # The server keeps the numbers of a token that is part of a character to itself, so a letter is forced.
        forced = await self._force(ids, self._letter, count)
        if forced is None:
            raise ReplyError("its reply has no completion_probabilities")
        return self._ranked(field(forced, "top_logprobs"))

    async def _score(self, ids: Pieces, first: int) -> list[float]:
        # One after the other: each continues from what the server remembers of the one before.
        return [await self._score_one(ids[:position], ids[position]) for position in range(first, len(ids))]

    async def _score_one(self, before: Pieces, token: int) -> float:
        forced = await self._force(before, token, 1)
        if forced is None:
            return await self._look_up(before, token)
        if token_id(field(forced, "id")) != token:
            raise ReplyError("it does not write the token that it is forced to write")
        return logprob(field(forced, "logprob"))

    async def _look_up(self, before: Pieces, token: int) -> float:
        """log P of a token that is part of a character, from a list of the most likely tokens."""
        for width in _WIDTHS:
            top = await self._top(before, width)
            if token in top.ids:
                return top.logprobs[top.ids.index(token)]
            if len(top.ids) < width:
                break
        raise ReplyError(f"it does not tell the log-probability of the token {token}")

    async def _force(self, before: Pieces, token: int, count: int) -> Any:
        """What the server says about the next token; None where it is part of a character."""
        body = {
            "prompt": list(before),
            "n_predict": 1,
            "n_probs": count,
            "temperature": 0,
            "logit_bias": [[token, _FORCE]],
            "response_fields": ["completion_probabilities", "tokens_evaluated"],
        }
        reply = await self.client.post("/completion", body)
        if field(reply, "tokens_evaluated") != len(before):
            raise ReplyError("it does not read the text that it is given to its end")
        probabilities = reply.get("completion_probabilities")
        return field(probabilities, 0) if probabilities else None

    def _ranked(self, entries: Iterable[Any]) -> TopTokens:
        """The most likely tokens; those whose probability is too small for the server's numbers are left out."""
        pairs: list[tuple[float, int]] = []
        for entry in entries:
            token, value, content = token_id(field(entry, "id")), field(entry, "logprob"), entry.get("bytes")
            if content:
                self.known[token] = _bytes(content)
            if not is_underflow(value):
                pairs.append((logprob(value), token))
        pairs.sort(key=lambda pair: -pair[0])
        return TopTokens([token for _, token in pairs], [value for value, _ in pairs])


def _bytes(piece: Any) -> bytes:
    """A piece as bytes: text, or a list of bytes where it is only part of a character."""
    if isinstance(piece, str):
        return piece.encode()
    if isinstance(piece, list) and all(isinstance(byte, int) and 0 <= byte < 256 for byte in piece):
        return bytes(piece)
    raise ReplyError("its tokenizer gives a piece that is neither text nor bytes")


def _details(properties: dict[str, Any], entry: dict[str, Any]) -> dict[str, str]:
    meta = entry.get("meta") or {}
    facts = {"weights": properties.get("model_ftype"), "parameters": meta.get("n_params"), "size": meta.get("size")}
    return {name: str(value) for name, value in facts.items() if value is not None}
