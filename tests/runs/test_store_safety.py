"""No file of the user is lost: a run folder from a stranger touches nothing outside, nothing foreign is replaced."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacit.errors import TacitError
from tacit.models import Model
from tacit.runs import Run, compare, measure, open_run, run
from tacit.runs.export import write_frame
from tests.runs.making import make_printed_probe, make_probe


@pytest.fixture
def moved(two_runs: tuple[Run, Run], tmp_path: Path) -> Path:
    """A run's folder that a test may damage."""
    return Path(shutil.copytree(two_runs[0].folder, tmp_path / "elsewhere"))


def _change(folder: Path, **changes: Any) -> None:
    record = json.loads((folder / "run.json").read_text())
    for name, value in changes.items():
        record[name] = {**record[name], **value} if isinstance(value, dict) else value
    (folder / "run.json").write_text(json.dumps(record))


@pytest.mark.parametrize(
    "name", ["{outside}", "../precious.txt", "sub/precious.txt", "..", ".", "", "a\\b", ".lock", "C:x"]
)
def test_a_record_cannot_name_a_file_outside_its_folder(moved: Path, tmp_path: Path, name: str) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("a thesis")
    _change(moved, files={name.format(outside=precious): "0"})
    with pytest.raises(TacitError, match=r"run.json is damaged at 'files'"):
        measure(moved)
    assert precious.read_text() == "a thesis"


def test_a_record_that_does_not_know_its_materials_is_refused(moved: Path) -> None:
    record = json.loads((moved / "run.json").read_text(encoding="utf-8"))
    (moved / "run.json").write_text(json.dumps({**record, "materials": {}}), encoding="utf-8")
    with pytest.raises(TacitError, match="has other materials than the run used"):
        measure(moved)


def test_half_a_character_in_a_record_is_damage(moved: Path) -> None:
    record = json.loads((moved / "run.json").read_text(encoding="utf-8"))
    record["host"]["name"] = "\udcff"
    (moved / "run.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(TacitError, match="is damaged: it is not the record of a run"):
        measure(moved)


def test_a_record_cannot_remove_a_file_that_the_run_did_not_write(moved: Path) -> None:
    (moved / "thesis.docx").write_text("a thesis")
    _change(moved, files={"thesis.docx": "0"})
    measure(moved)
    assert (moved / "thesis.docx").read_text() == "a thesis"


def test_a_record_cannot_copy_or_read_materials_from_outside(moved: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("id,group,text,rho\n")
    _change(moved, copies={"sentences.csv": "../../secret.csv"})
    with pytest.raises(TacitError, match=r"run.json is damaged at 'copies'"):
        measure(moved)


def test_a_yaml_of_a_stranger_cannot_read_outside_its_run(moved: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("id,group,text,rho\n")
    yaml = moved / json.loads((moved / "run.json").read_text())["probe"]["source"]
    yaml.write_text(yaml.read_text().replace("sentences.csv", str(tmp_path / "secret.csv")))
    with pytest.raises(TacitError, match=r"other materials|not part of it|not what the run used"):
        measure(moved)


@pytest.mark.parametrize("name", ["measures.parquet", "summary.md", "answers.parquet", ".unfinished", ".lock"])
def test_links_in_a_run_folder_are_not_followed(moved: Path, tmp_path: Path, name: str) -> None:
    target = tmp_path / "precious"
    target.write_text("a thesis")
    (moved / name).unlink(missing_ok=True)
    (moved / name).symlink_to(target)
    with pytest.raises(TacitError, match="is a link"):
        measure(moved)
    assert target.read_text() == "a thesis"


def test_materials_are_not_written_through_a_link(tmp_path: Path) -> None:
    probe, out, elsewhere = make_printed_probe(tmp_path / "probe"), tmp_path / "run", tmp_path / "elsewhere"
    run(probe, out=out)
    shutil.move(out / "materials", elsewhere)
    (out / "materials").symlink_to(elsewhere)
    (elsewhere / "printed.csv").write_text("my own")
    _change(out, status="asking")
    with pytest.raises(TacitError, match="is a link"):
        run(probe, out=out)
    assert (elsewhere / "printed.csv").read_text() == "my own"


def test_a_folder_with_other_files_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    probe, out = make_printed_probe(tmp_path / "probe"), tmp_path / "mine"
    (out / "materials").mkdir(parents=True)
    (out / "materials" / "s.csv").write_text("my own")
    (out / "summary.md").write_text("my own")
    with pytest.raises(TacitError, match=r"mine is not empty and holds no run \(materials and 1 more\)"):
        run(probe, out=out)
    assert sorted(path.name for path in out.rglob("*")) == ["materials", "s.csv", "summary.md"]
    assert (out / "summary.md").read_text() == "my own"


def test_the_probes_own_folder_is_refused_as_output(tmp_path: Path, tiny: Callable[[str], Model]) -> None:
    probe = make_probe(tmp_path / "probe")
    before = {path.name: path.read_bytes() for path in probe.parent.iterdir()}
    with pytest.raises(TacitError, match="not empty and holds no run"):
        run(probe, tiny("bert"), probe.parent, cache=None)
    assert {path.name: path.read_bytes() for path in probe.parent.iterdir()} == before


def test_a_file_of_the_users_in_an_interrupted_run_is_not_replaced(tmp_path: Path) -> None:
    probe, out = make_printed_probe(tmp_path / "probe"), tmp_path / "run"
    run(probe, out=out)
    record = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps({**record, "status": "asking", "files": {}}))
    (out / "summary.md").write_text("my own notes")
    with pytest.raises(TacitError, match=r"was not written by this run"):
        run(probe, out=out)
    assert (out / "summary.md").read_text() == "my own notes"


def test_a_run_killed_while_its_files_were_moved_continues(tmp_path: Path) -> None:
    probe, out = make_printed_probe(tmp_path / "probe"), tmp_path / "run"
    whole = run(probe, out=out).measures
    _change(out, status="asking")
    (out / "summary.md").unlink()
    assert run(probe, out=out).measures.equals(whole)
    assert open_run(out).record.status == "complete"
    assert (out / "summary.md").is_file()


def test_an_output_is_replaced_only_if_tacit_wrote_it(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    table, out = compare(list(two_runs)).table, tmp_path / "table.csv"
    write_frame(table, out)
    written = out.read_bytes()
    write_frame(table.head(1), out)
    assert out.read_bytes() != written
    out.write_text("my own")
    with pytest.raises(TacitError, match="was not written by Tacit"):
        write_frame(table, out)
    assert out.read_text() == "my own"
    write_frame(table, out, force=True)
    assert out.read_bytes() == written


def test_a_device_or_a_folder_is_never_replaced(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    from tacit.reports.page import report

    (tmp_path / "folder.html").mkdir()
    (tmp_path / "device.html").symlink_to("/dev/null")
    with pytest.raises(TacitError, match="is a folder"):
        report(list(two_runs), tmp_path / "folder.html", force=True)
    with pytest.raises(TacitError, match="not a regular file"):
        report(list(two_runs), tmp_path / "device.html", force=True)
    assert Path("/dev/null").is_char_device()
