"""Tables of the page keep to what a page can carry, and take as much of each model."""

from __future__ import annotations

import polars as pl

from tacit.reports.tables import MOST_CELLS, page_table, stacked


def test_a_big_table_shows_as_much_of_each_model_and_names_the_files() -> None:
    frames = {name: pl.DataFrame({"item": [f"{name}{n}" for n in range(5000)], "value": [0.5] * 5000}) for name in "ab"}
    table = page_table("t", "T", stacked(frames), ["runs/a/measures.parquet", "runs/b/measures.parquet"])
    shown = [row[0].text for row in table.rows]
    assert shown.count("a") == shown.count("b") > 50
    assert len(table.rows) * len(table.columns) <= MOST_CELLS
    assert table.left_out == 10_000 - len(table.rows)
    assert table.files == ["runs/a/measures.parquet", "runs/b/measures.parquet"]


def test_columns_without_a_value_and_vectors_are_left_out() -> None:
    frame = pl.DataFrame({"a": [1], "nothing": [None], "vector": [[0.1, 0.2]], "words": [["x", "y"]]})
    table = page_table("t", "T", frame)
    assert table.columns == ["a", "words"]
    assert table.rows[0][1].text == "x, y"


def test_what_has_no_value_sorts_as_nothing() -> None:
    table = page_table("t", "T", pl.DataFrame({"a": [1.5, None, float("nan")]}))
    assert [row[0].key for row in table.rows] == ["1.5", "", ""]
    assert [row[0].text for row in table.rows] == ["1.50", "–", "–"]


def test_a_long_text_stands_folded() -> None:
    table = page_table("t", "T", pl.DataFrame({"a": ["x" * 1000]}))
    assert len(table.rows[0][0].begins) < 200
    assert table.rows[0][0].text == "x" * 1000
