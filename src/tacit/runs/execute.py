"""Running one probe on one model into a folder: once, whole, and never mixed with other settings."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import TacitError
from tacit.runs.answers import AnswersWriter, write_table
from tacit.runs.measure import write_tables
from tacit.runs.opened import ANSWERS, Run
from tacit.runs.plan import Prepared, copy_materials, count_questions, prepare
from tacit.runs.record import RECORD, ModelRecord, RunRecord, host, read_record, versions
from tacit.runs.store import default_folder, publish, require_own, scratch, slug, write_record

__all__ = ["given_models", "require_free", "run", "run_prepared"]


_OTHER = {
    "probe": "another probe",
    "settings": "other settings",
    "materials": "other materials",
    "files": "other files",
    "model": "other weights",
}


def run(
    probe: str | Path,
    model: Any = None,
    out: str | Path | None = None,
    settings: dict[str, Any] | None = None,
    mode: str | None = None,
    *,
    cache: Any = "default",
    progress: bool = False,
) -> Run:
    """Run a probe on a model (a name, a folder, or a loaded model) and keep it in the folder `out`.

    A folder that holds this very run already is left alone; an interrupted run is continued, its answers coming from
    the cache; a folder that holds anything else is refused.
    """
    return run_prepared(prepare(probe, settings or {}, mode), model, out, cache=cache, progress=progress)


def given_models(prepared: Prepared) -> dict[str, pl.DataFrame]:
    """The answers that the materials themselves hold, by the model that gave them; mostly none."""
    return prepared.method.given_answers(prepared.materials, prepared.settings)


def run_prepared(
    prepared: Prepared,
    model: Any,
    out: str | Path | None = None,
    *,
    cache: Any = "default",
    progress: bool = False,
) -> Run:
    """The same for a probe that is prepared already."""
    given = given_models(prepared)
    name = _model_name(prepared, model, given)
    folder = Path(out) if out is not None else default_folder(prepared.probe.name, name)
    require_free(folder, prepared)
    asked_model = None if given else _loaded(model)
    record = _first_record(prepared, _described(name, asked_model))
    _require_same(folder, {"model": record.model.fingerprint})
    if (folder / RECORD).is_file() and read_record(folder).status == "complete":
        return Run(folder, read_record(folder))
    with scratch(folder) as unfinished:
        write_record(folder, unfinished, record.model_copy(update={"files": _own_files(folder)}))
        copy_materials(prepared, folder)
        if asked_model is None:
            write_table(given[name], unfinished / ANSWERS)
        else:
            record = _ask_into(unfinished / ANSWERS, prepared, record, (asked_model, cache, progress))
        record, names = write_tables(unfinished, prepared, pl.read_parquet(unfinished / ANSWERS), record)
        return Run(folder, publish(folder, unfinished, [ANSWERS, *names], record))


def require_free(folder: Path, prepared: Prepared) -> None:
    """Refuse a folder that holds something else, before a model is loaded."""
    require_own(folder)
    _require_same(folder, _identity(prepared))


def _own_files(folder: Path) -> dict[str, str]:
    """What an interrupted run has written already."""
    return read_record(folder).files if (folder / RECORD).is_file() else {}


def _ask_into(path: Path, prepared: Prepared, record: RunRecord, how: tuple[Any, Any, bool]) -> RunRecord:
    from tacit.asking import Tally  # noqa: PLC0415 - only who asks pays for torch
    from tacit.runs.asking_all import Asking, ask_all  # noqa: PLC0415
    from tacit.runs.estimate import LONG, estimate  # noqa: PLC0415

    model, cache, progress = how
    began, tally, writer = time.monotonic(), Tally(), AnswersWriter(path.parent)
    total = count_questions(prepared, model.family) if progress else None
    title = f"{prepared.probe.name} · {record.model.label}" if progress else ""
    if total is not None and total >= LONG:
        questions = (
            one.question for one in prepared.method.questions(prepared.materials, prepared.settings, model.family)
        )
        said = estimate(model, questions, total, cache)
        sys.stderr.write(f"{title}: {said}\n" if said else "")
    ask_all(prepared, Asking(model, cache, tally, title, total), writer)
    writer.finish(path)
    counts = {"asked": tally.asked, "cached": tally.cached, "warnings": writer.warnings()}
    return record.model_copy(update={**counts, "seconds": round(time.monotonic() - began, 3)})


def _loaded(model: Any) -> Any:
    if hasattr(model, "fingerprint"):
        return model
    from tacit.models import load  # noqa: PLC0415 - only who asks pays for torch

    return load(str(model))


def _model_name(prepared: Prepared, model: Any, given: dict[str, pl.DataFrame]) -> str:
    name = str(getattr(model, "name", model)) if model is not None else None
    if given:
        if name is None and len(given) == 1:
            return next(iter(given))
        if name not in given:
            raise TacitError(
                f"The answers given with {prepared.probe.name} are by {', '.join(given)}; name one of them."
            )
    if name is None:
        raise TacitError("Name the model to ask: model='early-modern', a folder, or a Hugging Face name.")
    return name


def _described(name: str, model: Any) -> ModelRecord:
    if model is None:
        fingerprint = f"given:{slug(name)}"
        return ModelRecord(name=name, label=name, family="given", fingerprint=fingerprint, description={})
    label = Path(name).name if Path(name).is_dir() else name
    return ModelRecord(
        name=name, label=label, family=model.family, fingerprint=model.fingerprint, description=model.describe()
    )


def _identity(prepared: Prepared) -> dict[str, Any]:
    """What must be the same for two runs to be one, as far as it is known before a model is loaded."""
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
    there = {
        "probe": [record.probe.name, record.probe.version],
        "settings": record.settings,
        "materials": record.materials,
        "files": {name: file.sha256 for name, file in record.setting_files.items()},
        "model": record.model.fingerprint,
    }
    for what, value in wanted.items():
        if there[what] != value:
            about = f"{record.probe.name} on {record.model.label}"
            raise TacitError(
                f"{folder} holds a run of {about} with {_OTHER[what]}{_difference(there[what], value)}: "
                "give another folder with --out, or delete this one."
            )


def _difference(there: Any, wanted: Any) -> str:
    if not isinstance(there, dict):
        return ""
    changed = sorted(name for name in {*there, *wanted} if there.get(name) != wanted.get(name))
    return f" ({', '.join(changed)})"


def _first_record(prepared: Prepared, model: ModelRecord) -> RunRecord:
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
