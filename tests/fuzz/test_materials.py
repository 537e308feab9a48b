"""CSV and YAML of a probe, damaged in every way: refused with a sentence, or read."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.methods import method_names
from tacit.probes import load_probe
from tacit.runs.plan import prepare
from tacit.tables import read_csv, read_table, read_yaml
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import byte_damage, json_like, odd_text

SMALL = ("british-american", "religions", "age-stereotype", "before-after", "temporal-paper")
"""Shipped probes of four methods that are small enough to read a thousand times."""

pytestmark = pytest.mark.usefixtures("playground")


@given(st.binary(max_size=400))
@fuzzed(quick=60, share=0.06)
def test_any_bytes_are_a_table_or_refused(content: bytes) -> None:
    path = Path("any.csv").absolute()
    path.write_bytes(content)
    assert_taken_or_refused(lambda: read_csv(path, ["a", "b"], ["c"]))


lines = st.one_of(
    st.binary(max_size=80), json_like.map(lambda value: json.dumps(value, skipkeys=True).encode("utf-8", "replace"))
)


@given(st.lists(lines, max_size=6), json_like, json_like)
@fuzzed(quick=80, share=0.06)
def test_any_lines_are_a_table_or_refused(content: list[bytes], first: object, second: object) -> None:
    path = Path("any.jsonl").absolute()
    right = json.dumps({"a": first, "b": second}, skipkeys=True).encode()
    path.write_bytes(b"\n".join([right, *content]))
    rows = assert_taken_or_refused(lambda: read_table(path, ["a", "b"], ["c"]))
    for row in rows or []:
        assert all(isinstance(cell, str) and "\0" not in cell for cell in row.values())
        "".join(row.values()).encode()


@given(byte_damage())
@fuzzed(quick=12, share=0.02)
def test_any_damaged_parquet_is_a_table_or_refused(damage: Callable[[bytes], bytes]) -> None:
    whole = io.BytesIO()
    pl.DataFrame({"a": list(range(40)), "b": [f"text {n}" for n in range(40)], "d": [[1]] * 40}).write_parquet(whole)
    path = Path("any.parquet").absolute()
    path.write_bytes(damage(whole.getvalue()))
    assert_taken_or_refused(lambda: read_table(path, ["a", "b"], ["c"]))


@given(st.one_of(st.text(max_size=200), st.text(alphabet="a:-[]{}&*!|>#'\",\n 1%@`?", max_size=120)))
@fuzzed(quick=80, share=0.06)
def test_any_text_is_a_yaml_or_refused(content: str) -> None:
    path = Path("any.yaml").absolute()
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    assert_taken_or_refused(lambda: read_yaml(path))


keys = ["name", "version", "title", "method", "description", "paper", "settings", "materials", "limits", "tour", "x"]


@given(st.dictionaries(st.sampled_from(keys), json_like, max_size=8), st.sampled_from(method_names()), st.booleans())
@fuzzed(quick=60, share=0.08)
def test_any_probe_is_prepared_or_refused(fields_given: dict[str, object], method: str, right: bool) -> None:
    from ruamel.yaml import YAML

    fields = {**fields_given, **({"method": method, "version": 1} if right else {})}
    stream = io.StringIO()
    YAML(typ="safe", pure=True).dump(_plain(fields), stream)
    path = Path("probe.yaml").absolute()
    path.write_bytes(stream.getvalue().encode("utf-8", "surrogatepass"))
    assert_taken_or_refused(lambda: prepare(path, {}, None))


def _plain(value: object) -> object:
    """Without lone surrogates, which the YAML writer itself cannot write."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_plain(key): _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list) else value


ways = st.sampled_from(["cell", "drop row", "repeat row", "drop column", "repeat column", "heading", "cut", "bytes"])


@given(st.sampled_from(SMALL), st.integers(0, 3), st.tuples(st.integers(0, 30), st.integers(0, 6)), odd_text, ways)
@fuzzed(quick=60, share=0.1)
def test_a_shipped_probe_with_a_damaged_table_is_prepared_or_refused(
    probe: str, which: int, place: tuple[int, int], cell: str, way: str
) -> None:
    shipped = load_probe(probe)
    folder = Path("copied").absolute()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for source in shipped.folder.iterdir():
        if source.suffix in {".csv", ".yaml"}:
            (folder / source.name).write_bytes(source.read_bytes())
    tables = sorted(folder.glob("*.csv"))
    table = tables[which % len(tables)]
    table.write_bytes(_damaged(table.read_bytes(), *place, cell, way))
    assert_taken_or_refused(lambda: prepare(folder / "probe.yaml", {}, None))


def _damaged(content: bytes, row: int, column: int, cell: str, way: str) -> bytes:
    if way == "cut":
        return content[: len(content) * (row + 1) // 40]
    if way == "bytes":
        place = (row * 97 + column) % max(1, len(content))
        return content[:place] + cell.encode("utf-8", "surrogatepass") + content[place + column :]
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    at, across = 1 + row % max(1, len(rows) - 1), column % len(rows[0])
    match way:
        case "cell":
            rows[at % len(rows)][across] = cell
        case "drop row":
            del rows[at % len(rows)]
        case "repeat row":
            rows.insert(at, rows[at % len(rows)])
        case "drop column":
            rows = [cells[:across] + cells[across + 1 :] for cells in rows]
        case "repeat column":
            rows = [[*cells, cells[across]] for cells in rows]
        case "heading":
            rows[0][across] = cell
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")
