"""The materials of the contrast probes: their counts, their endings, and how varied they are."""

from __future__ import annotations

import csv
import re
from collections import Counter

from tacit.methods.contrast import Contrast
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.probes import load_probe

FOLDER = load_probe("intensifier").folder
CATEGORIES = {
    "temporal": ["never", "sometimes", "already", "often", "generally", "usually", "frequently", "always"],
    "epistemic": ["maybe", "perhaps", "possibly", "probably", "actually", "really", "certainly", "definitely"],
    "neutral": ["hardly", "slightly", "basically", "quite", "pretty", "very", "seriously", "completely"],
}
NEGATIONS = re.compile(
    r"\b(not|never|cannot|no|nobody|nothing|none|neither|nor|nowhere|hardly|barely)\b|n['’]t\b", re.I
)


def sentences() -> list[dict[str, str]]:
    with (FOLDER / "sentences.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read(name: str) -> ContrastMaterials:
    method = Contrast()
    return method.materials(load_probe(name), method.settings())


ROWS = sentences()


def test_there_are_24_adverbs_in_three_categories_in_the_studys_order() -> None:
    words = read("intensifier").words
    for category, adverbs in CATEGORIES.items():
        listed = [(word.name, word.intensity) for word in words.values() if word.category == category]
        assert listed == [(adverb, float(place)) for place, adverb in enumerate(adverbs, start=1)]
    assert {word.rivals for word in words.values()} == {("not",)}


def test_every_adverb_has_40_sentences_with_40_different_adjectives() -> None:
    assert len(ROWS) == 960
    for adverb in (adverb for adverbs in CATEGORIES.values() for adverb in adverbs):
        adjectives = [row["adjective"] for row in ROWS if row["adverb"] == adverb]
        assert len(adjectives) == len({*adjectives}) == 40


def test_no_sentence_occurs_twice_even_with_another_adverb() -> None:
    assert len({row["text"].casefold() for row in ROWS}) == 960


def test_every_sentence_ends_in_a_form_of_be_the_blank_the_adjective_and_a_full_stop() -> None:
    ending = {row["id"]: rf"\b(is|are|was|were|am) \[MASK\] {row['adjective']}\.$" for row in ROWS}
    assert [row["id"] for row in ROWS if not re.search(ending[row["id"]], row["text"])] == []
    assert [row["id"] for row in ROWS if row["text"].count("[MASK]") != 1] == []


def test_every_item_has_one_or_two_sentences_of_10_to_40_words() -> None:
    assert [row["id"] for row in ROWS if not 10 <= len(row["text"].split()) <= 40] == []
    assert [row["id"] for row in ROWS if len(re.findall(r"[.?!](?=\s+[A-Z])", row["text"])) > 1] == []
    assert [row["id"] for row in ROWS if row["text"] != " ".join(row["text"].split())] == []


def test_no_sentence_holds_another_negation_or_its_own_adverb() -> None:
    assert [row["id"] for row in ROWS if NEGATIONS.search(row["text"])] == []
    assert [row["id"] for row in ROWS if row["adverb"] in re.findall(r"\w+", row["text"].lower())] == []


def test_sentences_vary_in_opening_length_topic_and_adjective() -> None:
    words = [row["text"].split() for row in ROWS]
    openings = Counter(sentence[0] for sentence in words)
    assert len(openings) >= 300
    assert openings.most_common(1)[0][1] <= 0.15 * 960
    assert len({tuple(sentence[:3]) for sentence in words}) >= 0.93 * 960
    lengths = [len(sentence) for sentence in words]
    assert min(lengths) == 10
    assert max(lengths) == 40
    assert len({*lengths}) >= 30
    topics = Counter(row["topic"] for row in ROWS)
    assert len(topics) == 28
    assert max(topics.values()) <= 0.07 * 960
    assert len({row["adjective"] for row in ROWS}) >= 550


def test_no_run_of_six_words_is_shared_by_two_sentences() -> None:
    shared: Counter[tuple[str, ...]] = Counter()
    for row in ROWS:
        words = re.findall(r"[\w'\[\]]+", row["text"].lower())
        shared.update({tuple(words[i : i + 6]) for i in range(len(words) - 5)})
    assert [run for run, count in shared.items() if count > 1] == []


def test_before_and_after_have_20_sentences_each_and_are_each_others_rival() -> None:
    materials = read("before-after")
    assert Counter(item.word for item in materials.items) == {"before": 20, "after": 20}
    assert {word.name: word.rivals for word in materials.words.values()} == {
        "before": ("after",),
        "after": ("before",),
    }
    assert all(item.bare.startswith("[MASK] ") for item in materials.items)


def test_the_other_word_of_a_before_after_sentence_is_nowhere_else_in_it() -> None:
    for item in read("before-after").items:
        assert not {"before", "after"} & {*re.findall(r"\w+", item.text.lower())}
