"""Tables of the page keep to what a page can carry, and put models side by side."""

from __future__ import annotations

import polars as pl

from tacit.methods import get_method
from tacit.methods.base import measure_row, measures_table
from tacit.reports.side_by_side import side_by_side
from tacit.reports.tables import MOST_CELLS, page_table, stacked
from tacit.statistics import Interval

COLORS = {"a": "#111111", "b": "#222222"}


def test_a_big_table_shows_as_much_of_each_model_and_names_the_files() -> None:
    frames = {name: pl.DataFrame({"item": [f"{name}{n}" for n in range(5000)], "value": [0.5] * 5000}) for name in "ab"}
    table = page_table("t", "T", stacked(frames), ["runs/a/measures.parquet", "runs/b/measures.parquet"])
    shown = [row[0] for row in table.rows]
    assert shown.count("a") == shown.count("b") > 1000
    assert len(table.rows) * len(table.columns) <= MOST_CELLS
    assert table.left_out == 10_000 - len(table.rows)
    assert table.files == ["runs/a/measures.parquet", "runs/b/measures.parquet"]


def test_nothing_is_cut_from_a_table_of_three_hundred_rows() -> None:
    table = page_table("t", "T", pl.DataFrame({f"c{n}": [0.5] * 300 for n in range(12)}))
    assert table.left_out == 0


def test_columns_without_a_value_and_vectors_are_left_out() -> None:
    frame = pl.DataFrame({"a": [1], "nothing": [None], "vector": [[0.1, 0.2]], "words": [["x", "y"]]})
    table = page_table("t", "T", frame)
    assert [column.name for column in table.columns] == ["a", "words"]
    assert table.rows[0] == ["1", "x, y"]


def test_what_has_no_value_is_a_dash() -> None:
    table = page_table("t", "T", pl.DataFrame({"a": [1.5, None, float("nan")]}))
    assert [row[0] for row in table.rows] == ["1.50", "–", "–"]


def _rows(value: float, *, verdict: str | None = None, n: int = 20) -> pl.DataFrame:
    interval = Interval(value, value - 0.1, value + 0.1, 0.95, n, "wilson")
    rows = [measure_row("beta", group, interval, neutral=0.0, unit="sentence", verdict=verdict) for group in "xy"]
    return measures_table(rows)


def test_measures_have_one_row_each_and_one_column_per_model() -> None:
    rows = {"a": _rows(0.3, verdict="leans"), "b": _rows(-0.2)}
    table = side_by_side("t", "T", rows, get_method("valence"), COLORS)
    assert [(column.name, column.color) for column in table.columns[2:]] == [("a", "#111111"), ("b", "#222222")]
    assert table.rows[0] == [
        ("average score of the words it fills in", "beta"),
        ("x", "20 sentences; neutral 0"),
        ("0.30 [0.20, 0.40]", "leans"),
        "-0.20 [-0.30, -0.10]",
    ]
    assert table.spans == [2, 0]


def test_what_differs_between_models_stands_in_their_own_cells() -> None:
    table = side_by_side("t", "T", {"a": _rows(0.3), "b": _rows(0.3, n=19)}, get_method("valence"), COLORS)
    assert table.rows[0][1] == "x"
    assert table.rows[0][2:] == [
        ("0.30 [0.20, 0.40]", "20 sentences; neutral 0"),
        ("0.30 [0.20, 0.40]", "19 sentences; neutral 0"),
    ]


def test_a_model_without_the_measure_has_a_dash() -> None:
    table = side_by_side("t", "T", {"a": _rows(0.3), "b": _rows(0.3).head(1)}, get_method("valence"), COLORS)
    assert table.rows[1][3] == "–"
