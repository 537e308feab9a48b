"""The words and reviews that ship with the sentiment probes follow the rules in their README."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
from wordfreq import zipf_frequency

from tacit.methods import get_method
from tacit.probes.loading import load_probe

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "tacit" / "probes" / "sentiment-association"
VADER: dict[str, float] = SentimentIntensityAnalyzer().lexicon

# Chosen without looking at the list: names that must not be among the neutral words.
NAMES = [
    "london",
    "paris",
    "john",
    "mary",
    "america",
    "france",
    "english",
    "german",
    "monday",
    "april",
    "google",
    "jesus",
    "christian",
    "texas",
    "smith",
    "david",
]


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def words_of(polarity: str) -> list[str]:
    return [row["word"] for row in rows("lexicon.csv") if row["polarity"] == polarity]


def test_there_are_400_words_of_each_polarity_and_none_twice() -> None:
    words = [row["word"] for row in rows("lexicon.csv")]
    assert Counter(row["polarity"] for row in rows("lexicon.csv")) == {"positive": 400, "negative": 400, "neutral": 400}
    assert len(set(words)) == 1_200


@pytest.mark.parametrize(("polarity", "sign"), [("positive", 1), ("negative", -1)])
def test_charged_words_have_vaders_score_and_no_stronger_word_was_skipped(polarity: str, sign: int) -> None:
    chosen = {row["word"]: float(row["score"]) for row in rows("lexicon.csv") if row["polarity"] == polarity}
    assert all(VADER[word] == score and score * sign > 0 for word, score in chosen.items())
    weakest = min(score * sign for score in chosen.values())
    stronger = [
        word
        for word, score in VADER.items()
        if score * sign > weakest and re.fullmatch("[a-z]{3,}", word) and zipf_frequency(word, "en") >= 3
    ]
    skipped = [word for word in stronger if word not in chosen]
    assert len(skipped) <= 0.1 * len(stronger)  # insults and chat abbreviations, nothing else


def test_no_vader_entry_scores_a_neutral_word_or_its_plain_inflections() -> None:
    for word in words_of("neutral"):
        assert not {word, f"{word}s", f"{word}ed", f"{word}ing", f"{word}d", word.removesuffix("s")} & VADER.keys(), (
            word
        )


def test_neutral_words_are_frequent_and_not_names() -> None:
    neutral = words_of("neutral")
    assert all(re.fullmatch("[a-z]{4,}", word) for word in neutral)
    assert min(zipf_frequency(word, "en") for word in neutral) >= 5
    assert not set(NAMES) & set(neutral)


def test_the_script_reproduces_the_word_lists() -> None:
    script = ROOT / "scripts" / "make_sentiment_words.py"
    code = (
        f"import sys; sys.path.insert(0, {str(script.parent)!r}); import make_sentiment_words as script\n"
        "scores = script.vader()\n"
        "print(*script.strongest(scores, 1), *script.strongest(scores, -1), *script.neutral(scores))"
    )
    words = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert words == [row["word"] for row in rows("lexicon.csv")]


def test_the_119_words_of_the_study_have_its_ratings_and_vaders() -> None:
    printed = rows("paper-words.csv")
    assert len({row["word"] for row in printed}) == len(printed) == 119
    assert all(row["association"] or row["shift"] for row in printed)
    scored = {row["word"]: float(row["vader"]) for row in printed if row["vader"]}
    assert scored == {
        word: VADER[word] for word in ("adversity", "comedy", "overweight", "precious", "screaming", "stall")
    }
    deadly = next(row for row in printed if row["word"] == "deadly")
    assert "negative (RoBERTa-base)" in deadly["shift"]


def test_the_reviews_are_two_hundred_of_each_class_in_four_domains() -> None:
    reviews = rows("reviews.csv")
    assert Counter((row["label"], row["domain"]) for row in reviews) == {
        (label, domain): 50 for label in ("positive", "negative") for domain in ("film", "food", "product", "service")
    }
    assert len({row["text"] for row in reviews}) == 400


def test_the_reviews_are_short_varied_and_free_of_label_words() -> None:
    lengths = [len(row["text"].split()) for row in rows("reviews.csv")]
    assert min(lengths) >= 8
    assert max(lengths) <= 120
    assert len(set(lengths)) > 30
    assert not [row["id"] for row in rows("reviews.csv") if re.search(r"\b(great|terribl)", row["text"], re.IGNORECASE)]


@pytest.mark.parametrize("name", ["sentiment-association", "sentiment-shift"])
def test_the_probes_read_their_materials_and_state_their_limits(name: str) -> None:
    probe = load_probe(name)
    method = get_method(probe.method)
    materials = method.materials(probe, method.settings(**probe.settings))
    assert len(materials.reviews) == 400
    assert materials.words.filter(pl.col("polarity") == "neutral").height == 400
    assert len(probe.limits) >= 4
    assert probe.tour is not None
    smaller = method.materials(probe, method.settings(**probe.tour))
    assert len(smaller.reviews) <= 80
    assert smaller.words.height <= 120


def test_the_words_of_the_study_can_replace_ours() -> None:
    probe = load_probe("sentiment-shift")
    method = get_method("shift")
    materials = method.materials(probe, method.settings(neutral_words="paper-words"))
    assert materials.words.height == 119
    assert materials.words.filter(pl.col("word") == "precious")["vader"].item() == "2.7"
