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
from tacit.runs.text import command, interval_words, number, p_words
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
    assert p_words(0.0) == "p < .001"
    assert p_words(0.0432) == "p = .043"
    assert p_words(1.0) == "p = 1"
    assert p_words(None) == ""


def test_an_interval_stands_in_brackets() -> None:
    assert interval_words(-0.41, -0.52, -0.3) == "-0.410 [-0.520, -0.300]"
    assert interval_words(0.5, None, None) == "0.500"


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
