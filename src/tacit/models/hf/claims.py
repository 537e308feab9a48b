"""What a config.json claims: numbers that no model has are rejected before transformers sees them."""

from __future__ import annotations

import re
from typing import Any

from tacit.errors import ModelError

__all__ = ["check_claims"]

# Far above any published model, and far below what would fill a machine with empty layers or label names.
_LIMITS = (
    (re.compile(r"(^|_)(layers?|blocks|groups?|group_num|experts)$"), 2_000),
    (re.compile(r"heads?$"), 100_000),
    (re.compile(r"labels$"), 1_000_000),
    (re.compile(r"(size|dim|embd|positions|embeddings|inner|ff|model|kv|buckets)$"), 1_000_000_000),
)


def check_claims(config: dict[str, Any], name: str) -> None:
    """Reject numbers in a config.json that no model has: transformers would build that many layers or label names."""
    architectures = config.get("architectures")
    if architectures is not None and not (
        isinstance(architectures, list) and all(isinstance(part, str) for part in architectures)
    ):
        raise ModelError(f"The config.json of {name!r} must name its architectures as a list of texts. Correct it.")
    for key, value in _numbers(config, 0):
        limit = next((limit for pattern, limit in _LIMITS if pattern.search(key)), None)
        if limit is not None and not -1 <= value <= limit:
            raise ModelError(f"The config.json of {name!r} says {key}: {_shown(value)}, as no model has. Correct it.")


def _numbers(part: object, depth: int) -> list[tuple[str, int | float]]:
    """All numbers of a configuration with their keys; what is nested deeper than any real one is left out."""
    if depth > 20:
        return []
    numbers: list[tuple[str, int | float]] = []
    items = part.items() if isinstance(part, dict) else ()
    for key, value in items:
        if isinstance(value, int | float) and not isinstance(value, bool):
            numbers.append((str(key), value))
        else:
            numbers += _numbers(value, depth + 1)
    return numbers


def _shown(value: float) -> str:
    if abs(value) < 1e15:
        return f"{value:,}"
    # An integer may be larger than any float.
    return f"a number of {value.bit_length()} bits" if isinstance(value, int) else f"{value:.2e}"
