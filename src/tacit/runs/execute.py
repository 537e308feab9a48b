"""Running one probe on one model into a folder: once, whole, and never mixed with other settings."""

from __future__ import annotations

import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

import polars as pl

from tacit.arguments import require_path, wrong_argument
from tacit.asking import Cache, Executor, LocalExecutor, Tally, ask
from tacit.asking.progress import is_hidden
from tacit.errors import ModelError, RunError
from tacit.methods.base import KeyedQuestion
from tacit.models import Family, Model
from tacit.questions import Choose, Classify, Fill, Question, Represent
from tacit.runs.answers import AnswersWriter, read_table, write_table
from tacit.runs.estimate import LONG, estimate
from tacit.runs.jobs import Job, watched_job
from tacit.runs.measure import write_tables
from tacit.runs.plan import Prepared, copy_materials, count_questions, prepare
from tacit.runs.record import RATINGS, RECORD, ModelRecord, RunRecord, host, read_record, versions
from tacit.runs.store import (
    ANSWERS,
    Run,
    clear_scratch,
    default_folder,
    is_intact,
    publish,
    require_run_folder,
    scratch,
    write_record,
)
from tacit.storage import slug

__all__ = ["CacheOption", "all_questions", "given_models", "require_free", "run", "run_prepared"]

_LOGGER = logging.getLogger(__name__)

CacheOption: TypeAlias = Cache | Path | Literal["default"] | None
"""Where answers are cached: a cache, its file, the user's own, or nowhere."""

_DIFFERENT = {
    "probe": "another probe",
    "settings": "other settings",
    "materials": "other materials",
    "files": "other files",
    "model": "other weights",
}


def run(
    probe: str | Path,
    model: Model | str | Path | None = None,
    out: str | Path | None = None,
    settings: dict[str, Any] | None = None,
    mode: str | None = None,
    *,
    cache: CacheOption = "default",
    progress: bool = False,
    executor: Executor | None = None,
) -> Run:
    """Run a probe on a model and keep the results in a folder.

    A folder that already holds exactly this run is left alone. An interrupted run is continued, its answers coming from
    the cache. A folder that holds anything else is refused.

    Args:
        probe: A name, or the path of a YAML file or folder.
        model: A loaded model, a name or a folder; not needed where the materials hold the answers of one model.
        out: The folder of the run; by default `runs/PROBE/MODEL`.
        settings: Settings that differ from the probe's own.
        mode: "corrected", "as-published", or another mode of the probe.
        cache: Where answers are cached; None keeps none.
        progress: Whether to show rate and time left on a terminal.
        executor: Where the model is loaded and asked; by default in this process.
    """
    require_path("probe", probe)
    if settings is not None and not (isinstance(settings, dict) and all(isinstance(name, str) for name in settings)):
        raise wrong_argument("settings", "a dictionary of settings by name, such as {'top': 5}", settings)
    prepared = prepare(probe, settings or {}, mode)
    return run_prepared(prepared, model, out, cache=cache, progress=progress, executor=executor)


def run_prepared(
    prepared: Prepared,
    model: Model | str | Path | None,
    out: str | Path | None = None,
    *,
    cache: CacheOption = "default",
    progress: bool = False,
    executor: Executor | None = None,
) -> Run:
    """Run a probe that is already prepared; the arguments are those of `run`."""
    if model is not None and not isinstance(model, Model):
        require_path("model", model)
    if out is not None:
        require_path("out", out)
    given = given_models(prepared)
    name = _model_name(prepared, model, given)
    folder = Path(out) if out is not None else default_folder(prepared.probe.name, name)
    require_free(folder, prepared)
    where = executor or LocalExecutor()
    asked_model = None if given else model if isinstance(model, Model) else where.load(str(model))
    if asked_model is not None:
        _require_askable(prepared, asked_model)
    record = _new_record(prepared, _describe(name, asked_model))
    _require_same(folder, {"model": record.model.fingerprint})
    if is_intact(folder):
        clear_scratch(folder)
        _LOGGER.info("%s on %s: %s already holds this run", prepared.probe.name, name, folder)
        return Run(folder, read_record(folder))
    with scratch(folder) as unfinished:
        write_record(folder, unfinished, record.model_copy(update={"files": _own_files(folder)}))
        copy_materials(prepared, folder)
        if asked_model is None:
            write_table(given[name], unfinished / ANSWERS)
        else:
            title = f"{prepared.probe.name} · {record.model.label}"
            asking = _Asking(prepared, asked_model, where, cache, title, str(folder), progress)
            record = asking.write(unfinished / ANSWERS, record)
        began = time.monotonic()
        record, names = write_tables(unfinished, prepared, read_table(unfinished / ANSWERS), record)
        run = Run(folder, publish(folder, unfinished, [ANSWERS, *names], record))
    _log(run, time.monotonic() - began)
    return run


