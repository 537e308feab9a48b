"""Trees are read by path, and a tree that is none is refused with its row."""

from __future__ import annotations

import pytest

from tacit.errors import TacitError
from tacit.methods.hierarchy.tree import read_tree
from tests.methods.hierarchy.world import TREE


def tree_of(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    return read_tree(tmp_path / "t.csv")


def test_children_follow_their_parents_and_keep_their_order(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nleaf,branch\nbranch,\nother,branch\nsecond,\n")
    assert [region.key for region in tree.regions] == ["branch", "second", "branch > leaf", "branch > other"]
    assert tree.parents.tolist() == [4, 4, 0, 0]


def test_regions_of_one_name_in_two_places_stay_two(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nUSA,\nEurope,\nGeorgia,USA\nGeorgia,Europe\nParis,USA\n")
    keys = {region.key for region in tree.regions if region.name == "Georgia"}
    assert keys == {"USA > Georgia", "Europe > Georgia"}


def test_a_parent_of_two_namesakes_is_named_by_its_path(tmp_path):
    head = "name,parent\nUSA,\nEurope,\nGeorgia,USA\nGeorgia,Europe\n"
    with pytest.raises(TacitError, match=r"line 6: its parent 'Georgia' could be 2 rows"):
        tree_of(tmp_path, head + "Atlanta,Georgia\n")
    tree = tree_of(tmp_path, head + "Atlanta,USA > Georgia\n")
    assert tree.regions[-1].key == "USA > Georgia > Atlanta"


def test_a_city_may_bear_its_countrys_name(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nAsia,\nMonaco,Asia\nMonaco,Asia > Monaco\n")
    assert tree.regions[-1].key == "Asia > Monaco > Monaco"


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("a,b\nb,c\nc,a\n", "line 2: 'a' lies within itself"),
        ("a,\nb,x\n", "line 3: its parent 'x' is no row of this file"),
        ("a,\nb,a\nb,a\n", "line 4: 'b' stands under the same parent on line 3"),
        ("a,\n,a\n", "line 3: the name is empty"),
        ("a,\nb > c,a\n", "line 3: the name 'b > c' contains ' > '"),
        ("a,\n", "a tree has at least two"),
    ],
)
def test_no_tree_is_refused_with_its_row(tmp_path, rows, complaint):
    with pytest.raises(TacitError, match=complaint):
        tree_of(tmp_path, "name,parent\n" + rows)


def test_population_must_be_a_number(tmp_path):
    with pytest.raises(TacitError, match="line 2: population must be a whole number, not 'many'"):
        tree_of(tmp_path, "name,parent,population\na,,many\nb,a,1\n")


def test_namesakes_under_one_parent_are_told_apart_by_their_ids(tmp_path):
    tree = tree_of(tmp_path, "name,parent,id\na,,1\nb,a,2\nb,a,3\n")
    assert [region.key for region in tree.regions[1:]] == ["a > b [2]", "a > b [3]"]


def test_the_most_populous_are_kept_and_nothing_below_what_went(tmp_path):
    tree = tree_of(tmp_path, TREE).largest({1: 2, 2: 1})
    names = {region.name for region in tree.regions}
    assert {"A1", "B1", "D1", "E1"} <= names
    assert not {"A2", "Cland", "C1", "Fland"} & names


def test_no_lowest_level_makes_the_next_the_lowest(tmp_path):
    tree = tree_of(tmp_path, TREE).largest({2: 0})
    assert tree.deepest == 1
    assert len(tree.childless) == 0


def test_one_top_region_is_the_whole(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nEarth,\nNorth,Earth\nSouth,Earth\n")
    assert [tree.regions[i].name for i in tree.top] == ["North", "South"]
    assert tree.regions[tree.whole].name == "Earth"
