"""Answers on disk, keyed by the question and the model's fingerprint. Several processes may share the file."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
import warnings
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

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

_LOGGER = logging.getLogger(__name__)
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
# A table of its own: an earlier Tacit that shares the file would take one more column of `answers` for damage.
_USED_SCHEMA = "CREATE TABLE IF NOT EXISTS used (key BLOB PRIMARY KEY, day INTEGER NOT NULL) WITHOUT ROWID"
_USED_TODAY = "SELECT key FROM used WHERE day = ? AND key IN ({})"
_UNUSED = "FROM answers WHERE key IN (SELECT key FROM used WHERE day < ?)"
_SECONDS_PER_DAY = 86_400
# The casts keep SQLite from decoding a damaged cell as text, which would raise an error.
_QUERY = "SELECT key, CAST(kind AS BLOB), CAST(answer AS BLOB), sum FROM answers WHERE key IN ({})"
# SQLite limits how many parameters a query may have.
_KEYS_PER_QUERY = 500
# What the file system or another process causes; any other error of SQLite means that the file is damaged.
_NO_DAMAGE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
}


class Cache:
    """The answers of all models that were asked on this machine, in one SQLite file.

    A damaged file is set aside, and a new one takes its place. A file that cannot be written is only read; where no
    file can be opened, nothing is stored. A warning says so.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open a cache file, or create it; by default the one in Tacit's cache folder."""
        self.path = path or cache_folder() / "answers.sqlite"
        self._stores = True
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()
            _LOGGER.debug("Opened the cache %s", self.path)
        except (OSError, sqlite3.Error) as error:
            self._connection = self._set_aside(error) if _is_damage(error) else self._open_for_reading(error)

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
                answer = _unpack(kind, packed, checksum)
                if answer is not None:
                    answers[key] = answer
        self._mark_used(list(answers))
        return answers

    def put(self, answers: Iterable[tuple[bytes, Answer]]) -> None:
        """Store answers under their keys, in one transaction."""
        rows = [_pack(key, answer) for key, answer in answers]
        try:
            self._insert(rows)
        except sqlite3.Error as error:
            if not _is_damage(error):
                raise self._cannot_be_written(error) from None
            self._connection.close()
            self._connection = self._set_aside(error)
            self._insert(rows)

    def count(self) -> int:
        """How many answers are stored."""
        try:
            return int(self._connection.execute("SELECT count(*) FROM answers").fetchone()[0])
        except sqlite3.Error as error:
            raise self._cannot_be_read(error) from None

    def clear(self) -> None:
        """Remove all answers and give their room back to the disk."""
        try:
            with self._connection:
                self._connection.execute("DELETE FROM answers")
                self._connection.execute("DELETE FROM used")
            self._shrink()
        except sqlite3.Error as error:
            raise self._cannot_be_written(error) from None

    def count_unused(self, days: int) -> int:
        """How many answers no command has stored or used for more than so many days.

        An answer whose last use is not known, because an earlier Tacit stored it, counts as used today.
        """
        try:
            with self._connection:
                self._connection.execute("INSERT OR IGNORE INTO used SELECT key, ? FROM answers", (_today(),))
            return int(self._connection.execute(f"SELECT count(*) {_UNUSED}", (_today() - days,)).fetchone()[0])
        except sqlite3.Error as error:
            raise self._cannot_be_written(error) from None

    def prune(self, days: int) -> int:
        """Remove the answers that `count_unused` counts, and give their room back to the disk; how many there were."""
        unused = self.count_unused(days)
        try:
            with self._connection:
                self._connection.execute(f"DELETE {_UNUSED}", (_today() - days,))
                self._connection.execute("DELETE FROM used WHERE day < ?", (_today() - days,))
            self._shrink()
        except sqlite3.Error as error:
            raise self._cannot_be_written(error) from None
        return unused

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def _shrink(self) -> None:
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _mark_used(self, keys: list[bytes]) -> None:
        """Note today as the day of their last use; once a day for each, because reading should stay cheap."""
        if not self._stores:
            return
        today = _today()
        # A day that cannot be noted is no reason not to use an answer.
        with suppress(sqlite3.Error):
            for start in range(0, len(keys), _KEYS_PER_QUERY):
                chunk = keys[start : start + _KEYS_PER_QUERY]
                query = _USED_TODAY.format(",".join("?" * len(chunk)))
                noted = {key for (key,) in self._connection.execute(query, [today, *chunk])}
                if rows := [(key, today) for key in chunk if key not in noted]:
                    with self._connection:
                        self._connection.executemany("INSERT OR REPLACE INTO used VALUES (?, ?)", rows)

    def _read(self, query: str, keys: list[bytes]) -> list[tuple[bytes, object, object, object]]:
        try:
            return self._connection.execute(query, keys).fetchall()
        except sqlite3.Error as error:
            if not _is_damage(error):
                raise self._cannot_be_read(error) from None
            self._connection.close()
            self._connection = self._set_aside(error) if self._stores else _in_memory()
            return []

    def _insert(self, rows: list[tuple[bytes, str, bytes, int]]) -> None:
        if not self._stores:
            return
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
                used = [(key, _today()) for key, *_ in rows]
                self._connection.executemany("INSERT OR REPLACE INTO used VALUES (?, ?)", used)
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_READONLY:
                raise
            self._stores = False
            self._warn(f"cannot be written ({error}): known answers are used, new ones are not stored")

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=60)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            with connection:
                connection.execute(_SCHEMA)
                connection.execute(_USED_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _open_for_reading(self, error: Exception) -> sqlite3.Connection:
        """A connection that stores nothing: to the file if it can be read, otherwise to an empty table in memory."""
        self._stores = False
        # The log beside the file cannot be opened in a folder that cannot be written; an immutable file has none.
        for how in ("mode=ro", "mode=ro&immutable=1"):
            with suppress(sqlite3.Error):
                connection = sqlite3.connect(f"file:{quote(bytes(self.path.absolute()))}?{how}", uri=True)
                connection.execute("SELECT key, kind, answer, sum FROM answers LIMIT 1").fetchall()
                self._warn(f"cannot be written ({error}): known answers are used, new ones are not stored")
                return connection
        self._warn(
            f"cannot be opened ({error}): no answers are stored, so an interrupted command starts over. "
            "Set TACIT_CACHE to a folder that can be written"
        )
        return _in_memory()

    def _set_aside(self, error: Exception) -> sqlite3.Connection:
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
        try:
            self.path.replace(aside)
            for tail in ("-wal", "-shm"):
                self.path.with_name(self.path.name + tail).unlink(missing_ok=True)
            connection = self._open()
        except (OSError, sqlite3.Error) as further:
            return self._open_for_reading(further)
        self._warn(f"is damaged ({error}) and was set aside as {aside.name}")
        return connection

    def _cannot_be_read(self, error: sqlite3.Error) -> TacitError:
        return TacitError(f"The cache {self.path} cannot be read ({error}). Set TACIT_CACHE to another folder.")

    def _cannot_be_written(self, error: sqlite3.Error) -> TacitError:
        return TacitError(
            f"The cache {self.path} cannot be written ({error}); earlier answers are kept. Free some disk space or "
            "set TACIT_CACHE to another folder, then run the same command again."
        )

    def _warn(self, what: str) -> None:
        warnings.warn(f"The cache {self.path} {what}.", stacklevel=4)


def _today() -> int:
    """The number of this day, counted from 1970."""
    return int(time.time() // _SECONDS_PER_DAY)


def _in_memory() -> sqlite3.Connection:
    """A table that holds nothing, for a cache that cannot be opened."""
    connection = sqlite3.connect(":memory:")
    connection.execute(_SCHEMA)
    connection.execute(_USED_SCHEMA)
    return connection


def _code(error: Exception) -> int | None:
    """SQLite's own primary code of an error."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _is_damage(error: Exception) -> bool:
    """Whether an error means that the file is not a cache of ours, or no longer."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_IOERR_SHORT_READ:
        return True
    return _code(error) is not None and _code(error) not in _NO_DAMAGE


def _pack(key: bytes, answer: Answer) -> tuple[bytes, str, bytes, int]:
    """A row of the table."""
    packed = msgspec.msgpack.encode(answer)
    return key, type(answer).__name__, packed, zlib.crc32(packed)


def _unpack(kind: object, packed: object, checksum: object) -> Answer | None:
    """The answer in a row; None if the row is damaged."""
    if not isinstance(kind, bytes) or not isinstance(packed, bytes) or zlib.crc32(packed) != checksum:
        return None
    name = kind.decode(errors="replace")
    try:
        if name in _KINDS_0_1:
            fields = msgspec.msgpack.decode(packed)
            return msgspec.convert({**fields, "scoring": fields["made"]}, _KINDS_0_1[name])
        if name not in DECODERS:
            return None
        answer: Answer = DECODERS[name].decode(packed)
    except (msgspec.MsgspecError, KeyError, TypeError):
        return None
    return answer
