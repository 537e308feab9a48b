"""The headline answers for every group, and a leaning is stated only where it holds whatever nobody rated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.valence import Valence, ValenceSettings
from tacit.methods.valence.simulation import SimulatedModel, make_materials
from tacit.ratings import Bank, Rating
from tests.methods.valence.small_probe import UNRATED, measure, prepare

FAST = ValenceSettings(resamples=400)
GROUPS = {"Old": 40, "New": 12}


def simulated(effect: float, unrated: float = 0.0, groups: Mapping[str, int] = GROUPS) -> Tables:
    materials = make_materials(groups)
    return Valence().measure(materials, FAST, SimulatedModel(effect, unrated).answers(materials, seed=3))


def test_the_headline_names_the_groups_that_lean_and_those_that_cannot_be_told() -> None:
    assert Valence().headline({"m": simulated(-0.17)}) == (
        "m leans to old in the Old sentences, and which way it leans in the New sentences cannot be told."
    )


def test_the_headline_speaks_of_every_model() -> None:
    assert Valence().headline({"m": simulated(0.25), "k": simulated(0.0)}) == (
        "m leans to new in the Old and New sentences; which way k leans, to old or to new, cannot be told."
    )
    assert Valence().headline({"k": simulated(0.0)}).startswith("Which way k leans")


def test_a_leaning_that_unrated_fillings_could_undo_is_not_stated() -> None:
    """The same answers, of which a fifth is unrated."""
    before, after = simulated(0.25), simulated(0.25, unrated=0.2)
    assert [verdict.holds for verdict in Valence().verdicts(before)] == [True, True]
    assert [verdict.holds for verdict in Valence().verdicts(after)] == [False, False]
    row = after["measures"].filter(pl.col("measure") == "beta").row(0, named=True)
    assert row["value"] > 0.1
    assert row["low"] < 0 < row["high"]
    assert "cannot be told" in Valence().headline({"m": after})


def test_the_summary_has_three_to_five_sentences_and_at_most_ten_rows() -> None:
    for unrated in (0.0, 0.1):
        tables = simulated(0.25, unrated, {"a": 12, "b": 12, "c": 12})
        assert 3 <= len(Valence().summary(tables, "m")) <= 5
        rows = Valence().key_rows(tables)
        assert len(rows) <= 10
        assert rows.select("measure", "group").rows()[:3] == [("beta", "a"), ("beta", "b"), ("beta", "c")]


def test_many_groups_fit_in_one_sentence(folder: Path) -> None:
    many = "".join(f"g{n},Group {n},Number {n} is [MASK].,0\n" for n in range(9))
    (folder / "sentences.csv").write_text("id,group,text,rho\n" + many)
    (folder / "ratings.csv").write_text("sentence,token,score,rater\n" + "".join(f"g{n},x,1,ann\n" for n in range(9)))
    sentences = Valence().summary(measure(folder, {f"g{n}": {"x": 0.5} for n in range(9)}), "m")
    assert "3 more groups" in sentences[0]
    assert "Group 7" not in sentences[0]


def test_the_summary_explains_the_scale_and_the_caution(folder: Path) -> None:
    sentences = Valence().summary(measure(folder), "m")
    assert sentences[0].startswith("Beta (-1 = old, 1 = new, 0 = no leaning): Old -0.750 [-0.750, -0.750] (p = ")
    assert "only 2 sentences" in sentences[0]
    assert "New 0.250 (only 1 sentence)" in sentences[0]


def test_the_summary_says_that_one_rater_leaves_disagreement_out(folder: Path) -> None:
    sentences = Valence().summary(measure(folder), "m")
    assert sentences[-1] == "Scores by ann (6); one rater, so nothing is known about how much raters would differ."


def test_the_summary_names_the_raters_and_their_agreement(folder: Path) -> None:
    texts = {"s1": "Why wilt [MASK] go?", "s2": "Fare [MASK] well."}
    Bank().add("old", texts, [Rating("s1", "thou", -0.5, "bob"), Rating("s2", "thee", -1, "bob")])
    sentences = Valence().summary(measure(folder), "m")
    assert sentences[-2].startswith("Scores by ann (6), bob (2); Krippendorff's alpha (ordinal) is ")
    assert "over 2 tokens, 1 of them disputed" in sentences[-2]
    assert sentences[-1].startswith("Beta by rater: ann alone: Old -0.750 ")


def test_the_summary_states_what_is_unrated(folder: Path) -> None:
    sentences = Valence().summary(measure(folder, UNRATED), "m")
    assert any(sentence.startswith("33% of the probability of the top fillings is unrated") for sentence in sentences)


def test_comparisons_use_the_words_of_the_scale_and_say_what_they_pool(folder: Path) -> None:
    bias, fit = Valence().comparisons(*prepare(folder))
    assert (bias.measure, bias.lower, bias.higher) == ("beta", "leans more to old", "leans more to new")
    assert (bias.unit, bias.unknown) == ("sentences of all groups", "unrated fillings")
    assert fit.measure == "delta"
