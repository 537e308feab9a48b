"""Prevalent words on a blind sheet, the votes of several raters, and the verbalizer made of them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tacit.errors import MaterialsError
from tacit.methods.counterknowledge.grammar import Grammar, read_grammar
from tacit.methods.counterknowledge.people import (
    Vote,
    add_votes,
    prevalence,
    read_word_sheet,
    vote_agreement,
    write_verbalizer,
    write_word_sheet,
)
from tests.methods.counterknowledge.stereotypes import GRAMMAR

WORDS = ["man", "woman", "nurse", "captain", "company"]
GROUPS = {"man": "male", "woman": "female", "nurse": "female", "captain": "male", "company": "neither"}


@pytest.fixture
def grammar(tmp_path: Path) -> Grammar:
    (tmp_path / "grammar.yaml").write_text(GRAMMAR)
    return read_grammar(tmp_path / "grammar.yaml")


def fill(path: Path, groups: dict[str, str]) -> None:
    with path.open(encoding="utf-8-sig", newline="") as file:
        heading, *rows = list(csv.reader(file))
    for row in rows:
        row[2] = groups.get(row[1], "")
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([heading, *rows])


def test_prevalence_is_the_mean_share_of_prompts_over_models() -> None:
    one = [["Man", "woman", "."], ["man", "man", "##s"]]
    other = [["woman"], ["nurse"], ["nurse"], ["3"]]
    assert prevalence([one, other]) == pytest.approx({"man": 0.5, "woman": 0.375, "nurse": 0.25})
    assert list(prevalence([one, other])) == ["man", "woman", "nurse"]
    assert prevalence([one, one]) == prevalence([one]), "asking a model twice changes nothing"


def test_the_sheet_shows_words_alone_and_comes_back_as_votes(tmp_path: Path, grammar: Grammar) -> None:
    sheet = tmp_path / "sheet.csv"
    assert write_word_sheet(sheet, "p", WORDS, seed=0) == 5
    text = sheet.read_text(encoding="utf-8-sig")
    assert text.splitlines()[0] == '"row","word","group","note"'
    assert [line.split(",")[1].strip('"') for line in text.splitlines()[1:]] != sorted(WORDS), "shuffled"
    fill(sheet, GROUPS | {"company": ""})
    votes = read_word_sheet(sheet, "p", grammar, rater="ann")
    assert {vote.word: vote.group for vote in votes} == {word: GROUPS[word] for word in WORDS if word != "company"}


@pytest.mark.parametrize(
    ("probe", "groups", "problem"),
    [
        ("p", {"man": "masculine"}, "must be female, male or neither, not 'masculine'. Nothing was imported"),
        ("q", {"man": "male"}, "is not what this row asked for"),
    ],
)
def test_a_wrong_row_rejects_the_sheet(
    tmp_path: Path, grammar: Grammar, probe: str, groups: dict[str, str], problem: str
) -> None:
    write_word_sheet(tmp_path / "sheet.csv", "p", WORDS, seed=0)
    fill(tmp_path / "sheet.csv", groups)
    with pytest.raises(MaterialsError, match=problem):
        read_word_sheet(tmp_path / "sheet.csv", probe, grammar, rater="ann")


def test_most_raters_decide_and_a_tie_or_neither_keeps_a_word_out(tmp_path: Path, grammar: Grammar) -> None:
    votes = [Vote(word, group, "ann") for word, group in GROUPS.items()]
    votes += [Vote("nurse", "neither", "bob"), Vote("man", "male", "bob"), Vote("captain", "male", "bob")]
    counts = write_verbalizer(tmp_path / "verbalizer.csv", votes, grammar)
    assert counts == {"female": 1, "male": 2}
    assert (tmp_path / "verbalizer.csv").read_text() == (
        "word,group,reason\ncaptain,male,2 of 2 raters\nman,male,2 of 2 raters\nwoman,female,1 of 1 rater\n"
    )


def test_votes_are_kept_and_a_changed_mind_needs_a_word(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    add_votes(path, [Vote("nurse", "female", "ann", "2026-01-01", "a, note")])
    kept = add_votes(path, [Vote("nurse", "neither", "bob")])
    assert [vote.rater for vote in kept] == ["ann", "bob"]
    assert kept[0].note == "a, note"
    with pytest.raises(MaterialsError, match="ann already called 'nurse' female, not male"):
        add_votes(path, [Vote("nurse", "male", "ann")])
    assert add_votes(path, [Vote("nurse", "male", "ann")], replace=True)[0].group == "male"


def test_agreement_is_alpha_over_words_with_several_raters() -> None:
    ann = [Vote(word, group, "ann") for word, group in GROUPS.items()]
    assert vote_agreement(ann) is None
    same = vote_agreement(ann + [Vote(vote.word, vote.group, "bob") for vote in ann])
    assert same is not None
    assert (same.value, same.n) == (1.0, 5)
    other = vote_agreement(ann + [Vote(vote.word, "neither", "bob") for vote in ann])
    assert other is not None
    assert other.value < 0.2
