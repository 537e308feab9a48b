"""What a person sees in a terminal of 80 columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.cli.layout import column_widths, wrap, wrap_prose
from tests.runs.making import make_probe
from tests.terminal import in_terminal

STANDARDS = ["--model", "modern", "--model", "early-modern", "--model", "reviews"]


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]{4,}", text))


@pytest.mark.parametrize(
    "command", [["probes"], ["doctor", "--model", "modern"], ["fill", "It was [MASK].", *STANDARDS]]
)
def test_no_word_of_a_table_is_broken(command: list[str], tmp_path: Path) -> None:
    _, narrow = in_terminal(command, tmp_path, columns=80)
    _, wide = in_terminal(command, tmp_path, columns=400)
    assert words_of(narrow) == words_of(wide)
    assert max(map(len, narrow.splitlines())) <= 80


def test_nothing_is_silent_or_drawn_twice(tmp_path: Path) -> None:
    code, shown = in_terminal(["run", "temporal", "--model", "modern", "--model", "early-modern"], tmp_path)
    assert code == 0
    assert shown.index("Loading modern") < shown.index("temporal · modern")
    assert "0/0" not in shown
    for command in (["compare", "runs/temporal"], ["runs"]):
        _, narrow = in_terminal(command, tmp_path)
        _, wide = in_terminal(command, tmp_path, columns=400)
        assert words_of(narrow) == words_of(wide)
    code, shown = in_terminal(["run", "temporal", "--model", "modern", "--out", "b", "-q"], tmp_path)
    assert "Loading" not in shown
    assert "60/60" not in shown


def test_a_kind_of_model_that_a_probe_cannot_ask_leaves_no_folder(
    tiny_folder: Callable[[str], Path], tmp_path: Path
) -> None:
    probe = make_probe(tmp_path / "probe")
    code, _ = in_terminal(["run", probe, "--model", tiny_folder("classifier"), "--force"], tmp_path)
    assert code == 2
    assert not (tmp_path / "runs").exists()


def long_lines(shown: str) -> list[str]:
    """The lines that a terminal of 80 columns would cut, without those that are there to be copied."""
    return [line for line in shown.splitlines() if len(line) > 80 and not re.search(r"tacit \w+ |Written", line)]


@pytest.mark.parametrize(
    "command",
    [
        ["probes", "regional"],
        ["probes", "temporal", "--coverage"],
        ["standards"],
        ["plan", "temporal", "--effect", "0.2"],
        ["data"],
        ["run", "regionall-but-with-a-name-that-nobody-would-give-to-a-probe"],
    ],
)
def test_no_word_of_a_sentence_is_broken(command: list[str], tmp_path: Path) -> None:
    _, narrow = in_terminal(command, tmp_path, columns=80)
    _, wide = in_terminal(command, tmp_path, columns=2000)
    assert any(len(line) > 80 for line in wide.splitlines())
    assert long_lines(narrow) == []
    assert words_of(narrow) == words_of(wide)


def test_sentences_about_runs_are_wrapped_and_commands_are_not(tmp_path: Path) -> None:
    _, run = in_terminal(["run", "temporal", "--model", "modern", "--model", "early-modern"], tmp_path)
    _, compared = in_terminal(["compare", "runs/temporal"], tmp_path)
    assert long_lines(run) == long_lines(compared) == []
    assert "Next: tacit report runs/temporal/modern runs/temporal/early-modern --out report.html" in run
    written = next(line for line in run.splitlines() if "Written to" in line)
    assert written.endswith(".md")
    assert "Certificate of the probe: " in compared


def test_prose_hangs_below_its_first_line_and_keeps_commands_whole() -> None:
    assert wrap_prose("  - one two three", 11) == "  - one two\n    three"
    assert wrap_prose("Run `tacit measure RUN` then", 12) == "Run\n  `tacit measure RUN`\n  then"
    assert wrap_prose("see /a/long/path/of/a/file here", 10) == "see\n  /a/long/path/of/a/file\n  here"
    assert wrap_prose("", 80) == ""


def test_cells_break_between_words_and_after_slashes() -> None:
    assert wrap("runs/temporal/modern is here", 14) == "runs/temporal/\nmodern is here"
    assert wrap("", 5) == ""


def test_columns_that_cannot_fit_have_no_widths() -> None:
    assert column_widths([["incomprehensible", "measure"]], 20) is None
    assert column_widths([["incomprehensible", "measure"]], 23) == [16, 7]
    assert column_widths([["one two three", "measure"]], 14) == [7, 7]


def test_a_terminal_too_narrow_for_the_columns_shows_a_line_per_cell(tmp_path: Path) -> None:
    code, shown = in_terminal(["probes"], tmp_path, columns=30)
    assert code == 0
    assert re.search(r"^probe +temporal$", shown, re.MULTILINE)
