"""The rules of a gate, as people write them in a YAML file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from tacit.errors import MaterialsError
from tacit.probes import probe_names
from tacit.probes.loading import field_error
from tacit.tables import read_yaml, yaml_lines

__all__ = ["CannotTell", "Rule", "Rules", "read_rules"]

CannotTell = Literal["fail", "pass"]
"""What happens to the gate if the data do not decide a rule."""


class Rule(BaseModel):
    """One rule: a bound on a measure of a probe, or on its difference from the baseline model."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    probe: str
    """The name of a probe, or a YAML file beside the rules."""
    measure: str
    """A measure of the probe, as its table of measures names it; with `compared`, as `tacit compare` names it."""
    name: str = ""
    """What the rule is called in the output; by default its bound."""
    group: str | None = None
    """The group of items, if the measure has several."""
    item: str | None = None
    """One item of the group, such as a word."""
    settings: dict[str, Any] = {}
    """Settings of the probe, such as `size: small`."""
    mode: str | None = None
    """The mode of the probe: corrected (default), as-published, or another that it has."""
    at_most: float | None = Field(None, alias="at-most", allow_inf_nan=False)
    at_least: float | None = Field(None, alias="at-least", allow_inf_nan=False)
    compared: bool = False
    """Bound the difference, model minus baseline, instead of the value."""
    cannot_tell: CannotTell | None = Field(None, alias="cannot-tell")
    accept_caution: bool = Field(False, alias="accept-caution")
    """Also decide by an interval that is marked as rough."""

    @model_validator(mode="after")
    def _has_bound(self) -> Rule:
        if self.at_most is None and self.at_least is None:
            raise ValueError("a rule needs a bound: add at-most, at-least or both")
        if self.at_most is not None and self.at_least is not None and self.at_least >= self.at_most:
            raise ValueError("at-least must be below at-most")
        return self

    @property
    def bound(self) -> str:
        """The bound in words, such as "at most 0.55"."""
        parts = (("at least", self.at_least), ("at most", self.at_most))
        return " and ".join(f"{words} {number:g}" for words, number in parts if number is not None)

    @property
    def title(self) -> str:
        """What the rule is called."""
        where = " · ".join(part for part in (self.measure, self.group, self.item) if part)
        against = " against the baseline" if self.compared else ""
        return self.name or f"{where}{against}: {self.bound}"


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    cannot_tell: CannotTell = Field("fail", alias="cannot-tell")
    rules: list[dict[str, Any]] = Field(min_length=1)


@dataclass(frozen=True)
class Rules:
    """The rules of a gate.

    Attributes:
        source: The file.
        rules: The rules in the order of the file.
        lines: The line on which each rule starts.
        cannot_tell: What happens if a rule that says nothing about it cannot be told.
    """

    source: Path
    rules: tuple[Rule, ...]
    lines: tuple[int, ...]
    cannot_tell: CannotTell

    @property
    def need_baseline(self) -> bool:
        """Whether a rule compares with a baseline."""
        return any(rule.compared for rule in self.rules)

    def probe_of(self, rule: Rule) -> str:
        """The probe of a rule as `tacit run` takes it: a file is looked for beside the rules."""
        beside = self.source.parent / rule.probe
        return str(beside) if rule.probe not in probe_names() and beside.exists() else rule.probe

    def allows_unknown(self, rule: Rule) -> bool:
        """Whether the gate may pass although this rule cannot be told."""
        return (rule.cannot_tell or self.cannot_tell) == "pass"

    def refuse(self, rule: Rule, problem: str) -> MaterialsError:
        """The error for one rule, with its line."""
        return MaterialsError(f"{self.source}, line {self.lines[self.rules.index(rule)]}: {problem}")


def read_rules(path: str | Path) -> Rules:
    """Read and check a file of rules; what does not fit is refused with its line.

    Args:
        path: A YAML file with a list under `rules`, and optionally `cannot-tell: pass`.
    """
    source = Path(path)
    loaded = read_yaml(source)
    try:
        file = _File(**loaded)
    except ValidationError as error:
        raise field_error(source, _File, error) from None
    rules = tuple(_rule(source, number, entry) for number, entry in enumerate(file.rules))
    lines = yaml_lines(source)
    return Rules(source, rules, tuple(lines["rules", str(number)] for number in range(len(rules))), file.cannot_tell)


def _rule(source: Path, number: int, entry: dict[str, Any]) -> Rule:
    try:
        return Rule(**entry)
    except ValidationError as error:
        raise field_error(source, Rule, error, ("rules", str(number))) from None
