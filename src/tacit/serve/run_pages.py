"""Runs: what there is, one run or several as the report shows them, and starting, watching and stopping a run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from tacit.errors import TacitError
from tacit.methods import get_method
from tacit.methods.base import Settings
from tacit.probes import load_probe, probe_names
from tacit.reports import render
from tacit.reports.page import render_page
from tacit.reports.sections import sections
from tacit.runs import Run, find_runs, open_run, read_record
from tacit.runs.estimate import duration_words
from tacit.runs.jobs import running_jobs
from tacit.runs.plan import prepare
from tacit.runs.store import default_folder
from tacit.serve.jobs import Started
from tacit.serve.pages import InputError, form_fields, page

__all__ = ["routes"]

_SECONDS_BETWEEN_EVENTS = 1.0
_FILTERS = ("probe", "model", "status")


@dataclass(frozen=True)
class Listed:
    """A run in the list; `place` is its folder below the folder of runs."""

    place: str
    probe: str
    model: str
    mode: str
    status: str
    started: str
    headline: str

    def matches(self, words: list[str], chosen: Mapping[str, str]) -> bool:
        """Whether every word occurs somewhere, and the columns have the values that were chosen."""
        text = " ".join([self.place, self.probe, self.model, self.mode, self.status, self.headline]).casefold()
        return all(word in text for word in words) and all(
            getattr(self, name) == value for name, value in chosen.items() if value
        )


@dataclass(frozen=True)
class SettingField:
    """A setting as the form shows it."""

    name: str
    default: str
    description: str
    choices: tuple[str, ...]


async def runs(request: Request) -> Response:
    """The list of runs; the search field replaces only the rows."""
    listed = await run_in_threadpool(_listed, request.app.state.folder)
    search = request.query_params.get("search", "")[:200]
    chosen = {name: request.query_params.get(name, "") for name in _FILTERS}
    shown = [run for run in listed if run.matches(search.casefold().split(), chosen)]
    if request.headers.get("hx-request"):
        return page(request, "run_rows_part.html.j2", runs=shown, total=len(listed))
    started = [_started_facts(run) for run in request.app.state.started.all()]
    filters = {name: sorted({getattr(run, name) for run in listed} - {""}) for name in _FILTERS}
    facts: dict[str, Any] = {"started": started, "search": search, "chosen": chosen, "filters": filters}
    return page(request, "runs.html.j2", runs=shown, total=len(listed), section="runs", **facts)


async def view(request: Request) -> Response:
    """One run, or several side by side, as the report shows them."""
    chosen = _chosen_runs(request.app.state.folder, request.query_params.getlist("run"))
    text = await run_in_threadpool(lambda: render_page(sections(chosen)))
    back = '<body>\n<a class="skip" href="/runs">Back to the runs</a>'
    bar = '<p class="note"><a href="/runs">← All runs</a></p>\n<header>'
    text = text.replace("<body>", back, 1).replace("<header>", bar, 1)
    policy = str(render.content_policy(render.script(), render.vega())) + "; frame-ancestors 'none'"
    return HTMLResponse(text, headers={"content-security-policy": policy})


async def new_run(request: Request) -> Response:
    """The form of a new run: a probe, a model, and the settings of the probe's method."""
    name = request.query_params.get("probe") or "temporal"
    probes = {probe: load_probe(probe).title for probe in probe_names()}
    if name not in probes:
        raise InputError(f"There is no probe {name!r}.")
    fields = _setting_fields(name)
    models = request.app.state.models.names
    return page(request, "new_run.html.j2", probes=probes, probe=name, models=models, fields=fields, section="runs")


async def start_run(request: Request) -> Response:
    """Start a run, after everything in the form was checked as on the command line."""
    fields = await form_fields(request)
    probe, model = fields.get("probe", [""])[0], fields.get("model", [""])[0]
    request.app.state.models.require([model])
    if probe not in probe_names():
        raise InputError(f"There is no probe {probe!r}.")
    allowed = {field.name: field.default for field in _setting_fields(probe)}
    given = {name.removeprefix("set."): values[0].strip() for name, values in fields.items() if name.startswith("set.")}
    changed = {name: value for name, value in given.items() if name in allowed and value not in {"", allowed[name]}}
    await run_in_threadpool(prepare, probe, changed, None)
    suffix = "".join(f"-{name}-{value}" for name, value in sorted(changed.items()))[:80]
    folder = default_folder(probe, model + suffix, request.app.state.folder)
    settings = [f"{name}={value}" for name, value in changed.items()]
    started = await run_in_threadpool(request.app.state.started.start, probe, model, folder, settings)
    return RedirectResponse(f"/runs/started/{started.number}", 303)


