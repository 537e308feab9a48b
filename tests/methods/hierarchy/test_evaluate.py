"""HERB over a tree: each mode against a slow transcription of the paper, and what must not change the values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tacit.methods.hierarchy.evaluate import evaluate, plain_sparseness
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree_csv import read_tree
from tests.methods.hierarchy.world import TREE

MODES = ["corrected", "as-published", "reference-code"]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "t.csv").write_text(TREE)
    return read_tree(tmp_path / "t.csv")


def scores_for(tree, words=6, seed=0):
    generator = np.random.default_rng(seed)
    return generator.normal(-3, 0.4, (len(tree), words)), generator.normal(-5, 1, len(tree))


def unit(vector):
    return [x / math.hypot(*vector) for x in vector]


def mean(vectors):
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


def softmax(values):
    raised = [math.exp(x) for x in values]
    return [x / sum(raised) for x in raised]


class Slow:
    """The paper's section 3 region by region, in plain loops; the mode decides each point of docs/errata/herb.md."""

    def __init__(self, tree, scores, names, mode, variant="w"):
        self.tree, self.mode, self.variant = tree, mode, variant
        self.raw = {r.key: list(map(float, row)) for r, row in zip(tree.regions, scores, strict=True)}
        self.alone = {r.key: float(x) for r, x in zip(tree.regions, names, strict=True)}
        self.depth = {r.key: d for r, d in zip(tree.regions, tree.depths.tolist(), strict=True)}
        self.below = {r.key: [c.key for c in tree.regions if c.parent == r.key] for r in tree.regions}
        self.below[""] = [r.key for r in tree.regions if r.parent == ""]

    def v(self, key):
        code = self.mode == "reference-code"
        return self.raw[key] if code and self.depth[key] < self.tree.deepest - 1 else unit(self.raw[key])

    def seen(self, key):
        """The vector of a sub-region as the level above compares it."""
        if self.mode == "reference-code" and self.depth[key] < self.tree.deepest:
            return unit(self.V(key))
        return self.V(key)

    def V(self, key):  # noqa: N802 - the paper's letter
        children = self.below[key]
        words = len(self.raw[key])
        if not children and self.mode == "corrected" and self.depth[key] < self.tree.deepest:
            return [x + x / words for x in self.v(key)]
        if not children:
            return self.v(key)
        code = self.mode == "reference-code"
        averaged = [self.seen(c) if code else self.v(c) for c in children]
        if len(children) == 1:
            share = 1 / words if self.mode == "corrected" else 1
            return [a + share * b for a, b in zip(self.v(key), averaged[0], strict=True)]
        weighed = [self.V(c) if code else self.v(c) for c in children]
        alpha = softmax(self.differences(weighed))
        return [a + w * b for a, w, b in zip(self.v(key), alpha, mean(averaged), strict=True)]

    def differences(self, vectors):
        pairs = list(itertools.combinations(vectors, 2))
        if self.mode == "reference-code":
            return [(a - b) ** 2 / len(pairs) for a, b in zip(*vectors[-2:], strict=True)]
        return [sum(abs(a[i] - b[i]) for a, b in pairs) / len(pairs) for i in range(len(vectors[0]))]

    def C(self, key):  # noqa: N802
        children = self.below[key]
        if key and not children:
            return self.leaf(key)
        if len(children) == 1:
            return None if self.mode == "corrected" else 0.0
        if self.variant == "w":
            weights = self.filled({c: self.C(c) for c in children})
        elif self.mode == "reference-code":
            weights = {c: self.alone[c] if c == children[-1] else 0.0 for c in children}
        else:
            weights = {c: self.alone[c] for c in children}
        pairs = list(itertools.combinations(children, 2))
        mass = sum(math.exp(weights[a] + weights[b]) for a, b in pairs)
        total = sum(math.exp(weights[a] + weights[b]) / mass * math.dist(self.seen(a), self.seen(b)) for a, b in pairs)
        return total if self.mode == "corrected" else total / len(pairs)

    def filled(self, weights):
        """A sub-region without a C weighs like the mean of its siblings."""
        known = [c for c in weights.values() if c is not None]
        mean_weight = sum(known) / len(known) if known else 0.0
        return {key: mean_weight if c is None else c for key, c in weights.items()}

    def leaf(self, key):
        siblings = next(s for s in self.below.values() if key in s)
        if self.depth[key] < self.tree.deepest or len(siblings) == 1:
            return None if self.mode == "corrected" else 0.0
        if self.mode == "reference-code" and key == siblings[-1]:
            return 0.0
        return math.dist(self.v(key), mean([self.v(s) for s in siblings]))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("variant", ["w", "z"])
