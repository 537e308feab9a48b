"""Running what the rules of a gate need, and holding the results against them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.arguments import require_path
from tacit.errors import ModelError, TacitError
from tacit.gates.evaluate import Outcome, evaluate, evaluate_difference
from tacit.gates.rules import Rule, Rules, read_rules
from tacit.models import load, require_known
from tacit.registry import did_you_mean
from tacit.runs import Run, compare
from tacit.runs.batch import PlannedRun, run_batch
from tacit.runs.comparable import why_not_asked
from tacit.runs.plan import Prepared, prepare
from tacit.runs.store import default_folder
from tacit.storage import slug

if TYPE_CHECKING:
    from tacit.asking import Executor
    from tacit.models import Model

__all__ = ["GateResult", "gate"]


@dataclass(frozen=True)
class GateResult:
    """What came of a gate.

    Attributes:
        model: The model.
        baseline: The model that it was compared with, if any.
        outcomes: One outcome per rule, in the order of the file.
        folders: The folders of the runs.
    """

    model: str
    baseline: str | None
    outcomes: tuple[Outcome, ...]
    folders: tuple[Path, ...]

    @property
    def passed(self) -> bool:
        """Whether the gate is open: no rule is broken, and none is open that must be told."""
        return not any(outcome.blocks for outcome in self.outcomes)

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        counts = {
            kind: sum(outcome.decision == kind for outcome in self.outcomes) for kind in ("pass", "fail", "cannot tell")
        }
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"{'The gate is open' if self.passed else 'The gate is closed'} for {self.model}: {told}."

    def __repr__(self) -> str:
        return f"<GateResult: {self.sentence}>"


def gate(
    rules: str | Path | Rules,
    model: str | Path,
    baseline: str | Path | None = None,
    out: str | Path = "gate",
    *,
    load_model: Callable[[str], Model] = load,
    identify: Callable[[str], str | None] = lambda _: None,
    progress: bool = False,
    executor: Executor | None = None,
) -> GateResult:
    """Run the probes that rules name on a model, and hold its measures against the rules.

    Runs that are there already are not repeated. Everything that can be checked is checked before a model is loaded.

    Args:
        rules: A YAML file of rules, or rules that were read.
        model: The model to check.
        baseline: The model that rules with `compared: true` compare it with.
        out: The folder above the runs.
        load_model: Loads a model by its name.
        identify: The fingerprint of a model by its name, if it can be told without loading the model.
        progress: Whether to show rate and time left on a terminal.
        executor: Where questions are answered; by default in this process.
    """
    require_path("model", model)
    require_path("out", out)
    read = rules if isinstance(rules, Rules) else read_rules(rules)
    beside = None if baseline is None else str(baseline)
    if read.need_baseline and beside is None:
        first = next(rule for rule in read.rules if rule.compared)
        raise read.refuse(first, "the rule compares with a baseline, and none is named. Add --baseline MODEL.")
    if beside is not None:
        _require_two(str(model), beside)
    planned = _plan(read, str(model), beside, Path(out))
    require_known([str(model), *([beside] if beside is not None else [])])
    needed = list({run.folder: run for pair in planned for run in pair if run is not None}.values())
    batch = run_batch(needed, load_model, identify=identify, progress=progress, executor=executor)
    if batch.problems:
        raise batch.problems[0][1]
    runs = {run.folder: run for run in batch.runs}
    outcomes = tuple(
        _judge(read, rule, runs[own.folder], None if other is None else runs[other.folder])
        for rule, (own, other) in zip(read.rules, planned, strict=True)
    )
    return GateResult(str(model), beside, outcomes, tuple(runs))


def _plan(rules: Rules, model: str, baseline: str | None, out: Path) -> list[tuple[PlannedRun, PlannedRun | None]]:
    """The runs that each rule needs, of the model and, if the rule compares, of the baseline.

    Rules about the same probe with the same settings share a run.
    """
    prepared: dict[str, Prepared] = {}
    names: Counter[str] = Counter()
    roots: dict[str, Path] = {}
    planned = []
    for rule in rules.rules:
        key = json.dumps([rules.probe_of(rule), rule.settings, rule.mode], sort_keys=True, default=str)
        if key not in prepared:
            prepared[key] = _prepare(rules, rule)
            name = prepared[key].probe.name
            names[name] += 1
            # The folder of a run is named after its probe: other settings of the same probe need another place.
            roots[key] = out if names[name] == 1 else out / f"settings-{names[name]}"
        if rule.compared:
            _require_comparable(rules, rule, prepared[key])
        own, beside = (
            None if one is None else PlannedRun(prepared[key], one, _folder(prepared[key], one, roots[key]))
            for one in (model, baseline if rule.compared else None)
        )
        assert own is not None
        planned.append((own, beside))
    return planned


def _require_two(model: str, baseline: str) -> None:
    if model == baseline:
        raise ModelError(f"The baseline is the model itself ({model}). Name the model that is in use today.")
    if slug(model) == slug(baseline):
        raise ModelError(f"The runs of {model} and {baseline} would go to the same folder. Rename one of the models.")


def _prepare(rules: Rules, rule: Rule) -> Prepared:
    try:
        return prepare(rules.probe_of(rule), dict(rule.settings), rule.mode)
    except TacitError as error:
        raise rules.refuse(rule, str(error)) from None


def _folder(prepared: Prepared, model: str, root: Path) -> Path:
    return default_folder(prepared.probe.name, model, root)


def _require_comparable(rules: Rules, rule: Rule, prepared: Prepared) -> None:
    """Refuse a rule about a difference that `tacit compare` does not compute."""
    known = [paired.measure for paired in prepared.method.comparisons(prepared.materials, prepared.settings)]
    if rule.measure not in known:
        problem = f"{rule.probe} does not compare {rule.measure!r}: {did_you_mean(rule.measure, known)}"
        raise rules.refuse(rule, problem)
    if rule.item is not None:
        raise rules.refuse(rule, "a difference is about groups of items. Leave out the item.")


def _judge(rules: Rules, rule: Rule, run: Run, baseline: Run | None) -> Outcome:
    if baseline is None:
        return evaluate(rules, rule, run)
    unasked = why_not_asked(run) or why_not_asked(baseline)
    return evaluate_difference(rules, rule, None if unasked else compare([run, baseline]), unasked)
