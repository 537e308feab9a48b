"""The tokenizer of a server, with the part of the interface of transformers that causal models need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tacit.errors import ModelError
from tacit.models.endpoints.dialect import Dialect
from tacit.models.endpoints.loop import as_completed, run
from tacit.models.endpoints.pieces import byte_name, spans

__all__ = ["ServerTokenizer"]

# Texts are repeated within a job, not between jobs: beyond this many, the oldest are forgotten.
_MAX_TEXTS = 100_000


class Encoded(dict[str, Any]):
    """The tokens of a text."""

    def word_ids(self) -> list[int | None]:
        """Servers do not tell which tokens belong to one word."""
        return [None] * len(self["input_ids"])


class ServerTokenizer:
    """Asks the server for the tokens of texts, each text once.

    Attributes:
        name_or_path: What errors call it.
        bos_token_id: The begin token, if the server names one.
        all_special_ids: The special tokens that the server puts around a text, and the begin token.
    """

    is_fast = True
    unk_token_id = None

    def __init__(self, dialect: Dialect) -> None:
        self.name_or_path = dialect.address.name
        self._dialect = dialect
        self._texts: dict[str, Encoded] = {}
        self._before, self._after = run(self._frame())
        self.bos_token_id = self._before[0] if self._before else run(self._begin_id())
        begin = [] if self.bos_token_id is None else [self.bos_token_id]
        self.all_special_ids = [*self._before, *self._after, *begin]

    def __call__(self, text: str, add_special_tokens: bool = True, **_options: Any) -> Encoded:
        """The tokens of a text with their places in it."""
        if text not in self._texts:
            self.prefetch([text])
        plain = self._texts[text]
        if not add_special_tokens:
            return plain
        before, after = len(self._before), len(self._after)
        return Encoded(
            input_ids=[*self._before, *plain["input_ids"], *self._after],
            offset_mapping=[(0, 0)] * before + plain["offset_mapping"] + [(0, 0)] * after,
            special_tokens_mask=[1] * before + [0] * len(plain["input_ids"]) + [1] * after,
        )

    def prefetch(self, texts: Iterable[str], concurrency: int = 1) -> None:
        """Ask for the tokens of several texts at once."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._texts]
        while self._texts and len(self._texts) + len(missing) > _MAX_TEXTS:
            del self._texts[next(iter(self._texts))]
        run(self._fetch(missing, concurrency))

    def tokenize(self, text: str) -> list[str]:
        """The names of the tokens of a text, as a byte-level tokenizer would write them."""
        return [self._name(token) for token in self(text, add_special_tokens=False)["input_ids"]]

    def convert_ids_to_tokens(self, ids: Any) -> Any:
        """The names of tokens, or of one token."""
        return self._name(ids) if isinstance(ids, int) else [self._name(token) for token in ids]

    def decode(self, ids: Sequence[int], **_options: Any) -> str:
        """Tokens as text."""
        return b"".join(run(self._dialect.bytes_of(token)) for token in ids).decode(errors="replace")

    def _name(self, token: int) -> str:
        return byte_name(run(self._dialect.bytes_of(token)))

    async def _fetch(self, texts: list[str], concurrency: int) -> None:
        async for index, encoded in as_completed(self._encode, texts, concurrency):
            self._texts[texts[index]] = encoded

    async def _encode(self, text: str) -> Encoded:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ModelError(f"The text {text[:60]!r} is not valid Unicode. Correct it.") from None
        pieces = await self._dialect.pieces(text) if text else []
        offsets = spans([piece.content for piece in pieces], text)
        if offsets is None:
            raise ModelError(
                f"The tokenizer of {self.name_or_path} changes the text {text[:60]!r}, so that its tokens have no "
                "place in it. Name its folder in the address: ?tokenizer=FOLDER."
            )
        ids = [piece.id for piece in pieces]
        return Encoded(input_ids=ids, offset_mapping=offsets, special_tokens_mask=[0] * len(ids))

    async def _frame(self) -> tuple[list[int], list[int]]:
        """The special tokens before and after every text."""
        plain = [piece.id for piece in await self._dialect.pieces("a")]
        framed = [piece.id for piece in await self._dialect.pieces("a", special=True)]
        for start in range(len(framed) - len(plain) + 1):
            if plain and framed[start : start + len(plain)] == plain:
                return framed[:start], framed[start + len(plain) :]
        raise self._dialect.unusable("its tokenizer changes a text when it adds special tokens")

    async def _begin_id(self) -> int | None:
        text = await self._dialect.begin_text()
        pieces = await self._dialect.pieces(text) if text else []
        return pieces[0].id if len(pieces) == 1 else None
