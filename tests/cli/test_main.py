"""The command line: quick help, one sentence and code 2 where something cannot be done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit import __version__


def tacit(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "COLUMNS": "120", "NO_COLOR": "1"}
    command = [sys.executable, "-c", "from tacit.cli.main import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=environment)


def test_help_names_every_command_of_the_contract() -> None:
    done = tacit("--help")
    assert done.returncode == 0
    for name in ("tour", "probes", "run", "compare", "report", "fill", "doctor", "rate", "models", "standards"):
        assert f" {name} " in done.stdout


def test_help_does_not_wait_for_torch() -> None:
    code = "import sys; from tacit.cli.main import app; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for heavy in ("torch", "transformers", "polars", "altair", "numpy", "scipy"):
        assert f"'{heavy}'" not in done.stdout


def test_version() -> None:
    assert tacit("--version").stdout.strip() == __version__


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("fill", "It was great."), "has no blank"),
        (("fill", "It was [MASK] and [MASK]."), "has 2 blanks"),
        (("fill", "It was [MASK].", "--model", "./nowhere"), "There is no folder ./nowhere"),
        (("doctor", "--model", "no-such-model"), "There is no model 'no-such-model'"),
        (("run", "temporul"), "did you mean 'temporal'?"),
        (("run", "nowhere.yaml"), "There is no file nowhere.yaml"),
        (("run", "temporal", "--set", "tops=5"), "has no setting 'tops'"),
        (("run", "temporal", "--set", "top"), "--set takes key=value"),
        (("compare", "nowhere"), "nowhere"),
        (("report", "nowhere", "--out", "x.html"), "nowhere"),
        (("models", "fetch", "gpt-5"), "Choose smollm2-135m"),
        (("standards", "medieval"), "There is no standard named 'medieval'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_with_code_2(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = tacit(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert list(tmp_path.glob("runs/**/*.json")) == []


def test_fill_shows_models_side_by_side(tiny_folder: Callable[[str], Path]) -> None:
    bert, gpt2 = str(tiny_folder("bert")), str(tiny_folder("gpt2"))
    done = tacit("fill", "Why wilt [MASK] be offended by that?", "--model", bert, "--model", gpt2, "--top", "3")
    assert done.returncode == 0, done.stderr
    assert f"{bert}: mask" in done.stdout
    assert f"{gpt2}: whole sentences of 200 candidates" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if line.strip()[:1].isdigit()]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert all(len(row) == 5 for row in rows)


def test_doctor_finds_a_random_model_out_with_code_1(tiny_folder: Callable[[str], Path]) -> None:
    done = tacit("doctor", "--model", str(tiny_folder("bert")))
    assert done.returncode == 1, done.stderr
    assert "FAIL" in done.stdout
    assert "the head is not random" in done.stdout
    assert "largest difference" in done.stdout


BROKEN = """
import sys
from tacit.cli import main
def broken() -> None:
    raise KeyError("a line\\nand another")
main.app.command("broken")(broken)
main.main()
"""


@pytest.mark.parametrize("debug", [False, True])
def test_an_error_of_ours_is_one_sentence_and_its_traceback_only_on_request(debug: bool) -> None:
    environment = {**os.environ, **({"TACIT_DEBUG": "1"} if debug else {})}
    command = [sys.executable, "-c", BROKEN, "broken"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ("Traceback" in done.stderr) == debug
    if not debug:
        assert done.returncode == 2
        assert "should not happen: KeyError ('a line\\nand another')" in done.stderr
        assert "Please report" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
