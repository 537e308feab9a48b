"""The tour visits every probe that wants it, and keeps to its time."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.probes import load_probe, probe_names
from tacit.runs.tour import Clock, plan_tour, prepare_tour, reductions


def test_every_shipped_probe_can_be_toured_unless_it_declines() -> None:
    prepared, problems = prepare_tour()
    assert problems == []
    assert {one.probe.name for one in prepared} == {name for name in probe_names() if load_probe(name).tour is not None}


def test_what_is_reduced_is_said() -> None:
    prepared, _ = prepare_tour()
    said = " ".join(reductions(prepared))
    for one in prepared:
        for name in one.probe.tour or {}:
            assert f"{name}={one.changed[name]}" in said


def test_a_run_that_takes_too_long_is_stopped() -> None:
    clock = Clock(1.5)
    began = time.monotonic()
    with pytest.raises(TacitError, match="share of the tour's time is used up"), clock.share(1):
        time.sleep(20)
    assert time.monotonic() - began < 10


def test_a_run_that_keeps_to_its_share_is_left_alone() -> None:
    with Clock(60).share(2):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_the_sentiment_probes_are_asked_of_the_standard_that_was_tuned_for_them(tmp_path: Path) -> None:
    prepared, _ = prepare_tour()
    pairs = {(run.prepared.probe.name, run.model) for run in plan_tour(prepared, ["bigger"], tmp_path)}
    assert {("sentiment-shift", model) for model in ("modern", "reviews", "bigger")} <= pairs
    assert ("sentiment-shift", "early-modern") not in pairs
    assert {("temporal", model) for model in ("early-modern", "modern", "bigger")} <= pairs
    assert ("temporal", "reviews") not in pairs


def test_the_clock_tells_what_is_left() -> None:
    assert 58 < Clock(60).left <= 60
    assert Clock(-5).left == 0
