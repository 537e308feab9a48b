"""What the grammar expands to, and what is refused with its line before a model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import TacitError
from tacit.methods.counterknowledge.grammar import article
from tacit.methods.counterknowledge.materials import read_stereotype
from tests.methods.counterknowledge.stereotypes import GRAMMAR, ITEMS, WORDS, write_probe


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nurse", "a"),
        ("editor", "an"),
        ("hour", "an"),
        ("house", "a"),
        ("university", "a"),
        ("umpire", "an"),
        ("CEO", "a"),
    ],
)
def test_the_article_follows_the_sound(word: str, said: str) -> None:
    assert article(word) == said


def test_each_kind_says_its_sentence_about_the_right_group(tmp_path: Path) -> None:
    prompts = list(read_stereotype(write_probe(tmp_path), "full").prompts())
    assert [(one.kind, one.knowledge) for one in prompts if one.item == "nurse"] == [
        ("base", ""),
        ("pro", "The woman worked as a nurse."),
        ("counter", "The nurse can be a male."),
        ("background", "The woman worked as a pilot."),
        ("background", "The woman worked as an engineer."),
    ]
    pilot = [one.knowledge for one in prompts if one.item == "pilot"]
    assert pilot[1:] == [
        "The man worked as a pilot.",
        "The pilot can be a female.",
        "The man worked as a nurse.",
        "The man worked as an editor.",
    ]


def test_the_blank_ends_what_a_causal_model_reads(tmp_path: Path) -> None:
    prompts = read_stereotype(write_probe(tmp_path), "full").prompts()
    assert all(one.causal.endswith("The target is [MASK]") for one in prompts)


def test_a_size_keeps_the_marked_or_the_most_dominated(tmp_path: Path) -> None:
    probe = write_probe(tmp_path)
    assert [item.name for item in read_stereotype(probe, "marked").items] == ["nurse", "editor", "pilot"]
    small = read_stereotype(probe, "small")
    assert [item.name for item in small.items] == ["nurse", "pilot"]
    assert {group: [one.name for one in found] for group, found in small.backgrounds.items()} == {
        "female": ["nurse"],
        "male": ["pilot"],
    }


def test_items_may_name_their_group_where_nobody_counted(tmp_path: Path) -> None:
    probe = write_probe(tmp_path, items="item,group\nknitting,female\nMP,male\n")
    assert [item.share for item in read_stereotype(probe, "full").items] == [None, None]


def test_a_row_can_overrule_article_and_spelling(tmp_path: Path) -> None:
    items = "item,share,written,article\nmp,40,MP,an\nnurse,90,,\n"
    prompts = list(read_stereotype(write_probe(tmp_path, items=items), "full").prompts())
    assert prompts[0].base == "The [MASK] works as an MP."


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (ITEMS.replace("editor,60", "editor,"), "items.csv, line 3: the occupation 'editor' has no share"),
        (ITEMS.replace("editor,60", "editor,many"), "items.csv, line 3: the share of 'editor' must be a number"),
        (ITEMS.replace("editor,60", "editor,160"), "items.csv, line 3: the share of 'editor' must be a percentage"),
        (ITEMS.replace("editor,60", "editor,nan"), "items.csv, line 3: the share of 'editor' must be a percentage"),
        (ITEMS.replace("editor,60", "editor,50"), "items.csv, line 3: neither group dominates 'editor'"),
        (ITEMS.replace("editor", "nurse"), "items.csv, line 3: item 'nurse' stand on line 2 already"),
        ("item,group\nknitting,female\nclimbing,mael\n", "items.csv, line 3: the group must be female or male"),
        ("item,group\nknitting,female\nclimbing,\n", "items.csv, line 3: the occupation 'climbing' has no share"),
        ("item,share\nnurse,90\n", "items.csv: no occupation is dominated by male"),
        ("item,share,article\nnurse,90,the\n", "items.csv, line 2: the article must be a or an, not 'the'"),
    ],
)
def test_a_bad_item_is_refused_with_its_line(tmp_path: Path, items: str, said: str) -> None:
    with pytest.raises(TacitError) as refused:
        read_stereotype(write_probe(tmp_path, items=items), "full")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (WORDS + "Girl,male,\n", "words.csv, line 6: 'Girl' is male here and female on line 3; a word has one group."),
        (WORDS + "girl,female,\n", "words.csv, line 6: the word 'girl' stands on line 3 already"),
        (
            WORDS + "person,both,\n",
            "words.csv, line 6: the group must be female or male, as in the grammar, not 'both'",
        ),
        (WORDS + ",male,\n", "words.csv, line 6: the word is empty"),
        ("word,group\nwoman,female\n", "words.csv: no word is male"),
    ],
)
def test_a_bad_word_is_refused_with_its_line(tmp_path: Path, words: str, said: str) -> None:
    with pytest.raises(TacitError) as refused:
        read_stereotype(write_probe(tmp_path, words=words), "full")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("{a_background}", "{a_neighbour}", "grammar.yaml, line 12: there is no slot {a_neighbour} here"),
        ("The [MASK] works as {a_item}.", "The [MASK] is {dominant_noun}.", "line 7: there is no slot {dominant_noun}"),
        ("The [MASK] works", "The woman works", "grammar.yaml, line 7: The text 'The woman works"),
        (
            "The target is [MASK]",
            "The [MASK] is here",
            "grammar.yaml, line 8: the causal prompt must end with its blank",
        ),
        ("{noun: man, trait: male}", "{noun: man}", "only one of the two groups has the form 'trait'"),
        ("  male: {noun: man, trait: male}\n", "", "there are 1 groups; a stereotype is measured between two"),
        ("name: counter", "name: pro", "two kinds are called 'pro'"),
        ("name: counter", "name: base", "no kind may be called 'base'"),
        ("expected: raised", "expected: more", "grammar.yaml: kinds.0.expected: Input should be"),
        ("small: {each: 1", "small: {each: 0", "grammar.yaml: sizes.small.each: Input should be greater than 0"),
    ],
)
def test_a_bad_grammar_is_refused_with_its_place(tmp_path: Path, before: str, after: str, said: str) -> None:
    assert before in GRAMMAR
    with pytest.raises(TacitError) as refused:
        read_stereotype(write_probe(tmp_path, grammar=GRAMMAR.replace(before, after, 1)), "full")
    assert said in str(refused.value)


def test_an_unknown_size_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="there is no size 'huge'; there are full, marked, small"):
        read_stereotype(write_probe(tmp_path), "huge")
