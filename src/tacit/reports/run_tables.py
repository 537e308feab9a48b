"""One table of a run for another program or for a paper."""

from __future__ import annotations

import io
from typing import Literal

import polars as pl

from tacit.errors import RunError, TacitError
from tacit.methods import get_method
from tacit.registry import did_you_mean
from tacit.reports.side_by_side import side_by_side
from tacit.reports.tables import PageTable, page_table
from tacit.reports.writers import csv_bytes, latex_table, markdown_table
from tacit.runs import Run
from tacit.runs.summary import aggregates
from tacit.storage import slug

__all__ = ["TableFormat", "export_table"]

TableFormat = Literal["csv", "tex", "md", "xlsx"]
_ANSWERS, _MEASURES = "answers", "measures"
_SHEET_NAME = 31
"""As many characters as the name of a sheet may have."""
_SHEET_ROWS = 1_048_575


def export_table(run: Run, table: str, kind: TableFormat) -> bytes:
    """A table of a run as the bytes of a file.

    Args:
        run: The run.
        table: Its name: "measures", "answers" or another table; a workbook holds all of them whatever is named.
        kind: The format. CSV holds every row; LaTeX and Markdown show of the measures those about more than one item.
    """
    names = [_ANSWERS, *run.tables]
    if table not in names:
        raise RunError(f"{run.folder} has no table {table!r}: {did_you_mean(table, names)}")
    if kind == "xlsx":
        return _workbook(run)
    frame = run.answers if table == _ANSWERS else run.tables[table]
    if kind == "csv":
        return csv_bytes(frame)
    shown = _shown(run, table, frame)
    if kind == "tex":
        text = latex_table(shown, f"{run.model}: {run.record.probe.title}")
    else:
        text = markdown_table([column.name for column in shown.columns], shown.rows)
    return f"{text}\n".encode("utf-8", "replace")


def _shown(run: Run, table: str, frame: pl.DataFrame) -> PageTable:
    anchor = f"{slug(run.probe)}-{slug(run.model)}-{slug(table)}"
    if table != _MEASURES:
        return page_table(anchor, table, frame)
    method = get_method(run.record.probe.method)
    return side_by_side(anchor, table, {run.model: aggregates(frame)}, method, {})


def _workbook(run: Run) -> bytes:
    try:
        from xlsxwriter import Workbook  # noqa: PLC0415 - an extra that few need
    except ImportError:
        raise TacitError("Workbooks need the package xlsxwriter. Install it with `pip install xlsxwriter`.") from None
    buffer = io.BytesIO()
    # A cell that starts with = is a word that a model filled in, not a formula.
    options = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    with Workbook(buffer, options) as workbook:
        for name in (_MEASURES, *(name for name in run.tables if name != _MEASURES), _ANSWERS):
            frame = run.answers if name == _ANSWERS else run.tables[name]
            plain = frame.select(pl.exclude(pl.List(pl.Float64))).head(_SHEET_ROWS)
            plain.write_excel(workbook, name[:_SHEET_NAME], autofit=False)
    return buffer.getvalue()
