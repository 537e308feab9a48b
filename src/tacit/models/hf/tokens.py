"""Words and tokens: how a text is cut for a model, where its blank is, and how a word stands in that place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tacit.errors import TacitError
from tacit.questions import Choose, Fill, Role, split_blank

__all__ = ["Blanked", "Tokens", "Unblanked", "left_of_blank"]

_SPACE_MARKS = ("Ġ", "▁")


@dataclass(frozen=True, slots=True)
class Blanked:
    """A text with its blank as token ids: `blank` is the position of the one mask, `prefix` the context's length."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    blank: int
    prefix: int = 0
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Unblanked:
    """A text without a blank: the ids, and of the text's own tokens the positions, words and roles."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    own: tuple[int, ...]
    words: tuple[int, ...]
    roles: tuple[str | None, ...]
    spans: tuple[tuple[int, int], ...]


def left_of_blank(question: Fill | Choose) -> str:
    """What stands before the blank, the context included."""
    left, _ = split_blank(question.text)
    return f"{question.context} {left}" if question.context else left


class Tokens:
    """A tokenizer, asked in words.

    `begin` is what a causal model is given first: by its tokenizer's convention (None), its begin token, or nothing.
    """

    def __init__(self, tokenizer: Any, limit: int | None, begin: bool | None = None) -> None:
        if not tokenizer.is_fast:
            raise TacitError(f"The tokenizer of {tokenizer.name_or_path!r} has no fast form (tokenizer.json).")
        self.tokenizer = tokenizer
        self.limit = limit
        self.unknown: int | None = tokenizer.unk_token_id
        self.special = frozenset(tokenizer.all_special_ids)
        self.mark = self._space_mark()
        self.begin = self._begin_ids(begin)
        self.begin_name = " ".join(tokenizer.convert_ids_to_tokens(list(self.begin))) or None
        self.pieces = lru_cache(maxsize=200_000)(self._pieces)
        self.spelling = lru_cache(maxsize=400_000)(self._spelling)

    def blanked(self, question: Fill | Choose, mask: str, spare: int = 0) -> Blanked:
        """Encode a text with one blank, written as `mask`; a context that is too long loses its middle, and only it.

        `spare` places are kept free, for words of several tokens.
        """
        text, context, pair = question.text, question.context, question.pair
        left, right = split_blank(text)
        self._refuse_blank_in(context, mask)
        encoded = self._encode(left + mask + right, context, pair)
        ids, types = list(encoded["input_ids"]), list(encoded.get("token_type_ids", ()))
        own = self._context_positions(encoded, context, pair) if context else []
        excess = self._excess(len(ids) + spare, len(own), text)
        if excess:
            # The middle goes: a review's opening and verdict say most about it.
            start = own[0] + (len(own) - excess) // 2
            del ids[start : start + excess]
            del types[start : start + excess]
        blank = self._blank_position(ids, types, mask, text)
        prefix = own[-1] + 1 - excess if own else 0
        return Blanked(tuple(ids), tuple(types), blank, min(prefix, blank), excess)

    def open_ended(self, question: Fill | Choose, spare: int) -> Blanked:
        """Encode what stands before a blank, for a model that reads on from there for up to `spare` tokens."""
        context, whole = question.context, left_of_blank(question)
        encoded = self.tokenizer(whole.rstrip(), add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        ids = list(encoded["input_ids"])
        own = sum(end <= len(context) for _, end in encoded["offset_mapping"]) if context else 0
        excess = self._excess(len(self.begin) + len(ids) + spare, own, question.text)
        start = (own - excess) // 2
        del ids[start : start + excess]
        prefix = len(self.begin) + own - excess if own else 0
        every = (*self.begin, *ids)
        return Blanked(every, (), len(every), max(0, min(prefix, len(every) - 1)), excess)

    def led(self, lead: str, text: str) -> Blanked:
        """Encode a text for a classifier, after a leading sentence; a text that is too long loses its middle."""
        if not text.strip():
            raise TacitError("An empty text was asked about: give it at least one word.")
        encoded = self._encode(f"{lead} {text}" if lead else text, "", False)
        ids, types = list(encoded["input_ids"]), list(encoded.get("token_type_ids", ()))
        part, offsets = encoded.sequence_ids(), encoded["offset_mapping"]
        own = [i for i, each in enumerate(part) if each == 0 and offsets[i][1] > len(lead)]
        excess = self._excess(len(ids), len(own), text)
        start = own[0] + (len(own) - excess) // 2 if own else 0
        del ids[start : start + excess]
        del types[start : start + excess]
        return Blanked(tuple(ids), tuple(types), 0, cut=excess)

    def after_word(self, right: str) -> tuple[int, ...]:
        """The tokens of what follows a blank, as they stand after a word."""
        encoded = self.tokenizer("a" + right.rstrip(), add_special_tokens=False, return_offsets_mapping=True)
        pairs = zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
        return tuple(token for token, (_, end) in pairs if end > 1)

    def unblanked(self, text: str, roles: tuple[Role, ...] = ()) -> Unblanked:
        """Encode a whole text and tell its own tokens from the model's special ones."""
        if not text.strip():
            raise TacitError("An empty text was asked about: give it at least one word.")
        encoded = self._encode(text, "", False)
        ids = tuple(encoded["input_ids"])
        self._excess(len(ids), 0, text)
        inserted = encoded["special_tokens_mask"]
        own = tuple(i for i in range(len(ids)) if not inserted[i])
        if not own:
            raise TacitError(f"The text {text!r} tokenises to nothing for this model.")
        words, offsets = encoded.word_ids(), encoded["offset_mapping"]
        spans = tuple(tuple(offsets[i]) for i in own)
        named = tuple(next((r.name for r in roles if end > r.start and start < r.end), None) for start, end in spans)
        # A token outside any word is a word of its own: giving it its position keeps it from joining another.
        own_words = tuple(words[i] if words[i] is not None else -i for i in own)
        return Unblanked(ids, tuple(encoded.get("token_type_ids", ())), own, own_words, named, spans)

    def _pieces(self, word: str, left: str) -> tuple[int, ...] | None:
        """The tokens of a word as it stands after `left`; None where the model cannot represent it there."""
        # Only the last character before the blank can matter, and a letter there would merge into the word.
        anchor = "" if not left else ("a " if left[-1].isspace() else left[-1])
        encoded = self.tokenizer(anchor + word, add_special_tokens=False, return_offsets_mapping=True)
        edge, start = len(anchor.rstrip()), len(anchor)
        pairs = list(zip(encoded["input_ids"], encoded["offset_mapping"], strict=True))
        straddles = any(first < edge and last > start for _, (first, last) in pairs)
        pieces = tuple(i for i, (_, last) in pairs if last > edge)
        if straddles or not pieces or self.unknown in pieces or not word.strip():
            return None
        return pieces

    def _spelling(self, token: int, at_start: bool = False) -> str:
        """The token as a reader knows it: plain at the beginning of a word, with `##` inside one."""
        raw: str = self.tokenizer.convert_ids_to_tokens(token)
        if token in self.special or not self.mark:
            return raw
        opens = raw.startswith(self.mark)
        shown = raw[1:] if opens else raw
        if self.mark == "Ġ":
            decoded = self.tokenizer.decode([token], clean_up_tokenization_spaces=False)
            # Half a character has no spelling of its own: then the raw token is all that can be shown.
            shown = shown if "�" in decoded else decoded.removeprefix(" ")
        if opens:
            return f" {shown}" if at_start else shown
        return shown if at_start or not shown[:1].isalnum() else f"##{shown}"

    def names(self, ids: tuple[int, ...]) -> tuple[str, ...]:
        """The spellings of some tokens."""
        return tuple(self.spelling(token) for token in ids)

    def opens_text(self, left: str) -> bool:
        """Whether a word after `left` stands at the very beginning, where byte-level tokenizers write no space."""
        return not left and self._pieces_open_bare

    @property
    def _pieces_open_bare(self) -> bool:
        first = self.tokenizer.tokenize("a")[:1]
        return bool(self.mark) and bool(first) and not first[0].startswith(self.mark)

    def _encode(self, text: str, context: str, pair: bool) -> Any:
        options = {"return_offsets_mapping": True, "return_special_tokens_mask": True, "verbose": False}
        if context and pair:
            return self.tokenizer(context, text, **options)
        return self.tokenizer(f"{context} {text}" if context else text, **options)

    @staticmethod
    def _context_positions(encoded: Any, context: str, pair: bool) -> list[int]:
        part, offsets = encoded.sequence_ids(), encoded["offset_mapping"]
        end = len(context)
        return [i for i, own in enumerate(part) if own == 0 and (pair or offsets[i][1] <= end)]

    def _excess(self, length: int, spare: int, text: str) -> int:
        excess = max(0, length - self.limit) if self.limit else 0
        if excess > max(0, spare - 2):
            shown = text if len(text) <= 60 else text[:59] + "…"
            raise TacitError(
                f"The text {shown!r} has {length - spare} tokens; this model takes {self.limit}: shorten it."
            )
        return excess

    def _blank_position(self, ids: list[int], types: list[int], mask: str, text: str) -> int:
        token = self.tokenizer.convert_tokens_to_ids(mask)
        found = [i for i, each in enumerate(ids) if each == token]
        if len(found) != 1:
            raise TacitError(f"The text {text!r} has {len(found)} blanks for this model: {mask} may stand in it once.")
        position = found[0]
        if position and self._is_bare_space(ids[position - 1]):
            # A mask token that does not swallow the space before it leaves a lone space, but the word brings its own.
            del ids[position - 1]
            del types[position - 1 : position]
            position -= 1
        return position

    def _is_bare_space(self, token: int) -> bool:
        return bool(self.mark) and self.tokenizer.convert_ids_to_tokens(token) == self.mark

    @staticmethod
    def _refuse_blank_in(context: str, mask: str) -> None:
        if "[MASK]" in context or mask in context:
            raise TacitError(f"The context {context[:60]!r} has a blank; only the text after it may have one.")

    def _begin_ids(self, begin: bool | None) -> tuple[int, ...]:
        if begin is None:
            special, plain = (
                self.tokenizer("a")["input_ids"],
                self.tokenizer("a", add_special_tokens=False)["input_ids"],
            )
            return tuple(special[: special.index(plain[0])])
        if begin and self.tokenizer.bos_token_id is None:
            raise TacitError(f"The tokenizer {self.tokenizer.name_or_path!r} has no begin token to put first.")
        return (self.tokenizer.bos_token_id,) if begin else ()

    def _space_mark(self) -> str:
        pieces = self.tokenizer.tokenize("a a")
        return next((mark for mark in _SPACE_MARKS if any(piece.startswith(mark) for piece in pieces)), "")
