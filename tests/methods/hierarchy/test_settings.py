"""A mode sets what docs/errata/herb.md says, and only that; a switch of one's own overrides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.methods.hierarchy.settings import HierarchySettings

ERRATUM = Path(__file__).parents[3] / "docs" / "errata" / "herb.md"


def promised() -> dict[str, dict[str, str]]:
    """The switches of each mode, from the table of the erratum."""
    rows = [line.strip("| ").split(" | ") for line in ERRATUM.read_text().splitlines() if line.startswith("| ")]
    heading = next(row for row in rows if row[1:2] == ["switch"])
    switches = [row for row in rows if len(row) == len(heading) and row[1].startswith("`") and row is not heading]
    modes = [mode.strip("`") for mode in heading[2:]]
    return {mode: {row[1].strip("`"): row[2 + i] for row in switches} for i, mode in enumerate(modes)}


@pytest.mark.parametrize("mode", ["corrected", "as-published", "reference-code"])
def test_a_mode_sets_what_the_erratum_says_and_nothing_else(mode):
    switches = promised()[mode]
    assert len(switches) == 9
    settings, plain = (HierarchySettings(mode=m).model_dump() for m in (mode, "corrected"))
    assert {name: settings[name] for name in switches} == switches
    assert {name for name in settings if settings[name] != plain[name]} <= {*switches, "mode"}


def test_a_switch_of_ones_own_overrides_the_mode():
    settings = HierarchySettings(mode="as-published", weights="sum-to-one")
    assert (settings.weights, settings.single) == ("sum-to-one", "zero")