def test_every_region_matches_the_slow_transcription(tree, mode, variant):
    scores, names = scores_for(tree)
    evaluation = evaluate(tree, scores, names, HierarchySettings(mode=mode))
    values = evaluation.c_w if variant == "w" else evaluation.c_z
    slow = Slow(tree, scores, names, mode, variant)
    for i, key in enumerate([*(r.key for r in tree.regions), ""]):
        expected = slow.C(key)
        assert values[i] == pytest.approx(math.nan if expected is None else expected, nan_ok=True, rel=1e-9), key


def test_two_cities_by_hand(tmp_path):
    """Two countries of two cities each, two words: every number below can be followed with a pencil.

    Cities (3,4)/5 and (4,3)/5 are sqrt(2)/5 apart and each half of that from their middle (.7, .7). Both words differ
    by .2, so alpha is (1/2, 1/2); each country's own vector is (0, 1) or (1, 0).
    """
    (tmp_path / "t.csv").write_text("name,parent\nX,\nY,\nx1,X\nx2,X\ny1,Y\ny2,Y\n")
    tree = read_tree(tmp_path / "t.csv")
    scores = np.array([[0, -1], [-1, 0], [-3, -4], [-4, -3], [-3, -4], [-4, -3]], dtype=float)
    evaluation = evaluate(tree, scores, np.zeros(6), HierarchySettings())
    assert evaluation.c_w[2:6] == pytest.approx([math.sqrt(2) / 10] * 4)
    assert evaluation.c_w[:2] == pytest.approx([math.sqrt(2) / 5] * 2)
    assert evaluation.vectors[0] == pytest.approx([0 - 0.35, -1 - 0.35])
    assert evaluation.c_w[6] == pytest.approx(math.sqrt(2))
    assert evaluation.alpha_departure == pytest.approx(0)


def test_one_city_country_has_no_sparseness(tree):
    scores, names = scores_for(tree)
    place = [region.name for region in tree.regions].index("Cland")
    assert np.isnan(evaluate(tree, scores, names, HierarchySettings()).c_w[place])
    assert evaluate(tree, scores, names, HierarchySettings(mode="as-published")).c_w[place] == 0


def test_country_without_cities_is_its_own_only_part(tree):
    scores, names = scores_for(tree)
    place = [region.name for region in tree.regions].index("Fland")
    own = scores[place] / np.linalg.norm(scores[place])
    assert evaluate(tree, scores, names, HierarchySettings()).vectors[place] == pytest.approx(own * (1 + 1 / 6))
    left_out = evaluate(tree, scores, names, HierarchySettings(single="undefined"))
    assert left_out.vectors[place] == pytest.approx(own)


def test_a_country_with_one_city_counts_in_the_distances_of_its_continent(tree):
    """Defect e: without Cland the continent North would be the one distance between Aland and Bland."""
    scores, names = scores_for(tree)
    kept, left_out = (evaluate(tree, scores, names, HierarchySettings(single=s)) for s in ("siblings", "undefined"))
    a, b, c = (kept.vectors[tree.index[f"North > {name}land"]] for name in "ABC")
    assert left_out.c_w[0] == pytest.approx(math.dist(a, b))
    c_a, c_b = (kept.c_w[tree.index[f"North > {name}land"]] for name in "AB")
    weights = [math.exp(c_a + c_b), math.exp(c_a + (c_a + c_b) / 2), math.exp(c_b + (c_a + c_b) / 2)]
    distances = [math.dist(a, b), math.dist(a, c), math.dist(b, c)]
    expected = sum(w * d for w, d in zip(weights, distances, strict=True)) / sum(weights)
    assert kept.c_w[0] == pytest.approx(expected)


