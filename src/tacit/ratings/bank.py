"""The bank of a user's own ratings: one SQLite file, so that several people and processes may write to it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tacit.errors import TacitError
from tacit.ratings.rating import Rating, token_key

__all__ = ["Bank", "bank_path"]

# Keyed by the sentence's text, not its id: a sentence that was reworded must be rated anew.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rating (
    probe TEXT NOT NULL, text TEXT NOT NULL, token TEXT NOT NULL, rater TEXT NOT NULL,
    score REAL NOT NULL, date TEXT NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (probe, text, token, rater)
)
"""


def bank_path() -> Path:
    """Where the bank is kept: under TACIT_HOME, or among the user's data."""
    home = os.environ.get("TACIT_HOME")
    data = os.environ.get("XDG_DATA_HOME")
    folder = Path(home) if home else (Path(data) if data else Path.home() / ".local" / "share") / "tacit"
    return folder / "ratings.sqlite"


class Bank:
    """Ratings kept on disk. Nothing is created until the first rating is written."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or bank_path()

    def ratings(self, probe: str, texts: Mapping[str, str]) -> list[Rating]:
        """What was rated of a probe's sentences (id to text), in a fixed order."""
        if not self.path.is_file():
            return []
        query = "SELECT text, token, score, rater, date, note FROM rating WHERE probe = ? ORDER BY text, token, rater"
        with self._open() as connection:
            rows = connection.execute(query, (probe,)).fetchall()
        ids = {text: sentence for sentence, text in texts.items()}
        return [Rating(ids[text], *rest) for text, *rest in rows if text in ids]

    def add(self, probe: str, texts: Mapping[str, str], ratings: Sequence[Rating]) -> None:
        """Write all ratings or none; a rater's earlier score of the same token is replaced."""
        rows = [
            (probe, texts[each.sentence], token_key(each.token), each.rater, each.score, each.date, each.note)
            for each in ratings
        ]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as connection, connection:
            connection.execute(_SCHEMA)
            connection.executemany("INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise TacitError(
                f"The rating bank {self.path} cannot be used ({error}): move it away to start anew."
            ) from None
