"""`-q` and `-v`: how much a command says beside its results."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tacit import Fill, ask, load
from tacit.cli.main import app
from tacit.cli.verbosity import start_verbosity
from tacit.errors import TacitError

FILL = ["fill", "It was [MASK].", "--model", "modern"]


@pytest.fixture(autouse=True)
def _afterwards_as_before() -> object:
    yield
    start_verbosity(0, False)


def invoke(*words: str) -> tuple[str, str]:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def test_quiet_leaves_the_sentences_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loud, _ = invoke("run", "temporal", "--model", "modern", "--out", "a")
    quiet, errors = invoke("run", "temporal", "--model", "modern", "--out", "b", "-q")
    assert "Next: tacit report" in loud
    assert "Written to a" in loud
    assert loud.split("  Written to")[0] == quiet
    assert errors == ""


def test_both_options_stand_before_or_after_the_command() -> None:
    before, after = invoke("-q", "probes"), invoke("probes", "--quiet")
    assert before == after
    assert "temporal" in before[0]
    assert "Next:" not in before[0]
    for words in (["-v", *FILL], [*FILL, "--verbose"]):
        assert "Loaded modern" in invoke(*words)[1]


def test_verbose_says_what_is_loaded_with_what_and_how_fast_it_answers() -> None:
    table, steps = invoke(*FILL, "-v")
    assert "model.safetensors" in steps
    assert "family masked, architecture BertForMaskedLM, dtype float32, device cpu, begin token none" in steps
    assert f"fingerprint {load('modern').fingerprint[:16]}" in steps
    assert "Asked modern 1 questions (local)" in steps
    assert invoke(*FILL) == (table, "")


def test_verbose_names_the_folder_and_the_answers_that_were_known(tmp_path: Path) -> None:
    _, first = invoke("-v", "run", "temporal", "--model", "modern", "--out", str(tmp_path / "a"))
    _, second = invoke("-v", "run", "temporal", "--model", "modern", "--out", str(tmp_path / "b"))
    assert "60 questions (local)" in first
    assert "; 0 were known" in first
    assert "; 60 were known" in second
    assert f"written to {tmp_path / 'b'}" in second


@pytest.mark.parametrize("words", [["-q", "probes", "-v"], ["probes", "-q", "-v"], ["-v", "-q", "probes"]])
def test_verbose_and_quiet_exclude_each_other(words: list[str]) -> None:
    error = CliRunner().invoke(app, words).exception
    assert isinstance(error, TacitError)
    assert str(error) == "--verbose and --quiet exclude each other. Leave one of them out."


def test_every_command_takes_them() -> None:
    def commands(group: object) -> list[object]:
        inner = getattr(group, "commands", {}).values()
        return [one for command in inner for one in (commands(command) or [command])]

    found = commands(typer.main.get_command(app))
    assert len(found) > 30
    for command in found:
        options = {option for parameter in command.params for option in parameter.opts}  # type: ignore[attr-defined]
        assert {"--quiet", "-q", "--verbose", "-v"} <= options, command


def test_a_program_switches_the_log_on_itself(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    model = load("modern")
    list(ask(model, [Fill("It was [MASK].")]))
    assert capsys.readouterr() == ("", "")
    with caplog.at_level(logging.INFO, logger="tacit"):
        list(ask(model, [Fill("It was [MASK].")]))
    assert "; 1 were known (cache " in caplog.text
