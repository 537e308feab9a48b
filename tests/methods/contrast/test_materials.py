"""The materials are read with their bare forms, and every error names its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import TacitError
from tests.methods.contrast.contrasts import SENTENCES, WORDS, YAML, read, write_probe


def test_the_words_and_sentences_are_read_with_their_bare_forms(tmp_path: Path) -> None:
    materials = read(write_probe(tmp_path))
    assert materials.noun == "adverb"
    assert materials.categories == ("time", "doubt")
    assert materials.items[0].bare == "is [MASK] late"
    assert materials.words["always"].intensity == 2


def test_a_common_word_has_a_higher_frequency_than_a_rare_one(tmp_path: Path) -> None:
    words = read(write_probe(tmp_path)).words
    assert words["always"].frequency > words["surely"].frequency > 0


def test_several_words_may_stand_on_each_side(tmp_path: Path) -> None:
    words = "adverb,category,intensity,against,also\nnever,time,1,not; nowise,nor ; never\n"
    with pytest.raises(TacitError, match=r"line 2: 'never' is its own rival"):
        read(write_probe(tmp_path, words=words.replace("not; nowise", "not;never")))
    one = "id,text,adverb,adjective\na,He is [MASK] late.,never,late\n"
    word = read(write_probe(tmp_path, words=words.replace("; never", ""), sentences=one)).words["never"]
    assert word.forms == ("never", "nor")
    assert word.rivals == ("not", "nowise")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("He is [MASK] late.", "He is late.", r"sentences\.csv, line 2: .*no blank"),
        ("She was [MASK] rude.", "[MASK] was [MASK] rude.", r"sentences\.csv, line 3: .*2 blanks"),
        ("They are [MASK] kind.,always", "They are [MASK] kind.,alway", r"line 4: .*'alway' is not in.*'always'"),
        (
            "They are [MASK] kind.,always",
            "They are [MASK] kind.,xyz",
            r"line 4: .*'xyz' is not in the list: choose one of",
        ),
        ("surely-2", "surely-1", r"line 9: id 'surely-1' also stand on line 8"),
        ("She was [MASK] rude.", "He is [MASK] late.", r"line 3: text .* stand on line 2"),
        ("id,text,adverb,adjective", "id,text,word,adjective", r"line 1: the column 'adverb' is missing"),
        ("id,text,adverb,adjective", "id,text,adverb,adj", r"line 1: the column 'adjective' is missing"),
    ],
)
def test_a_wrong_sentence_is_rejected_with_its_line(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in SENTENCES
    with pytest.raises(TacitError, match=problem):
        read(write_probe(tmp_path, sentences=SENTENCES.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("never,time,1,not", "never,time,weak,not", r"words\.csv, line 2: the intensity of 'never' must be a number"),
        ("never,time,1,not", "never,time,1,never", r"line 2: 'never' is its own rival"),
        ("never,time,1,not", "never,time,1,", r"line 2: the adverb or its rival is missing"),
        ("always,time", "never,time", r"line 3: adverb 'never' also stand on line 2"),
        ("always,time", "always,never", r"line 3: the category 'never' is also one of the adverbs"),
    ],
)
def test_a_wrong_word_is_rejected_with_its_line(tmp_path: Path, old: str, new: str, problem: str) -> None:
    with pytest.raises(TacitError, match=problem):
        read(write_probe(tmp_path, words=WORDS.replace(old, new)))


def test_a_category_that_contradicts_the_list_is_rejected(tmp_path: Path) -> None:
    sentences = "id,text,adverb,adjective,category\na,He is [MASK] late.,never,late,doubt\n"
    with pytest.raises(TacitError, match=r"line 2: the category of 'never' is 'time', not 'doubt'"):
        read(write_probe(tmp_path, sentences=sentences))


def test_a_bare_form_without_a_blank_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match=r"small\.yaml, line 7: .*no blank"):
        read(write_probe(tmp_path, yaml=YAML.replace("is [MASK] {adjective}", "is {adjective}")))


def test_without_a_bare_form_only_the_context_is_asked(tmp_path: Path) -> None:
    yaml = "\n".join(line for line in YAML.splitlines() if "bare" not in line)
    assert {item.bare for item in read(write_probe(tmp_path, yaml=yaml)).items} == {""}
