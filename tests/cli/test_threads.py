"""`--threads`: how many processor threads a model computes with, whatever the scores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import typer
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.errors import ArgumentError
from tacit.models import load, set_threads

FILL = ["fill", "It was a [MASK] day.", "--model", "modern", "--top", "20", "--json"]


@pytest.fixture(autouse=True)
def _afterwards_as_before() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    set_threads(before)
    set_threads(None)


def probabilities(*words: str) -> dict[str, float]:
    done = CliRunner().invoke(app, [*FILL, *words])
    assert done.exit_code == 0, done.output
    return {row["token"]: row["probability"] for row in json.loads(done.stdout)["tables"][0]["rows"]}


def test_scores_do_not_depend_on_the_number_of_threads() -> None:
    one = probabilities("--threads", "1")
    assert torch.get_num_threads() == 1
    two = probabilities("--threads", "2")
    assert torch.get_num_threads() == 2
    assert two == pytest.approx(one, abs=1e-5)


def test_without_the_option_nothing_changes() -> None:
    torch.set_num_threads(2)
    probabilities()
    assert torch.get_num_threads() == 2


def test_a_number_that_is_chosen_before_torch_is_there_counts_when_a_model_is_loaded() -> None:
    code = (
        "import sys, tacit.models; tacit.models.set_threads(3); assert 'torch' not in sys.modules; "
        "tacit.models.load('modern'); import torch; print(torch.get_num_threads())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "3"


@pytest.mark.parametrize("count", ["0", "-1", "100000", "two"])
def test_what_is_no_number_of_threads_is_wrong_usage(count: str) -> None:
    done = CliRunner().invoke(app, [*FILL, "--threads", count])
    assert done.exit_code == 2
    assert "--threads" in done.stderr


@pytest.mark.parametrize("count", [0, True, 1.5])
def test_python_refuses_it_too(count: Any) -> None:
    with pytest.raises(ArgumentError, match="a number of threads from 1 on"):
        set_threads(count)
    assert load("modern").fill("It was [MASK].", top=1)


def test_every_command_that_takes_a_model_takes_it() -> None:
    def commands(group: Any) -> list[Any]:
        inner = getattr(group, "commands", {}).values()
        return [one for command in inner for one in (commands(command) or [command])]

    with_models = {
        command.name
        for command in commands(typer.main.get_command(app))
        if "--model" in {option for parameter in command.params for option in parameter.opts}
    }
    with_threads = {
        command.name
        for command in commands(typer.main.get_command(app))
        if "--threads" in {option for parameter in command.params for option in parameter.opts}
    }
    assert {"run", "tour", "fill", "choose", "likelihood", "doctor", "validate", "sheet", "prompt"} <= with_threads
    assert with_models == with_threads
