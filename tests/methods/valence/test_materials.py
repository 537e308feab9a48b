"""Materials are checked before a model is loaded: sentences, scale and raters, with the line of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import MaterialsError
from tacit.ratings import Bank, Rating
from tests.methods.valence.small_probe import PROBE, SENTENCES, UNRATED, measure, prepare, sentence_row


def test_an_unknown_rater_is_refused(folder: Path) -> None:
    with pytest.raises(MaterialsError, match=r"'zoe' has not rated this probe .*Choose from ann"):
        prepare(folder, raters="zoe")


def test_a_users_own_ratings_count(folder: Path) -> None:
    Bank().add("old", {"s1": "Why wilt [MASK] go?"}, [Rating("s1", "not", 0, "bob")])
    assert sentence_row(measure(folder, UNRATED), "s1")["rated"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("s4,Old,No blank here.,-1", "no blank"),
        ("s4,Old,[MASK] and [MASK].,-1", "2 blanks"),
        ("s4,Old,Go [MASK].,-2", "rho -2 is not on the scale"),
        ("s1,Old,Go [MASK].,-1", "also stand on line 2"),
        ("s4,Old,Why wilt [MASK] go?,-1", "also stand on line 2"),
    ],
)
def test_a_bad_sentence_is_named_by_line_and_reason(folder: Path, row: str, reason: str) -> None:
    (folder / "sentences.csv").write_text(SENTENCES + row + "\n")
    with pytest.raises(MaterialsError, match=f"sentences.csv, line 5: .*{reason}"):
        prepare(folder)


INLINE = """
method: valence
materials:
  scale: {low: formal, high: informal, points: [-1, 0, 1]}
  sentences:
    - {id: a, group: letters, text: "Dear [MASK],", rho: -1}
    - {id: b, group: letters, text: "Hey [MASK]!"}
"""


def test_sentences_in_the_yaml_are_checked_and_named_by_their_line(folder: Path) -> None:
    (folder / "old.yaml").write_text(INLINE.replace('!"}', '!", rho: 1}'))
    assert prepare(folder)[0].texts == {"a": "Dear [MASK],", "b": "Hey [MASK]!"}
    (folder / "old.yaml").write_text(INLINE)
    with pytest.raises(MaterialsError, match=r"old\.yaml, line 7: .*'rho' is missing"):
        prepare(folder)


def test_an_empty_list_of_sentences_is_refused(folder: Path) -> None:
    (folder / "old.yaml").write_text(PROBE.replace("sentences: sentences.csv", "sentences: []"))
    with pytest.raises(MaterialsError, match=r"old\.yaml, line 5: the list of sentences is empty"):
        prepare(folder)


@pytest.mark.parametrize(
    ("key", "typo", "line"),
    [("points:", "pionts:", 4), ("low:", "lwo:", 4), ("sentences:", "sentence:", 5), ("ratings:", "rating:", 6)],
)
def test_a_misspelled_key_is_named_with_its_line_and_the_right_spelling(
    folder: Path, key: str, typo: str, line: int
) -> None:
    (folder / "old.yaml").write_text(PROBE.replace(key, typo))
    expected = f"old.yaml, line {line}: there is no key '{typo[:-1]}' here: did you mean '{key[:-1]}'"
    with pytest.raises(MaterialsError, match=expected):
        prepare(folder)


SCALE = "scale: {low: old, high: new, points: [-1, -0.5, 0, 0.5, 1]}"


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("", 3),
        ("scale:", 4),
        ("scale: scale.csv", 4),
        ("scale: {low: old, high: new}", 4),
        ("scale: {low: old, high: new, points: [1]}", 4),
        ("scale: {low: old, high: new, points: [old, new]}", 4),
        ("scale: {low: old, high: new, points: [true, false]}", 4),
        ("scale: {low: old, high: new, points: [0, .inf]}", 4),
    ],
)
def test_a_probe_without_a_usable_scale_shows_how_to_write_one(folder: Path, written: str, line: int) -> None:
    (folder / "old.yaml").write_text(PROBE.replace(SCALE, written))
    with pytest.raises(MaterialsError, match=rf"old\.yaml, line {line}: .*`scale: {{low: formal"):
        prepare(folder)


PRINTED = "model,sentence,rank,token,p,sigma\nBERT,s1,1,thou,0.9,-1\n"
PUBLISHED = "model,sentence,beta,delta\nBERT,s1,-1,1\n"


@pytest.mark.parametrize(
    ("file", "row", "reason"),
    [
        ("printed.csv", "BERT,s9,1,thou,0.9,-1", "no sentence 's9'"),
        ("printed.csv", "BERT,s1,2,you,1.5,0", "p must be between 0 and 1, not 1.5"),
        ("printed.csv", "BERT,s1,2,you,much,0", "p must be a number, not 'much'"),
        ("printed.csv", "BERT,s1,2.5,you,0.1,0", "rank must be a whole number, not 2.5"),
        ("printed.csv", "BERT,s1,2,you,0.1,0.2", "sigma 0.2 is not on the scale"),
        ("published.csv", "BERT,s9,-1,1", "no sentence 's9'"),
        ("published.csv", "BERT,s2,old,1", "beta must be a number, not 'old'"),
    ],
)
def test_a_bad_row_of_a_study_is_named_by_line_and_reason(folder: Path, file: str, row: str, reason: str) -> None:
    (folder / "old.yaml").write_text(PROBE + "  printed: printed.csv\n  published: published.csv\n")
    for name, text in (("printed.csv", PRINTED), ("published.csv", PUBLISHED)):
        (folder / name).write_text(text + (f"{row}\n" if name == file else ""))
    with pytest.raises(MaterialsError, match=f"{file}, line 3: .*{reason}"):
        prepare(folder)


def test_two_printed_scores_of_one_token_are_refused(folder: Path) -> None:
    (folder / "old.yaml").write_text(PROBE + "  printed: printed.csv\n")
    (folder / "printed.csv").write_text(PRINTED + "HLM,s1,1,Thou,0.9,0\n")
    with pytest.raises(MaterialsError, match="'Thou' has two different printed scores in sentence s1"):
        prepare(folder)