def _log(run: Run, measuring: float) -> None:
    """Say how long the stages of a run took, and where it is."""
    stages = f"asked in {run.record.seconds:.1f} s, measured in {measuring:.1f} s"
    _LOGGER.info("%s on %s: %s, written to %s", run.probe, run.model, stages, run.folder)


def given_models(prepared: Prepared) -> dict[str, pl.DataFrame]:
    """The answers that the materials hold themselves, by the model that gave them; for most probes none."""
    return prepared.method.given_answers(prepared.materials, prepared.settings)


def require_free(folder: Path, prepared: Prepared) -> None:
    """Refuse a folder that holds something else, before a model is loaded."""
    require_run_folder(folder)
    _require_same(folder, _identity(prepared))


def all_questions(prepared: Prepared, family: Family) -> Iterator[KeyedQuestion]:
    """Every question that may be asked, as it is asked; a method that stops when it is sure asks fewer."""
    asked = prepared.method.questions(prepared.materials, prepared.settings, family)
    return _with_shortlist(asked, prepared.settings.shortlist if family == "causal" else None)


def _require_askable(prepared: Prepared, model: Model) -> None:
    """Refuse a kind of model that the method does not ask, before anything is written."""
    first = next(all_questions(prepared, model.family), None)
    if first is not None and model.family == "classifier" and not isinstance(first.question, Classify | Represent):
        list(model.answer([first.question]))  # a classifier says itself what it refuses


@dataclass(frozen=True)
class _Asking:
    """One probe's questions, whom to ask them, and where answers are cached; `title` is shown with the progress."""

    prepared: Prepared
    model: Model
    executor: Executor
    cache: CacheOption
    title: str
    folder: str
    progress: bool

    def write(self, path: Path, record: RunRecord) -> RunRecord:
        """Ask everything, write the answers to a file, and return the record with what was counted on the way."""
        began, tally, writer = time.monotonic(), Tally(), AnswersWriter(path.parent)
        total = count_questions(self.prepared, self.model.family) if self.progress else None
        if total is not None and total >= LONG and not is_hidden():
            self._announce(total)
        job = Job(self.prepared.probe.name, record.model.label, self.folder, self.executor.title, total)
        with watched_job(job) as watched:
            self._ask_in_rounds(writer, tally, total, watched.advance)
        writer.finish(path)
        counts = {"asked": tally.asked, "cached": tally.cached, "warnings": writer.warnings()}
        return record.model_copy(update={**counts, "seconds": round(time.monotonic() - began, 3)})

    def _announce(self, total: int) -> None:
        prepared = self.prepared
        asked = (keyed.question for keyed in all_questions(prepared, self.model.family))
        duration = estimate(self.model, asked, total, self.cache)
        if duration:
            sys.stderr.write(f"{self.title}: {duration}\n")

    def _ask_in_rounds(
        self, writer: AnswersWriter, tally: Tally, total: int | None, advance: Callable[[], None]
    ) -> None:
        """Ask round after round, until the method has no more questions; most methods ask one round."""
        prepared, family = self.prepared, self.model.family
        shortlist = prepared.settings.shortlist if family == "causal" else None
        answers = None
        while True:
            before = writer.questions
            asked = prepared.method.next_questions(prepared.materials, prepared.settings, family, answers)
            self._ask(_with_shortlist(asked, shortlist), writer, tally, total, advance)
            if writer.questions == before:
                return
            answers = writer.so_far()

    def _ask(
        self,
        asked: Iterable[KeyedQuestion],
        writer: AnswersWriter,
        tally: Tally,
        total: int | None,
        advance: Callable[[], None],
    ) -> None:
        pending: deque[KeyedQuestion] = deque()

        def questions() -> Iterator[Question]:
            for keyed in asked:
                pending.append(keyed)
                yield keyed.question

        left = None if total is None else total - writer.questions
        title = self.title if self.progress else False
        answers = ask(
            self.model,
            questions(),
            cache=self.cache,
            tally=tally,
            progress=title,
            total=left,
            executor=self.executor,
        )
        for answer in answers:
            writer.add(pending.popleft(), answer)
            advance()


