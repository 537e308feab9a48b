"""A probe's YAML: what is wrong with it is said with its line, and the nearest right key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import MaterialsError
from tacit.methods import get_method
from tacit.probes import FileName, MaterialsShape, Probe, load_probe, probe_names
from tacit.runs.plan import prepare

RIGHT = """name: mine
version: 2
method: valence
materials:
  scale: {low: old, high: new, points: [-1, 0, 1]}
  sentences: sentences.csv
"""


def _write(tmp_path: Path, text: str) -> Path:
    (tmp_path / "sentences.csv").write_text("id,group,text,rho\na,g,The [MASK].,0\n")
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (("version: 2", "verson: 2"), r"mine.yaml, line 2: there is no key 'verson' here: did you mean 'version'\?"),
        (("  sentences:", "  sentence:"), r"line 6: there is no key 'sentence' here: did you mean 'sentences'\?"),
        (("  sentences: sentences.csv\n", ""), r"line 4: materials.sentences is missing\."),
        (("version: 2", "version: two"), r"line 2: version must be a whole number, not 'two'\."),
        (("method: valence", "method: [valence]"), r"line 3: method must be text, not \['valence'\]\."),
        (
            ("method: valence", "method: valense"),
            r"mine.yaml, line 3: there is no method 'valense': did you mean 'valence'\?",
        ),
        (("sentences.csv", "/etc/passwd"), r"line 6: '/etc/passwd' does not lie in the probe's folder"),
        (("sentences.csv", "../sentences.csv"), r"line 6: '../sentences.csv' does not lie in the probe's folder"),
        (("sentences.csv", "none.csv"), r"There is no file .*none.csv"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, wrong: tuple[str, str], problem: str) -> None:
    assert wrong[0] in RIGHT
    with pytest.raises(Exception, match=problem) as refused:
        prepare(_write(tmp_path, RIGHT.replace(*wrong)), {}, None)
    assert type(refused.value).__module__ == "tacit.errors"


def test_a_path_that_is_no_probe_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "afile").write_text("name: mine\n")
    for name, problem in (
        ("runs", r"^runs is a folder without a probe\.yaml"),
        ("runs/", r"^runs/ is a folder without a probe\.yaml"),
        ("afile", r"^afile is not a YAML file"),
        ("missing/", r"^There is no folder missing/"),
        ("temporl", r"^There is no probe 'temporl': did you mean 'temporal'\?"),
    ):
        with pytest.raises(MaterialsError, match=problem):
            load_probe(name)


def test_the_right_one_is_read(tmp_path: Path) -> None:
    prepared = prepare(_write(tmp_path, RIGHT), {}, None)
    assert prepared.material_files == {"sentences.csv": tmp_path / "sentences.csv"}
    assert (prepared.probe.name, prepared.probe.version) == ("mine", 2)


@pytest.mark.parametrize("name", probe_names())
def test_every_shipped_probe_fits_the_shape_of_its_method(name: str) -> None:
    probe = load_probe(name)
    files = probe.parse(get_method(probe.method).shape).file_names()
    assert files
    assert all(probe.file(file).is_file() for file in files)


def test_only_declared_files_are_a_runs_business(tmp_path: Path) -> None:
    class Shape(MaterialsShape):
        table: FileName
        more: FileName | None = None
        note: str = ""

    (tmp_path / "secret.csv").write_text("x")
    materials = {"table": "a.csv", "note": "secret.csv"}
    probe = Probe(name="p", version=1, title="", method="m", materials=materials, folder=tmp_path, source=tmp_path)
    assert probe.parse(Shape).file_names() == ["a.csv"]


def test_an_unknown_probe_is_answered_with_the_nearest() -> None:
    with pytest.raises(MaterialsError, match=r"no probe 'temporel': did you mean 'temporal'\?"):
        load_probe("temporel")
