"""The true layout of the regions beside the learned one."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import TacitError
from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.figures import figures
from tacit.methods.hierarchy.locations import great_circle, locations
from tacit.methods.hierarchy.tree_csv import read_tree
from tacit.probes.loading import load_probe
from tacit.reports.charts import specification
from tests.methods.hierarchy.world import answer, read, write_probe

METHOD = Hierarchy()
places = st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=2, max_size=6)


def test_known_distances():
    """A quarter of the equator, from pole to pole, and across the 180th meridian."""
    quarter = 6371 * np.pi / 2
    assert great_circle([0, 0], [0, 90])[0, 1] == pytest.approx(quarter)
    assert great_circle([90, -90], [0, 77])[0, 1] == pytest.approx(2 * quarter)
    assert great_circle([0, 0], [179, -179])[0, 1] == pytest.approx(quarter / 45)
    # Paris and London are 344 km apart.
    assert great_circle([48.857, 51.507], [2.352, -0.128])[0, 1] == pytest.approx(344, abs=1)


@given(places)
def test_distances_agree_with_the_angle_between_vectors(found):
    north, east = np.radians(found).T
    vectors = np.array([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)]).T
    made = great_circle(*zip(*found, strict=True))
    for i, a in enumerate(vectors):
        for j, b in enumerate(vectors):
            slow = 6371 * np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)
            assert made[i, j] == pytest.approx(slow, abs=1e-3)


@given(places)
def test_distances_are_a_metric_on_the_globe(found):
    made = great_circle(*zip(*found, strict=True))
    assert np.allclose(made, made.T)
    assert made.max() <= 6371 * np.pi + 1e-6
    for way in range(len(found)):
        assert (made <= made[:, [way]] + made[[way]] + 1e-6).all()


def test_nearly_every_country_of_the_tree_has_a_location():
    tree = read_tree(load_probe("regional").path("tree"))
    countries = {region.code: region.name for region in tree.regions if region.level == "country"}
    missing = {name for code, name in countries.items() if code not in locations()}
    assert len(missing) <= 8, missing
    assert great_circle(*zip(locations()["FR"], locations()["GB"], strict=True))[0, 1] < 900


REAL = [
    *(("Europe", code) for code in ("FR", "GB", "DE", "ES", "IT", "PL", "SE")),
    *(("Africa", code) for code in ("NG", "EG", "KE", "ZA", "MA", "GH", "TN")),
]


@pytest.fixture
def real_tree():
    """Real countries under two continents, with two cities each."""
    rows = ["name,parent,level,population,iso", "Europe,,continent,,EU", "Africa,,continent,,AF"]
    rows += [f"land {code},{top},country,1,{code}" for top, code in REAL]
    rows += [f"{code} town {k},land {code},city,1," for _, code in REAL for k in (1, 2)]
    return "\n".join(rows) + "\n"


def measured(folder, tree, vectors=None, **settings):
    materials, chosen = read(write_probe(folder, tree=tree), resamples=199, **settings)
    answers = answer(METHOD.questions(materials, chosen, "masked"))
    if vectors is not None:
        found = [
            None if old is None else vectors(region)
            for old, region in zip(answers["vector"], answers["region"], strict=True)
        ]
        answers = answers.with_columns(pl.Series("vector", found, dtype=pl.List(pl.Float64)))
    return METHOD.measure(materials, chosen, answers)


def on_the_globe(region):
    north, east = np.radians(locations()[region.split()[-1]])
    return [np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)]


def test_names_that_lie_as_on_the_globe_are_found(tmp_path, real_tree):
    rows = measured(tmp_path, real_tree, on_the_globe)["measures"].filter(pl.col("measure").str.contains("names and"))
    assert rows["group"].to_list() == ["all pairs of countries", "pairs in the same continent"]
    assert rows["value"].to_list() == pytest.approx([1, 1])
    assert rows["p"].to_list() == pytest.approx([0.005, 0.005])
    assert rows["n"].to_list() == [14, 14]
    assert rows["verdict"].to_list() == [None, None]


def test_a_tree_of_made_up_countries_has_no_geography(tmp_path):
    materials, settings = read(write_probe(tmp_path), resamples=4)
    tables = METHOD.measure(materials, settings, answer(METHOD.questions(materials, settings, "masked")))
    assert not tables["measures"]["measure"].str.contains("globe").any()


def test_the_true_layout_stands_beside_the_learned_one_and_a_continent_is_enlarged(tmp_path, real_tree):
    tables = measured(tmp_path, real_tree, zoom="Africa")
    made = {figure.name: figure for figure in figures({"one": tables})}
    titles = [panel["title"] for panel in specification(made["hierarchy-names"])["concat"]]
    assert titles == ["where they are", "one"]
    assert "Mantel test" in made["hierarchy-names"].caption
    assert "Africa" in made["hierarchy-names-zoom"].title
    zoomed = vl_convert.vegalite_to_svg(specification(made["hierarchy-names-zoom"]))
    assert ">land KE</text>" in zoomed
    assert ">land FR</text>" not in zoomed
    enlarged = vl_convert.vegalite_to_svg(specification(made["hierarchy-map-zoom"]))
    assert "◀ Africa" in enlarged


def test_an_unknown_continent_is_one_sentence(tmp_path, real_tree):
    with pytest.raises(TacitError, match=r"no top region 'Asia'\. Set `zoom` to one of Europe, Africa"):
        read(write_probe(tmp_path, tree=real_tree), zoom="Asia")
