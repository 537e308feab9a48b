"""The folder of a run on disk: files that appear whole or not at all, one writer at a time, checked when read."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from tacit.arguments import require_path, wrong_argument
from tacit.errors import RunError
from tacit.figure import ChartError
from tacit.methods.base import MEASURE_SCHEMA, Tables, Validity
from tacit.runs.answers import read_table
from tacit.runs.record import RECORD, RunRecord, read_record
from tacit.runs.view import RunView
from tacit.storage import file_hash, slug

__all__ = [
    "ANSWERS",
    "LEFT_BEHIND",
    "Run",
    "clear_scratch",
    "default_folder",
    "find_runs",
    "is_complete",
    "is_intact",
    "must_fit",
    "open_run",
    "open_runs",
    "path_inside",
    "publish",
    "require_run_folder",
    "scratch",
    "unfinished_runs",
    "write_record",
]

ANSWERS = "answers.parquet"
MEASURES = "measures.parquet"
_MISFITS = (
    pl.exceptions.PolarsError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    ChartError,
)
"""What computing with tables or drawing them raises if they are not what a method writes."""
_ALWAYS = {"measure", "group", "item", "value"}
"""The columns that the measures of every version have."""
_SCRATCH = ".unfinished"
_LOCK = ".lock"
LEFT_BEHIND = (_SCRATCH, _LOCK, f"{_LOCK}-journal")
"""What a run that was killed at its very beginning leaves behind."""


@dataclass(frozen=True, repr=False)
class Run(RunView):
    """A complete run on disk, opened for reading; each table is checked against its hash and read on first use.

    Attributes:
        folder: Where it is.
        record: What its `run.json` says.
    """

    folder: Path
    record: RunRecord

    @property
    def model(self) -> str:
        """The short name of the model."""
        return self.record.model.label

    @property
    def probe(self) -> str:
        """The name of the probe."""
        return self.record.probe.name

    @property
    def validity(self) -> Validity:
        """Whether the run can be interpreted, and if not, why."""
        return self.record.validity

    @property
    def headline(self) -> str:
        """One sentence that answers the title of the probe."""
        return self.record.headline

    @property
    def sentences(self) -> tuple[str, ...]:
        """The results in a few more sentences; none where the run cannot be interpreted."""
        return self.record.sentences

    @property
    def measures(self) -> pl.DataFrame:
        """The measures: aggregates with intervals (where `item` is null), and one row per item."""
        return self.tables["measures"]

    @cached_property
    def tables(self) -> Tables:
        """All tables of the method, by name."""
        names = [name for name in self.record.files if name.endswith(".parquet") and name != ANSWERS]
        if MEASURES not in names:
            raise RunError(f"{self.folder} has no measures. Recompute them with `tacit measure {self.folder}`.")
        tables = {name.removesuffix(".parquet"): self._read(name) for name in names}
        return tables | {"measures": self._with_all_columns(tables["measures"])}

    @property
    def answers(self) -> pl.DataFrame:
        """What the model answered: one row per token, word or label."""
        if ANSWERS not in self.record.files:
            raise RunError(f"{self.folder} has no answers. Run the probe again.")
        return self._read(ANSWERS)

    def _with_all_columns(self, measures: pl.DataFrame) -> pl.DataFrame:
        """The measures with the columns that an older Tacit did not write; a column of another type is refused."""
        for name, dtype in MEASURE_SCHEMA.items():
            if measures.schema.get(name, dtype) != dtype or (name in _ALWAYS and name not in measures.columns):
                raise RunError(
                    f"{self.folder / MEASURES} has no column {name!r} of the type {dtype}. Recompute it with "
                    f"`tacit measure {self.folder}`."
                )
        missing = [name for name in MEASURE_SCHEMA if name not in measures.columns]
        return measures.with_columns(pl.lit(None, MEASURE_SCHEMA[name]).alias(name) for name in missing)

    def _read(self, name: str) -> pl.DataFrame:
        path = path_inside(self.folder, name)
        remedy = "Run the probe again" if name == ANSWERS else f"Recompute it with `tacit measure {self.folder}`"
        if not path.is_file():
            raise RunError(f"{path} is missing. {remedy}.")
        if file_hash(path) != self.record.files[name]:
            raise RunError(f"{path} is damaged: it is not the file that the run wrote. {remedy}.")
        try:
            return read_table(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise RunError(f"{path} is not a Parquet table ({str(error).splitlines()[0]}). {remedy}.") from None


def open_run(folder: str | Path) -> Run:
    """Open a complete run by its folder."""
    require_path("folder", folder)
    folder = Path(folder)
    record = read_record(folder)
    if record.status != "complete":
        raise RunError(f"{folder} was interrupted before it was complete. The same `tacit run` command continues it.")
    return Run(folder, record)


def open_runs(places: Sequence[str | Path | Run]) -> list[Run]:
    """Open several runs.

    Args:
        places: Runs, their folders, or folders above several runs, whose unfinished runs are skipped.
    """
    if isinstance(places, str | Path | Run) or not isinstance(places, Iterable):
        raise wrong_argument("runs", "a list of runs or folders, such as ['runs/first']", places)
    runs: list[Run] = []
    for place in places:
        if isinstance(place, Run):
            runs.append(place)
            continue
        folders = find_runs([place])
        skipped = unfinished_runs([place]) if len(folders) > 1 else []
        runs += [open_run(folder) for folder in folders if folder not in skipped]
    return runs


@contextmanager
def must_fit(runs: Sequence[Run]) -> Iterator[None]:
    """Say of the runs that their tables do not fit, because they may come from a stranger or another version."""
    try:
        yield
    except _MISFITS as error:
        reason = " ".join((str(error) or type(error).__name__).split())[:200]
        folders = ", ".join(str(run.folder) for run in runs)
        raise RunError(
            f"The tables in {folders} do not fit their probe ({reason}). Recompute them with `tacit measure`, or run "
            "the probe again."
        ) from error


def find_runs(places: Iterable[str | Path]) -> list[Path]:
    """The run folders in these places, each the folder of a run, its `run.json`, or a folder above runs."""
    folders: list[Path] = []
    for place in places:
        require_path("run", place)
        folder = Path(place).parent if Path(place).name == RECORD else Path(place)
        if not folder.exists():
            raise RunError(f"There is no folder {folder}. Name the folder of a run, or a folder above runs.")
        here = [folder] if (folder / RECORD).is_file() else sorted(path.parent for path in folder.rglob(RECORD))
        if not here:
            raise RunError(f"{folder} is not a run: neither it nor a folder below it has a {RECORD}. Name a run.")
        folders += [run for run in here if run not in folders]
    return folders


def unfinished_runs(places: Sequence[str | Path]) -> list[Path]:
    """The runs in these places that were interrupted."""
    return [folder for folder in find_runs(places) if not is_complete(folder)]


def is_complete(folder: Path) -> bool:
    """Whether a folder holds a complete run."""
    return (folder / RECORD).is_file() and read_record(folder).status == "complete"


def is_intact(folder: Path) -> bool:
    """Whether a folder holds a complete run whose files are all what the run wrote."""
    if not is_complete(folder):
        return False
    record = read_record(folder)
    own = {name: path_inside(folder, name) for name in record.files}
    if not {ANSWERS, MEASURES} <= own.keys():
        return False
    return all(path.is_file() and file_hash(path) == record.files[name] for name, path in own.items())


def default_folder(probe: str, model: str, root: Path = Path("runs")) -> Path:
    """Where a run goes when the user names no folder."""
    return root / slug(probe) / slug(model)


def path_inside(folder: Path, name: str) -> Path:
    """The path of a file in a run's folder; links are rejected, because the folder may come from a stranger."""
    path = folder / name
    for part in [path, *path.parents][: len(Path(name).parts)]:
        if part.is_symlink():
            raise RunError(f"{part} is a link, and a run contains none. Replace it with the file itself.")
    return path


