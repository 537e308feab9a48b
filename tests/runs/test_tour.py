"""The tour visits every probe that wants it, and keeps to its time."""

from __future__ import annotations

import signal
import time

import pytest

from tacit.errors import TacitError
from tacit.probes import load_probe, probe_names
from tacit.runs.tour import Clock, prepare_tour, reductions


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
