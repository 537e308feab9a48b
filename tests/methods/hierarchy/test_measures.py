"""The hierarchy method from its materials to its tables, on answers that need no model."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from tacit.errors import TacitError
from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.bootstrap import draws, redraw_plain
from tacit.methods.hierarchy.controls import shuffle, without_token_count
from tacit.methods.hierarchy.evaluate import Evaluated, evaluate, plain
from tacit.methods.hierarchy.questions import HEADLINE, NAME, PARAPHRASE, SUBSTITUTE
from tacit.questions import Likelihood
from tests.methods.hierarchy.world import TREE, WORDS, answer, read, write_probe

METHOD = Hierarchy()


def tables_of(tmp_path, score=None, **settings):
    materials, chosen = read(write_probe(tmp_path), **settings)
    answers = answer(METHOD.questions(materials, chosen, "masked"), score)
    return materials, chosen, METHOD.measure(materials, chosen, answers)


def asked(tmp_path, family="masked", **settings):
    materials, chosen = read(write_probe(tmp_path), **settings)
    return list(METHOD.questions(materials, chosen, family))


def texts(questions, kind):
    return [one.question.text for one in questions if one.keys["kind"] == kind]


def test_one_sentence_for_each_region_and_word(tmp_path):
    found = texts(asked(tmp_path), HEADLINE)
    assert len(found) == 18 * 5
    assert "People in A1 are wise." in found
    # `weak` stands in two topics and is two dimensions, as in the paper's list of 112 with 110 distinct words.
    assert found.count("People in A1 are weak.") == 2


def test_paraphrases_and_substitutes_are_asked_of_the_upper_levels_only(tmp_path):
    questions = asked(tmp_path)
    assert len(texts(questions, PARAPHRASE)) == len(texts(questions, SUBSTITUTE)) == 8 * 5
    assert "The folk of North are tall." in texts(questions, PARAPHRASE)
    assert "People in North are clever." in texts(questions, SUBSTITUTE)
    assert not texts(asked(tmp_path, studies=0), PARAPHRASE)


def test_the_bare_name_of_a_causal_model_follows_the_lead_in(tmp_path):
    assert texts(asked(tmp_path), NAME)[0] == "North"
    causal = next(one.question for one in asked(tmp_path, "causal") if one.keys["kind"] == NAME)
    assert causal.text == "People in North"
    assert [causal.text[role.start : role.end] for role in causal.roles] == ["North"]


def test_the_family_decides_how_a_sentence_is_weighed(tmp_path):
    for family, way in (("masked", "aul"), ("seq2seq", "aul"), ("causal", "causal")):
        ways = {one.question.method for one in asked(tmp_path, family) if isinstance(one.question, Likelihood)}
        assert ways == {way}
    assert {one.question.method for one in asked(tmp_path, likelihood="pll", represent=False)} == {"pll"}


def test_a_classifier_is_sent_to_its_own_probe(tmp_path):
    with pytest.raises(TacitError, match="regional-downstream"):
        asked(tmp_path, "classifier")


def test_reference_code_drops_the_full_stop_and_keeps_the_blanks(tmp_path):
    words = "topic,word,blanks\nwit,wise,4\nwit,dull,\n"
    materials, chosen = read(write_probe(tmp_path, words=words), mode="reference-code")
    found = texts(METHOD.questions(materials, chosen, "masked"), HEADLINE)
    assert found[:2] == ["People in North are     wise", "People in North are dull"]


def test_measures_are_those_of_the_evaluated_tree(tmp_path):
    materials, chosen, tables = tables_of(tmp_path)
    regions = tables["regions"]
    answers = answer(METHOD.questions(materials, chosen, "masked")).filter(pl.col("kind") == HEADLINE)
    scores = answers["logprob"].to_numpy().reshape(18, 5)
    names = regions["name_score"].to_numpy()
    found = evaluate(materials.tree, scores, names, chosen)
    measured = tables["measures"].filter(pl.col("item").is_null())
    shown = [*materials.tree.top.tolist(), materials.tree.whole]
    for measure, values in (("C_w", found.c_w[shown]), ("C_z", found.c_z[shown])):
        assert measured.filter(pl.col("measure") == measure)["value"].to_list() == pytest.approx(values)
    plains = measured.filter(pl.col("measure") == "plain sparseness")["value"]
    assert plains.to_list() == pytest.approx(plain(materials.tree, scores))
    items = tables["measures"].filter(pl.col("item").is_not_null())
    assert items["item"].to_list() == [r.key for r in materials.tree.regions if r.level == "country"]


def test_intervals_hold_their_values_and_say_how_often_words_were_drawn(tmp_path):
    _, _, tables = tables_of(tmp_path)
    rows = tables["measures"].filter(pl.col("item").is_null() & (pl.col("measure") == "C_w"))
    assert rows.filter(pl.col("low") > pl.col("high")).is_empty()
    assert rows["note"].unique().to_list() == ["10 draws of the words"]
    assert rows["n"].unique().to_list() == [5]


def test_what_is_undefined_is_counted(tmp_path):
    _, _, tables = tables_of(tmp_path)
    counted = tables["measures"].filter(pl.col("measure") == "regions without C")
    # Cland has one city, Fland none; C1 has no sibling.
    assert dict(zip(counted["group"], counted["value"], strict=True)) == {"continent": 0, "country": 2, "city": 1}


def test_same_answers_give_the_same_tables(tmp_path):
    first, second = (tables_of(tmp_path)[2] for _ in range(2))
    assert all(first[name].equals(second[name]) for name in first)


def test_switches_follow_the_mode_and_yield_to_the_user(tmp_path):
    _, published, tables = tables_of(tmp_path, mode="as-published")
    assert (published.weights, published.single, published.alpha) == ("per-pair", "zero", "softmax")
    _, mixed, other = tables_of(tmp_path, mode="as-published", weights="sum-to-one")
    assert mixed.single == "zero"
    ratio = tables["ranking"]["c_w"] * tables["ranking"]["pairs"] / other["ranking"]["c_w"]
    # Not exactly 1: the countries' own C, divided by their pairs too, weigh the pairs a little otherwise.
    assert ratio.to_list() == pytest.approx([1, 1], abs=0.05)


def test_headings_as_printed_move_the_names_and_not_the_numbers(tmp_path):
    source = write_probe(tmp_path, printed_as={"North": "South", "South": "North"})
    own, printed = ((m, s) for m, s in (read(source), read(source, labels="as-printed")))
    rankings = []
    for materials, chosen in (own, printed):
        answers = answer(METHOD.questions(materials, chosen, "masked"))
        rankings.append(METHOD.measure(materials, chosen, answers)["ranking"])
    assert rankings[0]["group"].to_list() == ["North", "South"]
    assert rankings[1]["group"].to_list() == ["South", "North"]
    assert rankings[0]["c_w"].equals(rankings[1]["c_w"])


def test_leaving_a_topic_out_is_the_tree_without_its_words(tmp_path):
    materials, chosen, tables = tables_of(tmp_path)
    row = (
        tables["studies"]
        .filter((pl.col("variant") == "wit") & (pl.col("study") == "topic left out"))
        .row(0, named=True)
    )
    answers = answer(METHOD.questions(materials, chosen, "masked")).filter(pl.col("kind") == HEADLINE)
    scores = answers["logprob"].to_numpy().reshape(18, 5)[:, 2:]
    alone = evaluate(materials.tree, scores, tables["regions"]["name_score"].to_numpy(), chosen)
    assert row["value"] == pytest.approx(alone.c_w[0])
    assert row["change"] == pytest.approx(row["value"] - row["full"])


def test_substitutes_that_change_nothing_change_nothing(tmp_path):
    """The score sees the region alone, so no word and no template can matter."""
    _, _, tables = tables_of(
        tmp_path, score=lambda text: -1 - sum(map(ord, text)) % 7 if len(text) < 9 else -2.0 - len(text.split()[2])
    )
    replaced = tables["studies"].filter(pl.col("study") == "words replaced")
    assert replaced["change"].to_list() == pytest.approx([0] * len(replaced), abs=1e-12)


def test_evening_out_tokens_removes_what_only_tokens_explain():
    pieces = np.array([1, 1, 2, 2, 3])
    scores = np.array([-1.0, -2.0, -4.0])[pieces - 1][:, None] * np.array([[1.0, 2.0]])
    adjusted = without_token_count(scores, pieces)
    assert np.ptp(adjusted, axis=0) == pytest.approx([0, 0])
    assert adjusted.mean(axis=0) == pytest.approx(scores.mean(axis=0))


def test_plain_redraws_agree_with_computing_each_draw(tmp_path):
    materials, chosen = read(write_probe(tmp_path))
    scores = np.random.default_rng(0).normal(-3, 0.3, (18, 5))
    slow = [plain(materials.tree, scores[:, drawn]) for drawn in draws(5, chosen.resamples, chosen.seed)]
    assert redraw_plain(materials.tree, scores, chosen) == pytest.approx(np.array(slow), abs=1e-7)


def test_a_tree_that_groups_what_is_alike_is_below_every_shuffle(tmp_path):
    rows = "".join(f"{c}{i},{c}\n" for c in "NS" for i in range(8))
    materials, chosen = read(write_probe(tmp_path, tree="name,parent\nN,\nS,\n" + rows), resamples=200)
    near = np.random.default_rng(1).normal(0, 0.01, (18, 3)) + np.repeat(
        [[0.0], [1.0], [0.0], [1.0]], [1, 1, 8, 8], axis=0
    )
    found = Evaluated(np.zeros(19), np.zeros(19), near, 0.0)
    shuffled = shuffle(materials.tree, found, chosen)
    assert shuffled is not None
    assert shuffled.observed[-1] < shuffled.null[:, -1].min()
    # One deal in C(16, 8) repeats the observed one, so almost no shuffle is as far out.
    assert shuffled.p[-1] < 0.02


def test_word_of_the_map_must_be_one_of_the_words(tmp_path):
    with pytest.raises(TacitError, match="'bald', is not in"):
        read(write_probe(tmp_path), word="bald")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"words": "topic,word\n"}, "has no rows below its heading"),
        ({"words": "topic,word\na,b\na,b\n"}, "line 3: topic and word 'a', 'b' stand on line 2 already"),
        ({"words": "topic,word\na,\na,b\n"}, "line 2: the word is empty"),
        ({"words": WORDS.replace("substitute", "blanks").replace("clever", "x")}, "blanks must be a whole number"),
        ({"templates": ["People in {region}."]}, r"must hold \{description\} exactly once"),
        ({"templates": []}, "name no templates"),
        ({"tree": TREE.replace("A1,Aland", "A1,Nowhere")}, "line 10: its parent 'Nowhere' is no row"),
        ({"neutral": [""]}, "neutral must be a list of texts"),
    ],
)
def test_bad_materials_are_refused_before_a_model_is_loaded(tmp_path, changes, complaint):
    with pytest.raises(TacitError, match=complaint):
        read(write_probe(tmp_path, **changes))


def test_a_name_without_tokens_is_said_to_be_so(tmp_path):
    materials, chosen = read(write_probe(tmp_path))
    answers = answer(METHOD.questions(materials, chosen, "masked"))
    lost = answers.filter(~((pl.col("kind") == NAME) & (pl.col("region") == "South")))
    with pytest.raises(TacitError, match=r"'South' \(line 3 of the tree\) has no token of its own"):
        METHOD.measure(materials, chosen, lost)


def test_a_missing_answer_is_not_a_number(tmp_path):
    materials, chosen = read(write_probe(tmp_path))
    answers = answer(METHOD.questions(materials, chosen, "masked"))
    with pytest.raises(TacitError, match="lack 1 scores of the headline sentences, the first for North and 'wise'"):
        METHOD.measure(
            materials,
            chosen,
            answers.filter(pl.col("question") != answers.filter(pl.col("kind") == HEADLINE)["question"][0]),
        )


def test_sentences_say_the_figure_that_the_table_holds(tmp_path):
    _, _, tables = tables_of(tmp_path)
    overall = tables["measures"].filter((pl.col("measure") == "C_w") & (pl.col("group") == "overall"))["value"][0]
    said = METHOD.summary(tables, "toy")
    assert f"overall C_w is {overall:.4g}" in said[0]
    assert not math.isnan(overall)
