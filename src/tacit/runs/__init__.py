"""Runs: one probe on one model, kept on disk; opened, recomputed, compared and summarized from there."""

from tacit.runs.card import card
from tacit.runs.compare import Comparison, compare
from tacit.runs.execute import run
from tacit.runs.measure import measure
from tacit.runs.record import RunRecord, read_record
from tacit.runs.relate import Relations, relate
from tacit.runs.store import Run, default_folder, find_runs, open_run, open_runs

__all__ = [
    "Comparison",
    "Relations",
    "Run",
    "RunRecord",
    "card",
    "compare",
    "default_folder",
    "find_runs",
    "measure",
    "open_run",
    "open_runs",
    "read_record",
    "relate",
    "run",
]
