"""Rate: sheets for the owner, and one token at a time for a rater who never saw a terminal."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from tacit.errors import TacitError
from tacit.numbers import interval_text
from tacit.ratings import Bank, Rating, agreement, disputed_tokens
from tacit.ratings.label_studio import read_label_studio, write_label_studio
from tacit.ratings.online import OnlineSheet, OnlineSheets
from tacit.serve.pages import InputError, form_fields, page, plain_text
from tacit.serve.sheets import can_be_rated, choice_items, token_items, valence_materials

__all__ = ["routes"]


async def sheets(request: Request) -> Response:
    """The owner's list of sheets, and the form for a new one."""
    store: OnlineSheets = request.app.state.sheets
    listed = await run_in_threadpool(lambda: [(sheet, store.raters(sheet.id)) for sheet in store.sheets()])
    return page(request, "sheets.html.j2", sheets=listed, probes=can_be_rated(), section="rate")


async def create_sheet(request: Request) -> Response:
    """Make a sheet from what the models of the runs filled in, or of two-word choices."""
    fields = await form_fields(request)
    probe, every = fields.get("probe", [""])[0], "every" in fields
    made = await run_in_threadpool(_create, request.app.state.sheets, request.app.state.folder, probe, every)
    return RedirectResponse(f"/rate/{made.id}", 303)


async def sheet(request: Request) -> Response:
    """A sheet as its owner sees it: links, progress, agreement, disputed items."""
    store, number = request.app.state.sheets, request.path_params["number"]
    facts = await run_in_threadpool(_sheet_facts, store, number)
    return page(request, "sheet.html.j2", **facts, section="rate", base=str(request.base_url).rstrip("/"))


async def invite(request: Request) -> Response:
    """Make a link for a rater."""
    fields, number = await form_fields(request), request.path_params["number"]
    name = plain_text(fields.get("name", [""])[0], "The name")
    await run_in_threadpool(request.app.state.sheets.invite, number, name)
    return RedirectResponse(f"/rate/{number}", 303)


async def export(request: Request) -> Response:
    """The answers as a CSV for `tacit`, or as JSON for Label Studio."""
    store, number, kind = request.app.state.sheets, request.path_params["number"], request.path_params["kind"]
    if kind == "label-studio.json":
        text = await run_in_threadpool(lambda: write_label_studio(store.items(number), store.answers(number)))
        media = "application/json"
    elif kind == "answers.csv":
        text, media = await run_in_threadpool(_csv, store, number), "text/csv"
    else:
        raise InputError("Export answers.csv or label-studio.json.")
    headers = {"content-disposition": f'attachment; filename="sheet-{number}-{kind}"'}
    return PlainTextResponse(text, media_type=media, headers=headers)


async def to_bank(request: Request) -> Response:
    """Add the scores to the bank, where runs find them."""
    await form_fields(request)
    number = request.path_params["number"]
    count = await run_in_threadpool(_add_to_bank, request.app.state.sheets, number)
    return page(request, "error.html.j2", sentence=f"{count} ratings are in the bank now.", section="rate")


async def import_label_studio(request: Request) -> Response:
    """Take ratings from an export of Label Studio into the bank, all or none."""
    fields = await form_fields(request)
    probe, text = fields.get("probe", [""])[0], fields.get("file", [""])[0]
    count = await run_in_threadpool(_import, probe, text)
    return page(request, "error.html.j2", sentence=f"{count} ratings of {probe} were imported.", section="rate")


async def rate(request: Request) -> Response:
    """What a rater sees: one item, blind, with its answers on keys 1 to 5."""
    store: OnlineSheets = request.app.state.sheets
    return await _rating_page(request, store, request.path_params["token"])


async def answer(request: Request) -> Response:
    """Store an answer at once, and show the next item."""
    store, token = request.app.state.sheets, request.path_params["token"]
    fields = await form_fields(request)
    number = fields.get("number", [""])[0]
    if not number.isdigit():
        raise InputError("Which item is that? Load the page again.")
    value = fields.get("value", [None])[0]
    comment = fields.get("comment", [""])[0]
    skipped = "skip" in fields

    def save() -> None:
        rater = store.rater(token)
        if value is None and not skipped:
            raise InputError("Choose an answer, or skip this one.")
        store.answer(rater, int(number), None if skipped else value, plain_text(comment, "The comment"))

    await run_in_threadpool(save)
    return await _next(request, store, token)


async def undo(request: Request) -> Response:
    """Take the latest answer back and show its item again."""
    store, token = request.app.state.sheets, request.path_params["token"]
    await form_fields(request)
    await run_in_threadpool(lambda: store.undo(store.rater(token)))
    return await _next(request, store, token)


