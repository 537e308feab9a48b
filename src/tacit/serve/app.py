"""The live page as one Starlette app: its routes, its state, and the guard before it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tacit.errors import TacitError
from tacit.models.base import Model
from tacit.ratings.online import OnlineSheets
from tacit.serve import explore, rate_pages, run_pages, track
from tacit.serve.jobs import StartedRuns
from tacit.serve.models import WarmModels
from tacit.serve.pages import form_fields, on_error, page
from tacit.serve.security import Guard, Keys

__all__ = ["LOOPBACK", "create_app"]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def create_app(
    folder: Path,
    models: Sequence[str],
    load: Callable[[str], Model],
    *,
    password: str | None = None,
    hosts: frozenset[str] | None = LOOPBACK,
    sheets: Path | None = None,
) -> Starlette:
    """Make the app.

    Args:
        folder: The folder of runs; nothing outside it is read or written for a request.
        models: The models that can be asked.
        load: Loads one of them.
        password: What a visitor must know; None lets everybody in, which is for loopback only.
        hosts: The names by which the server may be called; None allows all.
        sheets: The file of the rating sheets; by default beside the user's bank.
    """
    keys = Keys(password)
    app = Starlette(
        routes=[
            *explore.routes,
            *run_pages.routes,
            *rate_pages.routes,
            *track.routes,
            Route("/login", _login, methods=["GET", "POST"]),
            Mount("/static", StaticFiles(directory=str(files("tacit.serve").joinpath("static")))),
        ],
        middleware=[Middleware(Guard, keys=keys, hosts=hosts)],
        exception_handlers={TacitError: on_error},
        lifespan=_lifespan,
    )
    app.state.keys = keys
    app.state.folder = folder.resolve()
    app.state.models = WarmModels(models, load)
    app.state.started = StartedRuns()
    app.state.sheets = OnlineSheets(sheets)
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    yield
    app.state.started.close()
    app.state.models.close()


async def _login(request: Request) -> Response:
    """Ask for the password that was printed when the server started."""
    keys: Keys = request.app.state.keys
    if request.method == "GET":
        return page(request, "login.html.j2", wrong=False, section="")
    fields = await form_fields(request)
    if not keys.is_password(fields.get("password", [""])[0]):
        return page(request, "login.html.j2", 403, wrong=True, section="")
    response = RedirectResponse("/", 303)
    response.set_cookie("tacit", keys.session, httponly=True, samesite="strict")
    return response
