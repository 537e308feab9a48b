"""Several probes on several models, one after the other; a run that fails does not stop the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.runs.execute import given_models, require_free, run_prepared
from tacit.runs.plan import Prepared
from tacit.runs.record import read_record
from tacit.runs.store import Run, default_folder, is_intact
from tacit.standards import standard_names

if TYPE_CHECKING:
    from tacit.asking import Executor
    from tacit.models import Model

__all__ = ["Around", "Batch", "PlannedRun", "plan_runs", "run_batch"]


@dataclass(frozen=True)
class PlannedRun:
    """A probe, the name of a model, and the folder that their run goes to."""

    prepared: Prepared
    model: str
    folder: Path


@dataclass
class Batch:
    """What came of several planned runs.

    Attributes:
        done: Runs that this batch completed.
        present: Runs that were already complete.
        problems: The planned runs that failed, each with its error.
    """

    done: list[Run] = field(default_factory=list)
    present: list[Run] = field(default_factory=list)
    problems: list[tuple[PlannedRun, TacitError]] = field(default_factory=list)

    @property
    def runs(self) -> list[Run]:
        """All complete runs."""
        return self.present + self.done


def plan_runs(
    prepared: Sequence[Prepared], models: Sequence[str], out: Path | None, *, always_below: bool = False
) -> list[PlannedRun]:
    """Pair each probe with each model.

    Args:
        prepared: The probes.
        models: The names of the models; if there are none, the standards are asked.
        out: The folder of the run if there is just one, otherwise the folder above the runs.
        always_below: Whether `out` is the folder above even if there is just one.
    """
    named = [(probe, model) for probe in prepared for model in models or _default_models(probe)]
    if out is not None and len(named) == 1 and not always_below:
        return [PlannedRun(*named[0], out)]
    root = Path("runs") if out is None else out
    return [PlannedRun(probe, model, default_folder(probe.probe.name, model, root)) for probe, model in named]


def _default_models(prepared: Prepared) -> list[str]:
    """Who is asked where no model is named: those whose answers the materials hold, or else the standards."""
    return list(given_models(prepared)) or [*standard_names(), *prepared.method.tuned_standards]


Around = Callable[[PlannedRun, int], AbstractContextManager[None]]
"""A context for each run, given how many runs are left including it: reports progress, limits the time."""


def run_batch(
    planned: Sequence[PlannedRun],
    load: Callable[[str], Model],
    around: Around = lambda *_: nullcontext(),
    *,
    identify: Callable[[str], str | None] = lambda _: None,
    progress: bool = False,
    executor: Executor | None = None,
) -> Batch:
    """Run model by model, so that each is loaded once and only one is in memory at a time.

    Probes that were quick on the models before go first on the next one, so that a slow one delays only itself.

    Args:
        planned: What to run.
        load: Loads a model by its name.
        around: Entered around each run.
        identify: The fingerprint of a model by its name, if it can be told without loading the model: a run that is
            there already then takes no model at all.
        progress: Whether to show rate and time left on a terminal.
        executor: Where questions are answered; by default in this process.
    """
    batch, left, spent = Batch(), len(planned), dict[str, float]()
    for name in dict.fromkeys(item.model for item in planned):
        model = cache(lambda name=name: load(name))
        of_model = [item for item in planned if item.model == name]
        for item in sorted(of_model, key=lambda item: spent.get(item.prepared.probe.name, 0.0)):
            began = time.monotonic()
            try:
                with around(item, left):
                    if run := _complete_run(item, identify):
                        batch.present.append(run)
                    else:
                        _run_one(item, model, batch, progress=progress, executor=executor)
            except TacitError as error:
                batch.problems.append((item, error))
            spent[item.prepared.probe.name] = time.monotonic() - began
            left -= 1
    return batch


def _complete_run(item: PlannedRun, identify: Callable[[str], str | None]) -> Run | None:
    """The run, if its folder already holds it and the model is known to be the same."""
    require_free(item.folder, item.prepared)
    if not is_intact(item.folder):
        return None
    record = read_record(item.folder)
    return Run(item.folder, record) if identify(item.model) == record.model.fingerprint else None


def _run_one(
    item: PlannedRun, model: Callable[[], Model], batch: Batch, *, progress: bool, executor: Executor | None
) -> None:
    was_complete = is_intact(item.folder)
    asked = item.model if given_models(item.prepared) else model()
    run = run_prepared(item.prepared, asked, item.folder, progress=progress, executor=executor)
    (batch.present if was_complete else batch.done).append(run)
