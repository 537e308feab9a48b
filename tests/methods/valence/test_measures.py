"""Beta and delta by hand, bounds for what is unrated, several raters, and the printed tables of the study."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.errors import RunError
from tacit.methods import get_method
from tacit.methods.valence import Valence
from tacit.probes import load_probe
from tests.methods.valence.small_probe import (
    FAST,
    FILLED,
    PROBE,
    RATINGS,
    UNRATED,
    answers_of,
    group_row,
    measure,
    prepare,
    sentence_row,
)


def test_beta_and_delta_by_hand(folder: Path) -> None:
    tables = measure(folder)
    assert sentence_row(tables, "s1")["beta"] == pytest.approx(-0.75)
    assert sentence_row(tables, "s2")["beta"] == pytest.approx(-0.75)
    assert sentence_row(tables, "s3")["beta"] == pytest.approx(0.25)
    assert [sentence_row(tables, name)["delta"] for name in ("s1", "s2", "s3")] == pytest.approx([0.875, 0.875, 0.625])
    assert group_row(tables, "beta", "Old")["value"] == pytest.approx(-0.75)
    assert group_row(tables, "beta", "all")["value"] == pytest.approx(-1.25 / 3)


def test_everything_rated_leaves_no_room(folder: Path) -> None:
    for row in measure(folder)["sentences"].iter_rows(named=True):
        assert row["rated"] == pytest.approx(1)
        assert row["beta_low"] == pytest.approx(row["beta"])
        assert row["beta_high"] == pytest.approx(row["beta"])


def test_only_the_likeliest_n_count(folder: Path) -> None:
    assert sentence_row(measure(folder, top=1), "s1")["beta"] == -1


def test_without_renormalisation_the_rest_of_the_vocabulary_counts_as_the_middle(folder: Path) -> None:
    row = sentence_row(measure(folder, renormalise=False), "s1")
    assert row["beta"] == pytest.approx(-0.6)
    assert (row["beta_low"], row["beta_high"]) == pytest.approx((-0.6, -0.6))
    unrated = sentence_row(measure(folder, UNRATED, renormalise=False), "s1")
    assert (unrated["beta_low"], unrated["beta_high"]) == pytest.approx((-0.8, -0.4))


def test_the_point_is_taken_over_the_rated_mass_and_the_rest_is_bounded(folder: Path) -> None:
    row = sentence_row(measure(folder, UNRATED), "s1")
    assert row["rated"] == pytest.approx(0.75)
    assert row["beta"] == pytest.approx(-1)
    assert (row["beta_low"], row["beta_high"]) == pytest.approx((-1, -0.5))
    assert (row["delta_low"], row["delta_high"]) == pytest.approx((0.75, 1))


def test_a_sentence_with_little_rated_mass_is_reported_and_not_counted(folder: Path) -> None:
    tables = measure(folder, UNRATED)
    assert sentence_row(tables, "s3")["beta"] == pytest.approx(1)
    assert not sentence_row(tables, "s3")["counted"]
    assert group_row(tables, "beta", "New")["value"] is None
    assert group_row(tables, "rated", "New")["value"] == pytest.approx(0.25)
    item = tables["measures"].row(by_predicate=(pl.col("item") == "s3") & (pl.col("measure") == "beta"), named=True)
    assert item["value"] is None
    assert (item["low"], item["high"]) == pytest.approx((-0.5, 1))
    assert "25%" in item["note"]


def test_a_group_has_the_mean_over_all_its_sentences_within_the_bounds(folder: Path) -> None:
    """s1 is counted with beta -1; s2 enters with the middle of [-1, 0.5], because only a quarter of it is rated."""
    filled = {**UNRATED, "s2": {"thee": 0.1, "zounds": 0.3}}
    row = group_row(measure(folder, filled), "beta", "Old")
    assert row["value"] == pytest.approx((-1 - 0.25) / 2)
    assert row["n"] == 2
    assert row["note"] == "1 of 2 sentences rated by 75% or more"
    low, high = (group_row(measure(folder, filled), f"beta_{end}", "Old")["value"] for end in ("low", "high"))
    assert low < row["value"] < high
    assert row["low"] <= low
    assert row["high"] >= high


def test_every_row_with_an_interval_over_sentences_names_its_unit(folder: Path) -> None:
    rows = measure(folder, UNRATED)["measures"].filter(pl.col("item").is_null()).drop_nulls("low")
    assert set(rows["unit"]) == {"sentence"}
    assert rows["n"].is_not_null().all()


def test_few_sentences_are_marked_and_so_is_what_nobody_rated(folder: Path) -> None:
    assert group_row(measure(folder), "beta", "Old")["caution"] == "only 2 sentences"
    assert (
        group_row(measure(folder, UNRATED), "beta", "Old")["caution"]
        == "only 2 sentences; 12% of the probability is unrated"
    )


def test_the_threshold_is_a_setting(folder: Path) -> None:
    assert sentence_row(measure(folder, UNRATED, min_rated=0.2), "s3")["counted"]
    assert not sentence_row(measure(folder, UNRATED, min_rated=0.8), "s1")["counted"]


def test_bounds_of_a_group_hold_whatever_the_missing_scores_are(folder: Path) -> None:
    tables = measure(folder, UNRATED)
    low, high = group_row(tables, "beta_low", "all")["value"], group_row(tables, "beta_high", "all")["value"]
    for score in ("-1", "0", "1"):
        (folder / "ratings.csv").write_text(RATINGS + f"s1,not,{score},ann\ns3,dare,{score},ann\n")
        full = group_row(measure(folder, UNRATED), "beta", "all")["value"]
        assert low - 1e-9 <= full <= high + 1e-9


def test_nothing_rated_at_all_gives_bounds_and_no_beta(folder: Path) -> None:
    row = sentence_row(measure(folder, {**FILLED, "s1": {"zounds": 0.5}}), "s1")
    assert row["beta"] is None
    assert (row["beta_low"], row["beta_high"], row["counted"]) == (-1, 1, False)


SUBWORDS = {**FILLED, "s1": {"##eth": 0.5, "thou": 0.3, "you": 0.1}}


def test_sub_words_are_kept_as_in_the_study_or_dropped(folder: Path) -> None:
    assert sentence_row(measure(folder, SUBWORDS, top=2), "s1")["rated"] == pytest.approx(0.375)
    dropped = sentence_row(measure(folder, SUBWORDS, top=2, subwords="drop"), "s1")
    assert dropped["rated"] == pytest.approx(1)
    assert dropped["beta"] == pytest.approx(-0.75)


def test_capitals_of_a_vocabulary_find_their_rating(folder: Path) -> None:
    row = sentence_row(measure(folder, {**FILLED, "s1": {"Thou": 0.6, "YOU": 0.2}}), "s1")
    assert row["beta"] == pytest.approx(-0.75)


def test_several_raters_are_averaged_or_their_median_taken_and_their_agreement_reported(folder: Path) -> None:
    more = "s1,thou,-0.5,bob\ns1,you,0,bob\ns3,want,1,bob\ns1,thou,-0.5,cid\n"
    (folder / "ratings.csv").write_text(RATINGS + more)
    tables = measure(folder)
    assert sentence_row(tables, "s1")["beta"] == pytest.approx(-2 / 3 * 0.75)
    assert sentence_row(measure(folder, aggregate="median"), "s1")["beta"] == pytest.approx(-0.375)
    assert sentence_row(measure(folder, raters="ann"), "s1")["beta"] == pytest.approx(-0.75)
    assert tables["disputed"]["token"].to_list() == ["thou"]
    assert tables["agreement"]["tokens"].to_list() == [3]


def test_one_rater_makes_no_table_of_agreement(folder: Path) -> None:
    assert "agreement" not in measure(folder)


def test_the_same_answers_give_the_same_tables_whatever_their_order(folder: Path) -> None:
    materials, settings = prepare(folder)
    answers = answers_of(FILLED)
    once, again = (Valence().measure(materials, settings, order) for order in (answers, answers[::-1]))
    assert all(once[name].equals(again[name]) for name in once)


def test_answers_that_lack_a_sentence_are_refused(folder: Path) -> None:
    with pytest.raises(RunError, match="no filling for sentence s3"):
        measure(folder, {"s1": FILLED["s1"], "s2": FILLED["s2"]})


def test_the_printed_tables_recompute_from_the_probe_alone() -> None:
    method, probe = get_method("valence"), load_probe("temporal-paper")
    settings = method.settings(**{**probe.settings, **FAST})
    materials = method.materials(probe, settings)
    given = method.given_answers(materials, settings)
    assert list(given) == ["BERT Base", "MacBERTh", "English HLM"]
    for model, answers in given.items():
        tables = method.measure(materials, settings, answers)
        published = tables["published"]
        assert len(published) == 3
        assert published["beta"].to_list() == pytest.approx(published["printed_beta"].to_list(), abs=0.001)
        assert published["delta"].to_list() == pytest.approx(published["printed_delta"].to_list(), abs=0.001)
        assert "agree to the printed digit" in method.headline({model: tables})
        assert not any(verdict.holds for verdict in method.verdicts(tables))


def test_a_wider_scale_is_measured_by_its_own_width(folder: Path) -> None:
    (folder / "old.yaml").write_text(PROBE.replace("[-1, -0.5, 0, 0.5, 1]", "[1, 2, 3, 4, 5]"))
    (folder / "sentences.csv").write_text("id,group,text,rho\ns1,Old,Why wilt [MASK] go?,1\n")
    (folder / "ratings.csv").write_text("sentence,token,score,rater\ns1,thou,1,ann\ns1,you,3,ann\n")
    tables = measure(folder, {"s1": {"thou": 0.5, "you": 0.5}})
    row = sentence_row(tables, "s1")
    assert (row["beta"], row["delta"]) == pytest.approx((2, 0.75))
    assert group_row(tables, "beta", "Old")["neutral"] == 3
