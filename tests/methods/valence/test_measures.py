"""The method valence: fillings to measures by hand, what is unrated told and bounded, the printed tables met."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from pydantic import ValidationError

from tacit.errors import TacitError
from tacit.methods import get_method
from tacit.methods.base import Tables
from tacit.methods.valence import Valence, ValenceSettings
from tacit.methods.valence.materials import ValenceMaterials
from tacit.probes import load_probe
from tacit.questions import Fill
from tacit.ratings import Bank, Rating

PROBE = """
method: valence
materials:
  scale: {low: old, high: new, points: [-1, -0.5, 0, 0.5, 1]}
  sentences: sentences.csv
  ratings: ratings.csv
"""
SENTENCES = """id,group,text,rho
s1,Old,Why wilt [MASK] go?,-1
s2,Old,Fare [MASK] well.,-0.5
s3,New,Do you [MASK] to go?,1
"""
RATINGS = """sentence,token,score,rater
s1,thou,-1,ann
s1,you,0,ann
s2,thee,-1,ann
s2,you,-0.5,ann
s3,want,1,ann
s3,wish,-0.5,ann
"""
FILLED = {"s1": {"thou": 0.6, "you": 0.2}, "s2": {"thee": 0.3, "you": 0.3}, "s3": {"want": 0.4, "wish": 0.4}}
FAST = {"resamples": 200}


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("old.yaml", PROBE), ("sentences.csv", SENTENCES), ("ratings.csv", RATINGS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def prepared(folder: Path, **settings: object) -> tuple[ValenceMaterials, ValenceSettings]:
    chosen = ValenceSettings(**{**FAST, **settings})  # type: ignore[arg-type]
    return Valence().materials(load_probe(folder / "old.yaml"), chosen), chosen


def answers_of(filled: Mapping[str, Mapping[str, float]]) -> pl.DataFrame:
    rows = [
        {"sentence": sentence, "token": token, "probability": p, "rank": rank}
        for sentence, fillings in filled.items()
        for rank, (token, p) in enumerate(fillings.items(), start=1)
    ]
    return pl.DataFrame(rows)


def measured(folder: Path, filled: Mapping[str, Mapping[str, float]] = FILLED, **settings: object) -> Tables:
    materials, chosen = prepared(folder, **settings)
    return Valence().measure(materials, chosen, answers_of(filled))


def of_sentence(tables: Tables, sentence: str) -> dict[str, float]:
    return tables["sentences"].row(by_predicate=pl.col("sentence") == sentence, named=True)


def aggregate(tables: Tables, measure: str, group: str) -> dict[str, float]:
    wanted = (pl.col("measure") == measure) & (pl.col("group") == group) & pl.col("item").is_null()
    return tables["measures"].row(by_predicate=wanted, named=True)


def test_each_sentence_is_asked_once_and_deep_enough_for_later(folder: Path) -> None:
    materials, settings = prepared(folder)
    asked = list(Valence().questions(materials, settings, "masked"))
    assert [each.keys["sentence"] for each in asked] == ["s1", "s2", "s3"]
    assert asked[0].question == Fill("Why wilt [MASK] go?", top=10)
    deeper = list(Valence().questions(materials, ValenceSettings(top=25), "masked"))
    assert deeper[0].question == Fill("Why wilt [MASK] go?", top=25)


def test_beta_and_delta_by_hand(folder: Path) -> None:
    tables = measured(folder)
    assert of_sentence(tables, "s1")["beta"] == pytest.approx(-0.75)
    assert of_sentence(tables, "s2")["beta"] == pytest.approx(-0.75)
    assert of_sentence(tables, "s3")["beta"] == pytest.approx(0.25)
    assert [of_sentence(tables, each)["delta"] for each in ("s1", "s2", "s3")] == pytest.approx([0.875, 0.875, 0.625])
    assert aggregate(tables, "beta", "Old")["value"] == pytest.approx(-0.75)
    assert aggregate(tables, "beta", "all")["value"] == pytest.approx(-1.25 / 3)


def test_everything_rated_leaves_no_room(folder: Path) -> None:
    for row in measured(folder)["sentences"].iter_rows(named=True):
        assert row["rated"] == pytest.approx(1)
        assert row["beta_low"] == pytest.approx(row["beta"])
        assert row["beta_high"] == pytest.approx(row["beta"])


def test_only_the_likeliest_n_count(folder: Path) -> None:
    assert of_sentence(measured(folder, top=1), "s1")["beta"] == -1


def test_without_renormalisation_the_rest_counts_as_the_middle_and_bounds_the_whole(folder: Path) -> None:
    row = of_sentence(measured(folder, renormalise=False), "s1")
    assert row["beta"] == pytest.approx(-0.6)
    assert (row["beta_low"], row["beta_high"]) == pytest.approx((-0.8, -0.4))


UNRATED = {**FILLED, "s1": {"thou": 0.6, "not": 0.2}, "s3": {"want": 0.1, "dare": 0.3}}


def test_the_point_is_taken_over_the_rated_mass_and_the_rest_is_bounded(folder: Path) -> None:
    row = of_sentence(measured(folder, UNRATED), "s1")
    assert row["rated"] == pytest.approx(0.75)
    assert row["beta"] == pytest.approx(-1)
    assert (row["beta_low"], row["beta_high"]) == pytest.approx((-1, -0.5))
    assert (row["delta_low"], row["delta_high"]) == pytest.approx((0.75, 1))


def test_a_sentence_with_little_rated_mass_is_reported_and_not_counted(folder: Path) -> None:
    tables = measured(folder, UNRATED)
    assert of_sentence(tables, "s3")["beta"] == pytest.approx(1)
    assert not of_sentence(tables, "s3")["counted"]
    assert aggregate(tables, "beta", "New")["value"] is None
    assert aggregate(tables, "beta", "all")["n"] == 2
    assert aggregate(tables, "rated", "New")["value"] == pytest.approx(0.25)
    item = tables["measures"].row(by_predicate=(pl.col("item") == "s3") & (pl.col("measure") == "beta"), named=True)
    assert item["value"] is None
    assert "25%" in item["note"]


def test_the_threshold_is_a_setting(folder: Path) -> None:
    assert of_sentence(measured(folder, UNRATED, min_rated=0.2), "s3")["counted"]
    assert not of_sentence(measured(folder, UNRATED, min_rated=0.8), "s1")["counted"]


def test_bounds_of_a_group_hold_whatever_the_missing_scores_are(folder: Path) -> None:
    tables = measured(folder, UNRATED)
    low, high = aggregate(tables, "beta_low", "all")["value"], aggregate(tables, "beta_high", "all")["value"]
    for score in ("-1", "0", "1"):
        (folder / "ratings.csv").write_text(RATINGS + f"s1,not,{score},ann\ns3,dare,{score},ann\n")
        full = aggregate(measured(folder, UNRATED), "beta", "all")["value"]
        assert low - 1e-9 <= full <= high + 1e-9


def test_nothing_rated_at_all_gives_bounds_and_no_beta(folder: Path) -> None:
    row = of_sentence(measured(folder, {**FILLED, "s1": {"zounds": 0.5}}), "s1")
    assert row["beta"] is None
    assert (row["beta_low"], row["beta_high"], row["counted"]) == (-1, 1, False)


SUBWORDS = {**FILLED, "s1": {"##eth": 0.5, "thou": 0.3, "you": 0.1}}


def test_sub_words_are_kept_as_in_the_study_or_dropped(folder: Path) -> None:
    assert of_sentence(measured(folder, SUBWORDS, top=2), "s1")["rated"] == pytest.approx(0.375)
    dropped = of_sentence(measured(folder, SUBWORDS, top=2, subwords="drop"), "s1")
    assert dropped["rated"] == pytest.approx(1)
    assert dropped["beta"] == pytest.approx(-0.75)


def test_capitals_of_a_vocabulary_find_their_rating(folder: Path) -> None:
    row = of_sentence(measured(folder, {**FILLED, "s1": {"Thou": 0.6, "YOU": 0.2}}), "s1")
    assert row["beta"] == pytest.approx(-0.75)


def test_several_raters_are_averaged_or_their_median_taken_and_their_agreement_told(folder: Path) -> None:
    more = "s1,thou,-0.5,bob\ns1,you,0,bob\ns3,want,1,bob\ns1,thou,-0.5,cid\n"
    (folder / "ratings.csv").write_text(RATINGS + more)
    tables = measured(folder)
    assert of_sentence(tables, "s1")["beta"] == pytest.approx(-2 / 3 * 0.75)
    assert of_sentence(measured(folder, aggregate="median"), "s1")["beta"] == pytest.approx(-0.375)
    assert of_sentence(measured(folder, raters="ann"), "s1")["beta"] == pytest.approx(-0.75)
    assert tables["disputed"]["token"].to_list() == ["thou"]
    assert tables["agreement"]["tokens"].to_list() == [3]


def test_one_rater_makes_no_table_of_agreement(folder: Path) -> None:
    assert "agreement" not in measured(folder)


def test_a_rater_nobody_knows_is_refused(folder: Path) -> None:
    with pytest.raises(TacitError, match="No rating was given by 'zoe': this probe was rated by ann"):
        prepared(folder, raters="zoe")


def test_a_users_own_ratings_are_heeded(folder: Path) -> None:
    Bank().add("old", {"s1": "Why wilt [MASK] go?"}, [Rating("s1", "not", 0, "bob")])
    assert of_sentence(measured(folder, UNRATED), "s1")["rated"] == pytest.approx(1)


def test_the_same_answers_give_the_same_tables_whatever_their_order(folder: Path) -> None:
    materials, settings = prepared(folder)
    answers = answers_of(FILLED)
    once, again = (Valence().measure(materials, settings, each) for each in (answers, answers[::-1]))
    assert all(once[name].equals(again[name]) for name in once)


def test_answers_that_lack_a_sentence_are_refused(folder: Path) -> None:
    with pytest.raises(TacitError, match="no filling for sentence s3"):
        measured(folder, {"s1": FILLED["s1"], "s2": FILLED["s2"]})


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("s4,Old,No blank here.,-1", "no blank"),
        ("s4,Old,[MASK] and [MASK].,-1", "2 blanks"),
        ("s4,Old,Go [MASK].,-2", "rho -2 is not on the scale"),
        ("s1,Old,Go [MASK].,-1", "line 2 already"),
        ("s4,Old,Why wilt [MASK] go?,-1", "line 2 already"),
    ],
)
def test_a_bad_sentence_is_named_by_line_and_reason(folder: Path, row: str, reason: str) -> None:
    (folder / "sentences.csv").write_text(SENTENCES + row + "\n")
    with pytest.raises(TacitError, match=f"sentences.csv, line 5: .*{reason}"):
        prepared(folder)


INLINE = """
method: valence
materials:
  scale: {low: formal, high: informal, points: [-1, 0, 1]}
  sentences:
    - {id: a, group: letters, text: "Dear [MASK],", rho: -1}
    - {id: b, group: letters, text: "Hey [MASK]!"}
