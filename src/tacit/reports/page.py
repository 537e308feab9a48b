"""The report: one self-contained HTML page that opens without a network and can be printed and sent."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from tacit._version import __version__
from tacit.arguments import require_path
from tacit.asking.progress import OnStep, announced
from tacit.errors import RunError
from tacit.reports import render
from tacit.reports.charts import save_figure
from tacit.reports.overview import overview
from tacit.reports.sections import Section, sections
from tacit.runs import Run, open_runs
from tacit.runs.store import must_fit
from tacit.storage import require_output, write_output

__all__ = ["figure_prefix", "render_page", "report", "save_figures"]

_LOGGER = logging.getLogger(__name__)


def report(
    runs: Sequence[str | Path | Run],
    out: str | Path,
    figures: str | Path | None = None,
    *,
    force: bool = False,
    on_step: OnStep | None = None,
) -> Path:
    """Write one HTML page about runs; runs of the same probe on several models are shown side by side.

    Args:
        runs: Runs, their folders, or folders above runs.
        out: The page to write.
        figures: A folder for the figures as SVG, PNG and PDF; by default they are only on the page.
        force: Overwrite files that Tacit did not write.
        on_step: Told what is being made, how much of it is done, and of how much.

    Returns:
        The path of the page.
    """
    require_path("out", out)
    if figures is not None:
        require_path("figures", figures)
    opened = open_runs(runs)
    if not opened:
        raise RunError("A report needs at least one run. Name the folder of a run, or a folder above runs.")
    path = Path(out)
    require_output(path, force=force)
    with must_fit(opened):
        began = time.monotonic()
        parts = sections(opened, on_step)
        page = render_page(parts)
    write_output(path, page.encode("utf-8", "replace"), force=force)
    if figures is not None:
        save_figures(parts, Path(figures), force=force, on_step=on_step)
    _LOGGER.info("Report: %d sections in %.1f s, written to %s", len(parts), time.monotonic() - began, path)
    return path


def save_figures(parts: Sequence[Section], folder: Path, *, force: bool, on_step: OnStep | None) -> None:
    """Write the figures of all sections as SVG, PNG and PDF."""
    named = [(figure_prefix(section), figure) for section in parts for figure in section.figures]
    for prefix, figure in announced(named, lambda _: "Report: figures", on_step):
        save_figure(figure, folder, prefix, force=force)


def render_page(parts: Sequence[Section]) -> str:
    """The page as one string."""
    script, vega = render.script(), render.vega()
    return (
        render.environment()
        .get_template("page.html.j2")
        .render(
            overview=overview(parts),
            sections=parts,
            models=_models(parts),
            version=__version__,
            script=Markup(script),
            style=Markup(render.style()),
            vega=Markup(vega),
            policy=render.content_policy(script, vega),
        )
    )


def figure_prefix(section: Section) -> str:
    """What the file names of a section's figures start with."""
    return f"{section.anchor.removeprefix('probe-')}-{section.record.mode}"


def _models(parts: Sequence[Section]) -> dict[str, dict[str, Any]]:
    """What is known about each model, by its name on the page."""
    known: dict[str, dict[str, Any]] = {}
    for section in parts:
        for name, run in section.runs.items():
            model = run.record.model
            facts = known.setdefault(name, {"family": model.family, "fingerprint": model.fingerprint})
            facts["description"] = {
                key: value for key, value in model.description.items() if key not in _SHOWN_ELSEWHERE
            }
    return known


_SHOWN_ELSEWHERE = {"name", "family", "fingerprint"}
