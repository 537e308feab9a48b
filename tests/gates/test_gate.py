"""A gate decides by intervals, says when it cannot tell, and is never open because it did not look."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from typer.testing import CliRunner

import tacit
from tacit.cli.main import app
from tacit.errors import MaterialsError, ModelError
from tacit.gates import GateResult, Outcome, Rule, gate, json_bytes, junit_bytes, read_rules
from tacit.gates.evaluate import decide

BETA = "probe: temporal\n    measure: beta\n    group: {group}\n"


def _write(folder: Path, *rules: str, head: str = "") -> Path:
    path = folder / "rules.yaml"
    path.write_text(head + "rules:\n" + "".join(f"  - {rule}" for rule in rules), encoding="utf-8")
    return path


def _beta(group: str, *lines: str) -> str:
    return BETA.format(group=group) + "".join(f"    {line}\n" for line in lines)


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(0, 1))
def test_only_an_interval_on_one_side_of_the_bound_decides(low: float, width: float, most: float, more: float) -> None:
    rule = Rule(probe="p", measure="m", at_most=most)
    decision = decide(rule, low, low + width)
    assert (decision == "pass") == (low + width <= most)
    assert (decision == "fail") == (low > most)
    if decision == "cannot tell":  # a wider interval never decides more
        assert decide(rule, low - more, low + width + more) == "cannot tell"


def test_a_value_on_the_bound_passes_and_fails_as_rarely_as_stated() -> None:
    draw = np.random.default_rng(7)
    samples = draw.normal(0.5, 0.1, (4000, 20))
    half = stats.t.ppf(0.975, 19) * samples.std(axis=1, ddof=1) / math.sqrt(20)
    rule = Rule(probe="p", measure="m", at_most=0.5)
    decisions = [decide(rule, mean - h, mean + h) for mean, h in zip(samples.mean(axis=1), half, strict=True)]
    for wrong in ("pass", "fail"):
        assert decisions.count(wrong) / 4000 < 0.025 + 3 * math.sqrt(0.025 * 0.975 / 4000)
    assert decisions.count("pass") > 40


def test_a_model_on_the_right_side_passes_and_one_on_the_wrong_side_fails(tmp_path: Path) -> None:
    rules = _write(tmp_path, _beta("Early Modern", "at-most: 0"), _beta("Early Modern", "at-least: 0"))
    result = gate(rules, "early-modern", out=tmp_path / "gate")
    assert [outcome.decision for outcome in result.outcomes] == ["pass", "fail"]
    assert [outcome.blocks for outcome in result.outcomes] == [False, True]
    assert not result.passed
    run = tacit.open_run(tmp_path / "gate" / "temporal" / "early-modern")
    row = run.measures.filter(measure="beta", group="Early Modern").row(0, named=True)
    assert (result.outcomes[0].value, result.outcomes[0].low, result.outcomes[0].high) == (
        row["value"],
        row["low"],
        row["high"],
    )


def test_a_bound_inside_the_interval_closes_the_gate_unless_that_is_allowed(tmp_path: Path) -> None:
    rules = _write(
        tmp_path, _beta("Early Modern", "at-most: -0.24"), _beta("Early Modern", "at-most: -0.24", "cannot-tell: pass")
    )
    result = gate(rules, "early-modern", out=tmp_path / "gate")
    assert [(outcome.decision, outcome.blocks) for outcome in result.outcomes] == [
        ("cannot tell", True),
        ("cannot tell", False),
    ]
    allowed = _write(tmp_path, _beta("Early Modern", "at-most: -0.24"), head="cannot-tell: pass\n")
    assert gate(allowed, "early-modern", out=tmp_path / "gate").passed


def test_a_model_that_cannot_be_asked_never_passes_by_its_numbers(tmp_path: Path) -> None:
    rules = _write(tmp_path, "probe: intensifier\n    measure: acc\n    group: all items\n    at-most: 0.9\n")
    (outcome,) = gate(rules, "early-modern", out=tmp_path / "gate").outcomes
    assert (outcome.decision, outcome.value, outcome.blocks) == ("cannot tell", None, True)
    assert "cannot be asked" in outcome.reason


def test_an_interval_that_is_marked_decides_only_if_that_is_accepted(tmp_path: Path) -> None:
    marked = _beta("Modern", "at-most: 0.5")
    rules = _write(tmp_path, marked, marked + "    accept-caution: true\n")
    refused, accepted = gate(rules, "early-modern", out=tmp_path / "gate").outcomes
    assert (refused.decision, accepted.decision) == ("cannot tell", "pass")
    assert "not neutral" in refused.reason


def test_a_difference_is_the_paired_one_of_compare(tmp_path: Path) -> None:
    lines = ("compared: true",)
    rules = _write(
        tmp_path,
        *(
            f"probe: temporal\n    measure: beta\n    {lines[0]}\n    {bound}\n"
            for bound in ("at-least: -0.1", "at-most: 0")
        ),
    )
    result = gate(rules, "early-modern", "modern", tmp_path / "gate")
    assert [outcome.decision for outcome in result.outcomes] == ["fail", "pass"]
    runs = [tmp_path / "gate" / "temporal" / name for name in ("early-modern", "modern")]
    row = tacit.compare(runs).table.row(0, named=True)
    assert result.outcomes[0].value == row["difference"]


def test_rules_with_other_settings_have_runs_of_their_own(tmp_path: Path) -> None:
    rules = _write(tmp_path, _beta("Modern", "at-most: 2"), _beta("Modern", "at-most: 2", "settings: {top: 3}"))
    result = gate(rules, "modern", out=tmp_path / "gate")
    assert len(result.folders) == 2
    assert {tacit.open_run(folder).record.settings["top"] for folder in result.folders} == {3, 5}


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (_beta("Modern"), "line 2: rules.0: a rule needs a bound"),
        (_beta("Modern", "at-most: .nan"), "line 5: .*finite"),
        (_beta("Modern", "at-mots: 1"), "line 5: there is no key 'at-mots' here: did you mean 'at-most'"),
        (_beta("Modern", "at-least: 1", "at-most: 0"), "line 2: .*at-least must be below at-most"),
        (_beta("Modern", "at-most: 1", "settings: {topp: 3}"), "no setting 'topp': did you mean 'top'"),
        ("probe: temporla\n    measure: beta\n    at-most: 1\n", "no probe 'temporla': did you mean 'temporal'"),
        ("probe: temporal\n    measure: beta\n    at-most: 1\n    compared: true\n", "line 2: .*Add --baseline"),
        ("probe: temporal\n    mode: modren\n    measure: beta\n    at-most: 1\n", "line 2: .*mode"),
        ("{1: 2, 3: 4}\n", "line 2: .*must be text, not 1"),
    ],
)
def test_a_wrong_rule_is_refused_before_a_model_is_loaded(tmp_path: Path, rule: str, problem: str) -> None:
    with pytest.raises(MaterialsError, match=problem):
        gate(_write(tmp_path, rule), "no-such-model", out=tmp_path / "gate")
    assert not (tmp_path / "gate").exists()


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (_beta("Modren", "at-most: 1"), "line 2: temporal has no group 'Modren': did you mean 'Modern'"),
        ("probe: temporal\n    measure: betta\n    at-most: 1\n", "line 2: .*did you mean 'beta'"),
        ("probe: temporal\n    measure: beta\n    at-most: 1\n", "line 2: 'beta' has 4 rows. Add group: 'Early"),
    ],
)
def test_a_rule_about_nothing_is_refused_with_its_line(tmp_path: Path, rule: str, problem: str) -> None:
    with pytest.raises(MaterialsError, match=problem):
        gate(_write(tmp_path, rule), "modern", out=tmp_path / "gate")


def test_a_file_without_a_rule_is_refused_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text("rules: []\n")
    with pytest.raises(MaterialsError, match=r"line 1: rules must be a list with at least 1 in it, not \[\]"):
        gate(path, "modern", out=tmp_path / "gate")


def test_a_difference_that_is_not_computed_is_refused_before_anything_runs(tmp_path: Path) -> None:
    rules = _write(tmp_path, "probe: temporal\n    measure: rated\n    compared: true\n    at-most: 1\n")
    with pytest.raises(MaterialsError, match="does not compare 'rated'"):
        gate(rules, "modern", "early-modern", tmp_path / "gate")
    assert not (tmp_path / "gate").exists()


def test_a_model_is_no_baseline_of_itself(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="the model itself"):
        gate(_write(tmp_path, _beta("Modern", "at-most: 1")), "modern", "modern", tmp_path / "gate")
    with pytest.raises(ModelError, match="the same folder"):
        gate(_write(tmp_path, _beta("Modern", "at-most: 1")), "a/model", "./a/model", tmp_path / "gate")


def test_names_that_xml_cannot_hold_are_replaced() -> None:
    rule = Rule(probe="p", measure="m\x00\x1b<&\ud800", at_most=1.0)
    result = GateResult("model\x07", None, (Outcome(rule, "fail", 2.0, 1.5, 2.5, blocks=True),), ())
    (case,) = ElementTree.fromstring(junit_bytes(result)).iter("testcase")
    assert case.get("name") == "m\ufffd\ufffd<&\ufffd: at most 1"
    assert json.loads(json_bytes(result))["passed"] is False


def _gate(folder: Path, *words: str) -> Any:
    command = ["gate", str(folder / "rules.yaml"), "--model", "early-modern", "--out", str(folder / "gate"), *words]
    return CliRunner().invoke(app, command)


def test_the_command_writes_both_files_and_exits_with_one_when_closed(tmp_path: Path) -> None:
    failing, open_ = _beta("Early Modern", "at-least: 0"), _beta("Modern", "at-most: 1", "cannot-tell: pass")
    _write(tmp_path, failing, open_)
    files = {name: tmp_path / name for name in ("out.xml", "out.json")}
    words = ("--junit", str(files["out.xml"]), "--json", str(files["out.json"]))
    done = _gate(tmp_path, *words)
    assert done.exit_code == 1
    assert "The gate is closed for early-modern: 1 fail, 1 cannot tell." in done.output
    suite = ElementTree.parse(files["out.xml"]).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
    assert [child.tag for case in suite.iter("testcase") for child in case] == ["failure", "skipped"]
    decisions = [rule["decision"] for rule in json.loads(files["out.json"].read_text())["rules"]]
    assert decisions == ["fail", "cannot tell"]
    _write(tmp_path, _beta("Early Modern", "at-most: 0"))
    again = _gate(tmp_path, *words)  # files that Tacit wrote itself may be written again
    assert again.exit_code == 0
    assert "The gate is open for early-modern: 1 pass." in again.output


def test_a_file_of_the_user_is_not_overwritten(tmp_path: Path) -> None:
    _write(tmp_path, _beta("Early Modern", "at-most: 0"))
    mine = tmp_path / "mine.xml"
    mine.write_text("mine")
    done = _gate(tmp_path, "--junit", str(mine))
    assert done.exit_code != 0
    assert mine.read_text() == "mine"
    assert not (tmp_path / "gate").exists()


def test_a_probe_of_ones_own_is_found_beside_the_rules(tmp_path: Path) -> None:
    rules = read_rules(_write(tmp_path, "probe: mine.yaml\n    measure: beta\n    at-most: 1\n"))
    assert rules.probe_of(rules.rules[0]) == "mine.yaml"
    (tmp_path / "mine.yaml").write_text("method: valence\n")
    assert rules.probe_of(rules.rules[0]) == str(tmp_path / "mine.yaml")
