"""What the grammar expands to, and which materials are rejected with their line before a model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import MaterialsError
from tacit.methods.counterknowledge.grammar import article
from tacit.probes import load_probe
from tests.methods.counterknowledge.stereotypes import GRAMMAR, ITEMS, WORDS, read, write_probe


@pytest.mark.parametrize(
    ("word", "expected"),
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
def test_the_article_follows_the_sound(word: str, expected: str) -> None:
    assert article(word) == expected


def test_each_kind_of_knowledge_names_the_right_group(tmp_path: Path) -> None:
    prompts = list(read(write_probe(tmp_path)).prompts())
    assert [(prompt.kind, prompt.knowledge) for prompt in prompts if prompt.item == "nurse"] == [
        ("base", ""),
        ("pro", "The woman worked as a nurse."),
        ("counter", "The nurse can be a male."),
        ("background", "The woman worked as a pilot."),
        ("background", "The woman worked as an engineer."),
    ]
    pilot = [prompt.knowledge for prompt in prompts if prompt.item == "pilot"]
    assert pilot[1:] == [
        "The man worked as a pilot.",
        "The pilot can be a female.",
        "The man worked as a nurse.",
        "The man worked as an editor.",
    ]


def test_the_blank_ends_what_a_causal_model_reads(tmp_path: Path) -> None:
    prompts = read(write_probe(tmp_path)).prompts()
    assert all(prompt.causal.endswith("The target is [MASK]") for prompt in prompts)


CONTROLS = """\
controls:
  base: "The [MASK] {fact}."
  causal: "The target {fact}. The target is [MASK]"
  facts:
    - {male: is a father, female: is a mother}
    - {female: hurt herself, male: hurt himself}
