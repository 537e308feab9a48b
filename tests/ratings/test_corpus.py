"""The rater made of two corpora: counts, odds, and the rule that maps them to the scale."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from tacit.ratings import Scale, TokenToRate
from tacit.ratings.corpus import CUES, Corpus, LogOdds, count_words, log_odds, rate_by_corpora, scale_point

FIVE = Scale("old", "new", (-1.0, -0.5, 0.0, 0.5, 1.0), ("",) * 5)
THREE = Scale("old", "new", (0.0, 1.0, 2.0), ("",) * 3)
OLD = ["Thou wilt love me. Thou art weary! I love the man, and the love of thee."] * 20
NEW = ["You will love me. You are tired. I love the man; the okay of you."] * 20


def corpora(wanted: set[str]) -> tuple[Corpus, Corpus]:
    return count_words(OLD, wanted), count_words(NEW, wanted)


def scores(*tokens: tuple[str, str], scale: Scale = FIVE) -> dict[str, float]:
    """The scores of (word class, token)."""
    asked = [TokenToRate(word_class, token) for word_class, token in tokens]
    classes = {word_class: word_class for word_class, _ in tokens}
    counted = corpora({token.key[1] for token in asked})
    ratings = rate_by_corpora(asked, classes, counted, scale, ("corpus", "2026-01-01"))
    return {rating.token: rating.score for rating in ratings}


def test_words_are_counted_anywhere_and_where_their_class_is_expected() -> None:
    old, _ = corpora({"love", "weary", "thou"})
    assert old.totals[""] == 16 * 20
    assert old.counts["", "love"] == 60
    assert old.counts["verb", "love"] == 40, "after wilt and after I"
    assert old.counts["noun", "love"] == 20
    assert old.counts["adjective", "weary"] == 20


def test_counts_equal_those_of_a_plain_loop() -> None:
    rng = random.Random(0)
    vocabulary = ["the", "to", "is", "word", "thing", "go"]
    words = [rng.choice(vocabulary) for _ in range(2000)]
    counted = count_words([" ".join(words).title()], {"word", "go"})
    for name, cues in CUES.items():
        after = [word for cue, word in pairwise(words) if cue in cues]
        assert counted.totals[name] == len(after)
        assert counted.counts[name, "go"] == after.count("go")
    assert counted.counts["", "word"] == words.count("word")


def test_log_odds_by_hand_and_their_symmetry() -> None:
    odds = log_odds(10, 1000, 40, 2000)
    assert odds.value == pytest.approx(math.log(40.5 / 1960.5) - math.log(10.5 / 990.5))
    assert odds.z == pytest.approx(odds.value / math.sqrt(1 / 10.5 + 1 / 40.5))
    other = log_odds(40, 2000, 10, 1000)
    assert (other.value, other.z) == pytest.approx((-odds.value, -odds.z))
    assert log_odds(7, 500, 7, 500).value == 0
    assert math.isfinite(log_odds(0, 10, 0, 20).value)


@pytest.mark.parametrize(
    ("ratio", "z", "point"),
    [(2.9, 9, 0), (3.1, 9, 0.5), (29, 9, 0.5), (31, 9, 1), (31, 1.9, 0), (1 / 3.1, -9, -0.5), (1 / 31, -9, -1)],
)
def test_the_rule_of_three_and_thirty(ratio: float, z: float, point: float) -> None:
    assert scale_point(LogOdds(math.log(ratio), z), FIVE) == point


def test_a_scale_without_the_half_takes_the_point_closer_to_its_middle() -> None:
    assert scale_point(LogOdds(math.log(10), 9), THREE) == 1.0
    assert scale_point(LogOdds(math.log(100), 9), THREE) == 2.0
    assert scale_point(LogOdds(-math.log(100), -9), THREE) == 0.0


def test_old_words_are_old_new_ones_new_and_shared_ones_neither() -> None:
    rated = scores(("pronoun", "thou"), ("pronoun", "Me"), ("pronoun", "you"), ("adjective", "tired"))
    assert rated == {"thou": -1.0, "me": 0.0, "you": 1.0, "tired": 1.0}


def test_the_class_of_the_blank_decides_what_counts() -> None:
    assert scores(("noun", "love")) == {"love": -1.0}, "a noun only in the old text"
    assert scores(("verb", "love")) == {"love": 0.0}, "a verb in both"


def test_punctuation_is_neutral_and_the_unknown_gets_no_score() -> None:
    assert scores(("noun", ","), ("noun", "##s"), ("noun", "movie"), ("noun", "[UNK]")) == {",": 0.0}


def test_a_rating_says_which_counts_it_rests_on() -> None:
    counted = corpora({"thou"})
    (rating,) = rate_by_corpora([TokenToRate("s", "thou")], {"s": "pronoun"}, counted, FIVE, ("corpus", "today"))
    assert (rating.rater, rating.date) == ("corpus", "today")
    assert rating.note.startswith("40 of 320 and 0 of 300 words anywhere; log-odds -")
