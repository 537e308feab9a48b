"""HTTP with one server: time-outs, retries with jitter, and one sentence for whatever goes wrong."""

from __future__ import annotations

import asyncio
import os
import random
from typing import Any

import httpx2
import msgspec

from tacit._version import __version__
from tacit.errors import ModelError
from tacit.models.endpoints.address import Address

__all__ = ["KEY_VARIABLE", "Client", "ServerError"]

KEY_VARIABLE = "TACIT_API_KEY"
# What a server says when it is busy, starting or restarting. All our requests only read, so each may be repeated.
_TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
_ATTEMPTS = 6
_FIRST_DELAY, _MAX_DELAY = 0.25, 30.0
_CONNECT_SECONDS = 10.0
# The log-probabilities of a vocabulary of 250,000 tokens take about 50 MB.
_MAX_BYTES = 200_000_000
_MAX_SHOWN = 300


class ServerError(ModelError):
    """The server answered with an error.

    Attributes:
        status: The status of its answer.
        message: What it said.
    """

    def __init__(self, where: str, status: int, message: str) -> None:
        super().__init__(f"The server at {where} refused a request (HTTP {status}): {message}")
        self.status = status
        self.message = message


class _TransientError(Exception):
    """Something that may be gone at the next attempt."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class Client:
    """Requests to one server. The key is read from the environment, and is in no message and no file."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._key = os.environ.get(KEY_VARIABLE, "").strip()
        self._connected = False
        self._http = httpx2.AsyncClient(
            headers={"User-Agent": f"tacit/{__version__}"} | self._authorization(),
            timeout=httpx2.Timeout(address.timeout, connect=min(_CONNECT_SECONDS, address.timeout)),
            limits=httpx2.Limits(max_connections=None),
            # A proxy that is meant for the internet cannot reach a server on this machine.
            trust_env=not address.is_local,
        )

    async def get(self, path: str) -> Any:
        """The JSON document at a path."""
        return await self._request("GET", path, None)

    async def find(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """The JSON document at a path, or the answer to one; None if the server has no such path or gives no JSON."""
        try:
            return await self._request("GET" if body is None else "POST", path, body)
        except ServerError:
            return None

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON answer to a JSON document."""
        return await self._request("POST", path, body)

    async def _request(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        for attempt in range(_ATTEMPTS):
            try:
                return await self._attempt(method, path, body)
            except _TransientError as error:
                # Before the first answer there is nothing to wait for: the address may be wrong.
                is_last = attempt == _ATTEMPTS - 1 or not self._connected
                if is_last:
                    raise self._lost(str(error)) from None
                delay = max(error.after, _FIRST_DELAY * 2**attempt)
                await asyncio.sleep(min(_MAX_DELAY, delay) * random.uniform(0.75, 1.25))
        raise AssertionError("unreachable")

    async def _attempt(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        try:
            async with asyncio.timeout(self.address.timeout):
                status, content, after = await self._exchange(method, path, body)
        except (TimeoutError, httpx2.TimeoutException):
            raise _TransientError(f"no answer within {self.address.timeout:g} s") from None
        except httpx2.TransportError as error:
            raise _TransientError(_plain(str(error)) or type(error).__name__) from None
        except (httpx2.InvalidURL, httpx2.HTTPError) as error:
            raise ModelError(f"The server at {self.address.name} cannot be asked: {_plain(str(error))}.") from None
        if status in _TRANSIENT:
            # A server that answers at all is worth waiting for.
            self._connected = True
            raise _TransientError(f"HTTP {status}: {self._message(content)}", after)
        if status in {401, 403}:
            raise ModelError(
                f"The server at {self.address.name} wants another key (HTTP {status}). Set the environment variable "
                f"{KEY_VARIABLE}."
            )
        if status != 200:
            raise ServerError(self.address.name, status, self._message(content))
        self._connected = True
        try:
            return msgspec.json.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise ServerError(self.address.name, status, f"what it says at {path} is not JSON") from None

    async def _exchange(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, bytes, float]:
        """The status, the content, and how many seconds the server wants us to wait."""
        content = bytearray()
        async with self._http.stream(method, self.address.url + path, json=body) as response:
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > _MAX_BYTES:
                    raise ModelError(f"The server at {self.address.name} does not stop talking at {path}.")
            after = response.headers.get("Retry-After", "")
        return response.status_code, bytes(content), float(after) if after.isdecimal() else 0.0

    def _message(self, content: bytes) -> str:
        """What the server says is wrong, on one line and without our key."""
        try:
            document = msgspec.json.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            document = content.decode(errors="replace")
        while isinstance(document, dict):
            document = next((document[key] for key in ("error", "message", "detail") if document.get(key)), None)
        text = _plain(str(document or "no reason given"))
        return text.replace(self._key, "***") if self._key else text

    def _lost(self, reason: str) -> ModelError:
        if not self._connected:
            return ModelError(
                f"There is no server at {self.address.name} ({reason}). Start it, or correct the address."
            )
        return ModelError(
            f"The server at {self.address.name} no longer answers ({reason}). What it has answered is kept: start it "
            "again, then give the same command (?timeout=SECONDS in the address allows slower answers)."
        )

    def _authorization(self) -> dict[str, str]:
        if not self._key:
            return {}
        if not self._key.isascii() or not self._key.isprintable():
            raise ModelError(f"The environment variable {KEY_VARIABLE} holds characters that no key has. Set it again.")
        return {"Authorization": f"Bearer {self._key}"}


def _plain(text: str) -> str:
    """A text from a server as part of one sentence: nothing in it moves the cursor, and it ends somewhere."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split()).rstrip(".")
    return shown if len(shown) <= _MAX_SHOWN else shown[: _MAX_SHOWN - 1] + "…"
