"""What servers reply, taken apart with suspicion: a missing, misplaced or impossible number is an error, never a 0."""

from __future__ import annotations

import math
from typing import Any

from tacit.errors import ModelError

__all__ = ["ReplyError", "field", "is_underflow", "logprob", "texts", "token_id", "token_ids"]

# Rounding may put the log-probability of a certain token this far above 0.
_ABOVE_ZERO = 1e-3
# Servers write this or less where a probability is too small for their numbers: its logarithm is unknown.
_UNDERFLOW = -1000.0


class ReplyError(ModelError):
    """A reply that does not have the form it must have."""


def field(reply: Any, *path: str | int) -> Any:
    """The part of a reply at a path of keys and positions."""
    part = reply
    for key in path:
        try:
            part = part[key]
        except (KeyError, IndexError, TypeError):
            where = ".".join(map(str, path))
            raise ReplyError(f"its reply has no {where}") from None
    return part


def logprob(value: Any) -> float:
    """A log-probability: a finite number that is not above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ReplyError(f"it gives {_shown(value)} as a log-probability")
    if value > _ABOVE_ZERO:
        raise ReplyError(f"it gives {value:g} as a log-probability, which cannot be above 0")
    if is_underflow(value):
        raise ReplyError("it gives a token no probability at all, so that its logarithm is unknown")
    return min(0.0, float(value))


def is_underflow(value: Any) -> bool:
    """Whether a number stands for a probability that is too small for the server's numbers."""
    return isinstance(value, int | float) and value <= _UNDERFLOW


def token_id(value: Any) -> int:
    """A token's number, also where it is written `token_id:17`."""
    text = value.removeprefix("token_id:") if isinstance(value, str) else value
    if isinstance(text, bool) or not isinstance(text, int | str) or not str(text).isdecimal():
        raise ReplyError(f"it gives {_shown(value)} as a token's number")
    return int(text)


def token_ids(values: Any) -> list[int]:
    """Several tokens' numbers."""
    if not isinstance(values, list):
        raise ReplyError(f"it gives {_shown(values)} as tokens")
    return [token_id(value) for value in values]


def texts(values: Any) -> list[str]:
    """Several texts."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ReplyError(f"it gives {_shown(values)} as texts")
    return values


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
