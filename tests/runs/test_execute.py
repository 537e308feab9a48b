"""A run is whole or absent, is never mixed with another, and continues where it stopped."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tacit.asking import ask
from tacit.errors import TacitError
from tacit.models import Model
from tacit.questions import Fill, FillAnswer
from tacit.runs import Run, open_run, read_record, run
from tacit.runs.execute import run_prepared
from tests.runs.making import make_printed_probe, make_probe


def test_a_run_records_what_a_reader_must_know(two_runs: tuple[Run, Run]) -> None:
    record = two_runs[0].record
    assert record.status == "complete"
    assert record.asked == 12
    assert {"tacit", "python", "torch", "transformers", "polars", "numpy"} <= record.versions.keys()
    assert {"sentences.csv", "ratings.csv", "materials", "(ratings)"} == record.materials.keys()
    assert record.model.family == "masked"
    assert len(record.model.fingerprint) > 8
    assert record.settings["resamples"] == 5000
    assert record.host["cores"] >= 1
    assert record.seconds > 0


def test_the_folder_holds_what_the_record_vouches_for(two_runs: tuple[Run, Run]) -> None:
    folder = two_runs[0].folder
    files = {path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")}
    assert files == {"run.json", *two_runs[0].record.files}
    assert {"answers.parquet", "measures.parquet", "summary.md"} <= files


def test_answers_are_those_of_the_model_alone(two_runs: tuple[Run, Run], tiny: Callable[[str], Model]) -> None:
    answers = two_runs[0].answers.filter(pl.col("sentence") == "s007").sort("part")
    alone = tiny("bert").fill("The man number 7 was [MASK] great.", top=10)
    assert answers["token"].to_list() == [filling.token for filling in alone]
    assert answers["probability"].to_list() == pytest.approx([filling.probability for filling in alone], abs=1e-6)
    assert answers["rank"].to_list() == list(range(1, 11))


def test_the_same_run_again_does_nothing(probe: Path, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    run(probe, tiny("bert"), tmp_path / "run")
    before = _contents(tmp_path / "run")
    run(probe, tiny("bert"), tmp_path / "run")
    assert _contents(tmp_path / "run") == before


def test_other_settings_are_not_mixed_in(probe: Path, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    run(probe, tiny("bert"), tmp_path / "run")
    with pytest.raises(TacitError, match=r"other settings \(top\).*--out"):
        run(probe, tiny("bert"), tmp_path / "run", {"top": "3"})


def test_another_model_is_not_mixed_in(probe: Path, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    run(probe, tiny("bert"), tmp_path / "run")
    with pytest.raises(TacitError, match="other weights"):
        run(probe, tiny("distilbert"), tmp_path / "run")


def test_other_materials_are_not_mixed_in(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe")
    run(probe, tiny("bert"), tmp_path / "run")
    make_probe(tmp_path / "probe", sentences=10)
    with pytest.raises(TacitError, match=r"other materials \(ratings.csv, sentences.csv\)"):
        run(probe, tiny("bert"), tmp_path / "run")


def test_an_interrupted_run_continues_from_the_cache(
    tiny: Callable[[str], Model], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe = make_probe(tmp_path / "probe", sentences=40)
    model = tiny("bert")
    with monkeypatch.context() as patch:
        patch.setattr(model.network, "run", _stops_after(25, model.network.run))
        with pytest.raises(KeyboardInterrupt):
            run(probe, model, tmp_path / "run")
    assert read_record(tmp_path / "run").status == "asking"
    with pytest.raises(TacitError, match="interrupted"):
        open_run(tmp_path / "run")
    continued = run(probe, model, tmp_path / "run")
    assert (continued.record.asked, continued.record.cached) == (40, 25)
    uninterrupted = run(probe, model, tmp_path / "other", cache=None)
    assert continued.record.files == uninterrupted.record.files


def test_wrong_settings_are_told_before_a_model_is_loaded(probe: Path, tmp_path: Path) -> None:
    with pytest.raises(TacitError, match=r"has no setting 'topp': did you mean 'top'\?"):
        run(probe, "no-such-model", tmp_path / "run", {"topp": "3"})
    with pytest.raises(TacitError, match="setting top of the probe old-or-new is wrong"):
        run(probe, "no-such-model", tmp_path / "run", {"top": "many"})
    assert not (tmp_path / "run").exists()


def test_two_processes_do_not_write_one_run(probe: Path, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    from tacit.runs.store import scratch

    with scratch(tmp_path / "run"), pytest.raises(TacitError, match="Another process is writing"):
        run(probe, tiny("bert"), tmp_path / "run")


def test_a_study_that_printed_its_answers_needs_no_model(tmp_path: Path) -> None:
    done = run(make_printed_probe(tmp_path / "probe"), out=tmp_path / "run")
    assert done.record.model.label == "A"
    assert done.answers.height == 15


def test_a_kill_leaves_the_run_whole_or_marked_as_unfinished(tmp_path: Path) -> None:
    probe = make_printed_probe(tmp_path / "probe")
    code = (
        "import sys; from tacit.runs import run\n"
        "run(sys.argv[1], out=f'{sys.argv[2]}/first')\n"
        "print('ready', flush=True)\n"
        "for n in range(10**6): run(sys.argv[1], out=f'{sys.argv[2]}/{n:06}')"
    )
    draw = random.Random(7)
    seen = {"asking": 0, "complete": 0}
    for attempt in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(probe), str(tmp_path / f"a{attempt}")], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.2 + draw.random() * 0.3)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        for folder in sorted((tmp_path / f"a{attempt}").iterdir()):
            if (folder / "run.json").exists():
                seen[_whole_or_marked(folder)] += 1
    assert seen["complete"] > 0


def test_run_prepared_refuses_a_model_that_printed_nothing(tmp_path: Path) -> None:
    from tacit.runs.plan import prepare

    prepared = prepare(make_printed_probe(tmp_path / "probe"), {}, None)
    with pytest.raises(
        TacitError, match=r"has no answers of 'B': the answers in its materials are by A\. Name one of them"
    ):
        run_prepared(prepared, "B", tmp_path / "run")


def _whole_or_marked(folder: Path) -> str:
    status = read_record(folder).status
    if status == "complete":
        opened = open_run(folder)
        assert opened.measures.height > 0
        assert opened.answers.height == 15
    return status


def _contents(folder: Path) -> dict[str, Any]:
    files = {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}
    assert json.loads((folder / "run.json").read_text())["status"] == "complete"
    return files


def _stops_after(count: int, answer: Callable[[Any], Iterator[Any]]) -> Callable[[Any], Iterator[Any]]:
    def interrupted(sequences: Any) -> Iterator[Any]:
        for number, reading in enumerate(answer(sequences)):
            if number == count:
                raise KeyboardInterrupt
            yield reading

    return interrupted


def test_a_causal_model_weighs_as_many_candidates_as_was_set(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe", sentences=2)
    set_to_12 = run(probe, tiny("gpt2"), tmp_path / "few", {"shortlist": 12}, cache=None).answers
    text = "The man number 1 was [MASK] great."
    (alone,) = ask(tiny("gpt2"), [Fill(text, top=10, shortlist=12)], cache=None)
    assert isinstance(alone, FillAnswer)
    found = set_to_12.filter(pl.col("sentence") == "s001").sort("part")
    assert found["token"].to_list() == [filling.token for filling in alone.fillings]
    usual = run(probe, tiny("gpt2"), tmp_path / "many", cache=None).answers
    assert usual["probability"].to_list() != set_to_12["probability"].to_list()
