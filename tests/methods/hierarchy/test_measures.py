"""The hierarchy method from materials to tables and sentences, on answers that need no model."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from tacit.errors import TacitError
from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.controls import remove_token_count, shuffle_test
from tacit.methods.hierarchy.evaluate import Evaluation, evaluate, plain_sparseness, plain_sparseness_without
from tacit.methods.hierarchy.headline import deal_blocks
from tacit.methods.hierarchy.materials import Word
from tacit.methods.hierarchy.measures import BLOCK_C_W, block_contributions
from tacit.methods.hierarchy.questions import HEADLINE, NAME, ORDER, PARAPHRASE, SUBSTITUTE
from tacit.methods.hierarchy.validity import WORD_ORDER
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
    return [keyed.question.text for keyed in questions if keyed.keys["kind"] == kind]


def test_one_sentence_for_each_region_and_word(tmp_path):
    sentences = texts(asked(tmp_path), HEADLINE)
    assert len(sentences) == 18 * 5
    assert "People in A1 are wise." in sentences
    # `weak` belongs to two topics and is two dimensions: the paper's list of 112 has 110 distinct words, too.
    assert sentences.count("People in A1 are weak.") == 2


def test_paraphrases_and_substitutes_are_asked_of_the_upper_levels_only(tmp_path):
    questions = asked(tmp_path)
    assert len(texts(questions, PARAPHRASE)) == len(texts(questions, SUBSTITUTE)) == 8 * 5
    assert "The folk of North are tall." in texts(questions, PARAPHRASE)
    assert "People in North are clever." in texts(questions, SUBSTITUTE)
    assert not texts(asked(tmp_path, studies=0), PARAPHRASE)


def test_causal_models_see_the_start_of_the_template_before_a_name(tmp_path):
    assert texts(asked(tmp_path), NAME)[0] == "North"
    causal = next(keyed.question for keyed in asked(tmp_path, "causal") if keyed.keys["kind"] == NAME)
    assert causal.text == "People in North"
    assert [causal.text[role.start : role.end] for role in causal.roles] == ["North"]


def test_the_family_decides_how_a_sentence_is_scored(tmp_path):
    for family, method in (("masked", "aul"), ("seq2seq", "aul"), ("causal", "causal")):
        questions = asked(tmp_path, family, represent=False)
        assert {keyed.question.method for keyed in questions} == {method}
    assert {keyed.question.method for keyed in asked(tmp_path, likelihood="pll", represent=False)} == {"pll"}


def test_a_classifier_is_refused_in_terms_of_any_probe(tmp_path):
    with pytest.raises(TacitError, match="Use a masked, causal or seq2seq model with this probe"):
        asked(tmp_path, "classifier")


def test_reference_code_drops_the_period_and_adds_leading_spaces(tmp_path):
    words = "topic,word,blanks\nwit,wise,4\nwit,dull,\n"
    materials, chosen = read(write_probe(tmp_path, words=words), mode="reference-code")
    sentences = texts(METHOD.questions(materials, chosen, "masked"), HEADLINE)
    assert sentences[:2] == ["People in North are     wise", "People in North are dull"]


def test_measures_are_those_of_the_evaluated_tree(tmp_path):
    materials, chosen, tables = tables_of(tmp_path)
    regions = tables["regions"]
    answers = answer(METHOD.questions(materials, chosen, "masked")).filter(pl.col("kind") == HEADLINE)
    scores = answers["logprob"].to_numpy().reshape(18, 5)
    names = regions["name_score"].to_numpy()
    evaluation = evaluate(materials.tree, scores, names, chosen)
    measured = tables["measures"].filter(pl.col("item").is_null())
    shown = materials.tree.headline
    for measure, values in (("C_w", evaluation.c_w[shown]), ("C_z", evaluation.c_z[shown])):
        assert measured.filter(pl.col("measure") == measure)["value"].to_list() == pytest.approx(values)
    sparseness = measured.filter(pl.col("measure") == "plain sparseness")["value"]
    assert sparseness.to_list() == pytest.approx(plain_sparseness(materials.tree, scores))
    items = tables["measures"].filter(pl.col("item").is_not_null() & (pl.col("measure") == "C_w"))
    assert items["item"].to_list() == [r.key for r in materials.tree.regions if r.level == "country"]


def test_each_top_region_says_how_many_parts_it_used(tmp_path):
    _, _, tables = tables_of(tmp_path)
    rows = tables["measures"].filter(pl.col("item").is_null() & (pl.col("measure") == "C_w"))
    assert rows.filter(pl.col("low") > pl.col("high")).is_empty()
    weighted = "3 parts, 1 of them weighted by their siblings' mean"
    assert rows["note"].to_list() == [weighted, weighted, "2 parts"]
    assert rows["n"].unique().to_list() == [5]


def test_every_word_is_left_out_once_with_its_double():
    words = [Word(topic, f"w{i}") for topic in "ab" for i in range(15)]
    kept = deal_blocks(words, seed=0)
    assert kept.shape == (15, 30)
    # Each word stands under both topics, and both go together.
    assert (~kept).sum(axis=0).tolist() == [1] * 30
    assert (kept[:, :15] == kept[:, 15:]).all()


def test_every_block_has_words_of_each_topic():
    words = [Word(topic, f"{topic}{i}") for topic in "abc" for i in range(40)]
    topics = np.array([word.topic for word in words])
    for kept in deal_blocks(words, seed=0):
        assert sorted(topics[~kept]) == ["a", "a", "b", "b", "c", "c"]


def test_two_words_make_no_blocks_and_no_interval(tmp_path):
    materials, chosen = read(write_probe(tmp_path, words="topic,word\nwit,wise\nwit,dull\n"))
    tables = METHOD.measure(materials, chosen, answer(METHOD.questions(materials, chosen, "masked")))
    values = tables["measures"].filter((pl.col("measure") == "C_w") & pl.col("item").is_null())
    assert values["value"].is_not_null().all()
    assert values["low"].is_null().all()
    assert "cannot be told" in METHOD.summary(tables, "toy")[2]


def test_blocks_contribute_to_c_w_what_their_mean_shows(tmp_path):
    """The items that `tacit compare` pairs: their mean over blocks is C_w of the country."""
    _, _, tables = tables_of(tmp_path)
    items = tables["measures"].filter(pl.col("measure") == BLOCK_C_W).join(tables["units"], on=["group", "item"])
    means = dict(items.group_by("region").agg(pl.col("value").mean()).iter_rows())
    values = tables["measures"].filter(pl.col("item").is_not_null() & (pl.col("measure") == "C_w"))
    assert means == pytest.approx(dict(zip(values["item"], values["value"], strict=True)))
    assert items["word block"].n_unique() == 4  # "weak" stands under two topics


def test_block_contributions_of_a_mean_are_its_values():
    values = np.array([1.0, 4.0, 10.0])
    without = (values.sum() - values) / 2
    assert block_contributions(5.0, without) == pytest.approx(values)


def test_regions_without_c_are_counted(tmp_path):
    _, _, tables = tables_of(tmp_path)
    counted = tables["measures"].filter(pl.col("measure") == "regions without C")
    # Cland has one city, Fland none; C1 has no sibling.
    assert dict(zip(counted["group"], counted["value"], strict=True)) == {"continent": 0, "country": 2, "city": 1}


def test_same_answers_give_the_same_tables(tmp_path):
    first, second = (tables_of(tmp_path)[2] for _ in range(2))
    assert all(first[name].equals(second[name]) for name in first)


def test_the_mode_sets_the_switches_and_the_user_overrides_it(tmp_path):
    _, published, tables = tables_of(tmp_path, mode="as-published")
    assert (published.weights, published.single, published.alpha) == ("per-pair", "zero", "softmax")
    _, mixed, mixed_tables = tables_of(tmp_path, mode="as-published", weights="sum-to-one")
    assert mixed.single == "zero"
    ratio = tables["ranking"]["c_w"] * tables["ranking"]["pairs"] / mixed_tables["ranking"]["c_w"]
    # Not exactly 1: the countries' own C are divided by their pairs, too, which changes the weights a little.
    assert ratio.to_list() == pytest.approx([1, 1], abs=0.05)


def test_printed_headings_change_the_names_and_not_the_numbers(tmp_path):
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


def test_substitutes_with_equal_scores_change_nothing(tmp_path):
    """The score depends on the region only, so no word and no template can matter."""
    _, _, tables = tables_of(
        tmp_path, score=lambda text: -1 - sum(map(ord, text)) % 7 if len(text) < 9 else -2.0 - len(text.split()[2])
    )
    replaced = tables["studies"].filter(pl.col("study") == "words replaced")
    assert replaced["change"].to_list() == pytest.approx([0] * len(replaced), abs=1e-12)


def test_removing_the_token_count_removes_what_it_explains():
    token_counts = np.array([1, 1, 2, 2, 3])
    scores = np.array([-1.0, -2.0, -4.0])[token_counts - 1][:, None] * np.array([[1.0, 2.0]])
    adjusted = remove_token_count(scores, token_counts)
    assert np.ptp(adjusted, axis=0) == pytest.approx([0, 0])
    assert adjusted.mean(axis=0) == pytest.approx(scores.mean(axis=0))


def test_plain_sparseness_without_a_block_is_that_of_the_other_words(tmp_path):
    materials, _ = read(write_probe(tmp_path))
    scores = np.random.default_rng(0).normal(-3, 0.3, (18, 5))
    kept = deal_blocks(materials.words, seed=0)
    slow = [plain_sparseness(materials.tree, scores[:, words]) for words in kept]
    shares = plain_sparseness_without(materials.tree, scores, kept, seed=0)
    assert shares * plain_sparseness(materials.tree, scores) == pytest.approx(np.array(slow), abs=1e-7)


def test_a_tree_that_groups_similar_regions_is_below_every_shuffle(tmp_path):
    rows = "".join(f"{c}{i},{c}\n" for c in "NS" for i in range(8))
    materials, chosen = read(write_probe(tmp_path, tree="name,parent\nN,\nS,\n" + rows), resamples=200)
    near = np.random.default_rng(1).normal(0, 0.01, (18, 3)) + np.repeat(
        [[0.0], [1.0], [0.0], [1.0]], [1, 1, 8, 8], axis=0
    )
    test = shuffle_test(materials.tree, Evaluation(np.zeros(19), np.zeros(19), near, near, 0.0), chosen)
    assert test is not None
    assert test.observed[-1] < test.null[:, -1].min()
    # Only two in C(16, 8) assignments repeat the observed groups, so almost no shuffle is as extreme.
    assert test.p[-1] < 0.02


def test_the_map_word_must_be_one_of_the_words(tmp_path):
    with pytest.raises(TacitError, match=r"map word 'bald' is not in .*words.csv"):
        read(write_probe(tmp_path), word="bald")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"words": "topic,word\n"}, "has no rows below its heading"),
        ({"words": "topic,word\na,b\na,b\n"}, "line 3: topic and word 'a', 'b' also stand on line 2"),
        ({"words": "topic,word\na,\na,b\n"}, "line 2: the word is empty"),
        ({"words": WORDS.replace("substitute", "blanks").replace("clever", "x")}, "blanks must be a whole number"),
        ({"templates": ["People in {region}."]}, r"line 5: .*must contain \{description\} exactly once"),
        ({"templates": "In {region}: {description}, {description}."}, r"line 5: .*\{description\} exactly once"),
        ({"templates": "{region} {verb} {description}."}, r"line 5: .*contains \{verb\}, but only \{region\} and"),
        ({"templates": ["{region} {description}"] * 2}, "line 5: .*two of the templates are the same"),
        ({"templates": []}, "line 5: materials.templates: there is no template"),
        ({"tree": TREE.replace("A1,Aland", "A1,Nowhere")}, "line 10: no row has the name of its parent 'Nowhere'"),
        ({"neutral": [""]}, "line 6: materials.neutral: one of the phrases is empty"),
        ({"neutral": [3]}, "line 6: materials.neutral.0 must be text, not 3"),
    ],
)
def test_bad_materials_are_rejected_before_a_model_is_loaded(tmp_path, changes, complaint):
    with pytest.raises(TacitError, match=complaint):
        read(write_probe(tmp_path, **changes))


def test_a_name_without_tokens_is_an_error_that_names_its_line(tmp_path):
    materials, chosen = read(write_probe(tmp_path))
    answers = answer(METHOD.questions(materials, chosen, "masked"))
    incomplete = answers.filter(~((pl.col("kind") == NAME) & (pl.col("region") == "South")))
    with pytest.raises(TacitError, match=r"no token for the name 'South' \(line 3 of the tree\)"):
        METHOD.measure(materials, chosen, incomplete)


def test_a_missing_answer_is_an_error(tmp_path):
    materials, chosen = read(write_probe(tmp_path))
    answers = answer(METHOD.questions(materials, chosen, "masked"))
    with pytest.raises(
        TacitError, match="1 scores of the headline sentences are missing, the first for North and 'wise'"
    ):
        METHOD.measure(
            materials,
            chosen,
            answers.filter(pl.col("question") != answers.filter(pl.col("kind") == HEADLINE)["question"][0]),
        )


def test_the_summary_gives_the_value_in_the_table(tmp_path):
    _, _, tables = tables_of(tmp_path)
    overall = tables["measures"].filter((pl.col("measure") == "C_w") & (pl.col("group") == "overall"))["value"][0]
    assert f"the overall C_w, is {overall:.2f} [" in METHOD.summary(tables, "toy")[0]
    assert not math.isnan(overall)


def test_two_topics_of_three_words_can_be_studied(tmp_path):
    """Row 15: some resamples hold no word of the topic that is kept."""
    words = "topic,word\n" + "".join(f"{topic},{topic}{i}\n" for topic in "ab" for i in range(3))
    materials, chosen = read(write_probe(tmp_path, words=words), resamples=500)
    tables = METHOD.measure(materials, chosen, answer(METHOD.questions(materials, chosen, "masked")))
    left_out = tables["studies"].filter(pl.col("study") == "topic left out")
    assert len(left_out) == 2 * 3
    assert left_out["change_low"].is_not_null().all()
    overall = tables["measures"].filter((pl.col("measure") == "C_w") & (pl.col("group") == "overall"))
    assert overall["caution"][0] == "only 6 words and 2 continents"


def test_a_mean_distance_has_no_neutral_value_of_zero(tmp_path):
    measures = tables_of(tmp_path)[2]["measures"]
    bounded = measures.filter(pl.col("measure").is_in(["C_w", "C_z", "plain sparseness"]))
    assert bounded["neutral"].is_null().all()
    assert measures.filter(pl.col("low").is_not_null())["unit"].is_not_null().all()


def test_word_orders_show_whether_the_model_can_score_sentences(tmp_path):
    orders = texts(asked(tmp_path), ORDER)
    # Five words have 120 orders, of which 40 are asked, each with five words about two regions.
    assert orders[:2] == ["People in North are wise.", "People in South are dull."]
    assert len(orders) == 40 * 5 * 2
    assert len(set(orders[::10])) == 40
    assert all(sorted(text.rstrip(".").split()) == ["North", "People", "are", "in", "wise"] for text in orders[::10])
    *_, tables = tables_of(tmp_path, score=lambda text: -1.0 - 3 * (not text.startswith("People in")) - len(text) / 99)
    order = tables["measures"].filter(pl.col("measure") == WORD_ORDER).row(0, named=True)
    as_likely = [text for text in orders if text.startswith("People in")]
    assert order["n"] == 40
    assert order["value"] == len(as_likely) / 10 / 40


def test_many_words_are_asked_once_each_in_every_order(tmp_path):
    words = "topic,word\n" + "".join(f"t,w{i:02}\n" for i in range(32))
    materials, chosen = read(write_probe(tmp_path, words=words))
    keys = [q.keys for q in METHOD.questions(materials, chosen, "masked") if q.keys["kind"] == ORDER]
    assert [key["word"] for key in keys[:16]] == list(range(0, 32, 2))
    assert len(keys) == 40 * 16


def test_a_short_first_template_borrows_the_word_orders_of_the_longest(tmp_path):
    probe = write_probe(tmp_path, templates=["{region} are {description}.", "Most {region} are {description}."])
    materials, chosen = read(probe)
    orders = texts(METHOD.questions(materials, chosen, "masked"), ORDER)
    assert orders[0] == "Most North are wise."
    assert len(orders) == 24 * 10
