"""The certificate of a probe: what it was shown to see and not to see, in a file beside its materials."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from tacit.errors import MaterialsError
from tacit.probes.registry import probe_folders
from tacit.tables import read_text

__all__ = [
    "CERTIFICATE",
    "Certificate",
    "Check",
    "Light",
    "ModelChecks",
    "Outcome",
    "Power",
    "light_of",
    "read_certificate",
    "shipped_certificate",
]

CERTIFICATE = "certificate.json"
"""The file in the probe's folder."""
CONTROL = "positive control"
"""The check whose failure says that a model cannot be asked; its other checks then say nothing about the probe."""
_LARGEST = 1024 * 1024

Outcome = Literal["pass", "doubtful", "fail", "not applicable"]
Light = Literal["green", "yellow", "red"]


@dataclass(frozen=True, slots=True)
class Check:
    """What one check of a probe found.

    Attributes:
        name: Which check, such as "placebo".
        outcome: Whether the bar is met; "not applicable" where the probe has nothing to check.
        number: The number that was held against the bar, in words: "3 of 100 placebo runs find something (3 %)".
        bar: What it takes to pass and to fail: "pass up to 10 %, fail above 15 %".
        reason: Why that is the bar, in one sentence; docs/validity.md names the critique that it answers.
    """

    name: str
    outcome: Outcome
    number: str
    bar: str
    reason: str


@dataclass(frozen=True, slots=True)
class Power:
    """What a run of this size can see.

    Attributes:
        effect: What an effect is, in words: "the mean beta of a group of sentences".
        unit: What was sampled, in the plural: "sentences in each group".
        n: How many of it there are.
        smallest: The smallest effect that is found in four of five runs.
        questions: How many questions the run asked.
        margin: The size up to which an effect does not matter; it must be shown to be larger.
    """

    effect: str
    unit: str
    n: int
    smallest: float
    questions: int
    margin: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelChecks:
    """The checks on one model.

    Attributes:
        model: Its name.
        fingerprint: Its fingerprint.
        checks: What was found.
        power: What a run of this size can see with this model; None where it cannot be asked.
    """

    model: str
    fingerprint: str
    checks: tuple[Check, ...]
    power: Power | None = None

    @property
    def can_be_asked(self) -> bool:
        """Whether the model passes the positive control."""
        return all(check.outcome != "fail" for check in self.checks if check.name == CONTROL)

    @property
    def light(self) -> Light:
        """The light of this model."""
        return light_of(self.checks)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a probe was shown to see and not to see.

    Attributes:
        probe: The name of the probe.
        version: Its version.
        tacit: The version of Tacit that made the certificate.
        settings: The settings that differ from the probe's own.
        materials: The SHA-256 of each material file, by its name.
        models: The checks on each model.
        checks: The checks that take all models together.
        cannot_see: What it cannot see, in one sentence.
    """

    probe: str
    version: int
    tacit: str
    settings: dict[str, Any]
    materials: dict[str, str]
    models: tuple[ModelChecks, ...]
    checks: tuple[Check, ...] = ()
    cannot_see: str = ""
    path: Path | None = field(default=None, compare=False)

    @property
    def light(self) -> Light:
        """The light of the probe: that of the checks on all models that can be asked.

        If there is none, planted models are all that is known of it: yellow at best, and red without them.
        """
        asked = [model for model in self.models if model.can_be_asked]
        if asked:
            return light_of([*self.checks, *(check for model in asked for check in model.checks)])
        if all(check.outcome == "not applicable" for check in self.checks):
            return "red"
        return "red" if light_of(self.checks) == "red" else "yellow"

    def of_model(self, fingerprint: str) -> ModelChecks | None:
        """The checks on the model with this fingerprint; None if it was not asked."""
        return next((model for model in self.models if model.fingerprint == fingerprint), None)

    @property
    def words(self) -> str:
        """The light in words: "doubtful (yellow): 9 checks pass, 2 doubtful, 0 fail"."""
        named = {"green": "all pass (green)", "yellow": "doubtful (yellow)", "red": "not all pass (red)"}[self.light]
        every = [*self.checks, *(check for model in self.models if model.can_be_asked for check in model.checks)]
        counts = [sum(check.outcome == outcome for check in every) for outcome in get_args(Outcome)]
        refused = [model.model for model in self.models if not model.can_be_asked]
        also = f"; {' and '.join(refused)} cannot be asked" if refused else ""
        return f"{named}: {counts[0]} checks pass, {counts[1]} doubtful, {counts[2]} fail{also}"

    def to_json(self) -> str:
        """The certificate as its file holds it: readable, and with sorted keys."""
        record = {name: value for name, value in asdict(self).items() if name != "path"}
        lights = {"light": self.light, "lights": {model.model: model.light for model in self.models}}
        return json.dumps({**record, **lights}, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def light_of(checks: Iterable[Check]) -> Light:
    """Green if all checks that apply pass, red if one fails, otherwise yellow."""
    outcomes = {check.outcome for check in checks}
    return "red" if "fail" in outcomes else "yellow" if "doubtful" in outcomes else "green"


def read_certificate(path: Path) -> Certificate:
    """Read a certificate; what does not fit is refused with the file's name."""
    try:
        record = json.loads(read_text(path, _LARGEST))
        names = ("probe", "version", "tacit", "settings", "materials", "cannot_see")
        models = tuple(
            ModelChecks(
                model["model"],
                model["fingerprint"],
                _checks(model["checks"]),
                Power(**model["power"]) if model["power"] else None,
            )
            for model in record["models"]
        )
        fields = {name: record[name] for name in names}
        return Certificate(**fields, models=models, checks=_checks(record["checks"]), path=path)
    except (ValueError, TypeError, LookupError) as error:
        reason = " ".join(str(error).split())[:100]
        raise MaterialsError(f"{path} is not a certificate ({reason}). Make it again with `tacit validate`.") from None


def shipped_certificate(probe: str, version: int | None = None) -> Certificate | None:
    """The certificate of a shipped or installed probe, by its name; None if it has none, or one of another version."""
    folder = probe_folders().get(probe)
    path = None if folder is None else folder / CERTIFICATE
    if path is None or not path.is_file():
        return None
    certificate = read_certificate(path)
    return certificate if version in (None, certificate.version) else None


def _checks(records: list[dict[str, Any]]) -> tuple[Check, ...]:
    checks = tuple(Check(**record) for record in records)
    strange = next((check for check in checks if check.outcome not in get_args(Outcome)), None)
    if strange is not None:
        raise ValueError(f"there is no outcome {strange.outcome!r}")
    return checks
