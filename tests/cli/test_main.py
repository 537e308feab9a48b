"""The command line: quick help, one sentence and code 2 where something cannot be done."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tacit import Fill, __version__, load
from tacit.asking import Cache
from tacit.questions import FillAnswer


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
        (("run", "temporal", "stereotype", "--set", "regional.cities=1"), "which is not run (temporal, stereotype)"),
        (("run", "temporal", "--model", "modern", "--model", "moddern"), "There is no model 'moddern'"),
        (("compare", "nowhere"), "nowhere"),
        (("runs", "no\nwhere"), "There is no folder no\\nwhere."),
        (("report", "nowhere", "--out", "x.html"), "nowhere"),
        (("models", "fetch", "gpt-5"), "Choose smollm2-135m"),
        (("standards", "medieval"), "There is no standard named 'medieval'"),
        (("fill", "half \udcff [MASK]"), "`text` contains half of a character"),
        (("fill", "It was [MASK].", "--model", "."), "The folder . holds no model"),
        (("fill", "It was [MASK].", "--model", ".."), "The folder .. holds no model"),
        (("fill", "It was [MASK].", "--model", ""), "`name` must be a path"),
        (("fill", "It was [MASK].", "--model", "x" * 5000), "`name` is too long for a path"),
        (("fill", "It was [MASK].", "--model", "a\udcffb"), "There is no model"),
        (("fill", "It was [MASK]", "--model", "llama+http://127.0.0.1:9"), "There is no server at llama+http://127"),
        (("fill", "It was [MASK].", "--device", "cuda:99"), "This machine has no cuda"),
        (("fill", "It was [MASK].", "--dtype", "int3"), "There is no dtype 'int3'"),
        (("run", "temporal", "--executor", "slurm"), "There is no executor 'slurm'"),
        (("run", "temporal", "--workers", "2"), "are for a cluster. Add --executor ray"),
        (("run", "x" * 300), "`probe` is too long for a path"),
        (("run", "."), ". is a folder without a probe.yaml"),
        (("run", "temporal", "--out", "x" * 300), "`out` is too long for a path"),
        (("run", "temporal", "--set", "top=\udcff"), "The setting top of the probe temporal is wrong"),
        (("report", "x" * 300), "`run` is too long for a path"),
        (("harvest", "intensifier", "--corpus", "x" * 300, "--out", "x.csv"), "is too long for a path"),
        (("rate", "sheet", "temporal", "--out", "x" * 300), "`out` is too long for a path"),
        (("rate", "import", "temporal", "x" * 300), "`file` is too long for a path"),
        (("serve", "x" * 300), "`runs` is too long for a path"),
        (("serve", "--port", "0", "--host", "x" * 300), "cannot be used"),
        (("serve", "--port", "0", "--host", "\udcff"), "cannot be used"),
        (("tune", "prompt", "--model", "modern", "--reviews", "x" * 300, "--out", "y"), "`reviews` is too long"),
        (
            ("tune", "prompt", "--model", "modern", "--reviews", "x.csv", "--out", "y", "--rate", "nan"),
            "`rate` must be",
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence_with_code_2(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = tacit(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert list(tmp_path.glob("runs/**/*.json")) == []


@pytest.mark.parametrize(
    "words",
    [
        ("tour", "--minutes", "-5"),
        ("tour", "--minutes", "nan"),
        ("fill", "It was [MASK].", "--top", "0"),
        ("fill", "It was [MASK].", "--top", "1e3"),
        ("fill", "It was [MASK].", "--top", str(10**20)),
        ("harvest", "intensifier", "--out", "x.csv", "--each", "-1"),
        ("harvest", "intensifier", "--out", "x.csv", "--seed", "-1"),
        ("rate", "sheet", "temporal", "--out", "x.csv", "--seed", "x"),
        ("serve", "--port", "-1"),
        ("nothing",),
        ("run",),
    ],
)
def test_an_option_out_of_its_range_is_wrong_usage(words: tuple[str, ...], tmp_path: Path) -> None:
    done = tacit(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_stopped_says_that_it_can_be_continued(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tacit", "run", "temporal", "--model", "modern", "--out", "run"]
    started = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    while not (tmp_path / "run" / "run.json").exists():
        assert started.poll() is None
        time.sleep(0.01)
    started.send_signal(number)
    _, said = started.communicate(timeout=120)
    assert started.returncode == 128 + number
    assert said.strip().splitlines()[-1] == "Stopped; the same command continues."
    assert "Traceback" not in said


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


def test_words_are_chosen_and_sentences_scored() -> None:
    chosen = tacit("choose", "Why wilt [MASK] be offended?", "thou", "you", "--model", "early-modern")
    expected = load("early-modern").choose("Why wilt [MASK] be offended?", ["thou", "you"])
    for choice in expected:
        assert f"{choice.probability:.3g}" in chosen.stdout
    scored = tacit("likelihood", "Why wilt thou?", "--model", "modern")
    (total,) = load("modern").likelihood(["Why wilt thou?"], reduce="total")
    assert f"modern: {total:.2f} in all (pll)." in scored.stdout


def test_the_cache_tells_its_size_and_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    with Cache() as cache:
        questions = [Fill(f"It was {number} [MASK].") for number in range(5)]
        cache.put([(Cache.key("a", question), FillAnswer((), "next token")) for question in questions])
    assert "5 answers" in tacit("cache", "size").stdout
    unasked = tacit("cache", "clear")
    assert unasked.returncode == 2
    assert "Add --yes" in unasked.stderr
    assert "5 answers" in tacit("cache", "size").stdout
    assert "Removed 5 answers" in tacit("cache", "clear", "--yes").stdout
    assert "0 answers" in tacit("cache", "size").stdout


def test_unused_answers_are_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    with Cache() as cache:
        cache.put([(Cache.key("a", Fill("[MASK]", top)), FillAnswer((), "next token")) for top in range(1, 6)])
    assert "Nothing to remove: none of the 5 answers" in tacit("cache", "prune").stdout
    with closing(sqlite3.connect(tmp_path / "answers.sqlite")) as connection, connection:
        connection.execute("UPDATE used SET day = day - 91 WHERE key IN (SELECT key FROM used LIMIT 2)")
    unasked = tacit("cache", "prune", "--older-than", "90")
    assert unasked.returncode == 2
    assert "2 answers" in unasked.stderr
    pruned = tacit("cache", "prune", "--older-than", "90", "--yes").stdout
    assert pruned.startswith("Removed 2 answers (")
    assert "3 are left" in pruned
