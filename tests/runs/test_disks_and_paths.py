"""Full disks, odd names and files cut short: one sentence, nothing lost, and the same command goes on."""

from __future__ import annotations

import json
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.models import Model
from tacit.reports import report
from tacit.runs import Run, compare, measure, open_run, run
from tests.runs.making import make_printed_probe, make_probe


@contextmanager
def disk_with_room_for(size: int) -> Iterator[None]:
    """No file may grow beyond this many bytes; the system reports it where a full disk would be reported."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 100, 2_000, 8_000])
def test_a_full_disk_is_one_sentence_and_the_run_goes_on_when_there_is_room(
    room: int, probe: Path, two_runs: tuple[Run, Run], tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    with disk_with_room_for(room), pytest.raises(TacitError, match="cannot be written") as refused:
        run(probe, tiny("bert"), tmp_path / "run", cache=None)
    assert "\n" not in str(refused.value)
    again = run(probe, tiny("bert"), tmp_path / "run", cache=None)
    assert again.record.files == two_runs[0].record.files


@pytest.mark.parametrize("room", [0, 2_000])
def test_a_full_disk_while_recomputing_leaves_the_run_as_it_was(
    room: int, two_runs: tuple[Run, Run], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(two_runs[0].folder, tmp_path / "run"))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != ".lock"}
    with disk_with_room_for(room), pytest.raises(TacitError, match="cannot be written"):
        measure(folder)
    assert {path: path.read_bytes() for path in before} == before
    assert measure(folder).record.files == two_runs[0].record.files


def test_a_full_disk_while_reporting_leaves_no_half_page(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    with disk_with_room_for(1_000), pytest.raises(TacitError, match=r"page\.html cannot be written: File too large"):
        report(list(two_runs), tmp_path / "page.html")
    assert list(tmp_path.glob("*page*")) == []


@pytest.mark.parametrize("name", ["exp[1]", "exp?", "exp*", "exp{a,b}", "a=1", "%41", "exp ", "-x", "é\u2028"])
def test_paths_are_paths_and_never_patterns(name: str, two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    for neighbor in ("expa", "exp1", "exp"):
        shutil.copytree(two_runs[0].folder, tmp_path / neighbor)
    made = run(probe, out=tmp_path / name, settings={"resamples": 50})
    assert set(made.measures["group"].drop_nulls()) == {"old"}
    assert measure(tmp_path / name).record.files == made.record.files
    assert open_run(tmp_path / name).answers.height == 15


def test_a_folder_whose_name_is_not_text_is_refused(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xffd"))
    with pytest.raises(TacitError, match="is not valid UTF-8: no tables can be kept there"):
        run(make_printed_probe(folder / "probe"), out=folder / "run", settings={"resamples": 50})


def test_answers_that_were_cut_short_are_asked_again(
    probe: Path, two_runs: tuple[Run, Run], tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(two_runs[0].folder, tmp_path / "run"))
    answers = folder / "answers.parquet"
    whole = answers.read_bytes()
    answers.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TacitError, match=r"answers\.parquet is damaged.*Run the probe again"):
        measure(folder)
    run(probe, tiny("bert"), folder, cache=None)
    assert answers.read_bytes() == whole


def test_what_a_kill_after_the_last_file_left_is_removed(tmp_path: Path) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    made = run(probe, out=tmp_path / "run")
    (made.folder / ".unfinished").mkdir()
    (made.folder / ".unfinished" / "answers-000000.parquet").write_bytes(b"half")
    run(probe, out=tmp_path / "run")
    assert not (made.folder / ".unfinished").exists()


def test_without_a_cache_a_run_goes_on_with_a_warning(
    probe: Path,
    two_runs: tuple[Run, Run],
    tiny: Callable[[str], Model],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.warns(UserWarning, match="no answers are stored"):
        made = run(probe, tiny("bert"), tmp_path / "run")
    assert made.record.files == two_runs[0].record.files


def test_an_output_in_a_place_that_cannot_be_written_is_one_sentence(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TacitError, match="cannot be written"):
        report(list(two_runs), tmp_path / "file" / "page.html")
    with pytest.raises(TacitError, match="cannot be written"):
        run(make_probe(tmp_path / "probe"), two_runs[0].record.model.name, tmp_path / "file" / "run")


def test_a_list_of_runs_is_not_one_name() -> None:
    with pytest.raises(TacitError, match=r"`runs` must be a list of runs or folders"):
        compare("runs/first")


@pytest.mark.parametrize(
    "left_out", [["measures.parquet"], ["answers.parquet"], ["answers.parquet", "measures.parquet"]]
)
def test_a_record_without_its_main_files_is_not_a_complete_run(tmp_path: Path, left_out: list[str]) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    made = run(probe, out=tmp_path / "run")
    record = json.loads((made.folder / "run.json").read_text(encoding="utf-8"))
    record["files"] = {name: value for name, value in record["files"].items() if name not in left_out}
    (made.folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(TacitError, match=rf"{left_out[0]} was not written by this run\. Move it away"):
        run(probe, out=tmp_path / "run")
    for name in left_out:
        (made.folder / name).unlink()
    assert run(probe, out=tmp_path / "run").record.files == made.record.files
