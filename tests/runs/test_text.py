"""Numbers read as people write them, and hostile text stays text."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit.models import Model
from tacit.runs import run
from tacit.runs.export import harmless
from tacit.runs.summary import escape_markdown
from tacit.runs.text import command, interval_text, number, p_text
from tests.runs.making import make_probe


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.4123, "0.412"),
        (-0.41, "-0.410"),
        (12.345, "12.35"),
        (1204.2, "1,204"),
        (3.1e-6, "3.1e-06"),
        (0.0, "0"),
        (None, "–"),
    ],
)
def test_numbers_keep_three_digits(value: float | None, said: str) -> None:
    assert number(value) == said
    assert number(math.nan) == "–"


def test_p_values_are_never_zero() -> None:
    assert p_text(0.0) == "p < .001"
    assert p_text(0.0432) == "p = .043"
    assert p_text(1.0) == "p = 1"
    assert p_text(None) == ""


def test_an_interval_stands_in_brackets() -> None:
    assert interval_text(-0.41, -0.52, -0.3) == "-0.41 [-0.52, -0.30]"
    assert interval_text(0.5, None, None) == "0.500"


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (0.41234, 0.40123, 0.42345, "0.412 [0.401, 0.423]"),
        (123.4, 100.2, 140.9, "123 [100, 141]"),
        (0.00001, -0.0002, 0.0003, "0.00001 [-0.00020, 0.00030]"),
        (0.3, 0.3, 0.3, "0.300 [0.300, 0.300]"),
        (-0.001, -0.4, 0.4, "0.00 [-0.40, 0.40]"),
    ],
)
def test_digits_follow_the_width_of_the_interval(value: float, low: float, high: float, text: str) -> None:
    assert interval_text(value, low, high) == text


def test_shares_are_written_as_percentages() -> None:
    assert interval_text(0.314, 0.242, 0.381, percent=True) == "31.4% [24.2%, 38.1%]"
    assert interval_text(0.5, 0.2, 0.8, percent=True) == "50% [20%, 80%]"
    assert interval_text(0.5, None, None, percent=True) == "50%"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\t=1"])
def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless(text: str) -> None:
    frame = pl.DataFrame({"a": [text, "fine"]}).with_columns(harmless(pl.col(pl.String)))
    assert frame["a"].to_list() == [f"'{text}", "fine"]


def test_markdown_from_a_model_is_shown_and_not_run() -> None:
    assert escape_markdown("<b>|`x`[a](b)*c*\n# d") == "&lt;b>\\|\\`x\\`\\[a\\](b)\\*c\\* # d"


def test_the_command_repeats_how_a_causal_model_was_loaded(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe", sentences=2)
    with_begin = run(probe, tiny("llama"), tmp_path / "begin", {"top": 3}, cache=None)
    assert command(with_begin.record).endswith("--begin --set top=3")
    without = run(probe, tiny("gpt2"), tmp_path / "none", cache=None)
    assert command(without.record).endswith("--no-begin")
    masked = run(probe, tiny("bert"), tmp_path / "masked", cache=None)
    assert command(masked.record).endswith(f"--model {tiny('bert').name}")
