"""`--json`: one document on stdout, everything else on stderr, and errors with their kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tacit.cli.main import app


def _document(*words: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    tables: list[dict[str, Any]] = json.loads(done.stdout)["tables"]
    return tables


def test_the_table_of_probes_is_a_document() -> None:
    (table,) = _document("probes")
    assert {"temporal", "regional"} <= {row["probe"] for row in table["rows"]}


def test_probabilities_are_numbers() -> None:
    (table,) = _document("fill", "It was [MASK].", "--model", "modern", "--top", "3")
    assert [row["rank"] for row in table["rows"]] == [1, 2, 3]
    assert all(0 < row["probability"] < 1 for row in table["rows"])
    (table,) = _document("choose", "It was [MASK].", "good", "bad", "--model", "modern")
    assert [row["word"] for row in table["rows"]] == ["good", "bad"]


def test_a_command_without_a_table_gives_none(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert _document("runs") == []


def test_models_are_listed() -> None:
    (table,) = _document("models", "list")
    assert {"early-modern", "modern", "smollm2-135m"} <= {row["model"] for row in table["rows"]}


def test_an_error_has_its_kind() -> None:
    for words, kind in ((["fill", "no blank"], "MaterialsError"), (["runs", "/no/such/folder"], "RunError")):
        command = [sys.executable, "-m", "tacit", *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
        assert done.returncode == 2
        assert done.stdout == ""
        assert json.loads(done.stderr)["error"]["kind"] == kind


def test_lists_of_other_commands_are_documents_too() -> None:
    assert "modern" in {row["standard"] for row in _document("standards")[0]["rows"]}
    assert _document("cache", "size")[0]["rows"][0]["answers"] == 0
    assert [row["name"] for row in _document("data")[0]["rows"]] == ["reviews"]
    (planned,) = _document("plan", "temporal", "--effect", "0.2")[0]["rows"]
    assert planned["units"] > 0
    assert planned["questions"] > 0


def test_a_probe_is_a_document() -> None:
    tables = {table["title"]: table["rows"] for table in _document("probes", "temporal")}
    assert [*tables] == ["probe", "questions", "settings", "limits", "certificate"]
    assert tables["probe"][0]["name"] == "temporal"
    assert tables["probe"][0]["paper"]["year"] > 2000
    sizes = {row["family"]: row for row in tables["questions"]}
    assert sizes["masked"]["questions"] == 60
    assert sizes["classifier"]["questions"] is None
    assert sizes["classifier"]["words"].startswith("not asked: A classifier")
    assert all(row["meaning"] for row in tables["settings"])
    assert {"setting": "top", "value": 5}.items() <= next(
        r for r in tables["settings"] if r["setting"] == "top"
    ).items()
    assert all(row["limit"] for row in tables["limits"])
    assert tables["certificate"][0]["light"] in ("green", "yellow", "red")
    assert tables["certificate"][0]["models"][0]["checks"]


def test_what_a_study_shows_is_a_document() -> None:
    (table,) = _document("probes", "temporal", "--coverage")
    assert all(row["part"] for row in table["rows"])


def test_the_card_of_a_standard_is_a_document() -> None:
    ((row,),) = [table["rows"] for table in _document("standards", "modern")]
    assert row["standard"] == "modern"
    assert row["card"].startswith("# ")


def test_wrong_usage_has_its_kind_too() -> None:
    for words in (["fill"], ["fill", "[MASK]", "--top", "0"], ["runs", "--no-such-option"]):
        command = [sys.executable, "-m", "tacit", *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
        assert done.returncode == 2
        assert json.loads(done.stderr)["error"]["kind"] == "UsageError"


def test_a_failed_check_still_exits_with_1(tiny_folder: Any) -> None:
    command = [sys.executable, "-m", "tacit", "doctor", "--model", str(tiny_folder("bert")), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 1
    assert json.loads(done.stdout)["tables"]
