"""Every method names its headline value and shows what it asked, in words that need no paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tacit.methods import get_method, method_names
from tacit.methods.association import AssociationSettings
from tacit.methods.base import Tables
from tacit.methods.glance import CANNOT_TELL, Glance
from tests.methods.association.test_measures import measured
from tests.methods.contrast.test_figures import tables as contrast_tables
from tests.methods.counterknowledge.test_figures import tables_of
from tests.methods.hierarchy import world
from tests.methods.prefix import test_measures as prefix
from tests.methods.shift.test_measures import SEQUENTIAL, ask_in_rounds

WORDS = "word,polarity\ngood,positive\nbad,negative\nchair,neutral\ntable,neutral\n"


def decided(tables: Tables, measure: str, verdict: str | None, value: float) -> Tables:
    """The tables with another verdict and value in the rows of a measure."""
    chosen = (pl.col("measure") == measure) & pl.col("item").is_null()
    changed = tables["measures"].with_columns(
        verdict=pl.when(chosen).then(pl.lit(verdict)).otherwise("verdict"),
        value=pl.when(chosen).then(value).otherwise("value"),
    )
    return {**tables, "measures": changed}


def glance(method: str, tables: Tables) -> Glance:
    seen = get_method(method).glance(tables)
    assert seen is not None
    return seen


def test_contrast_says_which_word_is_preferred(tmp_path: Path) -> None:
    tables = contrast_tables(tmp_path)
    seen = glance("contrast", decided(tables, "acc", "prefers the rival", 0.1))
    assert (seen.phrase, seen.percent, seen.ends) == ('No: prefers "not"', True, (0, 1))
    assert glance("contrast", decided(tables, "acc", "prefers the adverb", 0.9)).phrase == "Yes: prefers the adverb"
    assert glance("contrast", decided(tables, "acc", None, 0.9)).phrase == CANNOT_TELL


def test_counterknowledge_says_whether_it_leans_with_the_stereotype(tmp_path: Path) -> None:
    tables = tables_of(tmp_path)
    share = "pro-stereotypical share, all words"
    seen = glance("counterknowledge", decided(tables, share, "with the stereotype", 0.7))
    assert (seen.phrase, seen.row["group"], seen.percent) == ("Leans with the stereotype", "base", True)
    assert glance("counterknowledge", decided(tables, share, "against", 0.3)).phrase == "Leans against the stereotype"
    small = glance("counterknowledge", decided(tables, share, "too small to matter", 0.501))
    assert small.phrase == "Leans too little to matter"
    assert glance("counterknowledge", decided(tables, share, "undecided", 0.7)).phrase == CANNOT_TELL


def test_counterknowledge_counts_the_kinds_that_change_it(tmp_path: Path) -> None:
    tables = tables_of(tmp_path)
    for verdict, count in (("raised", 3), ("undecided", 0)):
        told = glance(
            "counterknowledge", decided(tables, "effect on the pro-stereotypical share, all words", verdict, 0)
        )
        assert told.detail == f"{count} of 3 kinds of knowledge are shown to change it."


def test_association_counts_words_and_says_when_none_is_decided(tmp_path: Path) -> None:
    tables = measured(tmp_path, words=WORDS)
    leaning = {**tables, "words": tables["words"].with_columns(leaning=pl.lit("positive"))}
    assert glance("association", leaning).phrase == "2 of 2 words lean"
    undecided = {**tables, "words": tables["words"].with_columns(leaning=pl.lit("undecided"))}
    assert glance("association", undecided).phrase == CANNOT_TELL
    assert glance("association", undecided).detail == "Of 2 neutral words: 0 to positive, 0 to negative, 2 undecided."


def test_the_rule_of_the_study_is_not_called_a_finding(tmp_path: Path) -> None:
    tables = measured(tmp_path, AssociationSettings(mode="as-published"), words=WORDS)
    seen = glance("association", tables)
    assert seen.phrase.startswith("By the study's rule, ")
    assert seen.row["measure"] == "positive-biased share"


def test_shift_counts_the_words_that_shift_labels(tmp_path: Path) -> None:
    tables = ask_in_rounds(tmp_path, SEQUENTIAL)[0]
    assert glance("shift", tables).phrase.endswith("words shift its labels")


def test_hierarchy_is_set_beside_shuffled_trees(tmp_path: Path) -> None:
    method: Any = get_method("hierarchy")
    materials, settings = world.read(world.write_probe(tmp_path), resamples=4)
    answers = world.answer(method.questions(materials, settings, "masked"))
    tables = method.measure(materials, settings, answers)
    seen = glance("hierarchy", tables)
    assert seen.row["neutral"] is not None
    assert seen.phrase == CANNOT_TELL or " of one " in seen.phrase
    exchanges = method.exchanges(materials, settings, "masked", answers)
    assert len(exchanges) == len(materials.tree.regions)
    words = {word.word for word in materials.words}
    for exchange in exchanges:
        assert "[MASK]" in exchange.text
        assert {word.word for word in exchange.words} <= words
        assert len({word.word for word in exchange.words}) == len(exchange.words)


def test_prefix_shows_the_share_of_changed_labels(tmp_path: Path) -> None:
    materials, settings = prefix.read(prefix.write(tmp_path))
    tables = prefix.METHOD.measure(materials, settings, prefix.answer(materials, settings))
    assert glance("prefix", tables).row["measure"] == "label changed"


@pytest.mark.parametrize("name", method_names())
def test_an_unknown_measure_keeps_its_name(name: str) -> None:
    assert get_method(name).term("something else").words == "something else"


def test_terms_say_which_measures_are_shares() -> None:
    assert get_method("contrast").term("acc gain from context").percent
    assert get_method("shift").term("balanced accuracy before").percent
    assert not get_method("valence").term("beta").percent
    assert get_method("counterknowledge").term("stereotype, top 3").words.endswith(", top 3")
