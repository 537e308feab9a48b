"""A run that stands on disk, opened for reading: its record, its tables, its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import Tables
from tacit.runs.record import RunRecord, read_record
from tacit.runs.store import find_runs, inside
from tacit.storage import file_hash

__all__ = ["ANSWERS", "Run", "open_run", "open_runs", "unfinished_runs"]

ANSWERS = "answers.parquet"


@dataclass(frozen=True)
class Run:
    """One probe on one model, kept on disk."""

    folder: Path
    record: RunRecord

    @property
    def model(self) -> str:
        """The model's short name."""
        return self.record.model.label

    @property
    def probe(self) -> str:
        """The probe's name."""
        return self.record.probe.name

    @property
    def measures(self) -> pl.DataFrame:
        """The measures: aggregates (no item) with intervals, and one row an item."""
        return self.tables["measures"]

    @cached_property
    def tables(self) -> Tables:
        """All tables that the method made, by name."""
        names = [name for name in self.record.files if name.endswith(".parquet") and name != ANSWERS]
        return {name.removesuffix(".parquet"): self._read(name) for name in names}

    @property
    def answers(self) -> pl.DataFrame:
        """What the model said, a row a token, word or label."""
        return self._read(ANSWERS)

    def _read(self, name: str) -> pl.DataFrame:
        path = inside(self.folder, name)
        mend = "run the probe again" if name == ANSWERS else f"`tacit measure {self.folder}` makes it anew"
        if not path.is_file():
            raise TacitError(f"{path} is missing: {mend}.")
        if file_hash(path) != self.record.files[name]:
            raise TacitError(f"{path} is damaged (it is not the file that the run wrote): {mend}.")
        return pl.read_parquet(path)


def open_run(folder: str | Path) -> Run:
    """Open a complete run."""
    folder = Path(folder)
    record = read_record(folder)
    if record.status != "complete":
        raise TacitError(f"{folder} was interrupted before its end: the same `tacit run` command continues it.")
    return Run(folder, record)


def open_runs(places: Sequence[str | Path | Run]) -> list[Run]:
    """Open runs, each given as a run, its folder, or a folder above several, whose unfinished runs are passed over."""
    opened: list[Run] = []
    for place in places:
        if isinstance(place, Run):
            opened.append(place)
            continue
        found = find_runs([place])
        passed_over = unfinished_runs([place]) if len(found) > 1 else []
        opened += [open_run(folder) for folder in found if folder not in passed_over]
    return opened


def unfinished_runs(places: Sequence[str | Path]) -> list[Path]:
    """The runs in these places that were interrupted."""
    return [folder for folder in find_runs(places) if read_record(folder).status != "complete"]
