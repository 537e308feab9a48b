"""The address of a model behind an endpoint: `vllm+http://HOST:PORT?OPTION=VALUE#MODEL`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, urlsplit

from tacit.errors import ModelError
from tacit.registry import did_you_mean

__all__ = ["Address", "parse_address"]

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_OPTIONS = ["tokenizer", "concurrency", "timeout"]
_TIMEOUT = 120.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where a model is served, and how it is asked.

    Attributes:
        scheme: The kind of server, such as `vllm`.
        url: Where the server is, without a slash at the end.
        model: The name of the model, if the user named one.
        tokenizer: A folder or Hugging Face name of the model's tokenizer, if the user named one.
        concurrency: How many requests may be under way at once, if the user said so.
        timeout: How many seconds a request may take.
        is_local: Whether the server runs on this machine.
    """

    scheme: str
    url: str
    model: str | None = None
    tokenizer: str | None = None
    concurrency: int | None = None
    timeout: float = _TIMEOUT
    is_local: bool = False

    @property
    def name(self) -> str:
        """The server as errors name it."""
        return f"{self.scheme}+{self.url}"


def parse_address(scheme: str, text: str) -> Address:
    """Read an address without its scheme, such as `http://127.0.0.1:8000#MODEL`.

    Args:
        scheme: The kind of server.
        text: The URL of the server, options after `?`, and the name of the model after `#`.
    """
    shown = f"{scheme}+{_without_password(text)}"
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise _malformed(shown) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0 or any(c.isspace() for c in text):
        raise _malformed(shown)
    if parts.username is not None or parts.password is not None:
        raise ModelError(
            f"The address {shown} holds a name or password, which would end up in files. Leave it out, and set the "
            "environment variable TACIT_API_KEY instead."
        )
    options = _read_options(parts, shown)
    # Many guides give the address with /v1, which the dialects add themselves.
    path = parts.path.rstrip("/").removesuffix("/v1")
    return Address(
        scheme=scheme,
        url=f"{parts.scheme}://{parts.netloc}{path}",
        model=parts.fragment or None,
        tokenizer=options.get("tokenizer"),
        concurrency=_number(options, "concurrency", 1, 1024, shown),
        timeout=_number(options, "timeout", 1, 86_400, shown) or _TIMEOUT,
        is_local=parts.hostname in _LOOPBACK,
    )


def _without_password(text: str) -> str:
    before, at, after = text.rpartition("@")
    start = before.partition("://")[0]
    return f"{start}://…@{after}" if at and "://" in before else text


def _malformed(shown: str) -> ModelError:
    scheme = shown.partition("+")[0]
    return ModelError(f"{shown} is not the address of a model. Write {scheme}+http://HOST:PORT#MODEL.")


def _read_options(parts: SplitResult, shown: str) -> dict[str, str]:
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in options:
        if name not in _OPTIONS:
            raise ModelError(f"The address {shown} has no option {name!r}: {did_you_mean(name, _OPTIONS)}")
    return options


def _number(options: dict[str, str], name: str, low: int, high: int, shown: str) -> int | None:
    text = options.get(name)
    if text is None:
        return None
    if not text.isdecimal() or not low <= int(text) <= high:
        raise ModelError(f"The option {name} of the address {shown} is a whole number from {low} to {high:,}.")
    return int(text)
