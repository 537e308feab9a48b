"""From the answers of a run to its tables: no model is needed, and the same answers give the same files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tacit._version import __version__
from tacit.errors import TacitError
from tacit.runs.answers import write_table
from tacit.runs.opened import ANSWERS, Run, open_run
from tacit.runs.plan import Prepared, prepare_again
from tacit.runs.record import RunRecord
from tacit.runs.store import inside, publish, scratch
from tacit.runs.summary import summary
from tacit.storage import file_hash

__all__ = ["SUMMARY", "measure", "write_tables"]

SUMMARY = "summary.md"
_RESERVED = {ANSWERS, SUMMARY}


def measure(folder: str | Path) -> Run:
    """Recompute the tables of a run from its answers, its materials and its settings."""
    run = open_run(folder)
    prepared = prepare_again(run.folder, run.record)
    with scratch(run.folder) as unfinished:
        record, names = write_tables(unfinished, prepared, run.answers, run.record)
        record = publish(run.folder, unfinished, names, record)
        _remove_outdated(run, record)
    return Run(run.folder, record)


def _remove_outdated(run: Run, record: RunRecord) -> None:
    """Remove tables that the method no longer makes, if they are still what the run wrote."""
    for name in run.record.files.keys() - record.files.keys():
        path = inside(run.folder, name)
        if path.is_file() and file_hash(path) == run.record.files[name]:
            path.unlink()


def write_tables(
    unfinished: Path, prepared: Prepared, answers: pl.DataFrame, record: RunRecord
) -> tuple[RunRecord, list[str]]:
    """Measure, write each table and the summary, and tell the record what was found."""
    tables = prepared.method.measure(prepared.materials, prepared.settings, answers)
    names = [f"{table}.parquet" for table in tables]
    if "measures" not in tables or _RESERVED & {*names}:
        raise TacitError(f"The method {prepared.method.name} must make a table `measures` and none named `answers`.")
    for name, table in zip(names, tables.values(), strict=True):
        write_table(table, unfinished / name)
    measured = record.model_copy(
        update={
            "measured_with": __version__,
            "sentences": tuple(prepared.method.summary(tables, record.model.label)),
            "comparisons": tuple(prepared.method.comparisons(prepared.materials, prepared.settings)),
            "files": {name: found for name, found in record.files.items() if name == ANSWERS},
        }
    )
    (unfinished / SUMMARY).write_text(summary(measured, tables["measures"]), encoding="utf-8")
    return measured, [*names, SUMMARY]
