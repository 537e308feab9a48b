"""Certificates: what their light means, and that the shipped ones still fit their materials, models and checks."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

import tacit
from tacit.errors import MaterialsError
from tacit.models import Model
from tacit.probes.certificate import (
    CONTROL,
    Certificate,
    Check,
    ModelChecks,
    Outcome,
    Power,
    light_of,
    read_certificate,
    shipped_certificate,
)
from tacit.runs.plan import prepare
from tacit.standards import shipped_names, standard_names
from tacit.validation.certify import PLANTED, cannot_see, material_hashes, planted_checks, renew_planted
from tacit.validation.confounds import confounds_check
from tacit.validation.control import control_check
from tacit.validation.designs import design_of
from tacit.validation.placebo import placebo_check
from tacit.validation.power import power_check
from tacit.validation.subject import Subject, read_paraphrases
from tacit.validation.words import words_check

CERTIFIED = ("temporal", "regional", "sentiment-association", "sentiment-shift", "stereotype", "intensifier")
POWER = Power("mean beta", "sentences", 20, 0.25, 60)


@pytest.fixture(scope="module")
def standards() -> dict[str, Model]:
    """The models that the certificates were made on."""
    return {name: tacit.load(name) for name in shipped_names()}


def _check(outcome: Outcome, name: str = "words") -> Check:
    return Check(name, outcome, "a number", "a bar", "a reason")


def _certificate(*models: ModelChecks) -> Certificate:
    return Certificate("temporal", 1, "0.1", {"size": "small"}, {"words.csv": "0" * 64}, models)


def _model(name: str, *checks: Check) -> ModelChecks:
    return ModelChecks(name, f"print of {name}", checks, POWER)


def test_a_light_is_that_of_the_worst_check_that_applies() -> None:
    assert light_of([_check("pass"), _check("not applicable")]) == "green"
    assert light_of([_check("pass"), _check("doubtful")]) == "yellow"
    assert light_of([_check("fail"), _check("doubtful")]) == "red"


def test_a_model_that_cannot_be_asked_does_not_count_against_the_probe() -> None:
    able, unable = _model("a", _check("pass", CONTROL)), _model("b", _check("fail", CONTROL))
    assert _certificate(able, unable).light == "green"
    assert "b cannot be asked" in _certificate(able, unable).words
    assert _certificate(unable).light == "red"
    assert "Nothing is known of what it sees: it cannot be asked of b" in cannot_see([unable], [])


def test_a_probe_that_only_planted_models_can_be_asked_is_yellow_at_best() -> None:
    unable, planted = _model("b", _check("fail", CONTROL)), _check("pass", PLANTED)
    assert replace(_certificate(unable), checks=(planted,)).light == "yellow"
    assert replace(_certificate(unable), checks=(_check("fail", PLANTED),)).light == "red"
    assert "Only planted models" in cannot_see([unable], [planted])


def test_what_it_cannot_see_names_the_smallest_effect_and_what_fails() -> None:
    said = cannot_see([_model("a", _check("pass", CONTROL), _check("fail", "templates"))], [])
    assert "below 0.25" in said
    assert "wording" in said


def test_a_plant_that_is_not_seen_is_what_it_cannot_see() -> None:
    assert "the bias that was planted" in cannot_see([_model("a")], [_check("fail", PLANTED)])


def test_the_check_of_planted_biases_can_be_renewed_alone(tmp_path: Path) -> None:
    old = replace(_certificate(_model("a", _check("pass", CONTROL))), checks=(_check("fail", PLANTED), _check("pass")))
    new = renew_planted(old, tmp_path)
    assert new.models == old.models
    assert new.checks == (_check("pass"), *planted_checks(tmp_path))


def test_a_certificate_survives_its_file(tmp_path: Path) -> None:
    written = _certificate(_model("a", _check("pass", CONTROL)))
    (tmp_path / "certificate.json").write_text(written.to_json(), encoding="utf-8")
    assert read_certificate(tmp_path / "certificate.json") == written
    assert json.loads(written.to_json())["light"] == "green"


@pytest.mark.parametrize("content", ["[]", "{}", '{"models": 3}', "not JSON"])
def test_a_damaged_certificate_is_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "certificate.json").write_text(content, encoding="utf-8")
    with pytest.raises(MaterialsError, match="is not a certificate"):
        read_certificate(tmp_path / "certificate.json")


@pytest.mark.parametrize("probe", CERTIFIED)
def test_the_shipped_certificate_fits_its_materials_and_models(probe: str, standards: dict[str, Model]) -> None:
    certificate = shipped_certificate(probe)
    assert certificate is not None
    prepared = prepare(probe, certificate.settings, None)
    assert certificate.version == prepared.probe.version
    assert certificate.settings == prepared.probe.certify
    assert certificate.materials == material_hashes(prepared), "make calibrate"
    assert set(planted_checks(prepared.probe.folder)) <= set(certificate.checks), (
        f"tacit validate {probe} --planted --force"
    )
    made = {model.model: model.fingerprint for model in certificate.models}
    names = [*standard_names(), *prepared.method.tuned_standards]
    assert made == {name: standards[name].fingerprint for name in names}


# The others take a minute each: `make calibrate` makes those again too.
MADE_AGAIN = CERTIFIED if os.environ.get("TACIT_CALIBRATE") else ("temporal", "intensifier")


@pytest.mark.parametrize("model", standard_names())
@pytest.mark.parametrize("probe", MADE_AGAIN)
def test_part_of_a_shipped_certificate_made_again_is_the_same(
    probe: str, model: str, standards: dict[str, Model]
) -> None:
    certificate = shipped_certificate(probe)
    assert certificate is not None
    shipped = certificate.of_model(standards[model].fingerprint)
    assert shipped is not None
    subject = Subject(prepare(probe, certificate.settings, None), standards[model], cache=None)
    again, seen = [control_check(subject.validity)], None
    if shipped.can_be_asked:
        design = design_of(subject)
        assert design is not None
        power, seen = power_check(design.effect(), subject.questions)
        again += [words_check(design.words()), confounds_check(design.confounds()), power]
    assert {check.name: check for check in again}.items() <= {check.name: check for check in shipped.checks}.items()
    assert seen == shipped.power


@pytest.mark.parametrize("probe", ["stereotype", "regional", "sentiment-association", "sentiment-shift"])
def test_a_probe_with_a_template_has_five_paraphrases_of_it(probe: str) -> None:
    texts = [text for paraphrase in read_paraphrases(prepare(probe, {}, None)) for text in paraphrase.values()]
    assert len(set(texts)) >= 5


def test_a_placebo_hides_what_a_model_really_says(standards: dict[str, Model]) -> None:
    subject = Subject(prepare("temporal", {"resamples": 500}, None), standards["early-modern"], cache=None)
    design = design_of(subject)
    assert design is not None
    assert any(verdict.holds for verdict in subject.prepared.method.verdicts(subject.tables))
    assert placebo_check(design.placebo(), sets=40).outcome == "pass"
