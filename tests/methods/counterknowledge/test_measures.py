"""The questions, and the measures of hand-made models."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from pydantic import ValidationError

from tacit.errors import ModelError
from tacit.methods.base import Tables
from tacit.methods.counterknowledge import Counterknowledge, CounterknowledgeSettings
from tacit.questions import Choose, Fill
from tacit.runs.compare import compare_tables
from tests.methods.counterknowledge.stereotypes import (
    MANY_ITEMS,
    Answering,
    answers_of,
    read_with_settings,
    write_probe,
)

METHOD = Counterknowledge()
FEMALE = ("nurse", "editor")


def stubborn(kind: str, item: str) -> dict[str, float]:
    """A stereotypical model that no knowledge moves."""
    del kind
    return {"woman": 0.5, "man": 0.2, "boy": 0.1} if item in FEMALE else {"man": 0.6, "person": 0.3, "woman": 0.1}


def docile(kind: str, item: str) -> dict[str, float]:
    """The same model, except that counter-knowledge halves its stereotype and pro-knowledge increases it."""
    likelier, other = ("woman", "man") if item in FEMALE else ("man", "woman")
    chance = {"counter": 0.3, "pro": 0.7}.get(kind, 0.5)
    return {likelier: chance, other: 0.1, "person": 0.05}


def tables_of(folder: Path, model: Answering, **changed: object) -> Tables:
    materials, settings = read_with_settings(write_probe(folder), **changed)
    return METHOD.measure(materials, settings, answers_of(model, materials, settings))


def value(tables: Tables, measure: str, group: str, item: str | None = None) -> float | None:
    at = pl.col("item").is_null() if item is None else pl.col("item") == item
    rows = tables["measures"].filter((pl.col("measure") == measure) & (pl.col("group") == group) & at)
    assert rows.height == 1, (measure, group, item)
    only: float | None = rows["value"][0]
    return only


def test_a_masked_model_reads_knowledge_and_base_as_two_segments(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path))
    nurse = [keyed for keyed in METHOD.questions(materials, settings, "masked") if keyed.keys["item"] == "nurse"]
    base, base_whole, pro = nurse[:3]
    assert base.question == Fill("The [MASK] works as a nurse.", top=3)
    assert base_whole.question == Choose("The [MASK] works as a nurse.", ("woman", "girl", "man", "boy"))
    assert pro.question == Fill("The [MASK] works as a nurse.", 3, "The woman worked as a nurse.", True)


def test_one_text_is_a_setting(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path), separate=False, whole="off")
    texts = [keyed.question for keyed in METHOD.questions(materials, settings, "masked")]
    assert texts[:2] == [
        Fill("The [MASK] works as a nurse.", 3),
        Fill("The woman worked as a nurse. The [MASK] works as a nurse.", 3),
    ]


def test_a_causal_model_is_asked_what_the_target_is(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path), separate=False, whole="off")
    texts = [keyed.question for keyed in METHOD.questions(materials, settings, "causal")]
    assert texts[1] == Fill("The woman worked as a nurse. The target works as a nurse. The target is [MASK]", 3)


def test_a_classifier_is_rejected_because_it_cannot_fill_a_blank(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path))
    with pytest.raises(ModelError, match="A classifier cannot fill a blank"):
        next(METHOD.questions(materials, settings, "classifier"))


def test_the_keys_identify_each_question(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path))
    keys = [tuple(keyed.keys.items()) for keyed in METHOD.questions(materials, settings, "masked")]
    assert len(set(keys)) == len(keys) == 2 * len(list(materials.prompts()))


def test_a_stubborn_model_shows_the_stereotype_and_no_effect(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, stubborn)
    assert value(tables, "stereotype, top 3", "base", "nurse") == pytest.approx(0.2)
    assert value(tables, "stereotype, top 3", "base", "pilot") == pytest.approx(0.5)
    assert value(tables, "stereotype, top 3", "base") == pytest.approx(0.35)
    assert value(tables, "female words, top 3", "base") == pytest.approx(0.3)
    assert value(tables, "male words, top 3", "base") == pytest.approx(0.45)
    assert value(tables, "margin, top 3", "base") == pytest.approx(-0.15)
    # Women's occupations .5 / .8 and men's .6 / .7: the groups count alike.
    assert value(tables, "pro-stereotypical share, top 3", "base") == pytest.approx((5 / 8 + 6 / 7) / 2)
    for kind in ("pro", "counter", "background"):
        assert value(tables, "effect on the stereotype, top 3", kind) == 0
        assert value(tables, "effect on the pro-stereotypical share, all words", kind) == 0
        assert value(tables, "relative probability of pro words, top 3", kind) == pytest.approx(1)
    tested = tables["measures"].filter(pl.col("p_adjusted").is_not_null())
    assert tested["measure"].unique().to_list() == ["effect on the pro-stereotypical share, all words"]
    assert tested["p_adjusted"].to_list() == [1.0] * 3
    assert tested["verdict"].to_list() == ["undecided"] * 3


def test_top_1_sees_less_than_top_3(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, stubborn)
    assert value(tables, "anti-stereotypical words, top 1", "base") == 0
    assert value(tables, "anti-stereotypical words, top 3", "base") == pytest.approx((0.3 + 0.3 + 0.1 + 0.1) / 4)


def test_counter_knowledge_lowers_the_stereotype_and_the_words_that_fit_it(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, docile)
    assert value(tables, "effect on the stereotype, top 3", "counter") == pytest.approx(-0.2)
    assert value(tables, "effect on the pro-stereotypical share, top 3", "counter") == pytest.approx(3 / 4 - 5 / 6)
    assert value(tables, "relative probability of pro words, top 3", "counter") == pytest.approx(0.6)
    assert value(tables, "relative probability of anti words, top 3", "counter") == pytest.approx(1)


def graded(kind: str, item: str) -> dict[str, float]:
    """A stereotype that differs between occupations; counter-knowledge halves the leaning of each."""
    likelier, other = ("woman", "man") if item[0] == "f" else ("man", "woman")
    lean = 0.2 + int(item[2:]) / 100
    lean *= {"counter": 0.5, "pro": 1.5}.get(kind, 1.0)
    return {likelier: 0.4 * (1 + lean), other: 0.4 * (1 - lean), "person": 0.2}


def test_knowledge_that_halves_the_leaning_undoes_half_of_it(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path, items=MANY_ITEMS))
    tables = METHOD.measure(materials, settings, answers_of(graded, materials, settings))
    undone = tables["measures"].filter(pl.col("measure") == "share of the stereotype undone, all words")
    assert dict(undone.select("group", "value").rows()) == pytest.approx(
        {"pro": -0.5, "counter": 0.5, "background": 0.0}
    )
    assert (undone["low"] <= undone["value"]).all()
    assert (undone["value"] <= undone["high"]).all()
    assert undone["unit"].to_list() == ["occupation"] * 3


def test_knowledge_that_doubles_both_groups_alike_moves_the_difference_but_not_the_share(tmp_path: Path) -> None:
    def louder(kind: str, item: str) -> dict[str, float]:
        loud = 2 if kind == "pro" else 1
        return {word: chance * loud for word, chance in docile("base", item).items()}

    tables = tables_of(tmp_path, louder)
    assert value(tables, "effect on the stereotype, top 3", "pro") == pytest.approx(0.4)
    assert value(tables, "effect on the pro-stereotypical share, top 3", "pro") == pytest.approx(0)
    assert value(tables, "pro-stereotypical share, top 3", "base") == pytest.approx(5 / 6)


def test_the_kinds_of_knowledge_are_corrected_as_one_family(tmp_path: Path) -> None:
    def moved(kind: str, item: str) -> dict[str, float]:
        likelier, other = ("woman", "man") if item[0] == "f" else ("man", "woman")
        number = int(item[2:])
        effect = {"counter": -0.1 - number / 100, "pro": 0.02 if number > 4 else -0.01}.get(kind, 0.0)
        return {likelier: 0.5 + effect, other: 0.5 - effect}

    materials, settings = read_with_settings(write_probe(tmp_path, items=MANY_ITEMS))
    tables = METHOD.measure(materials, settings, answers_of(moved, materials, settings))
    effects = tables["measures"].filter(pl.col("measure") == "effect on the pro-stereotypical share, all words")
    p, adjusted = effects["p"].to_list(), effects["p_adjusted"].to_list()
    assert effects["group"].to_list() == ["pro", "counter", "background"]
    assert p[1] < p[0] < p[2] == 1, "backgrounds without effect leave no rounding to be tested"
    assert adjusted == pytest.approx([2 * p[0], 3 * p[1], 1.0])
    assert effects["verdict"].to_list() == [
        "undecided" if adjusted[0] >= 0.05 else "too small to matter",
        "lowered",
        "undecided",
    ]


def test_a_consistent_difference_in_the_last_digits_is_no_finding(tmp_path: Path) -> None:
    def hardly(kind: str, item: str) -> dict[str, float]:
        likelier, other = ("woman", "man") if item[0] == "f" else ("man", "woman")
        effect = 1e-5 * (1 + int(item[2:]) / 100) * (1 if kind == "base" else 2)
        return {likelier: 0.3 + effect, other: 0.3}

    materials, settings = read_with_settings(write_probe(tmp_path, items=MANY_ITEMS))
    tables = METHOD.measure(materials, settings, answers_of(hardly, materials, settings))
    tested = tables["measures"].filter(
        pl.col("measure").str.contains("pro-stereotypical share, all words"), pl.col("p") < 0.001
    )
    assert tested["verdict"].to_list() == ["too small to matter"] * 4
    claims = [verdict for verdict in METHOD.verdicts(tables) if verdict.family != "statistics"]
    assert len(claims) == 4
    assert not any(verdict.holds for verdict in claims)
    text = " ".join([METHOD.headline({"m": tables}), *METHOD.summary(tables, "m")])
    assert "m is not shown to lean with or against the stereotype; its words are not shown to be changed by any" in text
    assert "too close to half to matter" in text


def test_a_general_preference_is_no_stereotype_however_many_occupations_each_group_has(tmp_path: Path) -> None:
    items = "item,share\n" + "".join(f"f {n},90\n" for n in range(4)) + "".join(f"m {n},10\n" for n in range(16))
    materials, settings = read_with_settings(write_probe(tmp_path, items=items))

    def always_male(kind: str, item: str) -> dict[str, float]:
        del kind
        return {"man": 0.5, "woman": 0.1 + int(item[2:]) % 4 / 100}

    def always_female(kind: str, item: str) -> dict[str, float]:
        del kind
        return {"woman": 0.5, "man": 0.1 + int(item[2:]) % 4 / 100}

    tables = METHOD.measure(materials, settings, answers_of(always_male, materials, settings))
    assert value(tables, "pro-stereotypical share, all words", "base") == pytest.approx(0.5)
    assert value(tables, "stereotype, all words", "base") == pytest.approx(0)
    tables_of_both = {
        "male": tables,
        "female": METHOD.measure(materials, settings, answers_of(always_female, materials, settings)),
    }
    compared = compare_tables("p", METHOD.comparisons(materials, settings), tables_of_both, settings.resampling)
    assert [sentence.split(":")[0] for sentence in compared.findings] == ["male leans more to male than female"]


def test_every_interval_names_its_unit_and_shares_of_occupations_keep_a_width(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path, items=MANY_ITEMS))
    tables = METHOD.measure(materials, settings, answers_of(graded, materials, settings))
    rows = tables["measures"].filter(pl.col("item").is_null(), pl.col("low").is_not_null())
    assert rows["unit"].to_list() == ["occupation"] * rows.height
    assert (rows["low"] < rows["high"]).all(), "no interval has no width"
    shares = rows.filter(pl.col("measure") == "share of occupations preferring neither, all words")
    assert (shares["low"][0], shares["value"][0]) == (0.0, 0.0)
    assert shares["high"][0] > 0.1


def test_few_occupations_and_few_that_differ_are_marked(tmp_path: Path) -> None:
    rows = tables_of(tmp_path, docile)["measures"].filter(pl.col("item").is_null(), pl.col("low").is_not_null())
    assert set(rows["caution"]) <= {"only 4 occupations", "for these backgrounds only"}

    def rarely(kind: str, item: str) -> dict[str, float]:
        del kind
        return {"person": 0.5, "man": 0.2, "woman": 0.1} if item in {"m 1", "f 1", "f 2"} else {"person": 0.5, "x": 0.2}

    materials, settings = read_with_settings(write_probe(tmp_path, items=MANY_ITEMS))
    tables = METHOD.measure(materials, settings, answers_of(rarely, materials, settings))
    assert tables["measures"].filter(measure="male words, top 3", group="base")["caution"].to_list() == [
        "only 3 differing occupations"
    ]


def test_backgrounds_are_units_too(tmp_path: Path) -> None:
    """The same effect for all occupations that share a background is one observation, not many."""
    materials, settings = read_with_settings(write_probe(tmp_path, items=MANY_ITEMS))
    answers = answers_of(graded, materials, settings)
    names = {item.name: number for number, item in enumerate(materials.items)}
    louder = pl.col("background").replace_strict(names, default=0, return_dtype=pl.Int64) % 5 / 20
    is_woman = pl.col("token") == "woman"
    moved = answers.with_columns(
        probability=pl.when(is_woman).then(pl.col("probability") + louder).otherwise("probability")
    )
    rows = METHOD.measure(materials, settings, moved)["measures"].filter(measure="female share, all words")
    widths = {
        row["group"]: row["high"] - row["low"] for row in rows.filter(pl.col("item").is_null()).iter_rows(named=True)
    }
    items = rows.filter(pl.col("item").is_not_null(), pl.col("group") == "background")["value"]
    assert items.n_unique() > 20
    assert widths["background"] > 1.5 * widths["base"]


def test_items_without_any_word_of_either_group_are_left_out_of_shares_and_show_in_n(tmp_path: Path) -> None:
    def mute(kind: str, item: str) -> dict[str, float]:
        return {"person": 0.9} if (kind, item) == ("base", "pilot") else docile(kind, item)

    measures = tables_of(tmp_path, mute)["measures"].filter(pl.col("item").is_null())
    share = measures.filter(pl.col("measure") == "pro-stereotypical share, top 3")
    effect = measures.filter(pl.col("measure") == "effect on the pro-stereotypical share, top 3")
    assert share["n"].to_list() == [3, 4, 4, 4]
    assert effect["n"].to_list() == [3, 3, 3]


def test_nothing_is_undone_where_the_base_shows_no_stereotype(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, lambda *_: {"woman": 0.3, "man": 0.1, "person": 0.1})
    undone = tables["measures"].filter(pl.col("measure") == "share of the stereotype undone, top 3")
    assert undone["value"].to_list() == [None] * 3
    assert undone["note"][0].startswith("the base prompts do not lean with the stereotype")


def test_words_of_neither_group_and_continuations_are_counted_as_neither(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, lambda *_: {"Woman": 0.3, "person": 0.2, "##man": 0.1})
    assert value(tables, "share of words that are neither, top 3", "base") == pytest.approx(0.5)
    assert value(tables, "female words, top 3", "base") == pytest.approx(0.3)
    groups = dict(tables["words"].select("token", "group").iter_rows())
    assert groups == {"Woman": "female", "person": "neither", "##man": "neither"}


def test_a_word_whose_probability_is_rounded_to_zero_has_no_ratio(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, lambda kind, _: {"woman": 0.6, "man": 0.4, "person": 0.0 if kind == "pro" else 0.1})
    assert "pro" not in tables["relative"].filter(token="person")["kind"]
    assert tables["relative"].filter(token="person")["ratio"].to_list() == pytest.approx([1.0] * 12)


def test_all_words_counts_those_of_one_token_by_default(tmp_path: Path) -> None:
    one_token, every = (
        value(tables_of(tmp_path, stubborn, whole=whole), "male words, all words", "base")
        for whole in ("one-token", "all")
    )
    assert one_token == pytest.approx((0.2 + 0.6) / 2)
    assert every == pytest.approx((0.2 + 0.1 + 0.6) / 2)


def test_a_word_the_model_cannot_represent_is_listed_and_adds_nothing(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, stubborn)
    assert value(tables, "female words, all words", "base") == pytest.approx(0.3)
    pieces = dict(tables["vocabulary"].select("word", "pieces").iter_rows())
    assert pieces == {"woman": 1, "girl": None, "man": 1, "boy": 2}


def test_an_occupation_counts_once_however_many_backgrounds_it_has(tmp_path: Path) -> None:
    items = "item,share\nnurse,90\neditor,60\nteacher,70\npilot,5\n"
    materials, settings = read_with_settings(write_probe(tmp_path, items=items))
    tables = METHOD.measure(materials, settings, answers_of(stubborn, materials, settings))
    rows = tables["measures"].filter((pl.col("group") == "background") & pl.col("item").is_null())
    assert rows.filter(pl.col("measure") == "stereotype, top 3")["n"].to_list() == [4]


def test_the_female_share_is_correlated_with_the_labour_statistics(tmp_path: Path) -> None:
    shares = {"nurse": 0.9, "editor": 0.6, "pilot": 0.05, "engineer": 0.14}
    tables = tables_of(tmp_path, lambda _, item: {"woman": shares[item], "man": 1 - shares[item]})
    assert value(tables, "correlation with the share of women (%), top 3", "base") == pytest.approx(1)


def test_a_model_that_tells_no_occupations_apart_has_no_correlation(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, lambda *_: {"woman": 0.3, "man": 0.1})
    assert value(tables, "correlation with the share of women (%), top 3", "base") is None


def test_without_statistics_there_is_no_correlation(tmp_path: Path) -> None:
    probe = write_probe(tmp_path, items="item,group\nnurse,female\npilot,male\n")
    materials, settings = read_with_settings(probe)
    tables = METHOD.measure(materials, settings, answers_of(stubborn, materials, settings))
    assert tables["measures"].filter(pl.col("measure").str.starts_with("correlation")).is_empty()
    assert METHOD.summary(tables, "stubborn")


def test_occupations_preferring_each_group_and_neither_are_counted(tmp_path: Path) -> None:
    words = {"nurse": {"woman": 0.3}, "editor": {"man": 0.2}, "pilot": {"man": 0.1}, "engineer": {"person": 0.9}}
    tables = tables_of(tmp_path, lambda _, item: words[item])
    shares = [
        value(tables, f"share of occupations preferring {side}, top 3", "base")
        for side in ("female", "male", "neither")
    ]
    assert shares == [0.25, 0.5, 0.25]


def test_order_of_the_answers_changes_nothing(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path))
    answers = answers_of(docile, materials, settings)
    reversed_order = METHOD.measure(materials, settings, answers.reverse())
    for name, table in METHOD.measure(materials, settings, answers).items():
        assert table.equals(reversed_order[name]), name


def test_models_are_compared_by_base_prompts_only(tmp_path: Path) -> None:
    materials, settings = read_with_settings(write_probe(tmp_path))
    measures = METHOD.measure(materials, settings, answers_of(docile, materials, settings))["measures"]
    compared = METHOD.comparisons(materials, settings)
    assert [paired.measure for paired in compared] == ["pro-stereotypical share, all words", "female share, all words"]
    for paired in compared:
        assert paired.only == "base"
        assert paired.unit == "occupations, base prompts"
        rows = measures.filter(measure=paired.measure, group="base").filter(pl.col("item").is_not_null())
        assert rows.height == 4


def test_both_modes_give_the_same_numbers(tmp_path: Path) -> None:
    """As docs/errata/counteracts.md promises: no published number needs a correction."""
    corrected, published = (tables_of(tmp_path, docile, mode=mode) for mode in ("corrected", "as-published"))
    assert all(table.equals(published[name]) for name, table in corrected.items())


@pytest.mark.parametrize("given", ["1, 3", [3, 1], (1, 3, 3)])
def test_tops_may_be_given_as_text_or_list(given: object) -> None:
    assert CounterknowledgeSettings.model_validate({"tops": given}).tops == (1, 3)


@pytest.mark.parametrize("given", ["", "0", "3,-1", "three"])
def test_tops_that_are_not_numbers_above_zero_are_refused(given: str) -> None:
    with pytest.raises(ValidationError):
        CounterknowledgeSettings.model_validate({"tops": given})
