"""Wrong things typed after every command: an answer, or one sentence and code 2."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tacit.cli.main import app
from tacit.errors import TacitError
from tacit.models import Model
from tacit.runs import run
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import odd_numbers, odd_text
from tests.runs.making import make_probe


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command; the option of an argument is empty."""

    name: str
    option: str
    is_flag: bool
    is_needed: bool


_LEFT_OUT = {"help", "force", "version"}
"""With --force a file outside the folder may rightly be replaced."""


def _commands() -> dict[tuple[str, ...], list[Parameter]]:
    """Every command with its parameters, as Typer knows them."""
    found: dict[tuple[str, ...], list[Parameter]] = {}

    def walk(words: tuple[str, ...], command: Any) -> None:
        for name, inner in getattr(command, "commands", {}).items():
            walk((*words, name), inner)
        # The live page would run until somebody ends it, and a validation for minutes.
        if not hasattr(command, "commands") and words not in {("serve",), ("validate",)}:
            found[words] = [_parameter(given) for given in command.params if given.name not in _LEFT_OUT]

    walk((), typer.main.get_command(app))
    return found


def _parameter(given: Any) -> Parameter:
    option = "" if given.param_type_name == "argument" else given.opts[0]
    return Parameter(given.name, option, bool(getattr(given, "is_flag", False)), bool(given.required))


COMMANDS = _commands()
RIGHT: dict[str, list[str]] = {
    "text": ["It was [MASK].", "[MASK] is it."],
    "probes": ["probe/old-or-new.yaml", "probe", "british-american"],
    "probe": ["intensifier", "temporal", "probe/old-or-new.yaml"],
    "name": ["temporal", "modern"],
    "runs": ["run", "run/run.json"],
    "places": ["run", "."],
    "model": ["bert"],
    "out": ["new", "new.csv", "new.html", "new.json"],
    "figures": ["figures"],
    "set_": ["top=3", "resamples=50", "seed=5"],
    "answers": ["probe/ratings.csv"],
    "mode": ["as-published"],
    "dtype": ["float32", "float16"],
    "device": ["cpu"],
    "corpus": ["corpus.txt"],
    "more": ["corpus.txt"],
    "reviews": ["reviews.csv"],
    "file": ["reviews.csv"],
    "label_words": ["great,terrible"],
    "prompt": ["It was [MASK]."],
    "rate": ["1e-4"],
    "minutes": ["0.1"],
    "rater": ["me"],
}
"""What would be right for a parameter; for all others a small number."""
read = st.one_of(odd_text, odd_numbers.map(str), st.sampled_from(["../precious", "top=-1", "seed=nan", "=", "a=b=c"]))
written = st.one_of(
    odd_text.filter(lambda text: not text.startswith(("/", "~")) and ".." not in text),
    st.just("../precious/thesis.txt"),
)


@st.composite
def typed(draw: st.DrawFn) -> list[str]:
    """A command with some of its parameters, most of them right, and now and then anything else."""
    name = draw(st.sampled_from(sorted(COMMANDS)))
    words = [*name]
    for parameter in draw(st.permutations(COMMANDS[name])):
        # Without a model the standards would be asked, which takes long.
        if not (parameter.is_needed or parameter.name == "model" or draw(st.booleans())):
            continue
        words += [parameter.option] if parameter.option else []
        if not parameter.is_flag:
            odd = written if parameter.name in {"out", "figures"} else read
            # A tour of a right model would ask it everything.
            is_odd = draw(st.integers(0, 5)) == 0 or (*name, parameter.name) == ("tour", "model")
            words.append(draw(odd if is_odd else st.sampled_from(RIGHT.get(parameter.name, ["2"]))))
    return words + draw(st.one_of(st.just([]), st.just([]), st.lists(written, max_size=1)))


@pytest.fixture
def materials(playground: Path, tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]) -> Path:
    """What the right words above name."""
    run(make_probe(playground / "probe", 6), tiny("bert"), Path("run"), {"resamples": 50}, cache=None)
    Path("bert").symlink_to(tiny_folder("bert"))
    rows = "".join(f"It was {word} {n}.,{label}\n" for n in range(4) for word, label in (("good", 1), ("bad", 0)))
    Path("reviews.csv").write_text("text,label\n" + rows, encoding="utf-8")
    Path("corpus.txt").write_text("The soup was really good. " * 20, encoding="utf-8")
    return playground


@contextmanager
def _captured() -> Iterator[None]:
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        yield


def _type(words: list[str]) -> None:
    with _captured(), pytest.raises(SystemExit) as done:
        app(words)
    assert done.value.code in {0, 1, 2}
    if done.value.code == 2:
        raise TacitError("Wrong usage.")


@given(typed())
@fuzzed(quick=40, share=0.1)
@pytest.mark.usefixtures("materials")
def test_whatever_is_typed_gets_an_answer_or_a_sentence(words: list[str]) -> None:
    if words[:2] == ["models", "fetch"] and "smollm2-135m" in words:
        return  # it would be fetched
    assert_taken_or_refused(lambda: _type(words), words)


@given(typed().filter(lambda words: not any("\0" in word for word in words)))
@fuzzed(quick=3, share=0.004)
@pytest.mark.usefixtures("materials")
def test_no_traceback_reaches_the_terminal(words: list[str]) -> None:
    command = [sys.executable, "-m", "tacit", *words]
    encoded = [os.fsencode(word) if _can_be_typed(word) else b"\xff" for word in command]
    done = subprocess.run(encoded, capture_output=True, check=False, timeout=300)
    output = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert "Traceback" not in output, (words, output)
    assert "should not happen" not in output, (words, output)
    assert done.returncode in {0, 1, 2}, (words, output)


def _can_be_typed(word: str) -> bool:
    try:
        os.fsencode(word)
    except UnicodeEncodeError:
        return False
    return True
