"""Settings of several probes at once."""

from __future__ import annotations

import pytest

from tacit.cli.options import read_settings, settings_of
from tacit.errors import MaterialsError

PROBES = ["stereotype", "my/own.yaml"]


def test_a_setting_with_a_probes_name_is_for_that_probe_alone() -> None:
    given = read_settings(["seed=1", "stereotype.size=small", "my/own.yaml.seed=2"])
    assert settings_of("stereotype", given, PROBES) == {"seed": "1", "size": "small"}
    assert settings_of("my/own.yaml", given, PROBES) == {"seed": "2"}


def test_its_own_value_wins_whatever_comes_first() -> None:
    given = read_settings(["stereotype.seed=2", "seed=1"])
    assert settings_of("stereotype", given, PROBES) == {"seed": "2"}


def test_a_probe_that_is_not_run_is_refused() -> None:
    with pytest.raises(MaterialsError, match="'temporal', which is not run"):
        settings_of("stereotype", {"temporal.seed": "1"}, PROBES)
