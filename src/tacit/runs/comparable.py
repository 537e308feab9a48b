"""Which runs can be compared, and what stands in the way of others."""

from __future__ import annotations

from typing import Any

from tacit.methods import get_method
from tacit.runs.record import RATINGS, RunRecord
from tacit.runs.store import Run

__all__ = ["different_inputs", "why_not_asked", "why_not_comparable"]


def why_not_comparable(first: Run, second: Run) -> str | None:
    """Why two runs cannot be compared, as the end of a sentence; None if they can."""
    if first.folder.resolve() == second.folder.resolve():
        return "they are the same run"
    if first.probe != second.probe:
        return f"one ran {first.probe}, the other {second.probe}"
    unasked = why_not_asked(first) or why_not_asked(second)
    if unasked:
        return unasked
    if not first.record.comparisons and not get_method(first.record.probe.method).counts_agreement:
        return f"{first.probe} has no measure that can be paired item by item"
    return different_inputs(first.record, second.record)


def why_not_asked(run: Run) -> str | None:
    """Why a model cannot be asked, as the end of a sentence; None if it can."""
    if run.validity.can_be_interpreted:
        return None
    return f"{run.model} cannot be asked this, because {run.validity.reason}"


def different_inputs(first: RunRecord, second: RunRecord) -> str | None:
    """Why two runs measured different things, as the end of a sentence; None if they did not."""
    if first.mode != second.mode:
        return f"one ran in the mode {first.mode}, the other in {second.mode}"
    if first.probe.version != second.probe.version or first.materials != second.materials:
        materials = _differing(first.materials, second.materials)
        if materials == [RATINGS]:
            # Ratings also follow the files that hold them, so alone they are the user's own.
            return "they were measured with different ratings (recompute both with `tacit measure --ratings current`)"
        return f"their materials differ ({', '.join(materials) or 'another version'})"
    settings = _differing(first.plain_settings(), second.plain_settings())
    if settings:
        return f"their settings differ ({', '.join(settings)})"
    files = _differing(first.setting_hashes(), second.setting_hashes())
    return f"the files that their settings name differ ({', '.join(files)})" if files else None


def _differing(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return [name for name in {**first, **second} if first.get(name) != second.get(name)]
