"""The figures of everything that was planted for a probe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tacit.figure import Figure
from tacit.validation.dose_figure import dose_figure
from tacit.validation.dose_rows import MIXTURES_FILE, DoseRow, read_doses
from tacit.validation.herb_figure import herb_figure, read_herb

__all__ = ["planted_figures"]


def planted_figures(folder: Path) -> list[Figure]:
    """The curve of a probe's planted series, of its graded mixtures, and of HERB's own plant, where there are any."""
    figures = []
    if doses := read_doses(folder):
        figures.append(dose_figure(doses))
    if mixtures := read_doses(folder, MIXTURES_FILE):
        figures.append(_of_mixtures(mixtures))
    if herb := read_herb(folder):
        figures.append(herb_figure(herb))
    return figures


def _of_mixtures(rows: list[DoseRow]) -> Figure:
    title = f"{rows[0].probe}: what the probe sees of the text that a model was trained on"
    caption = (
        "Each point is a small model that was trained from nothing on a mixture of two kinds of text; bars are the "
        "probe's own intervals. The dashed line is the neutral point."
    )
    return replace(dose_figure(rows), name="graded-mixtures", title=title, caption=caption)
