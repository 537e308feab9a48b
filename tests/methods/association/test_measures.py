"""The association test from materials to measures, on a respondent with known leanings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.errors import ModelError
from tacit.methods import get_method
from tacit.methods.association import Association, AssociationSettings
from tacit.methods.association.formulas import polarity
from tacit.methods.base import Tables
from tacit.questions import Choose
from tests.methods.sentiment.fixtures import answer_table, write_probe

SETTINGS = AssociationSettings(resamples=500)
AS_PUBLISHED = AssociationSettings(resamples=500, mode="as-published")


def leaning_respondent(question: Choose) -> list[float | None]:
    """Favors good and chair after praise, bad after blame, and table after neither; reviews differ a little."""
    kind, number = question.context.split()
    jitter = 1 + 0.05 * (int(number) % 3)
    praised = {"good": 0.2, "bad": 0.01, "chair": 0.04, "table": 0.03}
    blamed = {"good": 0.02, "bad": 0.2, "chair": 0.01, "table": 0.03}
    return [(praised if kind == "praise" else blamed)[word] * jitter for word in question.words]


def measured(folder: Path, settings: AssociationSettings = SETTINGS, **options: object) -> Tables:
    method = Association()
    materials = method.materials(write_probe(folder, "association", **options), settings)  # type: ignore[arg-type]
    answers = answer_table(method.questions(materials, settings, "masked"), leaning_respondent)
    return method.measure(materials, settings, answers)


def value(tables: Tables, measure: str, group: str, item: str | None = None) -> float:
    rows = tables["measures"].filter(
        pl.col("measure") == measure, pl.col("group") == group, pl.col("item").eq_missing(pl.lit(item, pl.String))
    )
    return float(rows["value"].item())


def test_the_method_is_found_by_its_name() -> None:
    assert isinstance(get_method("association"), Association)


def test_every_review_is_asked_once_about_all_words(tmp_path: Path) -> None:
    method = Association()
    materials = method.materials(write_probe(tmp_path, "association"), SETTINGS)
    asked = list(method.questions(materials, SETTINGS, "masked"))
    assert len(asked) == 12
    assert asked[0].question == Choose("It was [MASK].", ("good", "bad", "chair", "table"), context="praise 0")


def test_a_causal_model_is_asked_for_the_next_word(tmp_path: Path) -> None:
    method = Association()
    materials = method.materials(write_probe(tmp_path, "association"), SETTINGS)
    question = next(method.questions(materials, SETTINGS, "causal")).question
    assert isinstance(question, Choose)
    assert question.text == "It was [MASK]"


def test_a_neutral_word_favored_after_praise_leans_positive(tmp_path: Path) -> None:
    words = measured(tmp_path)["words"]
    leaning = dict(words.select("word", "leaning").iter_rows())
    assert leaning == {"good": "positive", "bad": "negative", "chair": "positive", "table": "undecided"}


def test_a_word_is_within_the_margin_only_with_enough_reviews(tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    few.mkdir()
    many.mkdir()
    for folder, per_class, leaning in ((few, 20, "undecided"), (many, 400, "neutral")):
        words = measured(folder, per_class=per_class)["words"]
        assert words.filter(pl.col("word") == "table")["leaning"].item() == leaning


def test_the_verdict_of_a_word_has_its_own_column(tmp_path: Path) -> None:
    rows = measured(tmp_path)["measures"].filter(pl.col("measure") == "association", pl.col("item").is_not_null())
    assert dict(rows.select("item", "verdict").iter_rows()) == {
        "good": "leans positive",
        "bad": "leans negative",
        "chair": "leans positive",
        "table": "undecided",
    }
    assert rows["note"].null_count() == 4


def test_every_interval_names_what_was_sampled(tmp_path: Path) -> None:
    rows = measured(tmp_path)["measures"].drop_nulls("low")
    assert rows["unit"].null_count() == 0


def test_few_reviews_are_marked(tmp_path: Path) -> None:
    rows = measured(tmp_path)["measures"].drop_nulls("low")
    assert set(rows["caution"]) == {"only 6 reviews of a class"}


def test_few_words_are_marked(tmp_path: Path) -> None:
    rows = measured(tmp_path, per_class=20)["measures"].drop_nulls("low")
    marked = dict(rows.filter(pl.col("item").is_null()).select("measure", "caution").iter_rows())
    assert (marked["leaning share"], marked["association"]) == ("only 2 words", "only 2 words")
    assert marked["reviews told apart"] is None


def test_as_published_counts_by_the_rule_of_the_study_and_nothing_else(tmp_path: Path) -> None:
    tables = measured(tmp_path, AS_PUBLISHED)
    assert set(tables) == {"measures", "words", "reviews"}
    assert dict(tables["words"].select("word", "leaning").iter_rows())["chair"] == "positive"
    assert not {"association", "strength", "leaning share"} & set(tables["measures"]["measure"])
    assert Association().verdicts(tables) == []
    assert Association().headline({"tiny": tables}) == (
        "By the study's rule, 1 of 2 neutral words are biased in tiny (1 positive, 0 negative)."
    )


def test_a_model_that_cannot_tell_reviews_apart_cannot_be_asked(tmp_path: Path) -> None:
    method = Association()
    materials = method.materials(write_probe(tmp_path, "association", per_class=20), SETTINGS)
    answers = answer_table(
        method.questions(materials, SETTINGS, "masked"),
        lambda question: [0.01 + 0.001 * (int(question.context.split()[1]) % 7)] * len(question.words),
    )
    validity = method.validity(method.measure(materials, SETTINGS, answers))
    assert validity.level == "none"
    assert "not shown to tell positive from negative reviews" in validity.reason
    assert "50% [33%, 67%] of pairs" in validity.reason


def test_a_lexicon_without_charged_words_has_no_positive_control(tmp_path: Path) -> None:
    tables = measured(tmp_path, words="word,polarity\nchair,neutral\ntable,neutral\n")
    assert Association().validity(tables).level == "weak"


def test_more_reviews_decide_more_words(tmp_path: Path) -> None:
    growth = measured(tmp_path, per_class=400)["growth"].filter(pl.col("leaning") == "undecided").sort("reviews")
    assert growth["reviews"].to_list()[-1] == 400
    assert growth["share"][0] > growth["share"][-1] == 0


def test_half_of_the_neutral_words_lean(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    assert value(tables, "leaning share", "neutral words") == 0.5
    assert value(tables, "leaning positive share", "neutral words") == 0.5
    assert value(tables, "leaning negative share", "neutral words") == 0.0


def test_positive_reviews_lean_positive_and_negative_reviews_negative(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    jitter = np.mean([1, 1.05, 1.1])
    assert value(tables, "review leaning", "positive reviews") == pytest.approx(0.19 * jitter)
    assert value(tables, "review leaning", "negative reviews") == pytest.approx(-0.18 * jitter)
    assert value(tables, "reviews told apart", "all reviews") == 1.0
    assert value(tables, "reviews of the right sign", "all reviews") == 1.0


def test_the_thresholds_follow_the_study_on_plain_probabilities(tmp_path: Path) -> None:
    tables = measured(tmp_path, AS_PUBLISHED)
    jitter = np.tile([1, 1.05, 1.1], 2)[:, None]
    for m in (0.5, 1.0, 1.5):
        signs = polarity(np.array([0.04, 0.03]) * jitter, np.array([0.01, 0.03]) * jitter, m)
        assert value(tables, "positive-biased share", f"neutral words, m={m:g}") == np.mean(signs == 1) == 0.5


def test_p_values_are_corrected_among_the_words_of_a_polarity(tmp_path: Path) -> None:
    words = measured(tmp_path)["words"]
    neutral = words.filter(pl.col("polarity") == "neutral").sort("p")
    assert neutral["p_adjusted"][0] == pytest.approx(2 * neutral["p"][0])
    assert (
        words.filter(pl.col("word") == "good")["p_adjusted"].item()
        == words.filter(pl.col("word") == "good")["p"].item()
    )


def test_strength_is_the_size_of_the_association_in_either_direction(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    size = value(tables, "strength", "negative words")
    assert size == pytest.approx(-value(tables, "association", "negative words", "bad"), rel=0.05)
    assert size > 0


def test_intervals_contain_their_effects(tmp_path: Path) -> None:
    words = measured(tmp_path)["words"].filter(pl.col("word") == "chair")
    assert words["low"].item() < words["effect"].item() < words["high"].item() * 1.5
    assert words["low"].item() > 0


def test_a_word_that_the_model_cannot_represent_is_reported_and_left_out(tmp_path: Path) -> None:
    method = Association()
    materials = method.materials(write_probe(tmp_path, "association"), SETTINGS)
    answers = answer_table(
        method.questions(materials, SETTINGS, "masked"),
        lambda question: [
            None if word == "chair" else p for word, p in zip(question.words, leaning_respondent(question), strict=True)
        ],
    )
    tables = method.measure(materials, SETTINGS, answers)
    row = tables["measures"].filter(pl.col("item") == "chair").row(0, named=True)
    assert row["value"] is None
    assert "cannot represent" in row["note"]
    assert value(tables, "leaning share", "neutral words") == 0.0


def test_a_word_of_several_tokens_is_marked(tmp_path: Path) -> None:
    method = Association()
    materials = method.materials(write_probe(tmp_path, "association"), SETTINGS)
    answers = answer_table(method.questions(materials, SETTINGS, "masked"), leaning_respondent)
    answers = answers.with_columns(pieces=pl.when(pl.col("token") == "table").then(3).otherwise("pieces"))
    tables = method.measure(materials, SETTINGS, answers)
    assert tables["measures"].filter(pl.col("item") == "table")["note"].drop_nulls().to_list() == ["3 tokens"]
    assert any("splits 1 of 4 words into several tokens" in sentence for sentence in method.summary(tables, "m"))


def test_measuring_twice_gives_the_same_bits(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = measured(tmp_path / "a"), measured(tmp_path / "b")
    assert all(first[name].equals(second[name], null_equal=True) for name in first)


def test_sentences_name_the_leaning_words(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    summary = " ".join(Association().summary(tables, "tiny"))
    assert "tiny can tell positive from negative reviews" in summary
    assert "in 100% [69%, 100%] of pairs (50% = chance)" in summary
    assert "by more than the margin of 0.5 standard deviations (Cohen's d)" in summary
    assert "at most 5% are wrong on average" in summary
    assert "Most positive: chair." in summary
    assert Association().headline({"tiny": tables}) == (
        "1 of 2 neutral words carry sentiment in tiny (1 positive, 0 negative); "
        "0 are within the margin and 1 undecided."
    )


def test_the_headline_of_several_models_has_a_sentence_for_each(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    none = {**tables, "words": tables["words"].with_columns(leaning=pl.lit("undecided"))}
    assert Association().headline({"one": tables, "two": none}) == (
        "1 of 2 neutral words carry sentiment in one (1 positive, 0 negative); "
        "0 are within the margin and 1 undecided. "
        "None of 2 neutral words is shown to carry sentiment in two; 0 are within the margin and 2 undecided."
    )


def test_without_charged_words_there_is_no_sanity_measure(tmp_path: Path) -> None:
    tables = measured(tmp_path, words="word,polarity\nchair,neutral\ntable,neutral\n")
    assert tables["measures"].filter(pl.col("measure") == "review leaning").is_empty()


def test_negative_thresholds_are_refused() -> None:
    with pytest.raises(ValueError, match="thresholds must be numbers from 0 to 100"):
        AssociationSettings(thresholds="-1,2")  # type: ignore[arg-type]


def test_a_model_of_another_language_is_refused(tmp_path: Path) -> None:
    method = Association()
    materials = method.materials(write_probe(tmp_path, "association"), SETTINGS)
    answers = answer_table(
        method.questions(materials, SETTINGS, "masked"), lambda question: [None] * len(question.words)
    )
    with pytest.raises(ModelError, match="cannot represent a single word"):
        method.measure(materials, SETTINGS, answers)
