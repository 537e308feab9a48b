"""Runs: one probe on one model, kept on disk; recomputed, opened and compared from there."""

from tacit.runs.comparing import Comparison, compare
from tacit.runs.folder import default_folder, find_runs
from tacit.runs.measuring import measure
from tacit.runs.opened import Run, open_run, open_runs
from tacit.runs.record import RunRecord, read_record
from tacit.runs.running import run

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
