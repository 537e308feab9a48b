"""A folder that is watched, and the counts at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import tacit
from tests.fuzz.harness import CASES, COUNTS, FOUND, unchanged


@pytest.fixture
def playground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that a fuzzer may write to. Nothing else may change: the user's home and files, and Tacit itself."""
    home, precious, inside = tmp_path / "home", tmp_path / "precious", tmp_path / "inside"
    for folder in (home, precious, inside):
        folder.mkdir()
    (precious / "thesis.txt").write_text("years of work", encoding="utf-8")
    (home / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TACIT_CACHE", str(inside / "cache"))
    monkeypatch.setenv("TACIT_HOME", str(inside / "data"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.chdir(inside)
    with unchanged(home, precious, Path(tacit.__file__).parent):
        yield inside
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "inside", "precious"]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if FOUND and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not COUNTS["cases"]:
        return
    for kind, shown in FOUND.items():
        terminalreporter.section(kind)
        terminalreporter.write_line(shown)
    counts = ", ".join(f"{count:,} {name}" for name, count in COUNTS.items())
    seed = f", seed {config.getoption('--hypothesis-seed')}" if CASES else ""
    terminalreporter.write_line(f"fuzz ({CASES or 'quick share'}{seed}): {counts}")
