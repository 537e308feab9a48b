"""Which settings of a run are not the probe's own, so that nobody takes a quick look for the whole study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.runs.plan import Prepared
from tacit.runs.record import RunRecord

__all__ = ["Banner", "settings_banner"]

_CAUSAL_ONLY = {"shortlist", "causal"}
"""Settings that change nothing for other families."""


@dataclass(frozen=True)
class Banner:
    """Settings that differ from the probe's own.

    Attributes:
        reduced: Whether they are the ones by which the tour makes the probe smaller.
        changes: The settings, such as "words = 24 (default: 600)".
    """

    reduced: bool
    changes: list[str]


def settings_banner(records: Sequence[RunRecord], prepared: Prepared | None) -> Banner | None:
    """The banner of runs with the same settings; None where all settings are the probe's own.

    Args:
        records: The records of the runs.
        prepared: The probe, which knows the defaults; without it they are not named.
    """
    causal = any(record.model.family == "causal" for record in records)
    changed = {
        name: value
        for name, value in records[0].changed_settings.items()
        if name != "mode" and (causal or name not in _CAUSAL_ONLY)
    }
    if not changed:
        return None
    tour = (prepared.probe.tour or {}) if prepared else {}
    reduced = bool(tour) and all(name in tour or name in _CAUSAL_ONLY for name in changed)
    return Banner(reduced, [_change(name, value, prepared) for name, value in changed.items()])


def _change(name: str, value: Any, prepared: Prepared | None) -> str:
    if prepared is None:
        return f"{name} = {value}"
    field = type(prepared.settings).model_fields.get(name)
    default = prepared.probe.settings.get(name, None if field is None else field.default)
    return f"{name} = {value}" + ("" if default in (None, "") else f" (default: {default})")
