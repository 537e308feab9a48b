"""Each formula of a check: a worked figure, a property, and a slow plain recomputation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata, ttest_1samp

from tacit.methods.base import Validity, Verdict
from tacit.methods.valence import Valence, ValenceSettings
from tacit.methods.valence.simulation import SimulatedModel, make_materials
from tacit.validation.checks import NotApplicable, at_least, at_most, worst
from tacit.validation.confounds import Confounded, confounds_check, partial_rank_correlation
from tacit.validation.control import control_check
from tacit.validation.invented import Invented, invented_check, matched_name
from tacit.validation.placebo import Placebo, placebo_check
from tacit.validation.power import Effect, needed_units, power_check, smallest_effect
from tacit.validation.scorers import Scored, disagreement, scorers_check
from tacit.validation.templates import Paraphrased, order_check, sign_flips, templates_check, variance_shares
from tacit.validation.words import LeaveOneOut, words_check
from tests.validation.test_reliability import SHROUT_FLEISS


def test_the_share_of_the_unit_is_shrout_and_fleiss_icc() -> None:
    assert variance_shares(SHROUT_FLEISS).unit == pytest.approx(0.29, abs=0.005)


def test_the_share_of_differences_is_shrout_and_fleiss_icc_of_consistency() -> None:
    assert 1 - variance_shares(SHROUT_FLEISS).of_differences == pytest.approx(0.71, abs=0.005)


def test_a_wording_that_shifts_all_alike_counts_only_where_levels_matter() -> None:
    values = np.random.default_rng(11).normal(5, 1, (50, 1)) + np.array([[0.0, 3, 3, -3, -3, 2]])
    assert templates_check(Paraphrased(values, "words", "templates")).outcome == "fail"
    assert templates_check(Paraphrased(values, "words", "templates", relative=True)).outcome == "pass"


def test_variance_shares_find_what_was_put_in() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0, 2, (400, 1)) + rng.normal(0, 1, (1, 200)) + rng.normal(0, 1, (400, 200))
    shares = variance_shares(values)
    assert (shares.unit, shares.wording, shares.both) == pytest.approx((4 / 6, 1 / 6, 1 / 6), abs=0.06)
    assert shares.unit + shares.of_wording == pytest.approx(1)


def test_a_score_that_is_the_wording_fails_and_one_that_is_the_unit_passes() -> None:
    rng = np.random.default_rng(1)
    units, wordings = rng.normal(2, 1, (50, 1)), rng.normal(0, 3, (1, 6))
    assert templates_check(Paraphrased(units + np.zeros((1, 6)), "words", "templates")).outcome == "pass"
    assert templates_check(Paraphrased(units + wordings, "words", "templates")).outcome == "fail"


def test_a_mean_that_changes_its_sign_in_a_third_of_the_paraphrases_fails() -> None:
    units = np.random.default_rng(2).normal(0, 5, (60, 1))
    values = units - units.mean() + np.array([[2.0, 2, 2, -2, -2, 2]])
    check = templates_check(Paraphrased(values, "words", "templates"))
    assert "flips: in 2 of 5" in check.number
    assert check.outcome == "fail"


def test_the_mean_that_must_keep_its_sign_is_that_of_the_result() -> None:
    values = np.random.default_rng(9).normal(0, 1, (40, 1)) + np.zeros((1, 6))
    results = np.ones((40, 1)) * np.array([[2.0, 2, 2, -2, -2, -2]]) + np.random.default_rng(10).normal(size=(40, 1))
    assert templates_check(Paraphrased(values, "words", "templates")).outcome == "pass"
    turned = templates_check(Paraphrased(values, "words", "templates", summed_up=results))
    assert turned.outcome == "fail"
    assert "flips: in 3 of 5" in turned.number


def test_sign_flips_are_counted_cell_by_cell() -> None:
    assert sign_flips(np.array([[1.0, 2, -1], [-1, -2, -3]])) == pytest.approx(1 / 4)


def test_the_order_of_models_is_kept_or_not() -> None:
    base = np.random.default_rng(3).normal(0, 0.1, (40, 6))
    higher, mixed = base + 1, base + np.array([1.0, -1, -1, -1, -1, 1])
    assert order_check({"a": _reworded(base), "b": _reworded(higher)}).outcome == "pass"
    assert order_check({"a": _reworded(base), "b": _reworded(mixed)}).outcome == "fail"
    assert order_check({"a": _reworded(base), "b": _reworded(base[::-1])}).outcome == "not applicable"
    assert order_check({"a": _reworded(base)}).outcome == "not applicable"


def _reworded(values: np.ndarray) -> Paraphrased:
    return Paraphrased(values, "words", "templates")


def test_partial_correlation_is_the_textbook_formula_on_ranks() -> None:
    rng = np.random.default_rng(4)
    z = rng.normal(size=30)
    x, y = z + rng.normal(size=30), z + rng.normal(size=30)
    r = np.corrcoef([rankdata(column) for column in (x, y, z)])
    slow = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    value, p = partial_rank_correlation(x, y, [z])
    assert value == pytest.approx(slow)
    assert partial_rank_correlation(np.exp(x), y**3, [z]) == pytest.approx((value, p)), "ranks see no scale"


def test_a_confound_that_makes_the_score_fails_and_chance_passes() -> None:
    rng = np.random.default_rng(5)
    frequency, length = rng.normal(size=(2, 80))
    made = Confounded({"score": frequency + 0.3 * rng.normal(size=80)}, {"frequency": frequency, "length": length}, "x")
    chance = Confounded({"score": rng.normal(size=80)}, {"frequency": frequency, "length": length}, "x")
    assert confounds_check(made).outcome == "fail"
    assert confounds_check(chance).outcome == "pass"


def test_a_confound_that_never_varies_is_left_out() -> None:
    rng = np.random.default_rng(6)
    check = confounds_check(
        Confounded({"score": rng.normal(size=20)}, {"a": rng.normal(size=20), "b": np.ones(20)}, "x")
    )
    assert "with b" not in check.number


def test_cohens_table_gives_the_smallest_effect() -> None:
    """Cohen (1988): 34 cases show d = 0.5 in a one-sample test with a power of 80 %."""
    assert smallest_effect(1 / np.sqrt(34), 33) == pytest.approx(0.5, abs=0.01)


def test_the_smallest_effect_is_found_in_four_of_five_samples() -> None:
    rng, n = np.random.default_rng(7), 20
    effect = smallest_effect(1 / np.sqrt(n), n - 1)
    found = np.mean([ttest_1samp(rng.normal(effect, 1, n), 0).pvalue < 0.05 for _ in range(1000)])
    assert found == pytest.approx(0.8, abs=0.04)


def test_half_the_effect_takes_four_times_the_units() -> None:
    assert needed_units(20, 0.2, 0.1) == 80
    assert needed_units(20, 0.7, 0.6, margin=0.5) == 80


def test_power_is_held_against_what_matters() -> None:
    effect = Effect("mean", "words", 30, 0.1, 0.5, "a half")
    assert power_check(effect, 60)[0].outcome == "pass"
    check, power = power_check(Effect("mean", "words", 30, 1.0, 0.5, "a half"), 60)
    assert check.outcome == "fail"
    assert power is not None
    assert power.smallest == pytest.approx(2.9, abs=0.05)


def test_false_findings_are_held_against_the_stated_error() -> None:
    def claims(rate: float) -> Placebo:
        return Placebo("dealing", lambda rng: [Verdict("x", bool(rng.random() < rate), "x", error=0.05)])

    assert placebo_check(claims(0.05)).outcome == "pass"
    assert placebo_check(claims(0.3)).outcome == "fail"
    assert placebo_check(NotApplicable("no labels")).number == "no labels"


def test_invented_names_have_the_shape_of_the_name() -> None:
    name = matched_name("South Sudan", 1)
    assert [letter.isupper() for letter in name] == [letter.isupper() for letter in "South Sudan"]
    assert len(name) == len("South Sudan")
    assert name[5] == " "
    assert name != "South Sudan"
    assert matched_name("South Sudan", 1) == name
    assert matched_name("South Sudan", 2) != name


def test_a_measure_that_invented_names_give_too_fails() -> None:
    assert invented_check(Invented(1.0, 0.9, "C_w")).outcome == "fail"
    assert invented_check(Invented(1.0, 0.1, "C_w")).outcome == "pass"
    assert invented_check(Invented(1.0, -0.1, "C_w")).outcome == "pass"


def test_scorers_that_agree_pass_and_others_do_not() -> None:
    rng = np.random.default_rng(8)
    own = rng.normal(size=60)
    assert scorers_check(Scored({"a": own, "b": own**3}, "words")).outcome == "pass"
    assert scorers_check(Scored({"a": own, "b": -own}, "words")).outcome == "fail"
    assert disagreement(np.array([1.0, -1, 2, 3]), np.array([1.0, 1, 2, 3]), signed=True) == 0.25
    assert disagreement(np.array([1.0, 2, 3, 4]), np.array([4.0, 3, 2, 1]), signed=False) == 1.0


def test_one_word_that_carries_the_value_fails() -> None:
    assert words_check([LeaveOneOut("mean", 1.0, 0.5, {"a": 1.0, "thou": 0.2})]).outcome == "fail"
    check = words_check([LeaveOneOut("mean", 1.0, 0.5, {"a": 1.0, "thou": 0.9})])
    assert check.outcome == "pass"
    assert '"thou"' in check.number


def test_the_control_says_who_cannot_be_asked() -> None:
    assert control_check(Validity()).outcome == "pass"
    assert control_check(Validity("none", "it knows no word")).outcome == "fail"


def test_bars_have_three_sides() -> None:
    assert [at_most(x, 1, 2) for x in (1, 2, 3)] == ["pass", "doubtful", "fail"]
    assert [at_least(x, 2, 1) for x in (2, 1, 0)] == ["pass", "doubtful", "fail"]
    assert worst("pass", "not applicable") == "pass"


def test_what_power_promises_is_what_the_verdict_finds() -> None:
    """Sentences that lean by the smallest effect are said to lean in about four of five groups."""
    method, settings, effect = Valence(), ValenceSettings(resamples=200), 0.22
    promised, found = [], []
    for seed in range(25):
        materials = make_materials(seed=seed)
        tables = method.measure(materials, settings, SimulatedModel(effect).answers(materials, seed))
        for _, sentences in tables["sentences"].group_by("group", maintain_order=True):
            error = float(sentences["beta"].to_numpy().std(ddof=1)) / np.sqrt(sentences.height)
            promised.append(smallest_effect(error, sentences.height - 1, tests=3))
        found += [verdict.holds for verdict in method.verdicts(tables)]
    assert np.mean(promised) == pytest.approx(effect, rel=0.15)
    assert 0.7 < np.mean(found) < 0.95
