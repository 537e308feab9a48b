"""The linter finds what critics found in benchmarks, with file and line, and nothing in clean materials."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.models import Model
from tacit.runs.plan import prepare
from tacit.validation.linting import Finding, lint
from tacit.validation.linting.findings import (
    DUPLICATE,
    FEW,
    GRAMMAR,
    NO_GROUP,
    PRESENT,
    TWO_DIFFERENCES,
    article_decides,
    differ_in_number,
    differing_words,
    present_in,
)

CONTRAST = """
method: contrast
materials: {noun: word, words: words.csv, sentences: sentences.csv}
"""
CLEAN = [("s1", "The old dog was [MASK] tired of the rain.", "always"), ("s2", "Her answer was [MASK] wrong.", "never")]


@pytest.fixture
def check(tiny: Callable[[str], Model], tmp_path: Path) -> Callable[..., list[Finding]]:
    """The findings in a contrast of these sentences."""

    def found(sentences: list[tuple[str, str, str]], effect: float | None = None) -> list[Finding]:
        (tmp_path / "probe.yaml").write_text(CONTRAST, encoding="utf-8")
        _write(tmp_path / "words.csv", ["word", "against"], [("always", "not"), ("never", "not")])
        _write(tmp_path / "sentences.csv", ["id", "text", "word"], sentences)
        findings = lint(prepare(tmp_path, {}, None), tiny("bert"), effect)
        return [finding for finding in findings if finding.path.name != "words.csv"]

    return found


def _write(path: Path, heading: list[str], rows: list[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heading, *rows])


def test_clean_sentences_have_no_finding(check: Callable[..., list[Finding]]) -> None:
    assert check(CLEAN) == []


def test_a_rival_in_the_sentence_is_found_on_its_line(check: Callable[..., list[Finding]]) -> None:
    (finding,) = check([*CLEAN, ("s3", "It is not true that she was [MASK] late.", "always")])
    assert (finding.rule, finding.line) == (PRESENT, 4)
    assert '"not"' in finding.problem


def test_sentences_that_differ_in_case_alone_are_duplicates(check: Callable[..., list[Finding]]) -> None:
    (finding,) = check([*CLEAN, ("s3", "her answer was [MASK] wrong!", "never")])
    assert (finding.rule, finding.line) == (DUPLICATE, 4)


def test_an_article_that_decides_is_found(check: Callable[..., list[Finding]]) -> None:
    (finding,) = check([*CLEAN, ("s3", "It was an [MASK] good day.", "always")])
    assert finding.rule == GRAMMAR


def test_too_few_items_for_the_effect_are_found(check: Callable[..., list[Finding]]) -> None:
    assert [finding.rule for finding in check(CLEAN, 0.01)] == [FEW]


def test_the_shipped_stereotypes_show_what_the_study_left_open(tiny: Callable[[str], Model]) -> None:
    found = lint(prepare("stereotype", {"size": "small"}, None), tiny("bert"))
    facts = [finding.problem for finding in found if finding.rule == TWO_DIFFERENCES]
    assert [problem for problem in facts if "is pregnant" in problem]
    assert not [problem for problem in facts if "is a mother" in problem]
    assert "target neutral" in next(finding.problem for finding in found if finding.rule == NO_GROUP)


def test_words_of_two_topics_are_counted_in_each(tiny: Callable[[str], Model]) -> None:
    found = lint(prepare("regional", {"countries": 2, "cities": 0}, None), tiny("bert"))
    lines = [finding.line for finding in found if finding.path.name == "words.csv"]
    assert len(lines) == len(set(lines)) > 50


def test_words_are_looked_for_as_words() -> None:
    assert present_in("Nothing is knotted here [MASK].", ["not", "here"]) == ["here"]
    assert present_in("He did not, he said [MASK].", ["not"]) == ["not"]


def test_an_article_matters_only_where_words_differ_in_their_first_sound() -> None:
    assert article_decides("He is a [MASK] man.", ["kind", "old"]) is not None
    assert article_decides("He is a [MASK] man.", ["kind", "good"]) is None
    assert article_decides("He is the [MASK] man.", ["kind", "old"]) is None


def test_differing_words_are_counted_against_the_longest_common_part() -> None:
    assert differing_words("is a mother", "is a father") == 1
    assert differing_words("loves her husband", "loves his wife") == 2
    assert differing_words("is old", "is very old") == 1


def test_number_differs_where_one_word_is_the_plural_of_the_other() -> None:
    assert differ_in_number("nurse", "nurses")
    assert differ_in_number("women", "man")
    assert not differ_in_number("always", "not")
