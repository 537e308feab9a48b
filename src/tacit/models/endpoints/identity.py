"""Who is behind an address? Weights cannot be hashed there, so a model is known by its answers to fixed sentences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.models.endpoints.noise import largest_difference
from tacit.models.hf.fingerprint import SCORING_VERSION
from tacit.storage import cache_folder, write_atomic

__all__ = ["Identity", "recognize"]

# Answers that differ by no more than this are the same model's, even if its noise floor was found to be smaller.
_SAME = 1e-4


@dataclass(frozen=True, slots=True)
class Identity:
    """A model that was met at an address.

    Attributes:
        fingerprint: Its answers are cached under this.
        noise_floor: The largest difference between its answers to the same questions, in nats.
        failed: The checks that it failed when it was first met, with what was found.
    """

    fingerprint: str
    noise_floor: float
    failed: dict[str, str]


def recognize(
    facts: dict[str, Any], answers: Seq[Seq[float]], examine: Callable[[], tuple[float, dict[str, str]]]
) -> Identity:
    """The identity under which a model was met before, or a new one.

    A model's answers vary by its noise, so they are compared with those that were kept; only a new model's are hashed.

    Args:
        facts: What the server says of itself, and how it is asked.
        answers: The log-probabilities of the tokens of the fixed sentences.
        examine: Finds the noise floor of a model that was not met before, and the checks that it fails.
    """
    key = hashlib.sha256(json.dumps([facts, SCORING_VERSION], sort_keys=True).encode()).hexdigest()
    known = _read()
    for entry in known.get(key, ()):
        if largest_difference(entry["answers"], answers) <= max(_SAME, 2 * entry["noise_floor"]):
            return Identity(entry["fingerprint"], entry["noise_floor"], entry["failed"])
    noise, failed = examine()
    fingerprint = hashlib.sha256(f"{key} {json.dumps(answers)}".encode()).hexdigest()[:32]
    entry = {"fingerprint": fingerprint, "noise_floor": noise, "failed": failed, "answers": answers}
    _write({**known, key: [*known.get(key, ()), entry]})
    return Identity(fingerprint, noise, failed)


def _read() -> dict[str, list[dict[str, Any]]]:
    try:
        known = json.loads(_file().read_text(encoding="utf-8"))
        return {
            str(key): [
                {
                    "fingerprint": str(entry["fingerprint"]),
                    "noise_floor": float(entry["noise_floor"]),
                    "answers": [[float(value) for value in row] for row in entry["answers"]],
                    "failed": {str(name): str(detail) for name, detail in entry["failed"].items()},
                }
                for entry in entries
            ]
            for key, entries in known.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}  # a model that is not remembered gets a new fingerprint, and is asked again


def _write(known: dict[str, list[dict[str, Any]]]) -> None:
    try:
        write_atomic(_file(), json.dumps(known, indent=1).encode())
    except OSError:
        return  # a read-only cache folder only costs time


def _file() -> Path:
    return cache_folder() / "endpoints.json"
