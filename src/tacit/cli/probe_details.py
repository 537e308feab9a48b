"""What `tacit probes NAME` shows of a probe: its size for each family of models, and everything as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import get_args

from tacit.cli.json_output import collect_table
from tacit.errors import TacitError
from tacit.methods.base import Family
from tacit.probes.certificate import shipped_certificate
from tacit.runs.execute import given_models
from tacit.runs.plan import Prepared, count_questions

__all__ = ["QuestionCount", "collect_probe", "question_counts"]


@dataclass(frozen=True)
class QuestionCount:
    """How many questions a family of models is asked: a number if it is known, and always in words."""

    family: str
    questions: int | None
    words: str


def question_counts(prepared: Prepared) -> list[QuestionCount]:
    """How many questions each family of models is asked, or why it is not."""
    given = given_models(prepared)
    if given:
        return [QuestionCount("no model", None, f"the materials hold the answers of {', '.join(given)}")]
    return [_question_count(prepared, family) for family in get_args(Family)]


def collect_probe(prepared: Prepared) -> None:
    """Keep everything about a probe as tables of the JSON document."""
    probe = prepared.probe
    texts = probe.model_dump(include={"name", "version", "title", "method", "description", "paper"})
    collect_table("probe", [texts])
    collect_table("questions", [asdict(count) for count in question_counts(prepared)])
    described = prepared.method.settings.describe()
    settings = prepared.recorded_settings().items()
    rows = [
        {"setting": name, "value": value, "meaning": described[name][0], "choices": described[name][1]}
        for name, value in settings
    ]
    collect_table("settings", rows)
    collect_table("limits", [{"limit": limit} for limit in probe.limits])
    collect_table("certificate", _certificate_rows(probe.name, probe.version))


def _question_count(prepared: Prepared, family: Family) -> QuestionCount:
    try:
        count = count_questions(prepared, family)
    except TacitError as error:
        return QuestionCount(family, None, f"not asked: {error}")
    return QuestionCount(family, count, "depends on the answers" if count is None else f"{count:,} questions")


def _certificate_rows(name: str, version: int) -> list[dict[str, object]]:
    """The certificate with all its checks; no row where there is none."""
    certificate = shipped_certificate(name, version)
    if certificate is None:
        return []
    kept = {key: value for key, value in asdict(certificate).items() if key != "path"}
    return [{"light": certificate.light, "words": certificate.words, **kept}]
