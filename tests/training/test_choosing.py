"""The data set `reviews` is balanced, and holds nothing that a standard was trained on."""

from __future__ import annotations

from tacit.data.labeled import LabeledText
from training.choosing import balance, is_known, known_sentences, share_out
from training.reviews import closing


def test_who_has_too_little_gives_all_and_the_others_share_the_rest() -> None:
    assert share_out(2_000, {"imdb": 6_000, "amazon": 503, "snippets": 197}) == {
        "snippets": 197,
        "amazon": 503,
        "imdb": 1_300,
    }
    assert share_out(10, {"a": 50, "b": 50, "c": 50}) == {"a": 3, "b": 3, "c": 4}
    assert share_out(100, {"a": 5, "b": 6}) == {"a": 5, "b": 6}


def test_a_source_gives_equally_many_of_each_class_whatever_the_order() -> None:
    reviews = [LabeledText("a", f"praise {i}", positive=True) for i in range(9)]
    reviews += [LabeledText("a", f"blame {i}", positive=False) for i in range(3)]
    reviews += [LabeledText("b", f"{i} of b", positive=i % 2 == 0) for i in range(40)]
    chosen = balance(reviews, 10)
    counts = [sum((each.source, each.positive) == key for each in chosen) for key in (("a", True), ("a", False))]
    assert counts == [3, 3]
    assert sum(each.source == "b" for each in chosen) == 14
    assert set(balance(reviews[::-1], 10)) == set(chosen)


def test_a_review_is_known_by_its_text_or_by_one_telling_sentence() -> None:
    known = known_sentences(["A must see! I laughed until the very last scene of it.", "Good."])
    assert is_known("a MUST see... I laughed until the very last scene of it", known)
    assert is_known("Well. I laughed until the very last scene of it. Go!", known)
    assert is_known("good", known)
    assert not is_known("A must see! The scenes are long and the jokes are short.", known)


def test_the_closing_of_a_review_is_its_last_whole_sentences() -> None:
    text = "It starts well enough for me. Then it drags on and on. In the end I slept."
    assert closing(text, 12) == "Then it drags on and on. In the end I slept."
    assert closing(text, 3) == "end I slept."
    assert closing(text, 100) == text
