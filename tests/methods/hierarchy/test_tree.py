"""Regions are identified by their paths, and a file that is not a tree is rejected with its line."""

from __future__ import annotations

import pytest

from tacit.errors import TacitError
from tacit.methods.hierarchy.tree_csv import read_tree
from tests.methods.hierarchy.world import TREE


def tree_of(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    return read_tree(tmp_path / "t.csv")


def test_children_follow_their_parents_and_keep_their_order(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nleaf,branch\nbranch,\nother,branch\nsecond,\n")
    assert [region.key for region in tree.regions] == ["branch", "second", "branch > leaf", "branch > other"]
    assert tree.parents.tolist() == [4, 4, 0, 0]


def test_two_regions_with_the_same_name_have_different_keys(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nUSA,\nEurope,\nGeorgia,USA\nGeorgia,Europe\nParis,USA\n")
    keys = {region.key for region in tree.regions if region.name == "Georgia"}
    assert keys == {"USA > Georgia", "Europe > Georgia"}


def test_a_path_names_a_parent_whose_name_is_ambiguous(tmp_path):
    head = "name,parent\nUSA,\nEurope,\nGeorgia,USA\nGeorgia,Europe\n"
    with pytest.raises(TacitError, match=r"line 6: its parent 'Georgia' could be any of 2 rows"):
        tree_of(tmp_path, head + "Atlanta,Georgia\n")
    tree = tree_of(tmp_path, head + "Atlanta,USA > Georgia\n")
    assert tree.regions[-1].key == "USA > Georgia > Atlanta"


def test_a_city_can_have_the_name_of_its_country(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nAsia,\nMonaco,Asia\nMonaco,Asia > Monaco\n")
    assert tree.regions[-1].key == "Asia > Monaco > Monaco"


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("a,b\nb,c\nc,a\n", "line 2: 'a' contains itself"),
        ("a,\nb,x\n", "line 3: no row has the name of its parent 'x'"),
        ("a,\nb,a\nb,a\n", "line 4: 'b' has the same name and parent as line 3"),
        ("a,\n,a\n", "line 3: the name is empty"),
        ("a,\nb > c,a\n", "line 3: the name 'b > c' contains ' > '"),
        ("a,\n", "a tree has at least two"),
    ],
)
def test_a_file_that_is_not_a_tree_is_rejected_with_its_line(tmp_path, rows, complaint):
    with pytest.raises(TacitError, match=complaint):
        tree_of(tmp_path, "name,parent\n" + rows)


def test_population_must_be_a_number(tmp_path):
    with pytest.raises(TacitError, match="line 2: population must be a whole number, not 'many'"):
        tree_of(tmp_path, "name,parent,population\na,,many\nb,a,1\n")


def test_ids_distinguish_equal_names_under_one_parent(tmp_path):
    tree = tree_of(tmp_path, "name,parent,id\na,,1\nb,a,2\nb,a,3\n")
    assert [region.key for region in tree.regions[1:]] == ["a > b [2]", "a > b [3]"]


def test_a_limit_keeps_the_most_populous_regions_and_what_is_below_them(tmp_path):
    tree = tree_of(tmp_path, TREE).largest({1: 2, 2: 1})
    names = {region.name for region in tree.regions}
    assert {"A1", "B1", "D1", "E1"} <= names
    assert not {"A2", "Cland", "C1", "Fland"} & names


def test_without_the_lowest_level_the_next_is_the_lowest(tmp_path):
    tree = tree_of(tmp_path, TREE).largest({2: 0})
    assert tree.deepest == 1
    assert len(tree.childless) == 0


def test_a_single_top_region_is_the_whole(tmp_path):
    tree = tree_of(tmp_path, "name,parent\nEarth,\nNorth,Earth\nSouth,Earth\n")
    assert [tree.regions[i].name for i in tree.top] == ["North", "South"]
    assert tree.regions[tree.whole].name == "Earth"
