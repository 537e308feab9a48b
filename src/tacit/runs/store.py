"""The folder of a run on disk: files that appear whole or not at all, one writer at a time."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tacit.errors import TacitError
from tacit.runs.record import RECORD, RunRecord, read_record
from tacit.storage import file_hash

__all__ = ["default_folder", "find_runs", "inside", "publish", "require_own", "scratch", "slug", "write_record"]

_SCRATCH = ".unfinished"
_LOCK = ".lock"
_BEFORE_THE_RECORD = {_SCRATCH, _LOCK, f"{_LOCK}-journal"}
"""What a run that was killed at its very beginning leaves behind."""


def slug(name: str) -> str:
    """A model's or probe's name as a folder name: the last part of a path, or `owner--name`."""
    short = Path(name).name if Path(name).is_dir() else name.strip("/").replace("/", "--")
    return re.sub(r"[^\w.+-]+", "-", short).strip("-.") or "unnamed"


def default_folder(probe: str, model: str, root: Path = Path("runs")) -> Path:
    """Where a run goes when nobody says where."""
    return root / slug(probe) / slug(model)


def find_runs(places: Iterable[str | Path]) -> list[Path]:
    """The run folders in these places, each a run, its `run.json`, or a folder above runs."""
    found: list[Path] = []
    for place in map(Path, places):
        folder = place.parent if place.name == RECORD else place
        if not folder.exists():
            raise TacitError(f"There is no folder {folder}.")
        here = [folder] if (folder / RECORD).is_file() else sorted(path.parent for path in folder.rglob(RECORD))
        if not here:
            raise TacitError(f"{folder} is no run: neither it nor a folder below it holds a {RECORD}.")
        found += [run for run in here if run not in found]
    return found


def inside(folder: Path, name: str) -> Path:
    """The path of a run's file, refused where a link leads away from it: a run folder may come from a stranger."""
    path = folder / name
    for part in [path, *path.parents][: len(Path(name).parts)]:
        if part.is_symlink():
            raise TacitError(f"{part} is a link, and a run holds none: replace it by the file itself.")
    return path


def require_own(folder: Path) -> None:
    """Refuse to write a run into a folder that holds something else."""
    if folder.exists() and not folder.is_dir():
        raise TacitError(f"{folder} is a file: give the folder of the run with --out.")
    if not folder.is_dir() or (folder / RECORD).is_file():
        return
    others = sorted(path.name for path in folder.iterdir() if path.name not in _BEFORE_THE_RECORD)
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise TacitError(
            f"{folder} is not empty and holds no run ({others[0]}{more}): give a new or an empty folder with --out."
        )


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """A folder within the run's for unfinished files; what an interrupted run left there goes first.

    SQLite's exclusive lock is held meanwhile, because it ends with the process that holds it, on every system.
    """
    require_own(folder)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = inside(folder, _SCRATCH)
    with closing(sqlite3.connect(inside(folder, _LOCK), timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise TacitError(
                f"Another process is writing the run {folder}: wait for it or give another folder."
            ) from None
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        try:
            yield unfinished
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)


def write_record(folder: Path, unfinished: Path, record: RunRecord) -> None:
    """Put `run.json` in its place."""
    path = unfinished / RECORD
    path.write_text(record.to_json(), encoding="utf-8")
    _settle(path)
    path.replace(folder / RECORD)


def publish(folder: Path, unfinished: Path, names: Iterable[str], record: RunRecord) -> RunRecord:
    """Move finished files out of scratch and then the record that vouches for them by their hashes.

    The record names the files before they are moved, so that a run that is killed in between knows them as its own.
    """
    names = list(names)
    before = read_record(folder)
    for name in names:
        if inside(folder, name).exists() and name not in before.files:
            raise TacitError(f"{folder / name} was not written by this run: move it away, then give the command again.")
    hashes = dict(record.files)
    for name in names:
        _settle(unfinished / name)
        hashes[name] = file_hash(unfinished / name)
    write_record(folder, unfinished, before.model_copy(update={"files": {**hashes, **before.files}}))
    for name in names:
        (unfinished / name).replace(folder / name)
    finished = record.model_copy(update={"files": hashes, "status": "complete"})
    write_record(folder, unfinished, finished)
    return finished


def _settle(path: Path) -> None:
    """Have the disk hold the bytes before a name points at them."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