def require_run_folder(folder: Path) -> None:
    """Refuse to write a run into a folder that holds something else."""
    require_path("out", folder)
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file. Name a folder for the run with --out.")
    if not folder.is_dir() or (folder / RECORD).is_file():
        return
    foreign = sorted(path.name for path in folder.iterdir() if path.name not in LEFT_BEHIND)
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise RunError(
            f"{folder} is not empty and holds no run ({foreign[0]}{more}). Name a new or an empty folder with --out."
        )


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """A folder for unfinished files inside the run's folder, emptied of what an interrupted run left there.

    SQLite's exclusive lock is held meanwhile, because it ends with the process that holds it, on every system.
    """
    require_run_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = path_inside(folder, _SCRATCH)
        with _locked(folder):
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            try:
                yield unfinished
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
    except OSError as error:
        raise _cannot_write(folder, error.strerror or str(error)) from error


def clear_scratch(folder: Path) -> None:
    """Remove what a run that was killed after its last file left behind."""
    if (folder / _SCRATCH).exists():
        with scratch(folder):
            pass


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    path = path_inside(folder, _LOCK)
    try:
        connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise RunError(
                f"Another process is writing the run {folder}. Wait for it, or name another folder."
            ) from None
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise RunError(f"{path} is not a lock that Tacit wrote. Delete it, then repeat the command.") from None
        raise _cannot_write(folder, str(error)) from None
    with closing(connection):
        yield


def _cannot_write(folder: Path, reason: str) -> RunError:
    return RunError(
        f"The run in {folder} cannot be written: {reason[:1].lower()}{reason[1:].splitlines()[0]}. "
        "Free some space or check the permissions, then repeat the command: it continues."
    )


def write_record(folder: Path, unfinished: Path, record: RunRecord) -> None:
    """Put `run.json` in its place."""
    path = unfinished / RECORD
    # A file's name need not be valid text; what is not is escaped, as JSON itself would.
    path.write_text(record.to_json(), encoding="utf-8", errors="backslashreplace")
    _sync(path)
    path.replace(folder / RECORD)


def publish(folder: Path, unfinished: Path, names: Iterable[str], record: RunRecord) -> RunRecord:
    """Move finished files out of scratch, then write the record that vouches for them by their hashes.

    The record names the files before they are moved, so that a run that is killed in between recognizes them.

    Args:
        folder: The run's folder.
        unfinished: Its scratch folder, which holds the files.
        names: The files to move.
        record: The record so far.

    Returns:
        The record as written, complete and with the hashes.
    """
    names = list(names)
    before = read_record(folder)
    for name in names:
        if path_inside(folder, name).exists() and name not in before.files:
            raise RunError(f"{folder / name} was not written by this run. Move it away, then repeat the command.")
    hashes = dict(record.files)
    for name in names:
        _sync(unfinished / name)
        hashes[name] = file_hash(unfinished / name)
    write_record(folder, unfinished, before.model_copy(update={"files": {**hashes, **before.files}}))
    for name in names:
        (unfinished / name).replace(folder / name)
    finished = record.model_copy(update={"files": hashes, "status": "complete"})
    write_record(folder, unfinished, finished)
    return finished


def _sync(path: Path) -> None:
    """Make sure that the bytes are on disk before a name points at them."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
