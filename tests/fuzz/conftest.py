"""A folder that is watched, and the counts at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.harness import CASES, COUNTS, unchanged


@pytest.fixture
def playground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that a fuzzer may write to. Beside it lie the user's home and files, which must not change."""
    home, precious, inside = tmp_path / "home", tmp_path / "precious", tmp_path / "inside"
    for folder in (home, precious, inside):
        folder.mkdir()
    (precious / "thesis.txt").write_text("years of work", encoding="utf-8")
    (home / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TACIT_CACHE", str(inside / "cache"))
    monkeypatch.setenv("TACIT_HOME", str(inside / "data"))
    monkeypatch.chdir(inside)
    with unchanged(home), unchanged(precious):
        yield inside


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if COUNTS["cases"]:
        counts = ", ".join(f"{count:,} {name}" for name, count in COUNTS.items())
        terminalreporter.write_line(f"fuzz ({CASES or 'quick share'}): {counts}")
