"""Each method as the checks see it, on small random models: what is dealt anew, and what the checks are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tacit.errors import MaterialsError
from tacit.models import Model
from tacit.runs.plan import prepare
from tacit.validation.certify import MODEL_CHECKS, validate
from tacit.validation.checks import NotApplicable
from tacit.validation.designs import Design, design_of
from tacit.validation.placebo import Placebo
from tacit.validation.reliability import Halves, split_half
from tacit.validation.subject import Subject
from tacit.validation.templates import Paraphrased

SMALL: dict[str, dict[str, Any]] = {
    "temporal": {},
    "stereotype": {"size": "small"},
    "before-after": {},
    "regional": {"countries": 3, "cities": 0, "studies": 0, "represent": False},
    "sentiment-association": {"words": 8, "reviews_per_class": 10},
    "sentiment-shift": {"words": 3, "reviews_per_class": 6, "design": "exact", "calls": "balanced"},
}


@pytest.fixture(scope="module")
def design(tiny: Callable[[str], Model]) -> Callable[[str], Design]:
    """The design of a probe on a small random model; what it asked is kept."""
    made: dict[str, Design] = {}

    def of(probe: str) -> Design:
        if probe not in made:
            subject = Subject(prepare(probe, {**SMALL[probe], "resamples": 200}, None), tiny("bert"), cache=None)
            found = design_of(subject)
            assert found is not None
            made[probe] = found
        return made[probe]

    return of


@pytest.mark.parametrize("probe", [probe for probe in SMALL if probe != "sentiment-shift"])
def test_a_placebo_repeats_and_makes_claims_that_can_be_false(design: Callable[[str], Design], probe: str) -> None:
    placebo = design(probe).placebo()
    if isinstance(placebo, NotApplicable):
        assert probe == "before-after"
        return
    assert isinstance(placebo, Placebo)
    first, again = (list(placebo.draw(np.random.default_rng(3))) for _ in range(2))
    assert first == again
    assert first


@pytest.mark.parametrize("probe", ["stereotype", "sentiment-association", "sentiment-shift", "regional"])
def test_halves_of_the_questions_score_the_same_targets(design: Callable[[str], Design], probe: str) -> None:
    halves = design(probe).halves()
    assert isinstance(halves, Halves)
    everything = halves.score(np.ones(halves.parts, dtype=bool))
    assert everything.shape == halves.score(np.arange(halves.parts) % 2 == 0).shape
    assert -1 <= split_half(halves, splits=5).value <= 1


def test_the_whole_of_the_halves_is_the_share_that_the_run_reports(design: Callable[[str], Design]) -> None:
    stereotype = design("stereotype")
    halves = stereotype.halves()
    assert isinstance(halves, Halves)
    items = stereotype.subject.tables["items"]
    base = items.filter((items["kind"] == "base") & (items["reach"] == items["reach"][0]))
    shares = dict(base.select("item", "first_share").iter_rows())
    names = [item.name for item in stereotype.materials.items]
    assert halves.score(np.ones(halves.parts, dtype=bool)) == pytest.approx([shares[name] for name in names])


@pytest.mark.parametrize(("probe", "wordings"), [("stereotype", 6), ("sentiment-association", 6)])
def test_the_first_wording_is_the_probes_own(design: Callable[[str], Design], probe: str, wordings: int) -> None:
    paraphrased = design(probe).templates()
    assert isinstance(paraphrased, Paraphrased)
    assert paraphrased.values.shape[1] == wordings
    assert len({tuple(column) for column in paraphrased.values.T}) == wordings


@pytest.mark.parametrize("probe", ["temporal", "stereotype", "sentiment-association", "sentiment-shift", "regional"])
def test_the_value_without_a_word_is_near_the_value(design: Callable[[str], Design], probe: str) -> None:
    found = design(probe).words()
    assert not isinstance(found, NotApplicable)
    for one in found:
        assert min(one.without.values()) <= one.value + 1e-9
        assert max(one.without.values()) >= one.value - 1e-9


def test_a_model_that_cannot_be_asked_gets_no_further_checks(tiny: Callable[[str], Model]) -> None:
    certificate = validate(prepare("temporal", {}, None), [tiny("bert")], sets=20, cache=None)
    assert certificate.light == "yellow"  # planted models show what the probe sees, this one shows nothing
    (model,) = certificate.models
    assert [check.name for check in model.checks[1:]] == list(MODEL_CHECKS)
    assert not model.can_be_asked
    assert {check.outcome for check in model.checks[2:]} == {"not applicable"}
    assert model.power is None


def test_two_words_are_a_choice_so_that_sentences_are_the_units(design: Callable[[str], Design]) -> None:
    contrast = design("before-after")
    effect, items = contrast.effect(), contrast.subject.tables["items"]
    assert not isinstance(effect, NotApplicable)
    assert effect.n == items.filter((items["context"] == "with") & items["acc"].is_not_null()).height
    assert isinstance(contrast.halves(), NotApplicable)


def test_a_probe_that_holds_its_answers_cannot_be_asked_more(tiny: Callable[[str], Model]) -> None:
    with pytest.raises(MaterialsError, match="hold the answers themselves"):
        validate(prepare("temporal-paper", {}, None), [tiny("bert")], sets=20, cache=None)
