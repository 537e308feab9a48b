"""Several probes on several models, one after the other; one that cannot run does not spoil the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tacit.errors import TacitError
from tacit.runs.execute import given_models, require_free, run_prepared
from tacit.runs.opened import Run
from tacit.runs.plan import Prepared
from tacit.runs.record import RECORD, read_record
from tacit.runs.store import default_folder
from tacit.standards import standard_names

__all__ = ["Around", "ManyRuns", "Pair", "pairs_of", "run_many"]


@dataclass(frozen=True)
class Pair:
    """A probe, the name of a model, and the folder that their run goes to."""

    prepared: Prepared
    model: str
    folder: Path

    @property
    def is_complete(self) -> bool:
        """Whether the folder holds a whole run."""
        return (self.folder / RECORD).is_file() and read_record(self.folder).status == "complete"


@dataclass
class ManyRuns:
    """What came of several runs: those that are done, those that were done before, and what stopped the others."""

    done: list[Run] = field(default_factory=list)
    found: list[Run] = field(default_factory=list)
    problems: list[tuple[Pair, TacitError]] = field(default_factory=list)


def pairs_of(prepared: Sequence[Prepared], models: Sequence[str], out: Path | None) -> list[Pair]:
    """Each probe with each model; the standards where no model is named. `out` is the folder itself of a single run."""
    named = [(one, model) for one in prepared for model in models or list(given_models(one)) or standard_names()]
    if out is not None and len(named) == 1:
        return [Pair(*named[0], out)]
    root = Path("runs") if out is None else out
    return [Pair(one, model, default_folder(one.probe.name, model, root)) for one, model in named]


Around = Callable[[Pair, int], AbstractContextManager[None]]
"""Entered around each run with the number of runs from it to the end: says what is done, limits its time."""


def run_many(
    pairs: Sequence[Pair],
    load: Callable[[str], Any],
    around: Around = lambda *_: nullcontext(),
    *,
    progress: bool = False,
) -> ManyRuns:
    """Run them model by model, so that each is loaded once and one is in memory at a time.

    A probe that was quick on the models before goes first on the next, so that a slow one can cost only itself.
    """
    many, left, spent = ManyRuns(), len(pairs), dict[str, float]()
    for name in dict.fromkeys(pair.model for pair in pairs):
        model = cache(lambda name=name: load(name))
        own = [pair for pair in pairs if pair.model == name]
        for pair in sorted(own, key=lambda pair: spent.get(pair.prepared.probe.name, 0.0)):
            began = time.monotonic()
            try:
                with around(pair, left):
                    _run_one(pair, model, many, progress)
            except TacitError as error:
                many.problems.append((pair, error))
            spent[pair.prepared.probe.name] = time.monotonic() - began
            left -= 1
    return many


def _run_one(pair: Pair, model: Callable[[], Any], many: ManyRuns, progress: bool) -> None:
    require_free(pair.folder, pair.prepared)
    was_complete = pair.is_complete
    asked = pair.model if given_models(pair.prepared) else model()
    run = run_prepared(pair.prepared, asked, pair.folder, progress=progress)
    (many.found if was_complete else many.done).append(run)
