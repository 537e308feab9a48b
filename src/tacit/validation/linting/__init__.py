"""The linter: what critics found in benchmarks, looked for in a probe's materials, item by item."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.asking import ask
from tacit.models import Model
from tacit.probes.certificate import shipped_certificate
from tacit.probes.loading import probe_names
from tacit.questions import Choose, ChooseAnswer
from tacit.runs.plan import Prepared
from tacit.validation.linting.findings import FEW, Finding
from tacit.validation.linting.methods import lint_of
from tacit.validation.planning import count_units, plan_for
from tacit.validation.subject import piece_counts

__all__ = ["Finding", "lint"]


def lint(prepared: Prepared, model: Model, effect: float | None = None) -> list[Finding]:
    """Everything that the rules of the probe's method find in its materials, in the order of the files.

    Args:
        prepared: The probe.
        model: Whose tokenizer says into how many pieces words are cut.
        effect: The smallest effect hoped for, if the number of items is to be judged.
    """

    def pieces(text: str, words: Sequence[str]) -> list[float]:
        (answer,) = ask(model, [Choose(text, tuple(dict.fromkeys(words)))], cache=None)
        assert isinstance(answer, ChooseAnswer)
        return piece_counts(answer, words)

    rules = lint_of(prepared.method.name)
    found = sorted(rules(prepared, pieces)) if rules else []
    return found if effect is None else [*found, *_too_few(prepared, effect)]


def _too_few(prepared: Prepared, effect: float) -> list[Finding]:
    """Whether there are fewer units than the spread of a certified probe of the same method asks for."""
    certified = [
        certificate
        for name in [prepared.probe.name, *probe_names()]
        if (certificate := shipped_certificate(name)) and _method(name) == prepared.method.name
    ]
    powers = [model.power for certificate in certified for model in certificate.models if model.power]
    if not powers:
        return []
    power = max(powers, key=lambda one: one.smallest)
    needed, there = plan_for(power, effect).units, count_units(prepared)
    if there >= needed:
        return []
    problem = (
        f"{there} {power.unit}, but an effect ({power.effect}) of {effect:g} takes {needed:,} with the spread of the "
        f"probe {certified[0].probe}. Add items, or hope for {power.smallest:.2g} or more."
    )
    return [Finding(prepared.probe.source, 1, FEW, problem)]


def _method(probe: str) -> str:
    from tacit.probes import load_probe  # noqa: PLC0415 - a user's own probe has no name to look up

    return load_probe(probe).method if probe in probe_names() else ""
