"""Runs and pages for the tests of the report."""

from __future__ import annotations

from dataclasses import replace

from tacit.methods import Validity
from tacit.runs import Run
from tacit.runs.plan import prepare_again

__all__ = ["interpretable"]


def interpretable(run: Run) -> Run:
    """The run as if its model had passed the positive control, which our random models do not."""
    prepared = prepare_again(run.folder, run.record)
    comparisons = tuple(prepared.method.comparisons(prepared.materials, prepared.settings))
    tables = prepared.method.measure(prepared.materials, prepared.settings, run.answers)
    said = {
        "headline": prepared.method.headline({run.model: tables}),
        "sentences": tuple(prepared.method.summary(tables, run.model)),
    }
    record = run.record.model_copy(update={"validity": Validity(), "comparisons": comparisons, **said})
    return replace(run, record=record)
