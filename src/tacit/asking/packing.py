"""Answers as bytes, quickly: for the cache and for the way from a worker to the driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import msgspec

from tacit.questions import Answer

__all__ = ["DECODERS", "pack_answers", "unpack_answers"]

DECODERS = {kind.__name__: msgspec.msgpack.Decoder(kind) for kind in get_args(Answer)}
"""How the answers of each kind are read, by the name of the kind."""

_LISTS = {kind.__name__: msgspec.msgpack.Decoder(list[kind]) for kind in get_args(Answer)}  # type: ignore[valid-type]


def pack_answers(answers: Sequence[Answer]) -> bytes:
    """Pack answers, kind by kind, with the place of each."""
    places: dict[str, list[int]] = {}
    for place, answer in enumerate(answers):
        places.setdefault(type(answer).__name__, []).append(place)
    packed = {kind: (own, msgspec.msgpack.encode([answers[place] for place in own])) for kind, own in places.items()}
    return msgspec.msgpack.encode((len(answers), packed))


def unpack_answers(packed: bytes) -> list[Answer]:
    """The answers that `pack_answers` packed, in their order."""
    count, by_kind = msgspec.msgpack.decode(packed, type=tuple[int, dict[str, tuple[list[int], bytes]]])
    answers: list[Answer | None] = [None] * count
    for kind, (places, encoded) in by_kind.items():
        for place, answer in zip(places, _LISTS[kind].decode(encoded), strict=True):
            answers[place] = answer
    return [answer for answer in answers if answer is not None]
