"""The same materials as CSV, JSON Lines and Parquet give the same run, byte for byte."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tacit
from tacit.probes import load_probe
from tacit.runs import measure
from tests.cli.test_main import tacit as command


def _typed(cell: str) -> Any:
    """What a person would write in JSON: numbers without quotes, null for nothing."""
    return int(cell) if cell.removeprefix("-").isdecimal() else cell or None


def _convert(path: Path, ending: str) -> Path:
    """The same rows in another format, beside the CSV."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [{name: _typed(cell) for name, cell in row.items()} for row in csv.DictReader(file)]
    made = path.with_suffix(ending)
    if ending == ".jsonl":
        made.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif ending == ".parquet":
        pl.DataFrame(rows, infer_schema_length=None, strict=False).write_parquet(made)
    return made


def _converted_probe(folder: Path, name: str, ending: str) -> Path:
    shipped = load_probe(name)
    folder.mkdir()
    text = shipped.source.read_text(encoding="utf-8")
    for source in shipped.folder.iterdir():
        if source.suffix in {".csv", ".yaml"}:
            shutil.copy(source, folder)
            if source.name in text and source.suffix == ".csv":
                _convert(folder / source.name, ending)
                text = text.replace(source.name, source.with_suffix(ending).name)
                if ending != ".csv":
                    (folder / source.name).unlink()
    (folder / "probe.yaml").write_text(f"{text}\n", encoding="utf-8")
    return folder / "probe.yaml"


@pytest.mark.parametrize("probe", ["before-after", "british-american", "religions"])
def test_the_format_of_the_materials_changes_no_byte_of_a_run(tmp_path: Path, probe: str) -> None:
    tables: dict[str, dict[str, bytes]] = {}
    for ending in (".csv", ".jsonl", ".parquet"):
        source = _converted_probe(tmp_path / ending[1:], probe, ending)
        run = tacit.run(source, model="modern", out=tmp_path / f"run{ending}")
        tables[ending] = {path.name: path.read_bytes() for path in run.folder.glob("*.parquet")}
        assert any(name.endswith(ending) for name in run.record.materials)
        copies = [name for name in run.record.copies.values() if name.endswith(ending)]
        assert copies
        assert all((run.folder / "materials" / name).is_file() for name in copies)
        assert measure(run.folder).headline == run.headline
    assert "answers.parquet" in tables[".csv"]
    assert tables[".csv"] == tables[".jsonl"] == tables[".parquet"]


def test_reviews_without_ids_are_named_alike_in_every_format(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    good = ["Lovely, all of it.", "Good fun.", "I laughed.", "We loved it.", "A fine film.", "Great cast."]
    bad = ["Dull.", "A waste.", "I slept.", "We left early.", "A poor film.", "Awful cast."]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([("text", "label"), *((text, int(text in good)) for text in good + bad)])
    made = []
    for ending in (".csv", ".jsonl", ".parquet"):
        settings = {"reviews": str(_convert(path, ending)), "words": 9}
        run = tacit.run("sentiment-association", model="modern", out=tmp_path / f"run{ending}", settings=settings)
        made.append({file.name: file.read_bytes() for file in run.folder.glob("*.parquet")})
        assert (run.folder / "materials" / f"reviews-reviews{ending}").is_file()
    assert made[0] == made[1] == made[2]


TRAVEL = """method: valence
materials:
  scale: {low: old, high: new, points: {-1: only in the past, 0: in both, 1: only today}}
  sentences: sentences.jsonl
"""


def test_a_rating_sheet_comes_back_as_jsonl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    (tmp_path / "travel.yaml").write_text(TRAVEL)
    sentence = {"id": 1, "text": "They went to the island in a [MASK].", "group": "Sea", "rho": 0}
    (tmp_path / "sentences.jsonl").write_text(json.dumps(sentence))
    done = command("rate", "sheet", "travel.yaml", "--model", "modern", "--out", "sheet.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [{**row, "score": 1} for row in csv.DictReader(file)]
    (tmp_path / "filled.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("rate", "import", "travel.yaml", "filled.jsonl", "--rater", "me", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"Added {len(rows)} ratings by me" in done.stdout


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_answers_from_elsewhere_are_scored_from_every_format(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "ranks.csv"
    adverbs = load_probe("intensifier").path("words")
    with adverbs.open(encoding="utf-8") as file:
        known = {row["adverb"]: row["category"] for row in csv.DictReader(file)}
    chosen = list(known)[:2]
    path.write_text(
        "adverb,category,adverb_rank,against_rank\n"
        + "".join(f"{adverb},{known[adverb]},{rank},{9 - rank}\n" for adverb in chosen for rank in range(9))
    )
    made = _convert(path, ending)
    done = command("run", "intensifier", "--answers", made.name, "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answers = pl.read_parquet(tmp_path / "run" / "answers.parquet")
    assert answers["item"].unique().sort().to_list()[:2] == ["line 00002", "line 00003"]
