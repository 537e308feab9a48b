"""The first screen: probes down, models across, and the differences between models that survive correction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from markupsafe import Markup

from tacit.figure import ordered_models
from tacit.methods import Method
from tacit.methods.glance import Glance
from tacit.reports.plots import interval_plot, plot_range, value_text
from tacit.runs import Run

if TYPE_CHECKING:
    from tacit.reports.sections import Section

__all__ = ["Answer", "Finding", "Light", "Overview", "OverviewRow", "answers", "light", "overview"]


@dataclass(frozen=True)
class Light:
    """Whether a run can be believed, as a sign and in words.

    Attributes:
        level: "on", "care" or "off".
        words: What the sign means here.
        reason: Why; empty where nothing is wrong.
    """

    level: Literal["on", "care", "off"]
    words: str
    reason: str = ""

    @property
    def short_reason(self) -> str:
        """The reason without the numbers that its parentheses hold."""
        return " ".join(re.sub(r"\s*\([^()]*\)", "", self.reason).split()).partition(";")[0]


@dataclass(frozen=True)
class Answer:
    """What one model answers to the title of a probe.

    Attributes:
        model: Its name on the page.
        color: Its color.
        light: Whether the answer can be believed.
        phrase: The answer in a few words.
        glance: The headline value; None where there is none to show.
        value: The same as text.
        plot: The same as a small plot.
    """

    model: str
    color: str
    light: Light
    phrase: str
    glance: Glance | None = None
    value: str = ""
    plot: Markup | None = None


@dataclass(frozen=True)
class OverviewRow:
    """One probe of the overview.

    Attributes:
        anchor: The section that it is from.
        title: The title of the probe.
        probe: Its name.
        glance: A headline value of the row, for what all of them share: its label and its poles.
        answers: The answer of each model that was asked.
        certificate: The light of the probe's certificate; None if it has none.
    """

    anchor: str
    title: str
    probe: str
    glance: Glance | None
    answers: Mapping[str, Answer]
    certificate: Light | None = None


@dataclass(frozen=True)
class Finding:
    """A difference between models that survives correction.

    Attributes:
        anchor: The section that it is from.
        probe: The name of its probe.
        claim: What is claimed.
        numbers: The numbers that support it.
    """

    anchor: str
    probe: str
    claim: str
    numbers: str


@dataclass(frozen=True)
class Overview:
    """The first screen.

    Attributes:
        models: The color of each model, in the order of the report.
        rows: One row per section.
        findings: The differences that survive correction.
        compared: Whether any models were compared at all.
    """

    models: dict[str, str]
    rows: list[OverviewRow]
    findings: list[Finding]
    compared: bool


def overview(sections: Sequence[Section]) -> Overview:
    """Put the answers of all sections side by side."""
    colors = {model: answer.color for section in sections for model, answer in section.answers.items()}
    return Overview(
        models={model: colors[model] for model in ordered_models(colors)},
        rows=[_row(section) for section in sections],
        findings=[
            _finding(part, sentence) for part in sections if part.comparison for sentence in part.comparison.findings
        ],
        compared=any(part.comparison for part in sections),
    )


def _row(section: Section) -> OverviewRow:
    shown = [answer.glance for answer in section.answers.values() if answer.glance]
    glance = shown[0] if shown else None
    certificate = section.certificate.light if section.certificate else None
    return OverviewRow(section.anchor, section.title, section.record.probe.name, glance, section.answers, certificate)


def _finding(section: Section, sentence: str) -> Finding:
    claim, _, numbers = sentence.rpartition(": ")
    return Finding(section.anchor, section.record.probe.name, claim, numbers.removesuffix("."))


def answers(method: Method[Any, Any], runs: Mapping[str, Run], colors: Mapping[str, str]) -> dict[str, Answer]:
    """The answer of each model to the title of their probe, drawn on one axis."""
    asked = {model: run for model, run in runs.items() if run.validity.can_be_interpreted}
    glances = {model: glance for model, run in asked.items() if (glance := method.glance(run.tables)) is not None}
    ends = plot_range(glances.values())
    return {model: _answer(model, run, glances.get(model), ends, colors[model]) for model, run in runs.items()}


def light(run: Run) -> Light:
    """The positive control of the run's method."""
    validity = run.validity
    if validity.level == "none":
        return Light("off", "Cannot be asked", validity.reason)
    if validity.level == "weak":
        return Light("care", "Read with care", validity.reason)
    return Light("on", "Control passed")


def _answer(model: str, run: Run, glance: Glance | None, ends: tuple[float, float], color: str) -> Answer:
    sign = light(run)
    if sign.level == "off":
        return Answer(model, color, sign, sign.words)
    if glance is None:
        return Answer(model, color, sign, "No value")
    return Answer(model, color, sign, glance.phrase, glance, value_text(glance), interval_plot(glance, ends, color))
