"""Tokens as bytes: how tokenizers write them, and where they are in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

__all__ = ["byte_name", "named_bytes", "spans"]

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def named_bytes(name: str, byte_level: bool) -> bytes:
    """The bytes of a token, from the name that its tokenizer gives it.

    Args:
        name: The name.
        byte_level: Whether the tokenizer writes each byte as a character (a space as `Ġ`). If not, it writes text as it
            is, a space as `▁` and a lone byte as `<0xE2>`, as SentencePiece does.
    """
    if byte_level and all(character in _bytes() for character in name):
        return bytes(_bytes()[character] for character in name)
    byte = _BYTE.fullmatch(name)
    return bytes([int(byte[1], 16)]) if byte else name.replace("▁", " ").encode(errors="replace")


def byte_name(content: bytes) -> str:
    """The name that a byte-level tokenizer gives these bytes."""
    return "".join(_characters()[byte] for byte in content)


def spans(contents: Sequence[bytes], text: str) -> list[tuple[int, int]] | None:
    """The first character of each token in its text and the one after its last; None if the tokens are not the text.

    A tokenizer may put one space before the text. A token that is part of a character gets the whole character.
    """
    encoded, joined = text.encode(), b"".join(contents)
    shift = len(joined) - len(encoded)
    if shift not in {0, 1} or joined != b" "[:shift] + encoded:
        return None
    # How many characters have begun at each byte; a byte that continues a character has the bits 10 in front.
    begun = list(accumulate((byte & 0xC0) != 0x80 for byte in encoded))
    ends = [max(0, end - shift) for end in accumulate(map(len, contents))]
    starts = [0, *ends][: len(ends)]
    return [
        (begun[start] - 1, begun[end - 1]) if start < end else (begun[start - 1] if start else 0,) * 2
        for start, end in zip(starts, ends, strict=True)
    ]


@cache
def _characters() -> tuple[str, ...]:
    """The character for each byte: itself where it can be seen, the others from 256 on, in order."""
    visible = {*range(33, 127), *range(161, 173), *range(174, 256)}
    hidden = [byte for byte in range(256) if byte not in visible]
    return tuple(chr(byte) if byte in visible else chr(256 + hidden.index(byte)) for byte in range(256))


@cache
def _bytes() -> dict[str, int]:
    return {character: byte for byte, character in enumerate(_characters())}
