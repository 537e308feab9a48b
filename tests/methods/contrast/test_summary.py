"""What is said of a contrast, and when nothing may be said."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.errors import TacitError
from tacit.methods.base import Tables
from tacit.methods.contrast import Contrast
from tacit.methods.contrast.simulation import SimulatedModel
from tacit.runs.compare import compare_tables
from tacit.statistics import Resampling
from tests.methods.contrast.contrasts import YAML, answers, read, settings, write_probe

METHOD = Contrast()


def intensifiers(model: SimulatedModel, seed: int = 0) -> Tables:
    materials = read("intensifier")
    return METHOD.measure(materials, settings(), model.answers(materials, seed))


def before_after(always: str | None = None, wrong: int = 0) -> Tables:
    """A model that always says one word, or that is right but for a number of sentences."""
    materials = read("before-after")
    rows = []
    for number, item in enumerate(materials.items):
        right = item.word == always if always else number % 20 >= wrong
        tokens = (item.word, materials.words[item.word].rivals[0])
        for part, (token, rank) in enumerate(zip(tokens, (1, 2) if right else (2, 1), strict=True)):
            keys = {"item": item.id, "word": item.word, "context": "with", "question": number, "part": part}
            rows.append({**keys, "token": token, "probability": 1 / rank, "rank": rank, "pieces": 1, "made": "mask"})
    return METHOD.measure(materials, settings(), pl.DataFrame(rows))


def test_the_headline_says_which_side_is_preferred_only_where_its_verdict_holds() -> None:
    for effect, start in ((3.0, 'm prefers the adverb to "not"'), (-2.0, 'm prefers "not" to the adverb')):
        assert METHOD.headline({"m": intensifiers(SimulatedModel(effect=effect))}).startswith(start)
    undecided = METHOD.headline({"m": intensifiers(SimulatedModel(), seed=1)})
    assert undecided.startswith('It cannot be told whether m prefers the adverb or "not": the adverb wins in')
    assert "of 960 sentences (50% = no preference, p = " in undecided


def test_the_headline_of_several_models_speaks_of_each() -> None:
    tables = intensifiers(SimulatedModel(effect=3.0))
    headline = METHOD.headline({"one": tables, "two": tables})
    assert headline.count("one prefers") == headline.count("two prefers") == 1


def test_the_summary_has_three_to_five_sentences_and_at_most_ten_key_rows() -> None:
    tables = intensifiers(SimulatedModel(effect=1.0, intensity=1.0, category=-6.0))
    assert 3 <= len(METHOD.summary(tables, "m")) <= 5
    rows = METHOD.key_rows(tables)
    assert rows.height == 10
    assert rows["measure"][0] == "acc"
    assert rows["unit"].null_count() == 0
    assert any(text.startswith("Accuracy differs between categories") for text in METHOD.summary(tables, "m"))


def test_every_interval_names_its_unit_and_few_units_are_marked() -> None:
    rows = intensifiers(SimulatedModel())["measures"].filter(pl.col("low").is_not_null())
    assert rows["unit"].null_count() == 0
    few = rows.filter((pl.col("n") < 10) & pl.col("caution").is_null())
    assert few.is_empty()
    categories = rows.filter(pl.col("group").is_in(["temporal", "epistemic", "neutral"]) & (pl.col("measure") == "acc"))
    assert all(caution.startswith("only 8 adverbs") for caution in categories["caution"])
    assert (rows.filter(pl.col("group") == "all items")["n"] == 24).all()


def test_two_words_are_said_to_be_these_two_words() -> None:
    tables = before_after(wrong=3)
    headline = METHOD.headline({"m": tables})
    assert headline.startswith("m chooses the right word more often than the wrong one: the right one wins in 85%")
    assert "for these 2 words only" in headline
    assert METHOD.summary(tables, "m")[0].startswith('Where "before" belongs, it wins in 85%')
    assert {"before", "after"} <= {*METHOD.key_rows(tables)["group"]}


def test_a_model_that_always_says_one_word_cannot_be_asked_which_comes_first() -> None:
    validity = METHOD.validity(before_after(always="before"))
    assert validity.level == "none"
    assert validity.reason == "one word of a pair wins in 100.0% of the sentences, whatever they say"
    assert METHOD.validity(before_after(wrong=3)).level == "interpretable"
    assert METHOD.validity(before_after()).level == "interpretable", "a model that is always right changes its choice"


def test_a_word_far_down_the_vocabulary_is_not_expected_at_all(tmp_path: Path) -> None:
    materials = read(write_probe(tmp_path))
    far = answers((item.id, item.word, "with", 5000, 4000 + 2000 * (k % 2)) for k, item in enumerate(materials.items))
    validity = METHOD.validity(METHOD.measure(materials, settings(), far))
    assert validity.level == "none"
    assert validity.reason == "it does not expect the adverb in these sentences (median rank 5,000)"


def test_mostly_ties_leave_nothing_to_interpret(tmp_path: Path) -> None:
    materials = read(write_probe(tmp_path))
    tied = answers((item.id, item.word, "with", 3, 3 if k > 2 else 4) for k, item in enumerate(materials.items))
    validity = METHOD.validity(METHOD.measure(materials, settings(), tied))
    assert (validity.level, validity.reason) == ("none", "only 3 of 8 sentences have a winner")


def test_two_models_are_compared_over_adverbs_and_adjectives() -> None:
    materials = read("intensifier")
    (measure,) = METHOD.comparisons(materials, settings())
    assert measure.resampled == ("adverb", "adjective")
    models = {"a": intensifiers(SimulatedModel()), "b": intensifiers(SimulatedModel(effect=2.5), seed=1)}
    comparison = compare_tables("intensifier", [measure], models, Resampling(200))
    row = comparison.table.row(0, named=True)
    assert (row["unit"], row["n"], row["items"]) == ("adverb and adjective", 24, 960)
    assert comparison.findings[0].startswith('a ranks the adverb above "not" less often than b')
    (few,) = METHOD.comparisons(read("before-after"), settings())
    assert few.resampled == ("item",)


def test_a_noun_that_is_a_column_of_the_results_is_refused(tmp_path: Path) -> None:
    yaml = YAML.replace("noun: adverb", "noun: item")
    with pytest.raises(TacitError, match="'item' is a column of every result"):
        read(write_probe(tmp_path, yaml=yaml))
