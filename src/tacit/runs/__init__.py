"""Runs: one probe on one model, kept on disk; recomputed, opened and compared from there."""

from tacit.runs.compare import Comparison, compare
from tacit.runs.execute import run
from tacit.runs.measure import measure
from tacit.runs.opened import Run, open_run, open_runs
from tacit.runs.record import RunRecord, read_record
from tacit.runs.store import default_folder, find_runs

__all__ = [
    "Comparison",
    "Run",
    "RunRecord",
    "compare",
    "default_folder",
    "find_runs",
    "measure",
    "open_run",
    "open_runs",
    "read_record",
    "run",
]
