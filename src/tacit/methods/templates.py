"""Checks of sentence templates such as "People in {region} are {description}."."""

from __future__ import annotations

import re

__all__ = ["check_one_of_slots", "check_slots"]


def check_one_of_slots(template: str, slots: tuple[str, ...]) -> str:
    """Return the template if it contains one of these slots, once, and no other slot; ValueError otherwise."""
    used = [slot for slot in slots if f"{{{slot}}}" in template]
    if len(used) != 1:
        names = " or ".join(f"{{{slot}}}" for slot in slots)
        raise ValueError(f"the template {template!r} must contain either {names}, exactly once")
    return check_slots(template, used[0])


def check_slots(template: str, *slots: str) -> str:
    """Return the template if it contains each slot exactly once and no other slot.

    Raises:
        ValueError: Otherwise, so that a pydantic validator can name the setting or the line in the YAML.
    """
    counts = re.findall(r"\{(\w+)\}", template)
    for slot in slots:
        if counts.count(slot) != 1:
            raise ValueError(f"the template {template!r} must contain {{{slot}}} exactly once")
    unknown = next((slot for slot in counts if slot not in slots), None)
    if unknown is not None:
        known = " and ".join(f"{{{slot}}}" for slot in slots)
        raise ValueError(f"the template {template!r} contains {{{unknown}}}, but only {known} can be filled in")
    return template
