"""Answers on disk, keyed by what was asked and by the model's fingerprint. Several processes may share the file."""

from __future__ import annotations

import hashlib
import sqlite3
import time
import warnings
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import get_args

import msgspec

from tacit.errors import TacitError
from tacit.questions import (
    Answer,
    ChooseAnswer,
    ClassifyAnswer,
    FillAnswer,
    LikelihoodAnswer,
    Question,
    RepresentAnswer,
)
from tacit.storage import cache_folder

__all__ = ["Cache"]

_DECODERS = {kind.__name__: msgspec.msgpack.Decoder(kind) for kind in get_args(Answer)}
# What answers were called in caches of version 0.1: their field `made` is now `scoring`.
_FORMER_KINDS: dict[str, type[Answer]] = {
    "Filled": FillAnswer,
    "Chosen": ChooseAnswer,
    "Weighed": LikelihoodAnswer,
    "Classified": ClassifyAnswer,
    "Represented": RepresentAnswer,
}
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS answers "
    "(key BLOB PRIMARY KEY, kind TEXT NOT NULL, answer BLOB NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID"
)
# The casts keep SQLite from decoding a damaged cell as text, which it would refuse to do.
_QUERY = "SELECT key, CAST(kind AS BLOB), CAST(answer AS BLOB), sum FROM answers WHERE key IN ({})"
_MANY = 500


class Cache:
    """The answers of all models that were asked on this machine."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_folder() / "answers.sqlite"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()
        except sqlite3.DatabaseError as error:
            self._connection = self._set_aside(error)
        except OSError as error:
            raise TacitError(
                f"The cache {self.path} cannot be opened ({error}): set TACIT_CACHE to a folder."
            ) from None

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    @staticmethod
    def key(fingerprint: str, question: Question) -> bytes:
        """What an answer depends on, as 16 bytes."""
        told = msgspec.msgpack.encode((fingerprint, type(question).__name__, question))
        return hashlib.blake2b(told, digest_size=16).digest()

    def get(self, keys: list[bytes]) -> dict[bytes, Answer]:
        """The answers that are known; a damaged row counts as unknown and is answered anew."""
        found: dict[bytes, Answer] = {}
        for start in range(0, len(keys), _MANY):
            some = keys[start : start + _MANY]
            for key, kind, packed, total in self._read(_QUERY.format(",".join("?" * len(some))), some):
                answer = _unpacked(kind.decode(errors="replace"), packed, total)
                if answer is not None:
                    found[key] = answer
        return found

    def put(self, answers: Iterable[tuple[bytes, Answer]]) -> None:
        """Write answers for good."""
        rows = [(key, type(answer).__name__, packed, zlib.crc32(packed)) for key, answer, packed in _packed(answers)]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
        except sqlite3.OperationalError as error:
            raise TacitError(
                f"The cache {self.path} cannot be written ({error}); what was written before is kept: free some disk "
                "or set TACIT_CACHE to another folder, then give the same command again."
            ) from None

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def _read(self, query: str, keys: list[bytes]) -> list[tuple[bytes, bytes, bytes, int]]:
        try:
            return self._connection.execute(query, keys).fetchall()
        except sqlite3.OperationalError as error:
            raise TacitError(f"The cache {self.path} cannot be read ({error}).") from None
        except sqlite3.DatabaseError as error:
            self._connection.close()
            self._connection = self._set_aside(error)
            return []

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=60)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            with connection:
                connection.execute(_SCHEMA)
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def _set_aside(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        if isinstance(error, sqlite3.OperationalError):
            raise TacitError(
                f"The cache {self.path} cannot be opened ({error}): set TACIT_CACHE to a folder."
            ) from None
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
        self.path.replace(aside)
        for tail in ("-wal", "-shm"):
            self.path.with_name(self.path.name + tail).unlink(missing_ok=True)
        warnings.warn(f"The cache {self.path} is damaged ({error}); it was set aside as {aside.name}.", stacklevel=4)
        return self._open()


def _packed(answers: Iterable[tuple[bytes, Answer]]) -> Iterable[tuple[bytes, Answer, bytes]]:
    return ((key, answer, msgspec.msgpack.encode(answer)) for key, answer in answers)


def _unpacked(kind: str, packed: bytes, total: int) -> Answer | None:
    if zlib.crc32(packed) != total:
        return None
    try:
        if kind in _FORMER_KINDS:
            fields = msgspec.msgpack.decode(packed)
            return msgspec.convert({**fields, "scoring": fields["made"]}, _FORMER_KINDS[kind])
        if kind not in _DECODERS:
            return None
        answer: Answer = _DECODERS[kind].decode(packed)
    except (msgspec.MsgspecError, KeyError, TypeError):
        return None
    return answer
