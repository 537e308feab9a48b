"""A run is interpreted only if enough is rated, raters agree, and the model finds words that fit."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.methods.base import Tables
from tacit.methods.valence import Valence, ValenceSettings
from tacit.methods.valence.control import FOUND
from tacit.probes import load_probe
from tests.methods.valence.small_probe import FILLED, RATINGS, UNRATED, measure

NAMES = [f"s{number}" for number in range(12)]


def with_originals(folder: Path, sentences: int = 12) -> None:
    """A probe whose sentences name the words that stood in their blanks."""
    names = NAMES[:sentences]
    rows = [f"{name},Old,Sentence {name} has [MASK].,0,word{name}" for name in names]
    (folder / "sentences.csv").write_text("\n".join(["id,group,text,rho,original", *rows]))
    ratings = [f"{name},{token},0,ann" for name in names for token in ("the", "a", f"word{name}")]
    (folder / "ratings.csv").write_text("\n".join(["sentence,token,score,rater", *ratings]))


def filled(own: int, sentences: int = 12) -> dict[str, dict[str, float]]:
    """Fillings in which the first `own` sentences have their own word."""
    return {
        name: {"the": 0.3, f"word{name}" if number < own else "a": 0.2} for number, name in enumerate(NAMES[:sentences])
    }


def judged(tables: Tables) -> tuple[str, str]:
    validity = Valence().validity(tables)
    return validity.level, validity.reason


def test_a_model_that_finds_the_original_words_can_be_asked(folder: Path) -> None:
    with_originals(folder)
    tables = measure(folder, filled(own=5))
    row = tables["measures"].row(by_predicate=pl.col("measure") == FOUND, named=True)
    assert row["value"] == pytest.approx(5 / 12)
    assert row["neutral"] == 0
    assert judged(tables) == ("interpretable", "")


def test_a_model_that_finds_none_of_them_cannot_be_asked(folder: Path) -> None:
    with_originals(folder)
    assert judged(measure(folder, filled(own=0))) == (
        "none",
        "it does not find the words that fit (0 of 12 original words, 0% by chance)",
    )


def test_words_that_are_filled_in_everywhere_are_found_by_chance(folder: Path) -> None:
    with_originals(folder)
    everything = {f"word{name}": 0.01 for name in NAMES}
    (folder / "ratings.csv").write_text(
        "\n".join(["sentence,token,score,rater", *(f"{n},{word},0,ann" for n in NAMES for word in everything)])
    )
    tables = measure(folder, dict.fromkeys(NAMES, everything), top=12)
    row = tables["measures"].row(by_predicate=pl.col("measure") == FOUND, named=True)
    assert (row["value"], row["neutral"]) == (1, 1)
    assert judged(tables)[0] == "none"


def test_few_original_words_only_weaken(folder: Path) -> None:
    with_originals(folder, sentences=6)
    level, reason = judged(measure(folder, filled(own=0, sentences=6)))
    assert (level, reason.startswith("it does not find the words that fit (0 of 6")) == ("weak", True)


def test_without_original_words_nothing_shows_that_the_model_can_fill_blanks(folder: Path) -> None:
    assert judged(measure(folder)) == (
        "weak",
        "no sentence names its original word, so nothing shows that it can fill them",
    )


@pytest.mark.parametrize(("rated", "level"), [(0.9, "weak"), (0.7, "weak"), (0.45, "none"), (0.0, "none")])
def test_too_little_rated_is_said_with_what_to_do(folder: Path, rated: float, level: str) -> None:
    word = {"thou": rated, "zounds": 1 - rated} if rated else {"zounds": 1.0}
    want = {"want": rated, "zounds": 1 - rated} if rated else {"zounds": 1.0}
    thee = {"thee": rated, "zounds": 1 - rated} if rated else {"zounds": 1.0}
    found, reason = judged(measure(folder, {"s1": word, "s2": thee, "s3": want}))
    assert found == level
    assert ("tacit rate sheet" in reason) == (rated < 0.75)
    if rated == 0:
        assert reason.startswith("none of its likeliest fillings is rated; rate more with")


@pytest.mark.parametrize(("mass", "level"), [(0.05, "weak"), (0.0002, "none")])
def test_fillings_with_little_probability_are_no_answer(folder: Path, mass: float, level: str) -> None:
    scaled = {name: {token: p * mass for token, p in words.items()} for name, words in FILLED.items()}
    found, reason = judged(measure(folder, scaled))
    assert found == level
    assert "its likeliest fillings have only" in reason


def rated_twice(folder: Path, flipped: int, tokens: int = 30) -> Tables:
    """Two raters of `tokens` tokens who contradict each other in some of them."""
    scores = [(-1, 1)[number % 2] for number in range(tokens)]
    first = [f"s1,w{number},{score},ann" for number, score in enumerate(scores)]
    second = [f"s1,w{number},{-score if number < flipped else score},bob" for number, score in enumerate(scores)]
    (folder / "ratings.csv").write_text("\n".join([RATINGS.strip(), *first, *second]))
    return measure(folder)


@pytest.mark.parametrize(("flipped", "level"), [(15, "none"), (3, "weak"), (0, "weak")])
def test_raters_who_do_not_agree_decide_nothing(folder: Path, flipped: int, level: str) -> None:
    found, reason = judged(rated_twice(folder, flipped))
    assert found == level
    assert ("do not agree" in reason) == (flipped == 15)
    assert ("may not agree" in reason) == (flipped == 3)


def test_agreement_over_a_few_tokens_is_no_agreement(folder: Path) -> None:
    found, reason = judged(rated_twice(folder, flipped=1, tokens=3))
    assert found == "weak"
    assert "known from only 3 tokens that several rated" in reason


def test_the_printed_sentences_of_a_study_are_an_illustration() -> None:
    method, settings = Valence(), ValenceSettings(mode="as-published", resamples=100)
    materials = method.materials(load_probe("temporal-paper"), settings)
    for answers in method.given_answers(materials, settings).values():
        assert method.validity(method.measure(materials, settings, answers)).level == "interpretable"


def test_a_run_with_nothing_rated_says_so_before_anything_else(folder: Path) -> None:
    tables = measure(folder, {**UNRATED, "s1": {"zounds": 0.5}, "s2": {"zounds": 0.5}})
    assert judged(tables)[0] == "none"
