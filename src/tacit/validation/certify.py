"""All checks of a probe on some models, and the certificate that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tacit._version import __version__
from tacit.errors import MaterialsError
from tacit.models import Model
from tacit.probes.certificate import Certificate, ModelChecks, Power
from tacit.runs.execute import CacheOption, given_models
from tacit.runs.plan import Prepared
from tacit.storage import file_hash
from tacit.validation.checks import Check, NotApplicable, not_applicable
from tacit.validation.confounds import CONFOUNDS, confounds_check
from tacit.validation.control import control_check
from tacit.validation.designs import Design, design_of
from tacit.validation.dose_response import MIXTURES, PLANTED, dose_check, mixtures_check
from tacit.validation.dose_rows import MIXTURES_FILE, read_doses
from tacit.validation.invented import INVENTED, invented_check
from tacit.validation.placebo import PLACEBO, placebo_check
from tacit.validation.power import POWER, power_check
from tacit.validation.reliability import RELIABILITY, alpha_check, reliability_check
from tacit.validation.scorers import SCORERS, scorers_check
from tacit.validation.seeds import SEEDS, seeds_check
from tacit.validation.subject import PARAPHRASES, Subject
from tacit.validation.templates import ORDER, TEMPLATES, Paraphrased, order_check, templates_check
from tacit.validation.words import WORDS, words_check

__all__ = ["MODEL_CHECKS", "PLANTED", "material_hashes", "planted_checks", "renew_planted", "validate"]

MODEL_CHECKS = (PLACEBO, INVENTED, TEMPLATES, RELIABILITY, SCORERS, WORDS, CONFOUNDS, POWER)
_CANNOT_BE_ASKED = NotApplicable("this model cannot be asked this, so that its answers say nothing about the probe")
_OVER_MODELS = NotApplicable("judged over all models together")
_UNKNOWN_METHOD = NotApplicable("Tacit does not know how the method of this probe works")

# What a failed check leaves open, as the end of "it cannot see what it measures apart from".
_LEFT_OPEN = {
    PLACEBO: "what chance deals",
    INVENTED: "the spelling of names",
    TEMPLATES: "the wording of the sentence",
    ORDER: "the wording of the sentence",
    RELIABILITY: "chance",
    SEEDS: "the seed of a model's training",
    SCORERS: "the way sentences are scored",
    WORDS: "the choice of words",
    CONFOUNDS: "how common, long or split the words are",
}

Report = Callable[[str], None]


def validate(
    prepared: Prepared,
    models: Sequence[Model],
    *,
    sets: int = 200,
    cache: CacheOption = "default",
    progress: bool = False,
    report: Report = lambda _: None,
) -> Certificate:
    """Make every check of a probe.

    Args:
        prepared: The probe with its settings.
        models: The models to ask.
        sets: How many placebo data sets to make.
        cache: Where answers are cached.
        progress: Whether to show rate and time left on a terminal.
        report: Called with the name of each check before it is made.
    """
    if given_models(prepared):
        raise MaterialsError(
            f"The materials of {prepared.probe.name} hold the answers themselves, so that no model can be asked more. "
            "Validate a probe that asks a model."
        )
    subjects = [Subject(prepared, model, cache, progress) for model in models]
    checked = [_Checked(subject, sets, report) for subject in subjects]
    found = tuple(one.check() for one in checked)
    able = [one for one in checked if one.design is not None and one.subject.validity.can_be_interpreted]
    joint = (*_over_models(able), *planted_checks(prepared.probe.folder))
    return Certificate(
        probe=prepared.probe.name,
        version=prepared.probe.version,
        tacit=__version__,
        settings=prepared.changed,
        materials=material_hashes(prepared),
        models=found,
        checks=joint,
        cannot_see=cannot_see(found, joint),
    )


def material_hashes(prepared: Prepared) -> dict[str, str]:
    """The SHA-256 of everything that the checks read: the materials, and the paraphrases where there are any."""
    paraphrases = prepared.probe.folder / PARAPHRASES
    own = {PARAPHRASES: file_hash(paraphrases)} if paraphrases.is_file() else {}
    return {**prepared.hashes(), **own}


def planted_checks(folder: Path) -> tuple[Check, ...]:
    """Whether the probe sees what was trained into models: a bias with its dose, its seeds, and mixtures of texts."""
    rows, mixtures = read_doses(folder), read_doses(folder, MIXTURES_FILE)
    planted = dose_check(rows) or not_applicable(PLANTED, NotApplicable("not yet planted"))
    return (planted, seeds_check(rows), *([mixtures_check(mixtures)] if mixtures else []))


def renew_planted(certificate: Certificate, folder: Path) -> Certificate:
    """The certificate with the checks of planted biases made again, and all others as they were."""
    others = (check for check in certificate.checks if check.name not in (PLANTED, SEEDS, MIXTURES))
    checks = (*others, *planted_checks(folder))
    return replace(certificate, checks=checks, cannot_see=cannot_see(certificate.models, checks))


def cannot_see(models: Sequence[ModelChecks], joint: Sequence[Check]) -> str:
    """What the probe cannot see, in one sentence: too small an effect, or what its failed checks leave open."""
    asked = [model for model in models if model.can_be_asked]
    if not asked:
        names = " and ".join(model.model for model in models)
        if all(check.outcome == "not applicable" for check in joint):
            return f"Nothing is known of what it sees: it cannot be asked of {names}."
        return f"Only planted models show what it sees: it cannot be asked of {names}."
    powers = [model.power for model in asked if model.power is not None]
    parts = []
    if powers:
        worst = max(powers, key=lambda power: power.smallest)
        parts.append(f"an effect ({worst.effect}) below {worst.smallest:.2g} with {worst.n} {worst.unit}")
    checks = [*joint, *(check for model in asked for check in model.checks)]
    failed = {check.name for check in checks if check.outcome == "fail"}
    if PLANTED in failed:
        parts.append("the bias that was planted")
    if MIXTURES in failed:
        parts.append("what a model was trained on")
    left_open = dict.fromkeys(said for name, said in _LEFT_OPEN.items() if name in failed)
    if left_open:
        parts.append(f"what it measures apart from {' and '.join(left_open)}")
    return f"It cannot see {', nor '.join(parts)}." if parts else "Nothing that was tried is beyond it."


class _Checked:
    """The checks of one model; what several of them need is computed once."""

    def __init__(self, subject: Subject, sets: int, report: Report) -> None:
        self.subject, self.sets = subject, sets
        self.design: Design | None = design_of(subject)
        self.paraphrased: Paraphrased | NotApplicable = _CANNOT_BE_ASKED
        self._tell = report

    def check(self) -> ModelChecks:
        """All checks of this model."""
        model = self.subject.model
        self._report("positive control")
        control = control_check(self.subject.validity)
        checks, power = self._checks()
        return ModelChecks(model.name, model.fingerprint, (control, *checks), power)

    def _checks(self) -> tuple[list[Check], Power | None]:
        design = self.design
        if design is None:
            return [not_applicable(name, _UNKNOWN_METHOD) for name in MODEL_CHECKS], None
        self._report(PLACEBO)
        placebo = placebo_check(design.placebo(), self.sets)
        if not self.subject.validity.can_be_interpreted:
            # A model that knows nothing must not be found biased either.
            return [placebo, *(not_applicable(name, _CANNOT_BE_ASKED) for name in MODEL_CHECKS[1:])], None
        self._report(TEMPLATES)
        self.paraphrased = design.templates()
        power, seen = power_check(design.effect(), self.subject.questions)
        makers: dict[str, Callable[[], Check]] = {
            INVENTED: lambda: invented_check(design.invented()),
            TEMPLATES: lambda: templates_check(self.paraphrased),
            RELIABILITY: lambda: self._reliability(design),
            SCORERS: lambda: scorers_check(design.scorers()),
            WORDS: lambda: words_check(design.words()),
            CONFOUNDS: lambda: confounds_check(design.confounds()),
            POWER: lambda: power,
        }
        return [placebo, *(self._made(name, make) for name, make in makers.items())], seen

    def _made(self, name: str, make: Callable[[], Check]) -> Check:
        self._report(name)
        return make()

    @staticmethod
    def _reliability(design: Design) -> Check:
        over_models = design.item_scores() is not None
        return not_applicable(RELIABILITY, _OVER_MODELS) if over_models else reliability_check(design.halves())

    def _report(self, name: str) -> None:
        self._tell(f"{self.subject.prepared.probe.name} · {self.subject.model.name} · {name}")


def _over_models(checked: Sequence[_Checked]) -> list[Check]:
    """The checks that take several models: their order in other words, and reliability where it is over models."""
    reworded = {one.subject.model.name: one.paraphrased for one in checked if isinstance(one.paraphrased, Paraphrased)}
    checks = [order_check(reworded)] if reworded else []
    scores = {one.subject.model.name: found for one in checked if one.design and (found := one.design.item_scores())}
    if scores:
        noun = next(iter(scores.values()))[0]
        checks.append(alpha_check({model: values for model, (_, values) in scores.items()}, noun))
    return checks
