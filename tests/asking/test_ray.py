"""A real Ray with two workers: the same bits as in one process, and nothing lost when a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import tacit
from tacit import Choose, Fill, Likelihood, ask
from tacit.asking import Tally, get_executor
from tacit.asking.packing import pack_answers, unpack_answers
from tacit.errors import ModelError, TacitError
from tacit.harvest import ListTagger, harvest, search_here
from tacit.methods.contrast import Contrast
from tacit.models import Model, set_threads
from tacit.probes import load_probe
from tacit.questions import Answer, Question

ray = pytest.importorskip("ray", reason="the extra ray is not installed")

from tacit.asking.ray import RayExecutor  # noqa: E402 - it needs the extra
from tacit.harvest.ray import search_on_ray  # noqa: E402 - it needs the extra


@pytest.fixture(autouse=True)
def _short_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several windows of some hundred questions, here and on the workers."""
    monkeypatch.setattr(sys.modules["tacit.asking.ask"], "WINDOW", 256)


ADJECTIVES = ["late", "cold", "kind", "rude", "odd", "mean", "sad"]
OTHERS = ["king", "queen", "nurse", "miller", "pilot", "poet", "lawyer"]


@pytest.fixture(scope="module")
def executor() -> Iterator[RayExecutor]:
    """Two workers on this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # else they starve beside other tests
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield RayExecutor(workers=2)
    ray.shutdown()


def _questions(count: int) -> list[Question]:
    """Questions of three kinds and many lengths, some of them asked twice."""
    questions: list[Question] = []
    for number in range(count):
        who = " and the ".join(OTHERS[(number + step) % 7] for step in range(1 + number % 5))
        text = f"The {who} {number % 211}"
        kinds = (
            Fill(f"{text} is [MASK].", 4),
            Choose(f"{text} is [MASK].", ("kind", "cruel")),
            Likelihood(text, "aul"),
        )
        questions.append(kinds[number % 3])
    return questions


def test_a_model_behind_an_endpoint_needs_no_cluster(executor: RayExecutor) -> None:
    with pytest.raises(ModelError, match="behind an endpoint, which spreads the work itself"):
        executor.load("vllm+http://127.0.0.1:9")


def test_answers_of_two_workers_are_those_of_this_process_to_the_bit(executor: RayExecutor, tmp_path: Path) -> None:
    questions = _questions(700)
    local = list(ask(tacit.load("modern"), questions, cache=None))
    tally = Tally()
    model = executor.load("modern")
    remote = list(ask(model, questions, cache=tmp_path / "a.sqlite", executor=executor, tally=tally))
    assert remote == local
    assert tally.asked - tally.cached == len({*questions})
    again = Tally()
    assert list(ask(model, questions, cache=tmp_path / "a.sqlite", executor=executor, tally=again)) == local
    assert again.cached == len(questions)


def test_the_model_is_known_by_the_same_facts_as_here(executor: RayExecutor) -> None:
    remote, local = executor.load("modern"), tacit.load("modern")
    assert (remote.fingerprint, remote.family, remote.likelihoods) == (
        local.fingerprint,
        local.family,
        local.likelihoods,
    )
    assert remote.fill("It was [MASK].") == local.fill("It was [MASK].")


def test_a_killed_worker_costs_nothing(executor: RayExecutor, tmp_path: Path) -> None:
    questions = _questions(1500)
    model = executor.load("modern")
    answers: list[Answer] = []
    stream = ask(model, questions, cache=tmp_path / "a.sqlite", executor=executor)
    for number, answer in enumerate(stream):
        answers.append(answer)
        if number == 0:
            for pid in executor.pids():
                os.kill(pid, signal.SIGKILL)
    assert answers == list(ask(tacit.load("modern"), questions, cache=None))


def test_a_driver_that_is_killed_continues_from_the_cache(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "tacit", "run", "intensifier", "--model", "modern", "--set", "resamples=100"]
    command += ["--executor", "ray", "--out", str(out)]
    driver = subprocess.Popen(command, env=os.environ, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    cache = Path(os.environ["TACIT_CACHE"]) / "answers.sqlite"
    deadline = time.monotonic() + 120
    while not cache.exists() and driver.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    driver.kill()
    driver.wait()
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    local = tacit.run("intensifier", "modern", tmp_path / "local", {"resamples": 100}, cache=None)
    assert tacit.open_run(out).answers.equals(local.answers)
    assert (out / "measures.parquet").read_bytes() == (tmp_path / "local" / "measures.parquet").read_bytes()


def test_errors_of_workers_are_raised_as_they_are(executor: RayExecutor) -> None:
    with pytest.raises(ModelError, match="nowhere"):
        executor.load("./nowhere")
    model = executor.load("modern")
    with pytest.raises(ModelError, match="has no likelihood 'causal'"):
        list(ask(model, [Likelihood("It was good.", "causal")], cache=None, executor=executor))


def test_a_model_of_another_executor_is_refused(executor: RayExecutor, tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match="was not loaded by this executor"):
        list(ask(tiny("bert"), [Fill("It was [MASK].")], cache=None, executor=executor))


class DeadlyQuestion(Fill):
    """Ends the process that reads it."""

    def __reduce__(self) -> Any:
        return os._exit, (1,)


def test_workers_that_keep_dying_are_given_up_with_the_reason(
    executor: RayExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tacit.asking.ray.pool.RETRIES", 2)
    model = executor.load("modern")
    with pytest.raises(TacitError, match="Workers of modern died 3 times over the same questions"):
        list(ask(model, [DeadlyQuestion("It was [MASK].")], cache=None, executor=executor))
    (answer,) = ask(model, [Fill("It was [MASK].")], cache=None, executor=executor)
    assert answer == next(tacit.load("modern").answer([Fill("It was [MASK].")]))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"name": "slurm"}, "There is no executor 'slurm'"),
        ({"name": "ray://"}, "There is no executor 'ray://'"),
        ({"name": "head:six"}, "There is no executor 'head:six'"),
        ({"name": "local", "workers": 2}, "are for a cluster"),
        ({"name": "local", "gpus": 0.5}, "are for a cluster"),
        ({"name": "ray", "workers": 1000}, "room for 2 workers"),
        ({"name": "ray", "gpus": 1.0}, "room for 0 workers"),
    ],
)
@pytest.mark.usefixtures("executor")
def test_wrong_executors_get_one_sentence(arguments: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(TacitError, match=sentence):
        get_executor(**arguments)  # type: ignore[arg-type]


def test_an_unreachable_cluster_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tacit", "run", "temporal", "--model", "modern", "--out", str(tmp_path / "x")]
    done = subprocess.run([*command, "--executor", "127.0.0.1:1"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr


def test_packed_answers_keep_their_order_and_kinds(tiny: Callable[[str], Model]) -> None:
    answers = list(tiny("bert").answer(_questions(30)))
    assert unpack_answers(pack_answers(answers)) == answers
    assert unpack_answers(pack_answers([])) == []


def test_a_harvest_on_ray_writes_the_same_file(executor: RayExecutor, tmp_path: Path) -> None:
    executor.release()  # the two workers hold the two processors
    corpus = tmp_path / "corpus.txt"
    start = "the old ferry across the bay was always"
    sentences = [f"In the year {number} {start} {ADJECTIVES[number % 7]}." for number in range(3000)]
    corpus.write_text("\n\n".join(sentences), encoding="utf-8")
    method = Contrast()
    materials = method.materials(load_probe("intensifier"), method.settings())
    for name, search in (("here.csv", search_here), ("there.csv", search_on_ray)):
        harvest(materials, [corpus], tmp_path / name, each=5, tagger=ListTagger(), search=search)
    assert (tmp_path / "here.csv").read_bytes() == (tmp_path / "there.csv").read_bytes()


@pytest.mark.usefixtures("executor")
def test_workers_with_several_threads_take_as_many_processors() -> None:
    before = torch.get_num_threads()
    set_threads(2)
    try:
        assert RayExecutor().title == "ray, 1 workers"
        with pytest.raises(TacitError, match=r"room for 1 workers \(2 processors, 2 for each\), not for 2"):
            RayExecutor(workers=2)
    finally:
        set_threads(before)
        set_threads(None)
