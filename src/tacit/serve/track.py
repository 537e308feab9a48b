"""Track: the headline value of one probe over several models or checkpoints, in the order of their runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.errors import TacitError
from tacit.figure import model_colors
from tacit.methods import get_method
from tacit.reports.plots import interval_plot, plot_range, value_text
from tacit.runs import Run, find_runs, open_run
from tacit.serve.pages import page

__all__ = ["routes"]


async def track(request: Request) -> Response:
    """One table per probe, each run a row with its headline value."""
    probe = request.query_params.get("probe", "")
    series = await run_in_threadpool(_series, request.app.state.folder, probe)
    return page(request, "track.html.j2", series=series, probe=probe, section="track")


routes = [Route("/track", track)]


def _series(folder: Path, only: str) -> dict[str, list[dict[str, Any]]]:
    runs: dict[str, list[Run]] = {}
    for place in find_runs([folder]) if folder.is_dir() else []:
        try:
            run = open_run(place)
        except TacitError:
            continue  # an interrupted or damaged run has no value to show; the list of runs tells
        if not only or run.probe == only:
            runs.setdefault(run.probe, []).append(run)
    return {probe: _rows(folder, sorted(own, key=_step)) for probe, own in sorted(runs.items())}


def _step(run: Run) -> tuple[list[tuple[int, str]], str]:
    """Checkpoints by their number, `checkpoint-500` before `checkpoint-1000`; then by time."""
    parts = re.split(r"(\d+)", run.model)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts], run.record.started


def _rows(folder: Path, runs: list[Run]) -> list[dict[str, Any]]:
    glances = [
        get_method(run.record.probe.method).glance(run.tables) if run.validity.can_be_interpreted else None
        for run in runs
    ]
    ends = plot_range([glance for glance in glances if glance is not None])
    rows = []
    for run, glance in zip(runs, glances, strict=True):
        place = str(run.folder.relative_to(folder))
        row: dict[str, Any] = {
            "place": place,
            "model": run.model,
            "started": run.record.started,
            "mode": run.record.mode,
        }
        row["phrase"] = glance.phrase if glance else run.headline
        row["value"] = value_text(glance) if glance else ""
        row["plot"] = interval_plot(glance, ends, model_colors([run.model])[run.model]) if glance else ""
        rows.append(row)
    return rows
