"""The order of the top regions: what can be told of it, and how much rests on regions without a C."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.answers import read_answers
from tacit.methods.hierarchy.evaluate import evaluate, group_c_w
from tacit.methods.hierarchy.headline import compute_headline
from tacit.methods.hierarchy.ranking import HIGHEST, compare_tops, highest_rows, ranking_table
from tacit.methods.hierarchy.simulation import simulate_answers
from tests.methods.hierarchy.world import read, write_probe

WORDS = "topic,word\n" + "".join(f"t{i % 3},w{i}\n" for i in range(24))


def headline_of(folder, *, countries=12, tree=None, spread=1.0, **settings):
    tops = "".join(f"{name},,continent\n" for name in "NSE")
    parts = "".join(f"{top}{i},{top},country\n" for top in "NSE" for i in range(countries))
    tree = tree or f"name,parent,level\n{tops}{parts}"
    materials, chosen = read(write_probe(folder, tree=tree, words=WORDS), **settings)
    answers = read_answers(materials, simulate_answers(materials, chosen, seed=1, spread=spread))
    return compute_headline(materials, chosen, answers)


@pytest.mark.parametrize("mode", ["corrected", "as-published", "reference-code"])
def test_c_w_of_the_real_groups_is_that_of_the_tree(tmp_path, mode):
    materials, chosen = read(write_probe(tmp_path, words=WORDS), mode=mode)
    tree, generator = materials.tree, np.random.default_rng(0)
    evaluation = evaluate(tree, generator.normal(-3, 0.4, (len(tree), 24)), generator.normal(-5, 1, len(tree)), chosen)
    parts = np.flatnonzero(tree.depths == 1)
    member = tree.parents[parts] == tree.top[:, None]
    assert group_c_w(evaluation, parts, member, chosen) == pytest.approx(evaluation.c_w[tree.top])


def test_a_region_with_a_far_larger_spread_is_named_the_highest(tmp_path):
    headline = headline_of(tmp_path, spread=6.0)
    ranking = compare_tops(headline)
    row = next(highest_rows(headline, ranking))
    assert (row["verdict"], row["neutral"]) == ("N has the highest C_w", 1.0)
    values = headline.evaluation.c_w[headline.tree.top]
    assert row["value"] == pytest.approx(values[0] / sorted(values)[-2])
    assert row["low"] > 1
    bounds = ranking_table(headline, ranking).select("rank_low", "rank_high").rows()
    assert bounds[0] == (1, 1)
    assert {ranks[1] for ranks in bounds[1:]} == {3}


def test_the_error_of_a_ratio_adds_words_and_parts(tmp_path):
    """Against leaving out each block of words and each country, and computing everything again."""
    headline = headline_of(tmp_path, countries=5)
    ranking = compare_tops(headline)
    first, second = (candidate.place for candidate in ranking.candidates[:2])
    variances = []
    logs = np.log(headline.c_w[:, headline.tree.top])
    ratios = logs[:, first] - logs[:, second]
    variances.append((len(ratios) - 1) * ratios.var())
    for top in (first, second):
        parts = headline.parts(int(headline.tree.top[top]))
        vectors, scores = headline.evaluation.vectors[parts], headline.evaluation.c_w[parts]
        without = []
        for j in range(len(parts)):
            pairs = [(a, b) for a in range(len(parts)) for b in range(a) if j not in (a, b)]
            weights = [np.exp(scores[a] + scores[b]) for a, b in pairs]
            distances = [np.linalg.norm(vectors[a] - vectors[b]) for a, b in pairs]
            without.append(np.log(np.average(distances, weights=weights)))
        variances.append((len(parts) - 1) * np.var(without))
    assert ranking.ratios[first, second].error == pytest.approx(np.sqrt(sum(variances)))


def test_two_parts_are_too_few_to_tell(tmp_path):
    headline = headline_of(tmp_path, countries=2, spread=9.0)
    row = next(highest_rows(headline, compare_tops(headline)))
    assert row["p"] == 1.0
    assert row["low"] is None


def test_the_published_division_by_pairs_cannot_be_ranked(tmp_path):
    headline = headline_of(tmp_path, mode="as-published")
    assert compare_tops(headline) is None
    assert not list(highest_rows(headline, None))
    assert ranking_table(headline, None)["rank_low"].is_null().all()


def test_the_ranking_shows_what_regions_without_c_change(tmp_path):
    headline = headline_of(tmp_path, tree=None, countries=4)
    table = ranking_table(headline, compare_tops(headline))
    assert table["c_w_if_left_out"].to_list() == pytest.approx(table["c_w"].to_list())
    materials, chosen = read(write_probe(tmp_path, words=WORDS))
    answers = read_answers(materials, simulate_answers(materials, chosen, seed=1))
    headline = compute_headline(materials, chosen, answers)
    table = ranking_table(headline, compare_tops(headline))
    assert table.select("used", "without_c").rows() == [(3, 1), (3, 1)]
    for single, column in (("undefined", "c_w_if_left_out"), ("zero", "c_w_if_zero")):
        settings = chosen.model_copy(update={"single": single})
        expected = evaluate(materials.tree, answers.scores, answers.names, settings).c_w[materials.tree.top]
        assert table[column].to_list() == pytest.approx(expected)
        assert table[column].to_list() != pytest.approx(table["c_w"].to_list())
    assert table.sort("rank_if_zero")["c_w_if_zero"].is_sorted(descending=True)


def test_the_highest_row_is_part_of_the_measures(tmp_path):
    materials, chosen = read(write_probe(tmp_path, words=WORDS))
    tables = Hierarchy().measure(materials, chosen, simulate_answers(materials, chosen, seed=2))
    assert tables["measures"].filter(pl.col("measure") == HIGHEST)["unit"].to_list() == ["word and country"]
