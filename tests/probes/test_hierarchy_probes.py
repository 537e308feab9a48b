"""The materials of the hierarchy and prefix probes are what their READMEs say."""

from __future__ import annotations

from collections import Counter

from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.prefix import Prefix
from tacit.methods.prefix.settings import PrefixSettings
from tacit.probes.loading import load_probe


def regional(**settings):
    probe = load_probe("regional")
    chosen = HierarchySettings(**{**probe.settings, **settings})
    return Hierarchy().materials(probe, chosen), chosen


def test_regions_are_those_of_the_paper():
    materials, _ = regional(cities="all")
    levels = Counter(region.level for region in materials.tree.regions)
    assert levels == {"continent": 6, "country": 247, "city": 25_879}


def test_countries_with_fewer_than_two_cities_are_as_many_as_the_erratum_says():
    tree = regional(cities="all")[0].tree
    cities = tree.child_counts[tree.depths == 1]
    assert Counter(cities.tolist())[1] == 52
    assert Counter(cities.tolist())[0] == 5
    few = Counter(tree.regions[i].parent for i in (tree.depths == 1).nonzero()[0] if tree.child_counts[i] < 2)
    assert few == {"Africa": 3, "Asia": 5, "Europe": 11, "North America": 19, "Oceania": 18, "South America": 1}


def test_ten_cities_a_country_by_default():
    materials, _ = regional()
    levels = Counter(region.level for region in materials.tree.regions)
    assert levels["city"] == 1722
    cities = Counter(region.parent for region in materials.tree.regions if region.level == "city")
    assert max(cities.values()) == 10
    france = [region.name for region in materials.tree.regions if region.parent == "Europe > France"]
    assert france[:3] == ["Paris", "Marseille", "Lyon"]


def test_words_are_the_112_of_appendix_a_with_their_substitutes():
    materials, _ = regional(cities=0)
    topics = Counter(word.topic for word in materials.words)
    assert topics == {"occupation": 20, "intelligence": 25, "appearance": 25, "strength": 23, "morality": 19}
    twice = [word for word, count in Counter(word.word for word in materials.words).items() if count == 2]
    assert len(materials.words) == 112
    assert sorted(twice) == ["strong", "weak"]
    assert materials.substitutable
    assert sum(word.blanks > 0 for word in materials.words) == 10


def test_a_full_run_asks_2_9_million_sentences_as_a_stream():
    materials, settings = regional(cities="all", represent=False)
    stream = Hierarchy().questions(materials, settings, "masked")
    assert next(stream).question.text == "People in Africa are homemaker."
    assert len(materials.tree) * len(materials.words) == 2_926_784


def test_table_1_has_three_columns_under_the_wrong_continents():
    materials, _ = regional(cities=0)
    names = [materials.tree.regions[i].name for i in materials.tree.top]
    printed = [materials.printed_as.get(name, name) for name in names]
    assert names == ["Africa", "Asia", "Europe", "North America", "Oceania", "South America"]
    assert printed == ["Africa", "Asia", "Europe", "Oceania", "South America", "North America"]


def test_religions_are_a_tree_of_two_levels():
    probe = load_probe("religions")
    materials = Hierarchy().materials(probe, HierarchySettings(**probe.settings))
    assert Counter(region.level for region in materials.tree.regions) == {"religion": 5, "branch": 30}
    assert not materials.substitutable


def test_downstream_names_every_country_before_forty_texts():
    materials = Prefix().materials(load_probe("regional-downstream"), PrefixSettings())
    assert len(materials.regions) == 247
    assert Counter(text.label for text in materials.texts) == {"positive": 20, "negative": 20}


def test_table_1_fits_the_number_of_pairs_only_in_the_order_of_the_code():
    """Defect b: BERT's printed C_w (x 1000) times the pairs of countries is a mean distance near those of Table 2."""
    materials, _ = regional(cities=0)
    tree = materials.tree
    countries = {tree.regions[i].name: int((tree.parents == i).sum()) for i in tree.top.tolist()}
    pairs = {name: n * (n - 1) / 2 for name, n in countries.items()}
    printed = [0.0227, 0.0283, 0.0245, 0.0445, 0.1061, 0.3185]
    in_code = [value / 1000 * pairs[name] for name, value in zip(pairs, printed, strict=True)]
    headed = [value / 1000 * pairs[materials.printed_as.get(n, n)] for n, value in zip(pairs, printed, strict=True)]
    assert [round(value, 4) for value in in_code] == [0.0375, 0.0375, 0.0351, 0.0383, 0.0372, 0.0290]
    assert max(headed) == 0.3185 / 1000 * 861
    assert max(in_code) < 0.0479 < max(headed)
