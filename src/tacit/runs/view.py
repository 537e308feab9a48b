"""A run in a notebook: its headline, its sentences and key rows, and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.methods import get_method
from tacit.methods.base import Tables
from tacit.notebook import html_table
from tacit.runs.record import RunRecord
from tacit.runs.summary import caution_lines, measure_cells

if TYPE_CHECKING:
    import altair as alt

__all__ = ["RunView"]


class RunView:
    """What a run shows in a notebook."""

    record: RunRecord

    @property
    def tables(self) -> Tables:
        """All tables of the method, by name."""
        raise NotImplementedError

    def __repr__(self) -> str:
        record = self.record
        state = "" if record.validity.can_be_interpreted else ", cannot be interpreted"
        return f"<Run of {record.probe.name} on {record.model.label}: {record.asked:,} questions{state}>"

    def figures(self) -> list[alt.TopLevelMixin]:
        """The figures of the run as Altair charts, the one that matters first.

        There are none where the run cannot be interpreted.
        """
        if not self.record.validity.can_be_interpreted:
            return []
        method = get_method(self.record.probe.method)
        charts = method.figures({self.record.model.label: self.tables})
        return [figure.chart.properties(title=figure.title, description=figure.alt) for figure in charts]

    def _repr_html_(self) -> str:
        record = self.record
        rows = [] if not record.validity.can_be_interpreted else self._key_cells()
        columns = [name for name in (rows[0] if rows else {}) if any(row[name] for row in rows)]
        lines = [record.headline, *record.sentences, *caution_lines(record), *record.warnings]
        title = f"{record.model.label}: {record.probe.title}"
        return html_table(title, lines, columns, [[row[name] for name in columns] for row in rows])

    def _key_cells(self) -> list[dict[str, Any]]:
        key_rows = get_method(self.record.probe.method).key_rows(self.tables)
        return [dict(measure_cells(row)) for row in key_rows.iter_rows(named=True)]
