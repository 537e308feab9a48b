"""The bank of a user's own ratings: one SQLite file, so that several people and processes can write to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tacit.errors import TacitError
from tacit.ratings.rating import Rating, token_key
from tacit.storage import cannot_write, home_folder

__all__ = ["Bank", "bank_path"]

# Keyed by the sentence's text, not its id: a reworded sentence needs new ratings.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rating (
    probe TEXT NOT NULL, text TEXT NOT NULL, token TEXT NOT NULL, rater TEXT NOT NULL,
    score REAL NOT NULL, date TEXT NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (probe, text, token, rater)
)
"""


def bank_path() -> Path:
    """Where the bank is kept: in `$TACIT_HOME`, or else in `tacit` in the user's data folder."""
    return home_folder() / "ratings.sqlite"


class Bank:
    """Ratings kept on disk. The file is created when the first rating is added."""

    def __init__(self, path: Path | None = None) -> None:
        """Use the bank at `path`, by default the user's own (see `bank_path`)."""
        self.path = path or bank_path()

    def ratings(self, probe: str, texts: Mapping[str, str]) -> list[Rating]:
        """The ratings of a probe's sentences, ordered by text, token and rater.

        Args:
            probe: The probe's name.
            texts: Each sentence's text by its id. Ratings of other texts are left out.
        """
        if not self.path.is_file():
            return []
        query = "SELECT text, token, score, rater, date, note FROM rating WHERE probe = ? ORDER BY text, token, rater"
        with self._open() as connection:
            rows = connection.execute(query, (probe,)).fetchall()
        ids = {text: sentence for sentence, text in texts.items()}
        return [Rating(ids[text], *fields) for text, *fields in rows if text in ids]

    def add(self, probe: str, texts: Mapping[str, str], ratings: Sequence[Rating]) -> None:
        """Add all ratings or none; a new score replaces the same rater's earlier score of that token.

        Args:
            probe: The probe's name.
            texts: Each sentence's text by its id.
            ratings: What to add.
        """
        rows = [
            (probe, texts[rating.sentence], token, rating.rater, rating.score, rating.date, rating.note)
            for rating in ratings
            for token in [token_key(rating.token)]
        ]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(self.path, error) from None
        with self._open() as connection, connection:
            connection.execute(_SCHEMA)
            connection.executemany("INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def remove(self, probe: str, rater: str) -> int:
        """Remove all ratings of a probe by one rater, also of sentences that it no longer has; return how many."""
        if not self.path.is_file():
            return 0
        with self._open() as connection, connection:
            return connection.execute("DELETE FROM rating WHERE probe = ? AND rater = ?", (probe, rater)).rowcount

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise TacitError(
                f"The rating bank {self.path} cannot be used ({error}). Move the file away to start a new bank."
            ) from None
