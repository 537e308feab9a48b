"""A Ray cluster of two nodes: a folder that only the driver has, a machine that is lost, a small job shared by all."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tacit
from tacit import Fill, ask
from tacit.errors import ModelError
from tacit.questions import Answer, Question

ray = pytest.importorskip("ray", reason="the extra ray is not installed")

from ray.cluster_utils import Cluster  # noqa: E402 - it needs the extra

from tacit.asking.ray import RayExecutor  # noqa: E402 - it needs the extra
from tacit.asking.ray.worker import Source, find_source  # noqa: E402 - it needs the extra

QUESTIONS: list[Question] = [Fill(f"The {'old ' * (n % 4)}king {n} is [MASK].", 4) for n in range(1800)]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two nodes with one processor each, and this process as their driver."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # else they starve beside other tests
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def driver_only(tiny_folder: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is gone once the driver has read it: all nodes of the test share one disk."""
    folder = shutil.copytree(tiny_folder("bert"), tmp_path / "driver-only")

    def find_and_remove(name: str, options: dict[str, Any]) -> Source:
        source = find_source(name, options)
        shutil.rmtree(name)
        return source

    monkeypatch.setattr("tacit.asking.ray.executor.find_source", find_and_remove)
    return folder


def test_a_folder_of_the_driver_is_sent_and_a_lost_machine_and_a_killed_worker_cost_nothing(
    cluster: Cluster, driver_only: Path, tiny_folder: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = RayExecutor()
    with monkeypatch.context() as patch:
        patch.setattr("tacit.asking.ray.worker.LARGEST_SHIPMENT", 1000)
        with pytest.raises(ModelError, match=r"too large to be sent there\. Put it where all workers see it"):
            executor.load(str(driver_only), force=True)
    shutil.copytree(tiny_folder("bert"), driver_only)

    assert executor.title == "ray, 2 workers"
    model = executor.load(str(driver_only), force=True)
    assert not driver_only.exists()
    answers: list[Answer] = []
    for number, answer in enumerate(ask(model, QUESTIONS, cache=None, executor=executor)):
        answers.append(answer)
        if number == 0:  # the other windows are on their way
            os.kill(executor.pids()[0], signal.SIGKILL)
            cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
    assert answers == list(ask(tacit.load(tiny_folder("bert"), force=True), QUESTIONS, cache=None))
