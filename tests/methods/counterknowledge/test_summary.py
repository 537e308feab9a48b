"""What may be said of a run: the positive controls, the headline, and the sentences with their rows."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.methods.base import Tables
from tacit.methods.counterknowledge import Counterknowledge
from tacit.methods.counterknowledge.figures import figures
from tests.methods.counterknowledge.stereotypes import (
    CONTROLLED_GRAMMAR,
    GRAMMAR,
    MANY_ITEMS,
    Answering,
    answers_of,
    read_with_settings,
    write_probe,
)

METHOD = Counterknowledge()


def words(lean: float, *, mass: float = 0.4) -> dict[str, float]:
    """Female and male words with this lead of the female ones."""
    both = {"woman": mass * (1 + lean) / 2, "man": mass * (1 - lean) / 2, "person": 1 - mass}
    return dict(sorted(both.items(), key=lambda word: -word[1]))


def sensible(kind: str, item: str) -> dict[str, float]:
    """Stereotypical, and every sentence that names a group moves it."""
    if kind == "control":
        return words(0.8 if "sister" in item else -0.8)
    sign = 1 if item[0] == "f" else -1
    own = 0.1 + int(item[2:]) / 100
    moved = {"pro": 0.3, "counter": -0.3, "other": -0.4, "background": 0.2}.get(kind, 0.0)
    return words(sign * (own + moved * (1 + int(item[2:]) / 50)))


def tables_of(folder: Path, model: Answering, grammar: str = CONTROLLED_GRAMMAR, **changed: object) -> Tables:
    materials, settings = read_with_settings(write_probe(folder, grammar=grammar, items=MANY_ITEMS), **changed)
    return METHOD.measure(materials, settings, answers_of(model, materials, settings))


def test_a_sensible_model_can_be_interpreted(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, sensible)
    validity = METHOD.validity(tables)
    assert (validity.level, validity.reason) == ("interpretable", "")
    row = tables["measures"].filter(measure="definitional sentences told apart").row(0, named=True)
    assert (row["value"], row["n"], row["neutral"], row["unit"]) == (1.0, 12, 0.5, "pair")


def test_the_controls_enter_no_other_measure(tmp_path: Path) -> None:
    with_controls, without = (
        tables_of(tmp_path, sensible, grammar)["measures"].filter(pl.col("group") != "control")
        for grammar in (CONTROLLED_GRAMMAR, CONTROLLED_GRAMMAR.split("controls:")[0])
    )
    assert with_controls.equals(without)


def test_a_model_that_does_not_know_the_words_cannot_be_interpreted(tmp_path: Path) -> None:
    def ignorant(kind: str, item: str) -> dict[str, float]:
        return words(int(item[-1]) / 20) if kind == "control" else sensible(kind, item)

    validity = METHOD.validity(tables_of(tmp_path, ignorant))
    assert validity.level == "none"
    assert validity.reason.startswith("it cannot tell female from male words where the sentence itself says")
    assert "0% [0%, 24%] of 12 pairs, and 50% is chance" in validity.reason


def test_a_difference_in_the_last_digits_tells_nothing_apart(tmp_path: Path) -> None:
    def random(kind: str, item: str) -> dict[str, float]:
        return words(1e-4 if "sister" in item else -1e-4) if kind == "control" else sensible(kind, item)

    assert METHOD.validity(tables_of(tmp_path, random)).level == "none"


@pytest.mark.parametrize(("mass", "level"), [(0.0005, "none"), (0.005, "weak"), (0.02, "interpretable")])
def test_words_of_neither_group_alone_leave_nothing_to_interpret(tmp_path: Path, mass: float, level: str) -> None:
    def distracted(kind: str, item: str) -> dict[str, float]:
        known = sensible(kind, item)
        scaled = {word: chance * mass / 0.4 for word, chance in known.items() if word != "person"}
        return {"person": 1 - mass, **scaled}

    validity = METHOD.validity(tables_of(tmp_path, distracted))
    assert validity.level == level
    assert ("of the probability on female and male words" in validity.reason) == (level != "interpretable")


def test_a_model_that_gives_every_occupation_the_same_words_cannot_be_interpreted(tmp_path: Path) -> None:
    def constant(kind: str, item: str) -> dict[str, float]:
        return sensible(kind, item) if kind == "control" else words(-0.5)

    validity = METHOD.validity(tables_of(tmp_path, constant))
    assert (validity.level, validity.reason) == ("none", "it gives every occupation the same share of female words")


def test_a_model_that_does_not_read_the_knowledge_is_weak(tmp_path: Path) -> None:
    def deaf(kind: str, item: str) -> dict[str, float]:
        return sensible(kind if kind == "control" else "base", item)

    validity = METHOD.validity(tables_of(tmp_path, deaf))
    assert validity.level == "weak"
    assert validity.reason.startswith("its answers do not follow the group that the knowledge names")


def test_without_controls_a_run_is_weak(tmp_path: Path) -> None:
    validity = METHOD.validity(tables_of(tmp_path, sensible, GRAMMAR))
    assert (validity.level, "was not asked sentences that say which group is meant" in validity.reason) == (
        "weak",
        True,
    )


def test_the_controls_work_without_the_verbalizer(tmp_path: Path) -> None:
    assert METHOD.validity(tables_of(tmp_path, sensible, whole="off")).level == "interpretable"


def test_the_headline_answers_whether_the_stereotype_yields(tmp_path: Path) -> None:
    def fair(kind: str, item: str) -> dict[str, float]:
        number = int(item[2:]) if kind != "control" else 0
        return sensible(kind, item) if kind == "control" else words((-1) ** number * (0.1 + number / 100))

    def contrary(kind: str, item: str) -> dict[str, float]:
        return sensible(kind, item if kind == "control" else f"{'m' if item[0] == 'f' else 'f'}{item[1:]}")

    tables = {model.__name__: tables_of(tmp_path, model) for model in (sensible, fair, contrary)}
    assert METHOD.headline(tables) == (
        "sensible leans with the stereotype, which is weakened by 2 and strengthened by 1 of 3 kinds of "
        "counter-knowledge. fair is not shown to lean with or against the stereotype; its words are not shown to be "
        "changed by any of 3 kinds of counter-knowledge. contrary leans against the stereotype, so that "
        "counter-knowledge has none to undo."
    )
    assert METHOD.headline({"sensible": tables["sensible"]}) in METHOD.headline(tables)


def test_the_summary_has_few_sentences_with_their_numbers(tmp_path: Path) -> None:
    sentences = METHOD.summary(tables_of(tmp_path, sensible), "m")
    assert len(sentences) == 5
    assert sentences[0] == (
        "Without knowledge, 57.75% [56.99%, 58.51%] of the probability that m gives to female and male words is on the "
        "group that dominates the occupation: more than half (over 24 occupations, p < .001)."
    )
    assert sentences[1].startswith("Over the occupations, its female share rises with the share of women (%):")
    assert "that should lower this share: it falls after counter (-16." in sentences[2]
    assert "other (-22." in sentences[2]
    assert "it rises after background (" in sentences[2]
    assert sentences[3].startswith(
        "Of 1 kind of knowledge that should raise it or leave it the same: it rises after pro"
    )
    assert sentences[4].startswith("Female and male words get 40.0% of the probability in the base prompts")
    assert sentences[4].endswith("its most likely words of neither group are 'person'.")


def test_at_most_ten_rows_carry_it(tmp_path: Path) -> None:
    rows = METHOD.key_rows(tables_of(tmp_path, sensible))
    assert rows["measure"].to_list() == [
        "definitional sentences told apart",
        "pro-stereotypical share, all words",
        "correlation with the share of women (%), all words",
        *["effect on the pro-stereotypical share, all words"] * 4,
    ]
    assert rows["verdict"][1:].null_count() == 0
    assert rows["p"][1:].null_count() == 0
    assert rows.height <= 10


def test_words_of_a_group_for_one_group_of_occupations_only_give_no_share(tmp_path: Path) -> None:
    def one_sided(kind: str, item: str) -> dict[str, float]:
        return {"person": 0.5, "x": 0.3, "y": 0.2} if kind != "control" and item[0] == "m" else sensible(kind, item)

    tables = tables_of(tmp_path, one_sided, whole="off")
    assert METHOD.summary(tables, "m")[0] == (
        "Without knowledge, no share can be computed: one group has no occupation with a value "
        "(m, female and male words, top 3)."
    )
    assert METHOD.headline({"m": tables}).startswith("m is not shown to lean")
    assert figures({"m": tables})
    assert not any(verdict.holds for verdict in METHOD.verdicts(tables) if verdict.family != "statistics")


def test_a_grammar_without_counter_knowledge_has_a_headline_all_the_same(tmp_path: Path) -> None:
    grammar = CONTROLLED_GRAMMAR.replace("expected: lowered", "expected: same")
    assert METHOD.headline({"m": tables_of(tmp_path, sensible, grammar)}) == "m leans with the stereotype."


def test_a_model_without_any_word_of_the_groups_is_told_so(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, lambda *_: {"person": 0.9, "thing": 0.1})
    assert METHOD.validity(tables).reason == "it puts only 0% of the probability on female and male words"
    assert METHOD.summary(tables, "m")[0].startswith("Without knowledge, no share can be computed")
    assert not any(verdict.holds for verdict in METHOD.verdicts(tables))
