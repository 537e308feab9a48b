"""Sheets that people rate in a browser: every answer is stored at once, in one SQLite file that many can write to."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import MaterialsError, TacitError
from tacit.ratings.bank import bank_path

__all__ = ["OnlineAnswer", "OnlineItem", "OnlineRater", "OnlineSheet", "OnlineSheets"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sheet (
    id INTEGER PRIMARY KEY, probe TEXT NOT NULL, kind TEXT NOT NULL, points TEXT NOT NULL, created REAL NOT NULL);
CREATE TABLE IF NOT EXISTS item (
    sheet INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, token TEXT NOT NULL,
    options TEXT NOT NULL, PRIMARY KEY (sheet, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rater (token TEXT PRIMARY KEY, sheet INTEGER NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answer (
    rater TEXT NOT NULL, number INTEGER NOT NULL, value TEXT, comment TEXT NOT NULL, time REAL NOT NULL,
    PRIMARY KEY (rater, number)) WITHOUT ROWID;
"""
LONGEST_COMMENT = 2000


@dataclass(frozen=True)
class OnlineItem:
    """One thing to rate.

    Attributes:
        number: Its place on the sheet.
        name: The id of the sentence.
        text: The sentence with its blank.
        token: The token in the blank; empty on a sheet of choices.
        options: What can be answered: the points of the scale, or two words.
    """

    number: int
    name: str
    text: str
    token: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class OnlineSheet:
    """A sheet: `kind` is "scale" (a score per token) or "choice" (one of two words); `points` labels the scores."""

    id: int
    probe: str
    kind: str
    points: dict[str, str]


@dataclass(frozen=True)
class OnlineRater:
    """Somebody with a link; the token in it opens this sheet and nothing else."""

    token: str
    sheet: int
    name: str


@dataclass(frozen=True)
class OnlineAnswer:
    """What a rater answered to an item; `value` is None where the item was skipped."""

    rater: str
    item: OnlineItem
    value: str | None
    comment: str
    time: float


