"""Measures come again from the answers, bit for bit, wherever the folder went, and damage is told."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.models import Model
from tacit.runs import Run, find_runs, measure, open_run, run
from tests.runs.making import make_printed_probe
from tests.tiny import CORPUS

_LABELS = {"great": "positive", "terrible": "negative"}


@pytest.fixture
def moved(two_runs: tuple[Run, Run], tmp_path: Path) -> Path:
    """A run's folder, carried elsewhere."""
    return Path(shutil.copytree(two_runs[0].folder, tmp_path / "elsewhere"))


def test_recomputed_files_are_the_same_bit_for_bit(moved: Path) -> None:
    before = _bytes(moved)
    for name in ("measures.parquet", "summary.md", "fillings.parquet"):
        (moved / name).unlink(missing_ok=True)
    measure(moved)
    assert _bytes(moved) == before


def test_measuring_imports_no_torch(moved: Path) -> None:
    code = f"import sys; from tacit.runs import measure; measure({str(moved)!r}); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_measures_do_not_follow_the_probe_where_it_was(tmp_path: Path) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    run(probe, out=tmp_path / "run")
    before = _bytes(tmp_path / "run")
    shutil.rmtree(tmp_path / "probe")
    measure(tmp_path / "run")
    assert _bytes(tmp_path / "run") == before


@pytest.mark.parametrize("name", ["../sentences.csv", "/etc/passwd", "linked.csv"])
def test_materials_outside_the_probe_folder_are_refused_with_their_line(tmp_path: Path, name: str) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    (tmp_path / "probe" / "sentences.csv").rename(tmp_path / "sentences.csv")
    (tmp_path / "probe" / "linked.csv").symlink_to(tmp_path / "sentences.csv")
    probe.write_text(probe.read_text().replace("sentences: sentences.csv", f"sentences: {name}"))
    with pytest.raises(TacitError, match=r"printed.yaml, line \d+: .* the probe's folder"):
        run(probe, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_materials_of_another_probe_are_named_by_it_and_kept(tmp_path: Path) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    text = probe.read_text().replace("sentences: sentences.csv", "sentences: temporal-paper:sentences.csv")
    probe.write_text(
        text.replace("printed: printed.csv", "printed: temporal-paper:printed.csv").replace(
            "0: neither", "-0.5: a, 0: neither, 0.5: b"
        )
    )
    run(probe, "BERT Base", tmp_path / "run")
    before = _bytes(tmp_path / "run")
    measure(tmp_path / "run")
    assert _bytes(tmp_path / "run") == before
    names = sorted(path.name for path in (tmp_path / "run" / "materials").iterdir())
    assert names[:3] == ["0-sentences.csv", "1-printed.csv", "printed.yaml"]
    assert [name.partition("-")[0] for name in names[3:]] == ["ratings"]


def test_a_truncated_table_is_told_and_mended(moved: Path) -> None:
    path = moved / "measures.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TacitError, match=r"measures.parquet is damaged: .*`tacit measure"):
        _ = open_run(moved).measures
    measure(moved)
    assert path.read_bytes() == whole


def test_damaged_answers_cannot_be_measured(moved: Path) -> None:
    whole = (moved / "answers.parquet").read_bytes()
    (moved / "answers.parquet").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(TacitError, match=r"answers.parquet is damaged: .*Run the probe again"):
        measure(moved)


def test_changed_materials_cannot_be_measured(moved: Path) -> None:
    with (moved / "materials" / "sentences.csv").open("a", encoding="utf-8") as file:
        file.write("x,old,Another [MASK].,0\n")
    with pytest.raises(TacitError, match=r"sentences.csv is missing, or not what the run used"):
        measure(moved)


def test_a_folder_without_a_record_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="is not a run"):
        open_run(tmp_path)
    with pytest.raises(TacitError, match="is not a run"):
        find_runs([tmp_path])
    with pytest.raises(TacitError, match="There is no folder"):
        find_runs([tmp_path / "nowhere"])


def test_a_run_of_a_newer_tacit_is_refused(moved: Path) -> None:
    record = json.loads((moved / "run.json").read_text())
    (moved / "run.json").write_text(json.dumps({**record, "format": 99}))
    with pytest.raises(TacitError, match=r"newer Tacit \(format 99"):
        open_run(moved)


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"format": 1}', "\x00\x01"])
def test_a_damaged_record_is_told_in_one_sentence(moved: Path, damage: str) -> None:
    (moved / "run.json").write_text(damage)
    with pytest.raises(TacitError, match=r"run.json is damaged"):
        open_run(moved)


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_file_that_a_setting_names_is_kept_and_counts_as_material(
    tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    reviews = tmp_path / "mine.csv"
    rows = [f"{sentence} It was {word}.,{label}" for sentence in CORPUS[:6] for word, label in _LABELS.items()]
    rows = [f'"{text}",{label}' for text, label in (row.rsplit(",", 1) for row in rows)]
    reviews.write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    settings = {"reviews": str(reviews), "words": 2, "resamples": 100}
    done = run("sentiment-association", tiny("bert"), tmp_path / "run", settings, cache=None)
    assert list(done.record.setting_files) == ["reviews"]
    before = _bytes(tmp_path / "run")
    reviews.write_text("\n".join(["text,label", *rows[:-2]]), encoding="utf-8")
    with pytest.raises(TacitError, match=r"other files \(reviews\)"):
        run("sentiment-association", tiny("bert"), tmp_path / "run", settings, cache=None)
    reviews.unlink()
    measure(tmp_path / "run")
    assert _bytes(tmp_path / "run") == before
