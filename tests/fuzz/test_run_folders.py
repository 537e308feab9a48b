"""Run folders from a stranger, damaged in every way: opened, recomputed and shown, or refused with a sentence."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.models import Model
from tacit.reports import report
from tacit.runs import Run, card, compare, measure, open_run, run
from tacit.storage import file_hash
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import byte_damage, damage_json, json_damage
from tests.runs.making import make_printed_probe, make_probe

VALUES: dict[str, Any] = {
    "null": None,
    "nan": math.nan,
    "huge": 1e308,
    "number": 7,
    "list": [1, 2],
    "markup": "<script>\u2028\\",
}
WAYS = (*VALUES, "drop", "rename", "text", "own nan", "empty", "twice")
WHOLE, SPOILED = Path("whole"), Path("spoiled")


@pytest.fixture
def whole(playground: Path, tiny: Callable[[str], Model]) -> dict[str, Path]:
    """Two complete runs: one of a model, one of answers that the probe holds itself."""
    run(make_probe(playground / "probe", 6), tiny("bert"), WHOLE / "asked", {"resamples": 50}, cache=None)
    run(make_printed_probe(playground / "printed"), out=WHOLE / "printed", settings={"resamples": 50})
    return {"asked": WHOLE / "asked", "printed": WHOLE / "printed"}


def _open(folder: Path) -> object:
    opened = open_run(folder)
    return opened.tables, opened.answers, opened.headline


ACTIONS: dict[str, Callable[[Path], object]] = {
    "open": _open,
    "measure": measure,
    "compare": lambda folder: compare([folder, WHOLE / "asked"]),
    "card": lambda folder: card([folder]),
    "report": lambda folder: report([folder], "page.html", force=True),
}
actions = st.sampled_from(["open", "measure", "measure", "compare", "card", "report"])
kinds = st.sampled_from(["asked", "printed"])


def _spoil(source: Path) -> Path:
    shutil.rmtree(SPOILED, ignore_errors=True)
    return Path(shutil.copytree(source, SPOILED))


@given(kinds, json_damage, actions)
@fuzzed(quick=60, share=0.12)
def test_a_damaged_record_is_read_or_refused(
    whole: dict[str, Path], kind: str, damage: tuple[list[int], str, Any], action: str
) -> None:
    folder = _spoil(whole[kind])
    record = folder / "run.json"
    record.write_bytes(damage_json(record.read_bytes(), damage))
    assert_taken_or_refused(lambda: ACTIONS[action](folder), (kind, damage, action))


@given(kinds, st.integers(0, 20), byte_damage(), actions)
@fuzzed(quick=30, share=0.06)
def test_a_damaged_file_is_noticed(
    whole: dict[str, Path], kind: str, which: int, damage: Callable[[bytes], bytes], action: str
) -> None:
    folder = _spoil(whole[kind])
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    damaged = files[which % len(files)]
    damaged.write_bytes(damage(damaged.read_bytes()))
    assert_taken_or_refused(lambda: ACTIONS[action](folder), (damaged.name, action))


@given(kinds, st.tuples(st.integers(0, 20), st.integers(0, 20)), st.sampled_from(WAYS), actions)
@fuzzed(quick=40, share=0.06)
def test_a_forged_table_is_shown_or_refused(
    whole: dict[str, Path], kind: str, place: tuple[int, int], how: str, action: str
) -> None:
    """A table that was replaced, and its hash with it."""
    folder = _spoil(whole[kind])
    tables = sorted(folder.glob("*.parquet"))
    table = tables[place[0] % len(tables)]
    frame = pl.read_parquet(table)
    _forged(frame, frame.columns[place[1] % len(frame.columns)], how).write_parquet(table)
    record = json.loads((folder / "run.json").read_bytes())
    record["files"][table.name] = file_hash(table)
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    assert_taken_or_refused(lambda: ACTIONS[action](folder), (kind, table.name, how, action))


def _forged(frame: pl.DataFrame, column: str, how: str) -> pl.DataFrame:
    if how in VALUES:
        return frame.with_columns(pl.lit(VALUES[how]).alias(column))
    ways = {
        "drop": frame.drop(column),
        "rename": frame.rename({column: "<b>"}),
        "text": frame.with_columns(pl.col(column).cast(pl.String, strict=False)),
        "own nan": frame.with_columns(pl.lit(math.nan).cast(frame.schema[column], strict=False).alias(column)),
        "empty": frame.clear(),
        "twice": pl.concat([frame, frame]),
    }
    return ways[how]


@given(kinds, st.integers(0, 20), st.sampled_from(["gone", "folder", "link", "pipe", "loop"]), actions)
@fuzzed(quick=20, share=0.04)
def test_what_is_not_a_file_is_noticed(whole: dict[str, Path], kind: str, which: int, how: str, action: str) -> None:
    folder = _spoil(whole[kind])
    entries = sorted(folder.rglob("*"))
    replaced = entries[which % len(entries)]
    shutil.rmtree(replaced) if replaced.is_dir() else replaced.unlink()
    match how:
        case "folder":
            replaced.mkdir()
        case "link":
            replaced.symlink_to(Path("../precious/thesis.txt").absolute())
        case "pipe":
            os.mkfifo(replaced)
        case "loop":
            replaced.symlink_to(replaced.name)
    assert_taken_or_refused(lambda: ACTIONS[action](folder), (replaced.name, how, action))


@given(json_damage)
@fuzzed(quick=10, share=0.02)
def test_a_run_into_a_damaged_folder_continues_or_is_refused(
    whole: dict[str, Path], damage: tuple[list[int], str, Any]
) -> None:
    folder = _spoil(whole["printed"])
    record = folder / "run.json"
    record.write_bytes(damage_json(record.read_bytes(), damage))
    again = assert_taken_or_refused(lambda: run("printed/printed.yaml", out=folder, settings={"resamples": 50}), damage)
    assert again is None or again.measures.equals(_measures(whole))


def _measures(whole: dict[str, Path]) -> Any:
    opened: Run = open_run(whole["printed"])
    return opened.measures
