"""From the answers of a run to its tables: without a model, and the same answers give the same files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import polars as pl

from tacit._version import __version__
from tacit.errors import MaterialsError, RunError
from tacit.methods import Tables
from tacit.runs.answers import write_table
from tacit.runs.plan import Prepared, keep_ratings, prepare_again
from tacit.runs.record import MATERIALS, RATINGS, RunRecord
from tacit.runs.store import ANSWERS, Run, must_fit, open_run, path_inside, publish, scratch
from tacit.runs.summary import summary
from tacit.storage import file_hash

__all__ = ["SUMMARY", "Ratings", "measure", "write_tables"]

Ratings = Literal["kept", "current"]
"""The ratings that a run kept, or those that there are by now."""

SUMMARY = "summary.md"
_RESERVED = {ANSWERS, SUMMARY}
_CLAIMS = {
    ("p", pl.Float64()),
    ("p_adjusted", pl.Float64()),
    ("p_within_adjusted", pl.Float64()),
    ("verdict", pl.String()),
    ("leaning", pl.String()),
}
"""Columns that conclude something, in any table of a run."""


def measure(folder: str | Path, *, ratings: Ratings = "kept") -> Run:
    """Recompute the tables and the summary of a run from its answers, materials and settings.

    Args:
        folder: The run's folder.
        ratings: "kept" uses the ratings that the run kept; "current" reads those that there are by now, and records it.
    """
    if ratings not in get_args(Ratings):
        raise RunError(f"There are no ratings {ratings!r} to measure with. Choose 'kept' or 'current'.")
    run = open_run(folder)
    prepared = prepare_again(run.folder, run.record, kept_ratings=ratings == "kept")
    record = _with_ratings(prepared, run) if ratings == "current" else run.record
    if prepared.ratings is not None and RATINGS not in record.materials:
        raise RunError(
            f"{run.folder} keeps no ratings: an older Tacit wrote it. Add `--ratings current` to use those of now."
        )
    with scratch(run.folder) as unfinished:
        keep_ratings(prepared, run.folder)
        with must_fit([run]):
            record, names = write_tables(unfinished, prepared, run.answers, record)
        record = publish(run.folder, unfinished, names, record)
        _remove_outdated(run, record)
    return Run(run.folder, record)


def _with_ratings(prepared: Prepared, run: Run) -> RunRecord:
    """The record with the ratings that there are by now; the same one if they are those that the run kept."""
    record = run.record
    if prepared.ratings is None or prepared.hashes()[RATINGS] == record.materials.get(RATINGS):
        return record
    return record.model_copy(
        update={
            "materials": {**record.materials, RATINGS: prepared.hashes()[RATINGS]},
            "copies": {**record.copies, RATINGS: prepared.copies()[RATINGS]},
            "ratings_read": datetime.now(UTC).isoformat(timespec="seconds"),
        }
    )


def _remove_outdated(run: Run, record: RunRecord) -> None:
    """Remove tables that the method no longer computes, if they are still what the run wrote, and earlier ratings."""
    for name in run.record.files.keys() - record.files.keys():
        path = path_inside(run.folder, name)
        if path.is_file() and file_hash(path) == run.record.files[name]:
            path.unlink()
    earlier = run.record.copies.get(RATINGS)
    if earlier is not None and earlier != record.copies.get(RATINGS):
        path_inside(run.folder, f"{MATERIALS}/{earlier}").unlink(missing_ok=True)


def _without_verdicts(table: pl.DataFrame) -> pl.DataFrame:
    """The numbers alone, for a run that cannot be interpreted."""
    claims = [column for column in table.schema.items() if column in _CLAIMS]
    return table.with_columns(pl.lit(None, kind).alias(name) for name, kind in claims)


def _interpretation(prepared: Prepared, tables: Tables, model: str) -> dict[str, Any]:
    """What may be said of the run: nothing but the reason where it cannot be interpreted."""
    method = prepared.method
    validity = method.validity(tables)
    if not validity.can_be_interpreted:
        headline = f"{model} cannot be asked this: {validity.reason}."
        return {"validity": validity, "headline": headline, "sentences": (), "comparisons": ()}
    headline = method.headline({model: tables})
    return {
        "validity": validity,
        "headline": headline,
        "sentences": tuple(sentence for sentence in method.summary(tables, model) if sentence != headline),
        "comparisons": tuple(method.comparisons(prepared.materials, prepared.settings)),
    }


def write_tables(
    unfinished: Path, prepared: Prepared, answers: pl.DataFrame, record: RunRecord
) -> tuple[RunRecord, list[str]]:
    """Compute the measures, and write each table and the summary.

    Args:
        unfinished: The folder to write to.
        prepared: The probe.
        answers: What the model answered.
        record: The record of the run so far.

    Returns:
        The record with the results in it, and the names of the files that were written.
    """
    tables = prepared.method.measure(prepared.materials, prepared.settings, answers)
    names = [f"{table}.parquet" for table in tables]
    if "measures" not in tables or _RESERVED & {*names}:
        raise MaterialsError(
            f"The method {prepared.method.name} must return a table `measures`, and none named `answers`. "
            "Correct its `measure`."
        )
    interpretation = _interpretation(prepared, tables, record.model.label)
    if not interpretation["validity"].can_be_interpreted:
        tables = {name: _without_verdicts(table) for name, table in tables.items()}
    for name, table in zip(names, tables.values(), strict=True):
        write_table(table, unfinished / name)
    measured = record.model_copy(
        update={
            "measured_with": __version__,
            **interpretation,
            "files": {name: sha256 for name, sha256 in record.files.items() if name == ANSWERS},
        }
    )
    key_rows = prepared.method.key_rows(tables) if measured.validity.can_be_interpreted else tables["measures"].clear()
    (unfinished / SUMMARY).write_text(summary(measured, key_rows), encoding="utf-8", errors="backslashreplace")
    return measured, [*names, SUMMARY]
