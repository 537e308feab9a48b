"""What protects the live page: who may come in, what a request may hold, and what a browser may do with the page."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["CSRF_FIELD", "LARGEST_BODY", "Guard", "Keys"]

LARGEST_BODY = 8 * 2**20
"""The largest request, in bytes: an import of some ten thousand ratings."""
CSRF_FIELD = "csrf"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_COOKIE = "tacit"
_OPEN = ("/static/", "/login", "/sheet/")
"""Paths that need no password: a rater's link holds a token of its own."""


@dataclass(frozen=True)
class Keys:
    """The secrets of one server.

    Attributes:
        password: What opens the page from another machine; None on loopback, where nobody else comes in.
        secret: Signs cookies and forms; new with every start.
    """

    password: str | None = None
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    @property
    def csrf(self) -> str:
        """What every form must send back."""
        return self._sign("csrf")

    @property
    def session(self) -> str:
        """The cookie of somebody who gave the password."""
        return self._sign("session")

    def is_password(self, given: str) -> bool:
        """Whether this is the password, compared in constant time."""
        return self.password is not None and hmac.compare_digest(given.encode(), self.password.encode())

    def _sign(self, purpose: str) -> str:
        return hmac.new(self.secret, purpose.encode(), hashlib.sha256).hexdigest()


class Guard:
    """Refuses foreign hosts, foreign origins, large bodies and strangers; adds the headers that bind a browser."""

    def __init__(self, app: ASGIApp, keys: Keys, hosts: frozenset[str] | None) -> None:
        """Put a guard before an app.

        Args:
            app: What is guarded.
            keys: The secrets.
            hosts: The names by which the server may be called, so that no foreign name can be pointed at it; None
                allows all.
        """
        self.app = app
        self.keys = keys
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        await self.app(scope, _limited(receive), _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        host = headers.get("host", "")
        if self.hosts is not None and _host_name(host) not in self.hosts:
            return PlainTextResponse("This server is not called that.", 400)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return PlainTextResponse("That is too much at once.", 413)
        if scope["method"] == "POST" and not _same_origin(headers, host):
            return PlainTextResponse("This form was sent from another page.", 403)
        if self.keys.password and not path.startswith(_OPEN):
            cookie = Request(scope).cookies.get(_COOKIE, "")
            if not hmac.compare_digest(cookie, self.keys.session):
                return RedirectResponse("/login", 303)
        return None


def _host_name(host: str) -> str:
    return (urlsplit(f"//{host}").hostname or "") if host else ""


def _same_origin(headers: Headers, host: str) -> bool:
    """Whether a browser says that the form is our own; a program that is no browser sends neither header."""
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == host
    return headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("content-security-policy", POLICY)
            headers.setdefault("cache-control", "no-store")
            headers["x-content-type-options"] = "nosniff"
            headers["referrer-policy"] = "same-origin"
            headers["x-frame-options"] = "DENY"
        await send(message)

    return guarded


def _limited(receive: Receive) -> Receive:
    """A body that ends where it grows too large, whatever length it announced."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > LARGEST_BODY:
            return {"type": "http.disconnect"}
        return message

    return limited