async def started_run(request: Request) -> Response:
    """A run that was started here, with its progress."""
    started = request.app.state.started.get(request.path_params["number"])
    return page(request, "started.html.j2", run=_started_facts(started), section="runs")


async def change_run(request: Request) -> Response:
    """Stop or continue a run."""
    await form_fields(request)
    number, runs = request.path_params["number"], request.app.state.started
    action = runs.stop if request.path_params["action"] == "stop" else runs.go_on
    await run_in_threadpool(action, number)
    return RedirectResponse(f"/runs/started/{number}", 303)


async def events(request: Request) -> Response:
    """The progress of a run as server-sent events, until it ends."""
    started = request.app.state.started.get(request.path_params["number"])

    async def stream() -> AsyncIterator[str]:
        while True:
            facts = await run_in_threadpool(_started_facts, started)
            yield f"data: {json.dumps(facts)}\n\n"
            if facts["status"] != "running" or await request.is_disconnected():
                return
            await asyncio.sleep(_SECONDS_BETWEEN_EVENTS)

    return StreamingResponse(stream(), media_type="text/event-stream")


routes = [
    Route("/runs", runs),
    Route("/runs/view", view),
    Route("/runs/new", new_run),
    Route("/runs/start", start_run, methods=["POST"]),
    Route("/runs/started/{number:int}", started_run),
    Route("/runs/started/{number:int}/events", events),
    Route("/runs/started/{number:int}/{action}", change_run, methods=["POST"]),
]


def _listed(folder: Path) -> list[Listed]:
    """The runs of the folder, the newest first; damaged ones are listed as such."""
    listed, running = [], {Path(job.folder).resolve() for job in running_jobs()}
    for run in find_runs([folder]) if folder.is_dir() else []:
        place = str(run.relative_to(folder))
        try:
            record = read_record(run)
        except TacitError as error:
            listed.append(Listed(place, "", "", "", "damaged", "", str(error)))
            continue
        status = "complete" if record.status == "complete" else "running" if run.resolve() in running else "interrupted"
        facts = (record.probe.name, record.model.label, record.mode, status, record.started, record.headline)
        listed.append(Listed(place, *facts))
    return sorted(listed, key=lambda run: run.started, reverse=True)


def _chosen_runs(folder: Path, places: list[str]) -> list[Run]:
    """The runs of these places. Only what the list itself shows is opened, so no request can name another path."""
    known = {str(run.relative_to(folder)): run for run in find_runs([folder])} if folder.is_dir() else {}
    if not places:
        raise InputError("Tick at least one run.")
    for place in places:
        if place not in known:
            raise InputError(f"There is no run {place!r} here.")
    return [open_run(known[place]) for place in dict.fromkeys(places)]


def _setting_fields(probe: str) -> list[SettingField]:
    """The settings that can be changed in a form; files cannot be named there."""
    loaded = load_probe(probe)
    kind: type[Settings] = get_method(loaded.method).settings
    defaults = kind(**loaded.settings)
    schema = kind.model_json_schema()["properties"]
    fields = []
    for name, (description, choices) in kind.describe().items():
        value = getattr(defaults, name)
        if name in defaults.files() or "path" in json.dumps(schema[name]):
            continue
        text = "" if value is None else ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        fields.append(SettingField(name, text, description, choices))
    return fields


def _started_facts(started: Started) -> dict[str, Any]:
    """What the page shows of a started run."""
    job, status = started.progress, started.status
    left = job.seconds_left if job else None
    return {
        "number": started.number,
        "probe": started.probe,
        "model": started.model,
        "status": status,
        "answered": job.answered if job else 0,
        "total": job.total if job else None,
        "left": duration_words(left) if left is not None else "",
        "output": "" if status == "running" else started.output,
    }
