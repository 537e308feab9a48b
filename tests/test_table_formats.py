"""JSON Lines and Parquet wherever a CSV is taken: the same rows, or one sentence with the file and the line."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tacit.errors import MaterialsError
from tacit.tables import read_table, require_unique
from tests.cli.test_main import tacit

ROWS: list[dict[str, Any]] = [
    {"id": "s1", "text": ' He said "no",\nand left. ', "rho": -1, "share": 0.25, "kept": True, "other": None},
    {"id": "s2", "text": "Größe 漢字", "rho": 0, "share": 1e-07, "kept": False, "other": "x"},
    {"id": None, "text": None, "rho": None, "share": None, "kept": None, "other": None},
    {"id": "s3", "text": "", "rho": 12, "share": 3.0, "kept": None, "other": None},
]
CELLS = [
    {"id": "s1", "text": 'He said "no",\nand left.', "rho": "-1", "share": "0.25", "kept": "true", "none": ""},
    {"id": "s2", "text": "Größe 漢字", "rho": "0", "share": "1e-07", "kept": "false", "none": ""},
    {"id": "s3", "text": "", "rho": "12", "share": "3.0", "kept": "", "none": ""},
]


def _jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.ndjson", "a.JSONL", "a.parquet"])
def test_every_format_gives_the_same_cells(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith(".csv"):
        pl.DataFrame(ROWS).write_csv(path, float_scientific=None)
    elif name.endswith(".parquet"):
        pl.DataFrame(ROWS).write_parquet(path)
    else:
        _jsonl(path, ROWS)
    rows = read_table(path, ["id", "text", "rho", "kept"], ["share", "none"])
    if name.endswith(".csv"):  # polars writes 1e-7 in its own way
        rows[1]["share"] = repr(float(rows[1]["share"]))
    lines = {"csv": ["3", "4", "6"]}.get(name.rpartition(".")[2], ["1", "2", "4"])
    assert [row.pop("line") for row in rows] == lines
    assert rows == CELLS


def test_other_types_of_parquet_become_the_text_that_people_would_write(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "short": pl.Series([0.1], dtype=pl.Float32),
            "day": [date(2024, 2, 1)],
            "kind": pl.Series(["x"], dtype=pl.Categorical),
            "empty": pl.Series([None], dtype=pl.Null),
            "small": pl.Series([7], dtype=pl.UInt8),
        }
    )
    table.write_parquet(tmp_path / "a.parquet")
    (row,) = read_table(tmp_path / "a.parquet", table.columns)
    assert row == {"short": "0.1", "day": "2024-02-01", "kind": "x", "empty": "", "small": "7", "line": "1"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1, "b": 2}\n[1, 2]\n', r"line 2: a line must hold one object \(\{\.\.\.\}\), not a list"),
        ("3\n", "line 1: a line must hold one object .* not a single value"),
        ('{"a": 1, "b": \n', r"line 1: not readable as JSON \(Expecting value, column 15\)"),
        ('{"a": 1, "b": [1]}\n', "line 1: b must be a text or a number, not a list"),
        ('{"a": 1, "b": {"c": 1}}\n', "line 1: b must be a text or a number, not an object"),
        ('{"a": 1, "b": 2, "a": 3}\n', "line 1: the key 'a' occurs twice"),
        ('{"a": 1, "b": 2, " a": 3}\n', "line 1: the column 'a' occurs twice"),
        ('{"a": NaN, "b": 2}\n', "line 1: NaN is not a finite number"),
        ('{"a": 1, "b": -Infinity}\n', "line 1: -Infinity is not a finite number"),
        ('{"a": 1, "b": 1e999}\n', "line 1: 1e999 is not a finite number"),
        ('{"a": 1, "b": 2}\n\n{"a": 1}\n', "line 3: the column 'b' is missing. It has a"),
        ('{"a": "x\\u0000", "b": 2}\n', "line 1: a cell contains a NUL"),
        ('{"a": "x\\ud800", "b": 2}\n', "line 1: a contains half of a character"),
        ('{"a": 1, "b": 2, "c\\u001b": 3}\n', "line 1: the heading .* control character"),
        ('{"a": ' + "[" * 100_000 + "\n", "line 1: nested too deeply"),
        (b'{"a": "\xff"}\n', r"not UTF-8 \(byte 7\)"),
        ("", "has no rows"),
        ("\n \n", "has no rows"),
    ],
)
def test_a_damaged_jsonl_is_refused_with_its_line(tmp_path: Path, text: str | bytes, problem: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(MaterialsError, match=problem) as refused:
        read_table(path, ["a", "b"])
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_nested_value_in_a_column_that_nobody_reads_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1' + "0" * 5000 + ', "meta": {"tags": ["x"]}}')
    assert read_table(path, ["a"]) == [{"a": "1" + "0" * 5000, "line": "1"}]


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (pl.Series([[1]]), "the column 'b' holds lists"),
        (pl.Series([{"x": 1}]), "the column 'b' holds objects"),
        (pl.Series([b"x"]), "the column 'b' holds bytes"),
        (pl.Series([math.nan]), "row 1: NaN is not a finite number"),
        (pl.Series([math.inf]), "row 1: Infinity is not a finite number"),
        (pl.Series(["x\0"]), "row 1: a cell contains a NUL"),
    ],
)
def test_a_column_that_fits_into_no_cell_is_refused_by_its_name(
    tmp_path: Path, column: pl.Series, problem: str
) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"a": [1], "b": column}).write_parquet(path)
    with pytest.raises(MaterialsError, match=problem):
        read_table(path, ["a", "b"])
    assert read_table(path, ["a"]) == [{"a": "1", "line": "1"}]


def _parquet_bytes(rows: int = 50) -> bytes:
    content = io.BytesIO()
    pl.DataFrame({"a": list(range(rows)), "b": ["text"] * rows}).write_parquet(content)
    return content.getvalue()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda whole: whole[:-20], "a Parquet file without its end"),
        (lambda whole: whole[:6], "a Parquet file without its end"),
        (lambda _: b"a,b\n1,2\n", "is not a Parquet file"),
        (lambda _: b"", "is not a Parquet file"),
        (lambda whole: whole[:60] + b"\xff" * (len(whole) - 64) + whole[-4:], "is a damaged Parquet file"),
        (lambda _: _parquet_bytes(0), "has no rows"),
    ],
)
def test_a_damaged_parquet_is_refused(tmp_path: Path, damage: Any, problem: str, capfd: Any) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(damage(_parquet_bytes()))
    with pytest.raises(MaterialsError, match=problem):
        read_table(path, ["a", "b"])
    assert capfd.readouterr().err == ""


def test_a_parquet_with_a_missing_column_says_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(_parquet_bytes())
    with pytest.raises(MaterialsError, match=r"the column 'text' is missing. It has a, b"):
        read_table(path, ["text"])


def test_a_small_parquet_that_unpacks_to_very_much_is_refused(tmp_path: Path) -> None:
    many, long = tmp_path / "many.parquet", tmp_path / "long.parquet"
    pl.select(a=pl.repeat(1, 6_000_000, dtype=pl.Int8)).write_parquet(many)
    pl.select(a=pl.repeat("x" * 1_000_000, 1_000)).write_parquet(long)
    assert many.stat().st_size + long.stat().st_size < 3_000_000
    with pytest.raises(MaterialsError, match=r"too large \(6,000,000 rows"):
        read_table(many, ["a"])
    with pytest.raises(MaterialsError, match=r"too large \(more than 537 MB of text|takes too much memory"):
        read_table(long, ["a"])


def test_a_module_in_the_current_folder_is_not_run_by_reading_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "polars.py").write_text("open('ran', 'w')")
    path = tmp_path / "a.parquet"
    path.write_bytes(_parquet_bytes())
    monkeypatch.chdir(tmp_path)
    assert len(read_table(path, ["a"])) == 50
    assert not (tmp_path / "ran").exists()


def test_a_row_of_a_parquet_is_named_as_one(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"id": ["x", "y", "x"]}).write_parquet(path)
    with pytest.raises(MaterialsError, match=r"row 3: id 'x' also stand on row 1\. Keep one"):
        require_unique(path, read_table(path, ["id"]), "id")


def test_the_command_refuses_a_damaged_table_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "reviews.jsonl").write_text('{"text": "Good.", "label": "positive"}\n{"text": ["Bad."]}\n')
    done = tacit("run", "sentiment-association", "--set", "reviews=reviews.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "tacit: reviews.jsonl, line 2: the column 'label' is missing. It has text.\n"


def test_reading_a_csv_starts_no_polars() -> None:
    code = "import sys; from tacit.tables import read_table; print('polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
