"""Sentences that end in "is ADVERB ADJECTIVE." are found with their context, and nothing else is."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tacit.harvest.finder import Finder, Match
from tacit.harvest.sentences import split_sentences
from tacit.harvest.taggers import ListTagger, is_listed_adjective
from tests.methods.contrast.contrasts import read

WORDS = read("intensifier").words
SAMPLE = Path(__file__).parents[1] / "data" / "harvest-endings.csv"


def matches(text: str, **options: bool) -> list[Match]:
    return list(Finder(WORDS, ListTagger(), **options).matches(text))


def test_sentences_are_cut_at_their_ends_and_not_at_abbreviations() -> None:
    text = 'Dr. Lund met J. Smith at 5 p.m. on Monday. "Why?" she asked. It rained!  He left.'
    assert split_sentences(text) == [
        "Dr. Lund met J. Smith at 5 p.m. on Monday.",
        '"Why?" she asked.',
        "It rained!",
        "He left.",
    ]


def test_the_context_is_the_sentence_and_the_one_before_if_both_fit() -> None:
    text = "Nobody reads this one. The old ferry runs twice a day in winter. The crossing is always rough."
    assert matches(text) == [
        Match("The old ferry runs twice a day in winter. The crossing is [MASK] rough.", "always", "rough")
    ]


def test_a_sentence_that_is_long_enough_stands_alone_where_two_do_not_fit() -> None:
    before = f"Word {' '.join(['word'] * 35)}."
    own = "The crossing from the island to the town is always rough."
    assert [match.text for match in matches(f"{before} {own}")] == [own.replace("always", "[MASK]")]


@pytest.mark.parametrize(
    "text",
    [
        "The crossing is always rough.",
        f"The {' '.join(['very'] * 45)} crossing is always rough.",
        "The old ferry from the island to the town goes there very slowly.",
        "The captain of the old ferry to the island is probably there.",
        "The captain of the old ferry to the island is already gone home.",
        "He said not to take it, since the crossing in winter is always rough.",
        "Look at https://example.org for times, since the crossing in winter is always rough.",
        "- The old ferry from the island runs twice a day and is always rough.",
        "The captain of the old ferry to the island seems always angry.",
        "Whether the crossing from the island to the town is always rough?",
    ],
)
def test_what_does_not_fit_the_study_is_skipped(text: str) -> None:
    assert matches(text) == []


def test_other_verbs_are_taken_on_demand() -> None:
    text = "The captain of the old ferry to the island seems always angry."
    assert [match.adjective for match in matches(text, any_verb=True)] == ["angry"]


def test_a_contracted_form_of_be_is_one_too() -> None:
    text = "I like the captain of the ferry because she's always calm."
    assert [match.text for match in matches(text)] == [text.replace("always", "[MASK]")]


def test_only_the_last_of_two_equal_adverbs_is_blanked() -> None:
    text = "People who are always late tell you that the ferry is always late."
    assert [match.text for match in matches(text)] == [
        "People who are always late tell you that the ferry is [MASK] late."
    ]


def test_the_fallback_is_right_in_98_of_100_and_finds_92_of_100_adjectives_of_a_hand_labelled_sample() -> None:
    with SAMPLE.open(encoding="utf-8") as file:
        rows = [(row["word"], row["adjective"] == "1") for row in csv.DictReader(file)]
    assert len(rows) == 240
    tagged = [(is_listed_adjective(word), truly) for word, truly in rows]
    precision = sum(truly for guess, truly in tagged if guess) / sum(guess for guess, _ in tagged)
    recall = sum(guess for guess, truly in tagged if truly) / sum(truly for _, truly in tagged)
    assert precision == pytest.approx(0.984, abs=0.005)
    assert recall == pytest.approx(0.926, abs=0.005)
    assert precision > sum(truly for _, truly in tagged) / len(tagged) + 0.1
