"""What Tacit needs of a server: its own name, its tokenizer, the next tokens, and the score of given tokens."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from tacit.errors import ModelError
from tacit.models.endpoints.client import Client, ServerError
from tacit.models.endpoints.replies import ReplyError
from tacit.models.hf.sequences import Pieces, TopTokens

__all__ = ["Dialect", "Piece", "Served", "find_model"]

T = TypeVar("T")
# How many requests are under way at once where neither the user nor the server says otherwise.
_CONCURRENCY = 32
_OWNERS = {"vllm": "vllm+", "sglang": "sglang+", "llamacpp": "llama+"}
OLLAMA = (
    "it is Ollama, which gives log-probabilities of the tokens it writes but not of a text that it is given. Serve "
    "the same GGUF file with llama.cpp's llama-server, and write llama+http://HOST:PORT"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A token of a text: its number, and the bytes of the text that it stands for."""

    id: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Served:
    """What a server says of itself.

    Attributes:
        server: Its name and version.
        model: The name of the model.
        limit: The largest number of tokens that it takes, if it says so.
        concurrency: How many requests should be under way at once.
        details: Whatever else it says about the model; part of the fingerprint.
    """

    server: str
    model: str
    limit: int | None = None
    concurrency: int = _CONCURRENCY
    details: dict[str, str] = field(default_factory=dict)


class Dialect(ABC):
    """How one kind of server is spoken to.

    Attributes:
        server: What it is called.
        flags: How to start it, so that it can be asked.
        tokenizes: Whether it tells the tokens of a text with their bytes.
        known: The bytes of tokens that it has told, by their number.
        tokenizer: The local tokenizer, if the user named one.
    """

    server: ClassVar[str]
    flags: ClassVar[str]
    tokenizes: ClassVar[bool] = False

    def __init__(self, client: Client) -> None:
        self.client = client
        self.address = client.address
        self.model = self.address.model or ""
        self.known: dict[int, bytes] = {}
        self.tokenizer: Any = None

    async def open(self) -> Served:
        """Find the model, or refuse a server of another kind."""
        served = await self._sound(self._open())
        self.model = served.model
        return served

    async def pieces(self, text: str, special: bool = False) -> list[Piece]:
        """The tokens of a text, with or without the special tokens that the tokenizer adds."""
        pieces = await self._sound(self._pieces(text, special))
        self.known.update((piece.id, piece.content) for piece in pieces)
        return pieces

    async def begin_text(self) -> str | None:
        """The begin token as it is written, if the server knows one."""
        return None

    async def bytes_of(self, token: int) -> bytes:
        """The bytes that a token stands for."""
        if token not in self.known:
            self.known[token] = await self._sound(self._bytes_of(token))
        return self.known[token]

    async def top(self, ids: Pieces, count: int) -> TopTokens:
        """The most likely tokens after some tokens, the most likely one first."""
        try:
            top = await self._sound(self._top(ids, count))
        except ServerError as error:
            raise self._too_many(count, error.message) if error.status == 400 else error from None
        if len(top.ids) < count and not _is_everything(top):
            raise self._too_many(count, f"it gives {len(top.ids)}")
        return TopTokens(top.ids[:count], top.logprobs[:count])

    async def score(self, ids: Pieces, first: int) -> list[float]:
        """log P of each of the tokens from position `first` on, given those before it."""
        return await self._sound(self._score(ids, first))

    async def ids_of(self, text: str) -> list[int] | None:
        """The tokens of a text without special ones, if the server tells them."""
        return await self._sound(self._ids_of(text))

    async def check(self) -> None:
        """Look for faults that only this kind of server has."""
        return

    @abstractmethod
    async def _open(self) -> Served: ...

    @abstractmethod
    async def _top(self, ids: Pieces, count: int) -> TopTokens: ...

    @abstractmethod
    async def _score(self, ids: Pieces, first: int) -> list[float]: ...

    async def _ids_of(self, text: str) -> list[int] | None:
        return [piece.id for piece in await self._pieces(text, special=False)] if self.tokenizes else None

    async def _pieces(self, text: str, special: bool) -> list[Piece]:
        raise NotImplementedError

    async def _bytes_of(self, token: int) -> bytes:
        raise NotImplementedError

    def unusable(self, reason: str) -> ModelError:
        """The error about a server whose numbers cannot be used."""
        return ModelError(f"The server at {self.address.name} cannot be asked: {reason}. {self.flags}")

    def not_this_server(self, models: Any) -> ModelError:
        """The error about a server of another kind, as far as its list of models tells the kind."""
        owners = [str(entry.get("owned_by")) for entry in _entries(models)]
        scheme = next((_OWNERS[owner] for owner in owners if owner in _OWNERS), None)
        if "library" in owners:
            return self._wrong(OLLAMA)
        return self._wrong(f"it is not {self.server}" + (f". Write {scheme}{self.address.url}" if scheme else ""))

    def _wrong(self, reason: str) -> ModelError:
        return ModelError(f"The server at {self.address.name} cannot be asked: {reason}.")

    def _too_many(self, count: int, reason: str) -> ModelError:
        return ModelError(
            f"The server at {self.address.name} does not give the {count} most likely tokens ({reason}). {self.flags} "
            "Or ask for fewer (--set shortlist=N for a blank inside a sentence)."
        )

    async def _sound(self, reply: Coroutine[Any, Any, T]) -> T:
        try:
            return await reply
        except ReplyError as error:
            raise self.unusable(str(error)) from None


def find_model(dialect: Dialect, models: Any) -> dict[str, Any]:
    """The entry of the model that the user named, or of the only one, in a server's list of models."""
    entries = _entries(models)
    named = dialect.address.model
    names = [str(entry.get("id")) for entry in entries]
    if named is None and len(entries) == 1:
        return entries[0]
    for entry in entries:
        if entry.get("id") == named or named in (entry.get("aliases") or ()):
            return entry
    served = ", ".join(names) or "nothing"
    wrong = "names no model" if named is None else f"serves no model {named!r}"
    subject = f"The address {dialect.address.name}" if named is None else f"The server at {dialect.address.name}"
    raise ModelError(f"{subject} {wrong}. It serves {served}: write {dialect.address.name}#{(names or ['MODEL'])[0]}.")


def _entries(models: Any) -> list[dict[str, Any]]:
    entries = models.get("data") if isinstance(models, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _is_everything(top: TopTokens) -> bool:
    """Whether these are all tokens of the vocabulary, so that no server could give more."""
    return sum(map(math.exp, top.logprobs)) > 0.99