class OnlineSheets:
    """The sheets of a user, beside the bank of ratings."""

    def __init__(self, path: Path | None = None) -> None:
        """Use the file at `path`, by default in the folder of the bank."""
        self.path = path or bank_path().with_name("sheets.sqlite")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(_SCHEMA)

    def create(self, probe: str, kind: str, points: dict[str, str], items: Sequence[OnlineItem]) -> OnlineSheet:
        """Make a sheet."""
        if not items:
            raise MaterialsError(f"There is nothing to rate for {probe}: everything is rated.")
        with self._open() as connection, connection:
            cursor = connection.execute(
                "INSERT INTO sheet (probe, kind, points, created) VALUES (?, ?, ?, ?)",
                (probe, kind, json.dumps(points), time.time()),
            )
            rows = [(cursor.lastrowid, i.number, i.name, i.text, i.token, json.dumps(i.options)) for i in items]
            connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)", rows)
        return self.sheet(int(cursor.lastrowid or 0))

    def sheets(self) -> list[OnlineSheet]:
        """All sheets, the newest first."""
        with self._open() as connection:
            rows = connection.execute("SELECT id, probe, kind, points FROM sheet ORDER BY id DESC").fetchall()
        return [OnlineSheet(number, probe, kind, json.loads(points)) for number, probe, kind, points in rows]

    def sheet(self, number: int) -> OnlineSheet:
        """One sheet."""
        found = [sheet for sheet in self.sheets() if sheet.id == number]
        if not found:
            raise MaterialsError(f"There is no sheet {number}.")
        return found[0]

    def items(self, sheet: int) -> list[OnlineItem]:
        """The items of a sheet."""
        query = "SELECT number, name, text, token, options FROM item WHERE sheet = ? ORDER BY number"
        with self._open() as connection:
            rows = connection.execute(query, (sheet,)).fetchall()
        return [OnlineItem(n, name, text, token, tuple(json.loads(options))) for n, name, text, token, options in rows]

    def invite(self, sheet: int, name: str) -> OnlineRater:
        """Make a link for somebody; the same name gets the same link."""
        clean = " ".join(name.split())
        if not 1 <= len(clean) <= 80:
            raise MaterialsError("A rater needs a name of at most 80 characters.")
        self.sheet(sheet)
        with self._open() as connection, connection:
            known = connection.execute(
                "SELECT token FROM rater WHERE sheet = ? AND name = ?", (sheet, clean)
            ).fetchone()
            token = known[0] if known else secrets.token_urlsafe(24)
            connection.execute("INSERT OR IGNORE INTO rater VALUES (?, ?, ?)", (token, sheet, clean))
        return OnlineRater(token, sheet, clean)

    def raters(self, sheet: int) -> list[OnlineRater]:
        """Everybody who has a link to a sheet."""
        query = "SELECT token, sheet, name FROM rater WHERE sheet = ? ORDER BY name"
        with self._open() as connection:
            return [OnlineRater(*row) for row in connection.execute(query, (sheet,)).fetchall()]

    def rater(self, token: str) -> OnlineRater:
        """The rater of a link."""
        with self._open() as connection:
            row = connection.execute("SELECT token, sheet, name FROM rater WHERE token = ?", (token,)).fetchone()
        if row is None:
            raise MaterialsError("This link opens no sheet. Ask for a new one.")
        return OnlineRater(*row)

    def next_item(self, rater: OnlineRater) -> OnlineItem | None:
        """What the rater is shown next, in an order of their own: what is new, then what was skipped."""
        with self._open() as connection:
            rows = connection.execute("SELECT number, value FROM answer WHERE rater = ?", (rater.token,)).fetchall()
        answered = dict(rows)
        items = sorted(self.items(rater.sheet), key=lambda item: _order(rater.token, item.number))
        new = [item for item in items if item.number not in answered]
        return new[0] if new else None

    def answer(self, rater: OnlineRater, number: int, value: str | None, comment: str = "") -> None:
        """Store an answer; None skips the item. The answer is on the disk when this returns."""
        found = [item for item in self.items(rater.sheet) if item.number == number]
        if not found:
            raise MaterialsError(f"This sheet has no item {number}.")
        if value is not None and value not in found[0].options:
            raise MaterialsError(f"The answer must be one of {', '.join(found[0].options)}.")
        if len(comment) > LONGEST_COMMENT:
            raise MaterialsError(f"A comment has at most {LONGEST_COMMENT:,} characters.")
        with self._open() as connection, connection:
            row = (rater.token, number, value, comment.strip(), time.time())
            connection.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)", row)

    def undo(self, rater: OnlineRater) -> OnlineItem | None:
        """Take the latest answer back; the item that it was about, or None."""
        with self._open() as connection, connection:
            query = "SELECT number FROM answer WHERE rater = ? ORDER BY time DESC LIMIT 1"
            row = connection.execute(query, (rater.token,)).fetchone()
            if row is None:
                return None
            connection.execute("DELETE FROM answer WHERE rater = ? AND number = ?", (rater.token, row[0]))
        return next(item for item in self.items(rater.sheet) if item.number == row[0])

    def progress(self, rater: OnlineRater) -> tuple[int, int, int]:
        """How many items are answered, skipped, and on the sheet."""
        query = "SELECT COUNT(value), COUNT(*) FROM answer WHERE rater = ?"
        total_query = "SELECT COUNT(*) FROM item WHERE sheet = ?"
        with self._open() as connection:
            answered, seen = connection.execute(query, (rater.token,)).fetchone()
            (total,) = connection.execute(total_query, (rater.sheet,)).fetchone()
        return answered, seen - answered, total

    def answers(self, sheet: int) -> list[OnlineAnswer]:
        """All answers to a sheet, by item and rater."""
        items = {item.number: item for item in self.items(sheet)}
        query = (
            "SELECT rater.name, number, value, comment, time FROM answer JOIN rater ON rater.token = answer.rater "
            "WHERE rater.sheet = ? ORDER BY number, rater.name"
        )
        with self._open() as connection:
            rows = connection.execute(query, (sheet,)).fetchall()
        return [OnlineAnswer(name, items[number], *rest) for name, number, *rest in rows]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as connection:
                connection.execute("PRAGMA synchronous=FULL")
                yield connection
        except sqlite3.Error as error:
            raise TacitError(
                f"The sheets in {self.path} cannot be used ({error}). Move the file away to start anew."
            ) from None


def _order(token: str, number: int) -> bytes:
    """The same order for the same rater, another one for others."""
    return hashlib.sha256(f"{token} {number}".encode()).digest()