routes = [
    Route("/rate", sheets),
    Route("/rate/new", create_sheet, methods=["POST"]),
    Route("/rate/import", import_label_studio, methods=["POST"]),
    Route("/rate/{number:int}", sheet),
    Route("/rate/{number:int}/invite", invite, methods=["POST"]),
    Route("/rate/{number:int}/bank", to_bank, methods=["POST"]),
    Route("/rate/{number:int}/export/{kind}", export),
    Route("/sheet/{token}", rate),
    Route("/sheet/{token}/answer", answer, methods=["POST"]),
    Route("/sheet/{token}/undo", undo, methods=["POST"]),
]


async def _next(request: Request, store: OnlineSheets, token: str) -> Response:
    if request.headers.get("hx-request"):
        return await _rating_page(request, store, token, "rate_part.html.j2")
    return RedirectResponse(f"/sheet/{token}", 303)


async def _rating_page(request: Request, store: OnlineSheets, token: str, template: str = "rate.html.j2") -> Response:
    facts = await run_in_threadpool(_rating_facts, store, token)
    return page(request, template, **facts, section="")


def _rating_facts(store: OnlineSheets, token: str) -> dict[str, Any]:
    rater = store.rater(token)
    answered, skipped, total = store.progress(rater)
    item = store.next_item(rater)
    before, _, after = item.text.replace("___", "[MASK]").partition("[MASK]") if item else ("", "", "")
    counts = {"answered": answered, "skipped": skipped, "total": total}
    return {"rater": rater, "sheet": store.sheet(rater.sheet), "item": item, "before": before, "after": after, **counts}


def _create(store: OnlineSheets, folder: Path, probe: str, every: bool) -> OnlineSheet:
    kinds = can_be_rated()
    if probe not in kinds:
        raise InputError(f"{probe!r} is not a probe that people rate.")
    if kinds[probe] == "contrast":
        return store.create(probe, "choice", {}, choice_items(probe))
    scale, items = token_items(probe, folder, every=every)
    points = {f"{point:g}": label for point, label in zip(scale.points, scale.labels, strict=True)}
    return store.create(probe, "scale", points, items)


def _sheet_facts(store: OnlineSheets, number: int) -> dict[str, Any]:
    found, raters = store.sheet(number), store.raters(number)
    progress = [(rater, *store.progress(rater)) for rater in raters]
    ratings = _ratings(store, found) if found.kind == "scale" else []
    alpha = agreement(ratings, resamples=500)
    text = "" if alpha is None else interval_text(alpha.value, alpha.low, alpha.high)
    disputed = disputed_tokens(ratings).head(10).to_dicts() if alpha is not None else []
    comments = [answer for answer in store.answers(number) if answer.comment]
    count = len(store.items(number))
    return {
        "sheet": found,
        "progress": progress,
        "alpha": text,
        "doubly_rated": 0 if alpha is None else alpha.n,
        "disputed": disputed,
        "comments": comments,
        "count": count,
    }


def _ratings(store: OnlineSheets, found: OnlineSheet) -> list[Rating]:
    return [
        Rating(
            answer.item.name,
            answer.item.token,
            float(answer.value),
            answer.rater,
            datetime.fromtimestamp(answer.time, UTC).date().isoformat(),
            answer.comment,
        )
        for answer in store.answers(found.id)
        if answer.value is not None
    ]


def _csv(store: OnlineSheets, number: int) -> str:
    import csv  # noqa: PLC0415 - only an export needs them
    import io  # noqa: PLC0415

    from tacit.ratings.spreadsheet import neutralize  # noqa: PLC0415

    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["sentence", "token", "score", "rater", "date", "note"])
    for answer in store.answers(number):
        if answer.value is not None:
            date = datetime.fromtimestamp(answer.time, UTC).date().isoformat()
            cells = (answer.item.name, answer.item.token, answer.value, answer.rater, date, answer.comment)
            score = 2 if store.sheet(number).kind == "scale" else -1
            writer.writerow([cell if place == score else neutralize(cell) for place, cell in enumerate(cells)])
    return text.getvalue()


def _add_to_bank(store: OnlineSheets, number: int) -> int:
    found = store.sheet(number)
    if found.kind != "scale":
        raise InputError("Choices go into a file for `--set people=FILE`: export them as CSV.")
    ratings = _ratings(store, found)
    if not ratings:
        raise InputError("Nothing has been rated yet.")
    Bank().add(found.probe, valence_materials(found.probe).texts, ratings)
    return len(ratings)


def _import(probe: str, text: str) -> int:
    if can_be_rated().get(probe) != "valence":
        raise InputError(f"{probe!r} is not a probe that is rated on a scale.")
    materials = valence_materials(probe)
    ratings = read_label_studio(text, materials.texts, materials.scale)
    if not ratings:
        raise TacitError("The file holds no ratings.")
    Bank().add(probe, materials.texts, ratings)
    return len(ratings)
