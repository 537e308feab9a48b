"""Whatever a Python program passes by mistake: one documented error that names the argument."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tacit
from tacit.models import Model

CALLS: list[tuple[str, Callable[[Model], Any]]] = [
    ("words", lambda model: model.choose("It was [MASK].", "great")),
    ("words", lambda model: model.choose("It was [MASK].", [])),
    ("words", lambda model: model.choose("It was [MASK].", ["great", 5])),
    ("words", lambda model: model.choose("It was [MASK].", {"great"})),
    ("words", lambda model: model.choose("It was [MASK].", None)),
    ("reduce", lambda model: model.likelihood(["It was."], reduce="__class__")),
    ("method", lambda model: model.likelihood(["It was."], method="likely")),
    ("method", lambda model: model.likelihood(["It was."], method="")),
    ("method", lambda model: model.likelihood(["It was."], method=np.array([]))),
    ("texts", lambda model: model.likelihood(5)),
    ("texts", lambda model: model.likelihood(["It was.", None])),
    ("texts", lambda model: model.classify(b"It was.")),
    ("text", lambda model: model.fill(None)),
    ("text", lambda model: model.fill("half \udcff [MASK]")),
    ("text", lambda model: model.fill("x" * 2_000_000 + "[MASK]")),
    ("context", lambda model: model.fill("It was [MASK].", context=7)),
    *[
        ("top", lambda model, top=top: model.fill("It was [MASK].", top=top))
        for top in (0, -1, 10**20, 2.5, math.nan, "5", None, True, [5], np.array([5, 6]))
    ],
    ("start", lambda model: model.represent("It was.", -1, 3)),
    ("end", lambda model: model.represent("It was.", 3, 3)),
    ("name", lambda _: tacit.load(5)),
    ("name", lambda _: tacit.load("")),
    ("name", lambda _: tacit.load("x" * 5000)),
    ("name", lambda _: tacit.load("a\0b")),
    ("device", lambda _: tacit.load("modern", device=0)),
    ("begin", lambda _: tacit.load("modern", begin="yes")),
    ("force", lambda _: tacit.load("modern", force=1)),
    ("probe", lambda model: tacit.run(None, model)),
    ("probe", lambda model: tacit.run("x" * 300, model)),
    ("model", lambda _: tacit.run("temporal", 5)),
    ("settings", lambda model: tacit.run("temporal", model, settings=[("top", 5)])),
    ("out", lambda model: tacit.run("temporal", model, out=5)),
    ("model", lambda _: list(tacit.ask("modern", [tacit.Fill("[MASK]")]))),
    ("questions", lambda model: list(tacit.ask(model, "It was [MASK]."))),
    ("questions", lambda model: list(tacit.ask(model, ["It was [MASK]."]))),
    ("questions", lambda model: list(tacit.ask(model, None))),
    ("cache", lambda model: list(tacit.ask(model, [], cache=5))),
    ("folder", lambda _: tacit.open_run(5)),
    ("runs", lambda _: tacit.compare("runs/first")),
    ("runs", lambda _: tacit.compare(None)),
    ("run", lambda _: tacit.compare([1, 2])),
    ("out", lambda _: tacit.report(["runs/first"], 5)),
]


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[f"{n}-{name}" for n, (name, _) in enumerate(CALLS)])
def test_the_error_names_the_argument(
    name: str,
    call: Callable[[Model], Any],
    tiny: Callable[[str], Model],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tacit.ArgumentError, match=f"^`{name}`") as refused:
        call(tiny("bert"))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == []


def test_more_words_than_there_are_is_all_of_them(tiny: Callable[[str], Model]) -> None:
    model = tiny("bert")
    assert len(model.fill("It was [MASK].", top=1_000_000)) == model.describe()["vocabulary"]


def test_numbers_of_numpy_are_numbers(tiny: Callable[[str], Model]) -> None:
    assert len(tiny("bert").fill("It was [MASK].", top=np.int64(3))) == 3


def test_a_list_of_words_is_taken_by_a_question() -> None:
    assert tacit.Choose("It was [MASK].", ["great", "terrible"]) == tacit.Choose(
        "It was [MASK].", ("great", "terrible")
    )  # type: ignore[arg-type]
