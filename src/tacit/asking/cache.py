"""Answers on disk, keyed by the question and the model's fingerprint. Several processes may share the file."""

from __future__ import annotations

import hashlib
import sqlite3
import time
import warnings
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

import msgspec

from tacit.asking.packing import DECODERS
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

# The names of answers in caches of version 0.1, where the field `scoring` was called `made`.
_KINDS_0_1: dict[str, type[Answer]] = {
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
# The casts keep SQLite from decoding a damaged cell as text, which would raise an error.
_QUERY = "SELECT key, CAST(kind AS BLOB), CAST(answer AS BLOB), sum FROM answers WHERE key IN ({})"
# SQLite limits how many parameters a query may have.
_KEYS_PER_QUERY = 500


class Cache:
    """The answers of all models that were asked on this machine, in one SQLite file."""

    def __init__(self, path: Path | None = None) -> None:
        """Open a cache file, or create it; by default the one in Tacit's cache folder."""
        self.path = path or cache_folder() / "answers.sqlite"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()
        except sqlite3.DatabaseError as error:
            self._connection = self._set_aside(error)
        except OSError as error:
            raise self._cannot_be_opened(error) from None

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    @staticmethod
    def key(fingerprint: str, question: Question) -> bytes:
        """Hash what an answer depends on, the model and the question, into 16 bytes."""
        encoded = msgspec.msgpack.encode((fingerprint, type(question).__name__, question))
        return hashlib.blake2b(encoded, digest_size=16).digest()

    def get(self, keys: list[bytes]) -> dict[bytes, Answer]:
        """The known answers among these keys; a damaged row counts as unknown, so that it is asked again."""
        answers: dict[bytes, Answer] = {}
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            chunk = keys[start : start + _KEYS_PER_QUERY]
            for key, kind, packed, checksum in self._read(_QUERY.format(",".join("?" * len(chunk))), chunk):
                answer = _unpack(kind.decode(errors="replace"), packed, checksum)
                if answer is not None:
                    answers[key] = answer
        return answers

    def put(self, answers: Iterable[tuple[bytes, Answer]]) -> None:
        """Store answers under their keys, in one transaction."""
        rows = [_pack(key, answer) for key, answer in answers]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
        except sqlite3.OperationalError as error:
            raise TacitError(
                f"The cache {self.path} cannot be written ({error}); earlier answers are kept. Free some disk space or "
                "set TACIT_CACHE to another folder, then run the same command again."
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

    def _cannot_be_opened(self, error: Exception) -> TacitError:
        return TacitError(f"The cache {self.path} cannot be opened ({error}). Set TACIT_CACHE to a folder.")

    def _set_aside(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        if isinstance(error, sqlite3.OperationalError):
            raise self._cannot_be_opened(error) from None
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
        self.path.replace(aside)
        for tail in ("-wal", "-shm"):
            self.path.with_name(self.path.name + tail).unlink(missing_ok=True)
        warnings.warn(f"The cache {self.path} is damaged ({error}) and was set aside as {aside.name}.", stacklevel=4)
        return self._open()


def _pack(key: bytes, answer: Answer) -> tuple[bytes, str, bytes, int]:
    """A row of the table."""
    packed = msgspec.msgpack.encode(answer)
    return key, type(answer).__name__, packed, zlib.crc32(packed)


def _unpack(kind: str, packed: bytes, checksum: int) -> Answer | None:
    """The answer in a row; None if the row is damaged."""
    if zlib.crc32(packed) != checksum:
        return None
    try:
        if kind in _KINDS_0_1:
            fields = msgspec.msgpack.decode(packed)
            return msgspec.convert({**fields, "scoring": fields["made"]}, _KINDS_0_1[kind])
        if kind not in DECODERS:
            return None
        answer: Answer = DECODERS[kind].decode(packed)
    except (msgspec.MsgspecError, KeyError, TypeError):
        return None
    return answer
