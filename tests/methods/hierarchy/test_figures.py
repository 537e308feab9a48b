"""HERB's figures render from its tables, for one model and for two."""

from __future__ import annotations

import json

import altair as alt
import pytest
import vl_convert

from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.figures import figures
from tacit.methods.hierarchy.tree_csv import read_tree
from tacit.methods.hierarchy.world_map import map_codes, world_map
from tacit.probes.loading import load_probe
from tacit.reports.charts import specification
from tests.methods.hierarchy.world import answer, read, write_probe

METHOD = Hierarchy()


@pytest.fixture
def tables(tmp_path):
    materials, settings = read(write_probe(tmp_path), resamples=4)
    return METHOD.measure(materials, settings, answer(METHOD.questions(materials, settings, "masked")))


def render(figure):
    return vl_convert.vegalite_to_svg(specification(figure))


@pytest.mark.parametrize("models", [["one"], ["one", "two"]])
def test_every_figure_renders_and_has_a_caption_and_alt_text(tables, models):
    by_name = {figure.name: figure for figure in figures(dict.fromkeys(models, tables))}
    assert {"hierarchy-tree", "hierarchy-controls", "hierarchy-template", "hierarchy-names"} <= by_name.keys()
    for figure in by_name.values():
        assert "<svg" in render(figure)
        assert figure.caption
        assert figure.alt


def test_the_tree_is_indented(tables):
    tree = next(figure for figure in figures({"one": tables}) if figure.name == "hierarchy-tree")
    labels = [row["label"] for row in next(iter(specification(tree)["datasets"].values()))]
    assert [label.count("\u2003") for label in labels[:3]] == [0, 1, 2]


def test_a_tree_with_few_real_countries_gets_no_world_map(tables):
    assert not [figure for figure in figures({"one": tables}) if "map" in figure.name]


def test_a_map_draws_shapes_dots_and_hatches():
    rows = [{"code": code, "name": code, "value": float(i)} for i, code in enumerate(("FR", "BR", "MT"))]
    rows.append({"code": "US", "name": "US", "value": None})
    chart = world_map(rows, "a model", "C_w", alt.Scale(scheme="viridis"))
    spec = chart.to_dict()
    text = json.dumps(spec)
    assert len(text) < 400_000
    dots = [rows for rows in spec["datasets"].values() if isinstance(rows, list) and rows and "latitude" in rows[0]]
    assert [dot["code"] for dot in dots[0]] == ["MT"]
    svg = vl_convert.vegalite_to_svg(spec)
    # France and Brazil are filled; all others are one hatched shape, with the United States, which have no value.
    assert svg.count('aria-roledescription="geoshape"') == 2
    assert svg.count('stroke-width="0.6"') == 1


def test_the_map_has_nearly_every_country_of_the_tree():
    tree = read_tree(load_probe("regional").path("tree"))
    countries = {region.code: region.name for region in tree.regions if region.level == "country"}
    missing = {name for code, name in countries.items() if code not in map_codes()}
    # Two dissolved states, and two territories that have neither a shape nor a city.
    assert missing == {
        "Serbia and Montenegro",
        "Netherlands Antilles",
        "Tokelau",
        "United States Minor Outlying Islands",
    }