def _with_shortlist(asked: Iterable[KeyedQuestion], shortlist: int | None) -> Iterator[KeyedQuestion]:
    """The same questions; those about a blank get the shortlist that was set."""
    for keyed in asked:
        question = keyed.question
        if shortlist is not None and isinstance(question, Fill | Choose) and question.shortlist != shortlist:
            yield KeyedQuestion(keyed.keys, replace(question, shortlist=shortlist))
        else:
            yield keyed


def _model_name(prepared: Prepared, model: Model | str | Path | None, given: dict[str, pl.DataFrame]) -> str:
    name = model.name if isinstance(model, Model) else None if model is None else str(model)
    if given:
        if name is None and len(given) == 1:
            return next(iter(given))
        if name not in given:
            named = "No model is named" if name is None else f"{prepared.probe.name} has no answers of {name!r}"
            raise ModelError(f"{named}: the answers in its materials are by {', '.join(given)}. Name one of them.")
    if name is None:
        raise ModelError("No model is named. Give a standard (model='early-modern'), a folder or a Hugging Face name.")
    return name


def _describe(name: str, model: Model | None) -> ModelRecord:
    if model is None:
        return ModelRecord(name=name, label=name, family="given", fingerprint=f"given:{slug(name)}", description={})
    label = Path(name).name if Path(name).is_dir() else name
    return ModelRecord(
        name=name, label=label, family=model.family, fingerprint=model.fingerprint, description=model.describe()
    )


def _new_record(prepared: Prepared, model: ModelRecord) -> RunRecord:
    return RunRecord(
        status="asking",
        probe=prepared.record(),
        model=model,
        mode=prepared.settings.mode,
        seed=prepared.settings.seed,
        settings=prepared.recorded_settings(),
        changed_settings={name: prepared.recorded_settings()[name] for name in prepared.changed},
        materials=prepared.hashes(),
        copies=prepared.copies(),
        setting_files=prepared.setting_files(),
        versions=versions(),
        host=host(),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _own_files(folder: Path) -> dict[str, str]:
    """What an interrupted run has already written."""
    return read_record(folder).files if (folder / RECORD).is_file() else {}


def _identity(prepared: Prepared) -> dict[str, Any]:
    """What must be equal for two runs to be the same, as far as it is known before a model is loaded."""
    return {
        "probe": [prepared.probe.name, prepared.probe.version],
        "materials": prepared.hashes(),
        "files": {name: file.sha256 for name, file in prepared.setting_files().items()},
        "settings": prepared.recorded_settings(),
    }


def _require_same(folder: Path, wanted: dict[str, Any]) -> None:
    if not (folder / RECORD).is_file():
        return
    record = read_record(folder)
    present = {
        "probe": [record.probe.name, record.probe.version],
        "settings": record.settings,
        "materials": record.materials,
        "files": record.setting_hashes(),
        "model": record.model.fingerprint,
    }
    for part, value in wanted.items():
        if present[part] != value:
            changed = _changed(present[part], value)
            if changed == [RATINGS] and record.status != "complete":
                continue  # nothing was measured yet
            different = "other ratings" if changed == [RATINGS] else _DIFFERENT[part]
            remedy = "Name another folder with --out, or delete this one."
            if changed == [RATINGS]:
                remedy = f"Recompute it with `tacit measure {folder} --ratings current`, or name another folder."
            elif changed:
                different += f" ({', '.join(changed)})"
            raise RunError(
                f"{folder} holds a run of {record.probe.name} on {record.model.label} with {different}. {remedy}"
            )


def _changed(present: Any, wanted: Any) -> list[str]:
    """What differs, by name; the ratings only where nothing else does, because they follow the other materials."""
    if not isinstance(present, dict):
        return []
    changed = sorted(name for name in {*present, *wanted} if present.get(name) != wanted.get(name))
    return [name for name in changed if name != RATINGS] or changed