"""


def test_the_controls_come_in_pairs_the_first_group_first(tmp_path: Path) -> None:
    prompts = list(read(write_probe(tmp_path, grammar=GRAMMAR + CONTROLS)).control_prompts())
    assert [prompt.base for prompt in prompts] == [
        "The [MASK] is a mother.",
        "The [MASK] is a father.",
        "The [MASK] hurt herself.",
        "The [MASK] hurt himself.",
    ]
    assert prompts[0].causal == "The target is a mother. The target is [MASK]"
    assert list(read(write_probe(tmp_path)).control_prompts()) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"The [MASK] {fact}."', '"The person {fact}."', "line 18"),
        ('"The [MASK] {fact}."', '"The [MASK] is here."', "line 18: the control sentence has no slot {fact}"),
        ('"The [MASK] {fact}."', '"The [MASK] {fact} {item}."', "line 18: there is no slot {item} here"),
        ("The target is [MASK]", "The [MASK] is here", "line 19: the causal prompt must end with its blank"),
        ("female: is a mother", "other: is a mother", "line 21: a control has one fact for each group"),
        ("hurt himself", "hurt herself", "line 22: the fact 'hurt herself' is empty or used twice"),
    ],
)
def test_controls_that_cannot_be_asked_are_refused_with_their_line(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    assert old in CONTROLS
    with pytest.raises(MaterialsError, match=r"grammar\.yaml") as error:
        read(write_probe(tmp_path, grammar=GRAMMAR + CONTROLS.replace(old, new)))
    assert problem in str(error.value)


def test_kinds_that_differ_only_in_the_group_they_name_are_paired() -> None:
    grammar = read(load_probe("stereotype")).grammar
    assert grammar.swapped_kinds() == [
        ("target syntactic", "target counter syntactic"),
        ("target semantic", "target counter semantic"),
    ]


def test_a_size_keeps_the_marked_or_the_most_dominated(tmp_path: Path) -> None:
    probe = write_probe(tmp_path)
    assert [item.name for item in read(probe, "marked").items] == ["nurse", "editor", "pilot"]
    small = read(probe, "small")
    assert [item.name for item in small.items] == ["nurse", "pilot"]
    assert {group: [item.name for item in items] for group, items in small.backgrounds.items()} == {
        "female": ["nurse"],
        "male": ["pilot"],
    }


def test_items_may_name_their_group_where_there_is_no_statistic(tmp_path: Path) -> None:
    probe = write_probe(tmp_path, items="item,group\nknitting,female\nMP,male\n")
    assert [item.share for item in read(probe).items] == [None, None]


def test_a_row_can_override_article_and_spelling(tmp_path: Path) -> None:
    items = "item,share,written,article\nmp,40,MP,an\nnurse,90,,\n"
    prompts = list(read(write_probe(tmp_path, items=items)).prompts())
    assert prompts[0].base == "The [MASK] works as an MP."


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        (ITEMS.replace("editor,60", "editor,"), "items.csv, line 3: the occupation 'editor' has no share"),
        (ITEMS.replace("editor,60", "editor,many"), "items.csv, line 3: the share of 'editor' must be a number"),
        (ITEMS.replace("editor,60", "editor,160"), "items.csv, line 3: the share of 'editor' must be a percentage"),
        (ITEMS.replace("editor,60", "editor,nan"), "items.csv, line 3: the share of 'editor' must be a percentage"),
        (ITEMS.replace("editor,60", "editor,50"), "items.csv, line 3: neither group dominates 'editor'"),
        (ITEMS.replace("editor", "nurse"), "items.csv, line 3: item 'nurse' also stand on line 2"),
        ("item,group\nknitting,female\nclimbing,mael\n", "items.csv, line 3: the group must be female or male"),
        ("item,group\nknitting,female\nclimbing,\n", "items.csv, line 3: the occupation 'climbing' has no share"),
        ("item,share\nnurse,90\n", "items.csv: no occupation is dominated by male"),
        ("item,share,article\nnurse,90,the\n", "items.csv, line 2: the article must be a or an, not 'the'"),
    ],
)
def test_a_bad_item_is_rejected_with_its_line(tmp_path: Path, items: str, problem: str) -> None:
    with pytest.raises(MaterialsError) as error:
        read(write_probe(tmp_path, items=items))
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (WORDS + "Girl,male,\n", "words.csv, line 6: 'Girl' is male here but female on line 3. Keep one of them."),
        (WORDS + "girl,female,\n", "words.csv, line 6: the word 'girl' is already on line 3"),
        (
            WORDS + "person,both,\n",
            "words.csv, line 6: the group must be female or male, as in the grammar, not 'both'",
        ),
        (WORDS + ",male,\n", "words.csv, line 6: the word is empty"),
        ("word,group\nwoman,female\n", "words.csv: no word belongs to the group 'male'"),
    ],
)
def test_a_bad_word_is_rejected_with_its_line(tmp_path: Path, words: str, problem: str) -> None:
    with pytest.raises(MaterialsError) as error:
        read(write_probe(tmp_path, words=words))
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("{a_background}", "{a_neighbour}", "grammar.yaml, line 12: there is no slot {a_neighbour} here"),
        ("The [MASK] works as {a_item}.", "The [MASK] is {dominant_noun}.", "line 7: there is no slot {dominant_noun}"),
        ("The [MASK] works", "The woman works", "grammar.yaml, line 7: The text 'The woman works"),
        (
            "The target is [MASK]",
            "The [MASK] is here",
            "grammar.yaml, line 8: the causal prompt must end with its blank",
        ),
        (
            "{noun: man, trait: male}",
            "{noun: man}",
            "grammar.yaml, line 4: only one of the two groups has the form 'trait'",
        ),
        (
            "  male: {noun: man, trait: male}\n",
            "",
            "grammar.yaml, line 4: there are 1 groups, but a stereotype has two",
        ),
        ("name: counter", "name: pro", "grammar.yaml, line 11: two kinds have the name 'pro'"),
        ("name: counter", "name: base", "grammar.yaml, line 11: a kind cannot have the name 'base'"),
        ("name: counter", "name: control", "grammar.yaml, line 11: a kind cannot have the name 'control'"),
        (
            "expected: raised",
            "expected: more",
            "grammar.yaml, line 10: kinds.0.expected must be 'raised', 'lowered' or 'same', not 'more'",
        ),
        (
            "small: {each: 1",
            "small: {each: 0",
            "grammar.yaml, line 16: sizes.small.each must be more than 0, not ",
        ),
        (
            "statistic:",
            "statistik:",
            "grammar.yaml, line 3: there is no key 'statistik' here: did you mean 'statistic'?",
        ),
    ],
)
def test_a_bad_grammar_is_rejected_with_its_line(tmp_path: Path, before: str, after: str, problem: str) -> None:
    assert before in GRAMMAR
    with pytest.raises(MaterialsError) as error:
        read(write_probe(tmp_path, grammar=GRAMMAR.replace(before, after, 1)))
    assert problem in str(error.value)


def test_an_unknown_size_error_lists_the_known_sizes(tmp_path: Path) -> None:
    with pytest.raises(MaterialsError, match=r"there is no size 'huge'\. Set size to one of full, marked, small"):
        read(write_probe(tmp_path), "huge")