@pytest.mark.parametrize("mode", ["corrected", "as-published"])
def test_order_of_rows_and_names_do_not_matter(tmp_path, mode):
    heading, *rows = TREE.strip().splitlines()
    renamed = [row.replace("A1,", "Zed,") for row in rows[::-1]]
    trees = []
    for text in (rows, renamed):
        (tmp_path / "t.csv").write_text("\n".join([heading, *text]) + "\n")
        trees.append(read_tree(tmp_path / "t.csv"))
    scores, names = scores_for(trees[0])
    row = {region.name: i for i, region in enumerate(trees[0].regions)}
    moved = [row[region.name.replace("Zed", "A1")] for region in trees[1].regions]
    first = evaluate(trees[0], scores, names, HierarchySettings(mode=mode))
    second = evaluate(trees[1], scores[moved], names[moved], HierarchySettings(mode=mode))
    assert second.c_w[:-1] == pytest.approx(first.c_w[:-1][moved], nan_ok=True)
    assert second.c_w[-1] == pytest.approx(first.c_w[-1])


def test_a_copy_of_a_country_lowers_c_w_of_its_continent_only(tmp_path):
    """Two continents of two countries; a copy of one country adds a pair at distance 0 to its continent."""
    rows = "name,parent\nN,\nS,\na,N\nb,N\nc,S\nd,S\n"
    (tmp_path / "t.csv").write_text(rows)
    before = read_tree(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text(rows + "a again,N\n")
    after = read_tree(tmp_path / "t.csv")
    scores, names = scores_for(before)
    doubled = np.concatenate([scores, scores[2:3]])
    old = evaluate(before, scores, names, HierarchySettings()).c_w
    new = evaluate(after, doubled, np.r_[names, names[2]], HierarchySettings()).c_w
    assert new[1] == pytest.approx(old[1])
    # a, b and a again: two pairs at the old distance, one at 0. a and its copy are closer to the centroid than b.
    c = new[[2, 3]]
    heavy, light = math.exp(c[0] + c[1]), math.exp(2 * c[0])
    assert new[0] == pytest.approx(old[0] * 2 * heavy / (2 * heavy + light))


def test_c_w_is_zero_if_all_regions_are_alike(tree):
    alike = np.tile([-1.0, -2.0, -3.0], (len(tree), 1))
    evaluation = evaluate(tree, alike, np.zeros(len(tree)), HierarchySettings())
    assert np.nanmax(evaluation.c_w) < 1e-12
    assert plain_sparseness(tree, alike) == pytest.approx([0, 0, 0], abs=1e-12)


def test_plain_sparseness_compares_a_continent_and_everything_in_it(tree):
    scores, _ = scores_for(tree)
    inside = [i for i, region in enumerate(tree.regions) if region.key.startswith("North")]
    vectors = [unit(scores[i]) for i in inside]
    pairs = list(itertools.combinations(vectors, 2))
    assert plain_sparseness(tree, scores)[0] == pytest.approx(sum(math.dist(a, b) for a, b in pairs) / len(pairs))


def test_dividing_twice_ranks_continents_by_their_number_of_pairs(tmp_path):
    """Defect a: continents with the same spread but 4, 8 and 16 countries rank by 1 / pairs."""
    rows = [f"c{n}," for n in (4, 8, 16)] + [f"c{n}-{i},c{n}" for n in (4, 8, 16) for i in range(n)]
    (tmp_path / "t.csv").write_text("name,parent\n" + "\n".join(rows) + "\n")
    tree = read_tree(tmp_path / "t.csv")
    scores, names = scores_for(tree, words=112)
    published = evaluate(tree, scores, names, HierarchySettings(mode="as-published")).c_w[:3]
    corrected = evaluate(tree, scores, names, HierarchySettings()).c_w[:3]
    assert published[0] > 4 * published[1] > 16 * published[2]
    assert published * np.array([6, 28, 120]) == pytest.approx(corrected, rel=1e-9)
    assert np.ptp(corrected) < 0.05 * corrected.mean()


@pytest.mark.parametrize("switch", ["weights", "single", "alpha", "leaf", "vectors", "z"])
def test_each_switch_alone_changes_a_value(tree, switch):
    scores, names = scores_for(tree)
    code = HierarchySettings(mode="reference-code")
    alone = HierarchySettings(**{switch: getattr(code, switch)})
    before, after = (evaluate(tree, scores, names, rules) for rules in (HierarchySettings(), alone))
    moved = [not np.allclose(getattr(before, part), getattr(after, part), equal_nan=True) for part in ("c_w", "c_z")]
    assert any(moved)
