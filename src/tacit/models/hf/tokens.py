"""Words and tokens: how a text is tokenized, where its blank is, and which tokens a word becomes in that place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tacit.errors import ModelError
from tacit.questions import Choose, Fill, Role, split_blank

__all__ = ["BlankText", "Tokens", "WholeText", "anchor", "left_of_blank"]

_SPACE_MARKS = ("Ġ", "▁")


@dataclass(frozen=True, slots=True)
class BlankText:
    """A text with a blank, as tokens.

    Attributes:
        ids: The tokens.
        types: The segment of each token, for models that have segments.
        blank: The position of the blank.
        prefix: How many tokens at the start belong to the context.
        cut: How many tokens of the context were left out because the text was too long.
    """

    ids: tuple[int, ...]
    types: tuple[int, ...]
    blank: int
    prefix: int = 0
    cut: int = 0


@dataclass(frozen=True, slots=True)
class WholeText:
    """A text without a blank, as tokens.

    Attributes:
        ids: The tokens.
        types: The segment of each token, for models that have segments.
        own: The positions of the text's own tokens, as opposed to the special ones that the tokenizer adds.
        words: For each own token, the number of the word it belongs to.
        roles: For each own token, its role, if any.
        spans: For each own token, its first and last character in the text.
    """

    ids: tuple[int, ...]
    types: tuple[int, ...]
    own: tuple[int, ...]
    words: tuple[int, ...]
    roles: tuple[str | None, ...]
    spans: tuple[tuple[int, int], ...]


def left_of_blank(question: Fill | Choose) -> str:
    """The text before the blank, including the context."""
    left, _ = split_blank(question.text)
    return f"{question.context} {left}" if question.context else left


def anchor(left: str) -> str:
    """What a word is tokenized after: only the last character before the blank can matter."""
    # A letter before the space keeps the space from being the start of the text.
    return "" if not left else ("a " if left[-1].isspace() else left[-1])


class Tokens:
    """A tokenizer that knows about blanks, words in their place, and length limits.

    Attributes:
        tokenizer: The tokenizer of transformers.
        limit: The largest number of tokens that the model takes, if there is one.
        unknown: The token for what the tokenizer cannot represent, if it has one.
        special: The special tokens.
        mark: How the tokenizer marks the start of a word, or "" if it marks continuations instead.
        begin: What a causal model is given first: one begin token or nothing.
        begin_name: The begin token as text, if there is one.
    """

    def __init__(self, tokenizer: Any, limit: int | None, begin: bool | None = None) -> None:
        """Wrap a tokenizer.

        Args:
            tokenizer: A fast tokenizer of transformers.
            limit: The largest number of tokens that the model takes; None means no limit.
            begin: Put the begin token first (True) or not (False); None follows the tokenizer's convention.
        """
        if not tokenizer.is_fast:
            raise ModelError(
                f"The tokenizer of {tokenizer.name_or_path!r} has no fast version (tokenizer.json). Convert it first."
            )
        self.tokenizer = tokenizer
        self.limit = limit
        self.unknown: int | None = tokenizer.unk_token_id
        self.special = frozenset(tokenizer.all_special_ids)
        self.mark = self._space_mark()
        self.begin = self._begin_ids(begin)
        names = tokenizer.convert_ids_to_tokens(list(self.begin))
        if None in names:
            raise ModelError(
                f"The tokenizer of {tokenizer.name_or_path!r} puts a token first that it does not have (number "
                f"{self.begin[names.index(None)]:,}). Its files are damaged."
            )
        self.begin_name = " ".join(names) or None
        self.pieces = lru_cache(maxsize=200_000)(self._pieces)
        self.spelling = lru_cache(maxsize=400_000)(self._spelling)

    def encode_blank(self, question: Fill | Choose, mask: str, spare: int = 0) -> BlankText:
        """Encode a text with one blank; a context that is too long is cut in its middle.

        Args:
            question: The text with its context.
            mask: The token that marks the blank.
            spare: How many positions to keep free for words of several tokens.
        """
        text, context, pair = question.text, question.context, question.pair
        left, right = split_blank(text)
        self._require_no_blank(context, mask)
        encoded = self._encode(left + mask + right, context, pair)
        ids, types = list(encoded["input_ids"]), list(encoded.get("token_type_ids", ()))
        own = self._context_positions(encoded, context, pair) if context else []
        excess = self._excess(len(ids) + spare, len(own), text)
        if excess:
            # The middle is cut because the opening and the end of a review say most about it.
            start = own[0] + (len(own) - excess) // 2
            del ids[start : start + excess]
            del types[start : start + excess]
        blank = self._blank_position(ids, types, mask, text)
        prefix = own[-1] + 1 - excess if own else 0
        return BlankText(tuple(ids), tuple(types), blank, min(prefix, blank), excess)

    def encode_left(self, question: Fill | Choose, spare: int) -> BlankText:
        """Encode the text before a blank, for a model that continues from there for up to `spare` tokens."""
        context, left = question.context, left_of_blank(question)
        encoded = self.tokenizer(left.rstrip(), add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        ids = list(encoded["input_ids"])
        own = sum(end <= len(context) for _, end in encoded["offset_mapping"]) if context else 0
        excess = self._excess(len(self.begin) + len(ids) + spare, own, question.text)
        start = (own - excess) // 2
        del ids[start : start + excess]
        prefix = len(self.begin) + own - excess if own else 0
        all_ids = (*self.begin, *ids)
        return BlankText(all_ids, (), len(all_ids), max(0, min(prefix, len(all_ids) - 1)), excess)

    def encode_with_lead(self, lead: str, text: str) -> BlankText:
        """Encode a text after a leading sentence, for a classifier; a text that is too long is cut in its middle."""
        _require_words(text)
        encoded = self._encode(f"{lead} {text}" if lead else text, "", False)
        ids, types = list(encoded["input_ids"]), list(encoded.get("token_type_ids", ()))
        segments, offsets = encoded.sequence_ids(), encoded["offset_mapping"]
        own = [i for i, segment in enumerate(segments) if segment == 0 and offsets[i][1] > len(lead)]
        excess = self._excess(len(ids), len(own), text)
        start = own[0] + (len(own) - excess) // 2 if own else 0
        del ids[start : start + excess]
        del types[start : start + excess]
        return BlankText(tuple(ids), tuple(types), 0, cut=excess)

    def after_word(self, right: str) -> tuple[int, ...]:
        """The tokens of the text after a blank, as they are after a word."""
        encoded = self.tokenizer("a" + right.rstrip(), add_special_tokens=False, return_offsets_mapping=True)
        pairs = zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
        return tuple(token for token, (_, end) in pairs if end > 1)

    def encode_whole(self, text: str, roles: tuple[Role, ...] = ()) -> WholeText:
        """Encode a text without a blank."""
        _require_words(text)
        encoded = self._encode(text, "", False)
        ids = tuple(encoded["input_ids"])
        self._excess(len(ids), 0, text)
        is_special = encoded["special_tokens_mask"]
        own = tuple(i for i in range(len(ids)) if not is_special[i])
        if not own:
            raise ModelError(f"The tokenizer of this model finds no tokens in {text!r}. Change the text.")
        words, offsets = encoded.word_ids(), encoded["offset_mapping"]
        spans = tuple(tuple(offsets[i]) for i in own)
        token_roles = tuple(
            next((role.name for role in roles if end > role.start and start < role.end), None) for start, end in spans
        )
        # A token outside any word counts as a word of its own, numbered by its position.
        own_words = tuple(words[i] if words[i] is not None else -i for i in own)
        return WholeText(ids, tuple(encoded.get("token_type_ids", ())), own, own_words, token_roles, spans)

    def _pieces(self, word: str, left: str) -> tuple[int, ...] | None:
        """The tokens of a word after `left`; None if the model cannot represent it there."""
        before = anchor(left)
        encoded = self.tokenizer(before + word, add_special_tokens=False, return_offsets_mapping=True)
        edge, start = len(before.rstrip()), len(before)
        pairs = list(zip(encoded["input_ids"], encoded["offset_mapping"], strict=True))
        straddles = any(first < edge and last > start for _, (first, last) in pairs)
        pieces = tuple(i for i, (_, last) in pairs if last > edge)
        if straddles or not pieces or self.unknown in pieces or not word.strip():
            return None
        return pieces

    def _spelling(self, token: int, at_start: bool = False) -> str:
        """A token as a reader knows it: plain at the start of a word, with `##` inside one."""
        raw: str = self.tokenizer.convert_ids_to_tokens(token)
        if token in self.special or not self.mark:
            return raw
        starts_word = raw.startswith(self.mark)
        spelling = raw[1:] if starts_word else raw
        if self.mark == "Ġ":
            decoded = self.tokenizer.decode([token], clean_up_tokenization_spaces=False)
            # Part of a multi-byte character has no spelling of its own, so the raw token is shown.
            spelling = spelling if "�" in decoded else decoded.removeprefix(" ")
        if starts_word:
            return f" {spelling}" if at_start else spelling
        return spelling if at_start or not spelling[:1].isalnum() else f"##{spelling}"

    def names(self, ids: tuple[int, ...]) -> tuple[str, ...]:
        """The spellings of some tokens."""
        return tuple(self.spelling(token) for token in ids)

    def starts_text(self, left: str) -> bool:
        """Whether a word after `left` starts the text and is therefore tokenized without the mark of a word's start."""
        if left or not self.mark:
            return False
        first = self.tokenizer.tokenize("a")[:1]
        return bool(first) and not first[0].startswith(self.mark)

    def _encode(self, text: str, context: str, pair: bool) -> Any:
        options = {"return_offsets_mapping": True, "return_special_tokens_mask": True, "verbose": False}
        if context and pair:
            return self.tokenizer(context, text, **options)
        return self.tokenizer(f"{context} {text}" if context else text, **options)

    @staticmethod
    def _context_positions(encoded: Any, context: str, pair: bool) -> list[int]:
        segments, offsets = encoded.sequence_ids(), encoded["offset_mapping"]
        end = len(context)
        return [i for i, segment in enumerate(segments) if segment == 0 and (pair or offsets[i][1] <= end)]

    def _excess(self, length: int, spare: int, text: str) -> int:
        excess = max(0, length - self.limit) if self.limit else 0
        if excess > max(0, spare - 2):
            shown = text if len(text) <= 60 else text[:59] + "…"
            raise ModelError(
                f"The text {shown!r} has {length - spare} tokens, but this model takes {self.limit}. Shorten it."
            )
        return excess

    def _blank_position(self, ids: list[int], types: list[int], mask: str, text: str) -> int:
        mask_id = self.tokenizer.convert_tokens_to_ids(mask)
        positions = [i for i, token in enumerate(ids) if token == mask_id]
        if len(positions) != 1:
            raise ModelError(
                f"The text {text!r} has {len(positions)} blanks for this model, because its blank is written {mask}. "
                "Leave exactly one."
            )
        position = positions[0]
        if position and self._is_lone_space(ids[position - 1]):
            # Some mask tokens leave the space before them as a token of its own, but the word brings its own space.
            del ids[position - 1]
            del types[position - 1 : position]
            position -= 1
        return position

    def _is_lone_space(self, token: int) -> bool:
        return bool(self.mark) and self.tokenizer.convert_ids_to_tokens(token) == self.mark

    @staticmethod
    def _require_no_blank(context: str, mask: str) -> None:
        if "[MASK]" in context or mask in context:
            raise ModelError(f"The context {context[:60]!r} has a blank, but only the text after it may have one.")

    def _begin_ids(self, begin: bool | None) -> tuple[int, ...]:
        if begin is None:
            with_special = self.tokenizer("a")["input_ids"]
            plain = self.tokenizer("a", add_special_tokens=False)["input_ids"]
            if not plain:
                raise ModelError(
                    f"The tokenizer {self.tokenizer.name_or_path!r} finds no tokens in a plain text. Its files are "
                    "damaged or incomplete."
                )
            return tuple(with_special[: with_special.index(plain[0])] if plain[0] in with_special else ())
        if begin and self.tokenizer.bos_token_id is None:
            raise ModelError(
                f"The tokenizer {self.tokenizer.name_or_path!r} has no begin token. Load the model without begin=True "
                "(--begin)."
            )
        return (self.tokenizer.bos_token_id,) if begin else ()

    def _space_mark(self) -> str:
        pieces = self.tokenizer.tokenize("a a")
        return next((mark for mark in _SPACE_MARKS if any(piece.startswith(mark) for piece in pieces)), "")


def _require_words(text: str) -> None:
    if not text.strip():
        raise ModelError("A question has an empty text. Give it at least one word.")
