"""Templates of the live page, and the answers to requests that went wrong."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from tacit._version import __version__
from tacit.errors import TacitError
from tacit.serve.security import CSRF_FIELD

__all__ = ["InputError", "form_fields", "on_error", "page", "plain_text"]

LONGEST_TEXT = 10_000


class InputError(TacitError):
    """A request that makes no sense; the sentence says why."""


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("tacit.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template; everything that comes from a request, a model or a file is escaped."""
    site = request.app.state
    text = _templates().get_template(template).render(csrf=site.keys.csrf, version=__version__, **values)
    return HTMLResponse(text, status)


async def form_fields(request: Request) -> dict[str, list[str]]:
    """The fields of a form that was sent from one of our own pages."""
    form = await request.form(max_files=1, max_fields=500)
    fields: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        fields.setdefault(name, []).append(value if isinstance(value, str) else (await value.read()).decode())
    if fields.pop(CSRF_FIELD, [""])[0] != request.app.state.keys.csrf:
        raise InputError("This form is out of date. Load the page again.")
    return fields


def plain_text(text: str, name: str) -> str:
    """A text from a request, if it is not too long."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"{name} has more than {LONGEST_TEXT:,} characters. Shorten it.")
    return text.encode("utf-8", "replace").decode()


def on_error(request: Request, error: Exception) -> Response:
    """An error that a person can fix, as a part of the page or as a page."""
    if request.headers.get("hx-request"):
        return page(request, "error_part.html.j2", sentence=str(error))
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(str(error), 400)
    return page(request, "error.html.j2", 400, sentence=str(error), section="")