"""


def test_sentences_may_stand_in_the_yaml_and_are_checked_as_well(folder: Path) -> None:
    (folder / "old.yaml").write_text(INLINE.replace('!"}', '!", rho: 1}'))
    assert prepared(folder)[0].texts == {"a": "Dear [MASK],", "b": "Hey [MASK]!"}
    (folder / "old.yaml").write_text(INLINE)
    with pytest.raises(TacitError, match=r"list of sentences, line 2: .*'rho' is missing"):
        prepared(folder)


def test_a_wider_scale_is_measured_by_its_own_width(folder: Path) -> None:
    (folder / "old.yaml").write_text(PROBE.replace("[-1, -0.5, 0, 0.5, 1]", "[1, 2, 3, 4, 5]"))
    (folder / "sentences.csv").write_text("id,group,text,rho\ns1,Old,Why wilt [MASK] go?,1\n")
    (folder / "ratings.csv").write_text("sentence,token,score,rater\ns1,thou,1,ann\ns1,you,3,ann\n")
    tables = measured(folder, {"s1": {"thou": 0.5, "you": 0.5}})
    row = of_sentence(tables, "s1")
    assert (row["beta"], row["delta"]) == pytest.approx((2, 0.75))
    assert aggregate(tables, "beta", "Old")["neutral"] == 3


def test_the_published_way_keeps_what_the_study_kept() -> None:
    with pytest.raises(ValidationError, match="published figures are renormalised"):
        ValenceSettings(mode="as-published", subwords="drop")


def test_the_summary_says_which_way_the_model_leans(folder: Path) -> None:
    words = Valence().summary(measured(folder), "old-model")
    assert words[0].startswith("Old: old-model leans to old, beta -0.75 [-0.75, -0.75]")
    assert "too few sentences" in words[1]


def test_the_summary_says_whose_scores_were_heeded(folder: Path) -> None:
    Bank().add("old", {"s1": "Why wilt [MASK] go?"}, [Rating("s1", "not", 0, "bob")])
    words = Valence().summary(measured(folder), "old-model")
    assert "Scored by ann (6), bob (1)." in words


def test_the_summary_says_what_is_unrated(folder: Path) -> None:
    words = Valence().summary(measured(folder, UNRATED), "old-model")
    assert any("1 of 3 sentences are reported but not counted" in each for each in words)


def test_comparisons_are_told_in_the_words_of_the_scale(folder: Path) -> None:
    bias, fit = Valence().comparisons(*prepared(folder))
    assert (bias.measure, bias.lower, bias.higher) == ("beta", "leans more to old", "leans more to new")
    assert fit.measure == "delta"


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
        assert any("to the printed digit" in each for each in method.summary(tables, model))


def test_a_probe_without_printed_answers_asks_a_model(folder: Path) -> None:
    assert Valence().given_answers(*prepared(folder)) == {}
