"""Settings that are not the probe's own are told, with what they would be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tacit.models import Model
from tacit.reports.banner import settings_banner
from tacit.runs import run
from tacit.runs.plan import prepare
from tests.runs.making import make_probe


def test_the_probes_own_settings_need_no_banner(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    made = run(make_probe(tmp_path / "probe"), tiny("bert"), tmp_path / "run", cache=None)
    assert settings_banner([made.record], None) is None


def test_a_changed_setting_is_named_with_its_default(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe")
    made = run(probe, tiny("bert"), tmp_path / "run", {"resamples": 100, "shortlist": 5}, cache=None)
    banner = settings_banner([made.record], prepare(probe, {}, None))
    assert banner is not None
    assert banner.changes == ["resamples = 100 (default: 5000)"]  # shortlist changes nothing for a masked model
    assert not banner.reduced


def test_the_tours_settings_are_called_a_quick_look(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe")
    probe.write_text(probe.read_text(encoding="utf-8") + "tour: {resamples: 100}\n", encoding="utf-8")
    made = run(probe, tiny("bert"), tmp_path / "run", {"resamples": 100}, cache=None)
    banner = settings_banner([made.record], prepare(probe, {}, None))
    assert banner is not None
    assert banner.reduced
