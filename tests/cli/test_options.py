"""Settings of several probes at once."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.cli.options import read_settings, settings_of, share_settings
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


KNOWN = {"temporal": ["seed", "top"], "stereotype": ["seed", "size"]}


def test_a_setting_goes_to_the_probes_that_have_it() -> None:
    assert share_settings({"seed": "1", "size": "small"}, KNOWN) == {
        "temporal": {"seed": "1"},
        "stereotype": {"seed": "1", "size": "small"},
    }


def test_a_setting_that_no_probe_has_is_refused() -> None:
    with pytest.raises(MaterialsError, match=r"None of temporal, stereotype has a setting 'sise': did you mean 'size'"):
        share_settings({"sise": "small"}, KNOWN)


def test_a_setting_of_one_probe_alone_stays_with_it_even_if_it_is_wrong() -> None:
    assert share_settings({"temporal.size": "small"}, KNOWN) == {"temporal": {"size": "small"}, "stereotype": {}}
    assert share_settings({"size": "small"}, {"temporal": ["seed"]}) == {"temporal": {"size": "small"}}


def test_a_misspelt_probe_is_answered_with_the_nearest() -> None:
    with pytest.raises(MaterialsError, match=r"'stereotpye', which is not run \(.*\): did you mean 'stereotype'\?"):
        share_settings({"stereotpye.size": "small"}, KNOWN)


def test_a_run_says_which_probes_a_setting_is_for_and_these_check_its_value() -> None:
    done = CliRunner().invoke(app, ["run", "temporal", "stereotype", "--model", "modern", "--set", "size=tiny"])
    assert "size=tiny is for stereotype; there is no such setting in temporal." in done.stderr
    assert isinstance(done.exception, MaterialsError)
    assert "'tiny'" in str(done.exception)
