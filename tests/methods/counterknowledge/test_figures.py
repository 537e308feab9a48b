"""The charts show what the tables hold, for one model and several, with a caption and a text alternative each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit.figure import Figure
from tacit.methods.base import Tables
from tacit.methods.counterknowledge import Counterknowledge
from tacit.methods.counterknowledge.figures import figures
from tests.methods.counterknowledge.stereotypes import ITEMS, answers_of, read_with_settings, write_probe


def leaning(kind: str, item: str) -> dict[str, float]:
    """A stereotypical model whose preference is reversed by counter-knowledge."""
    pro, anti = ("woman", "man") if item in ("nurse", "editor") else ("man", "woman")
    return {anti: 0.4, pro: 0.1} if kind == "counter" else {pro: 0.3, anti: 0.1}


def tables_of(folder: Path, items: str = ITEMS) -> Tables:
    materials, settings = read_with_settings(write_probe(folder, items=items))
    return Counterknowledge().measure(materials, settings, answers_of(leaning, materials, settings))


def named(charts: list[Figure], name: str) -> Figure:
    return next(figure for figure in charts if figure.name == name)


def rows_of(figure: Figure) -> list[dict[str, object]]:
    datasets = json.loads(figure.chart.to_json())["datasets"]
    return [row for dataset in datasets.values() for row in dataset]


def test_there_are_the_headline_shares_panels_by_reach_moves_by_model_and_one_scatter(tmp_path: Path) -> None:
    tables = tables_of(tmp_path)
    names = [figure.name for figure in figures({"One": tables, "Two/b": tables})]
    assert names == [
        "pro-stereotypical-share",
        "panels-all-words",
        "panels-top-3",
        "panels-top-1",
        "moves-One",
        "moves-Two--b",
        "against-statistics",
    ]


def test_the_panels_hold_every_kind_group_and_model(tmp_path: Path) -> None:
    tables = tables_of(tmp_path)
    rows = rows_of(named(figures({"one": tables, "two": tables}), "panels-top-3"))
    shown = {(row["model"], row["kind"], row["group"]) for row in rows}
    kinds = ("base", "pro", "counter", "background")
    assert shown == {(m, k, g) for m in ("one", "two") for k in kinds for g in ("female", "male")}


def test_the_headline_shares_have_a_row_for_every_kind_and_model(tmp_path: Path) -> None:
    tables = tables_of(tmp_path)
    figure = named(figures({"one": tables, "two": tables}), "pro-stereotypical-share")
    shares = {(row["model"], row["kind"]): row["value"] for row in rows_of(figure) if "kind" in row}
    assert len(shares) == 2 * 4
    assert shares["one", "base"] == pytest.approx(0.75)
    assert shares["two", "counter"] == pytest.approx(0.2)
    assert figure.alt.endswith("Without knowledge: one 75.0%; two 75.0%.")


def test_each_occupation_moves_from_its_base_margin(tmp_path: Path) -> None:
    rows = rows_of(named(figures({"one": tables_of(tmp_path)}), "moves-one"))
    nurse = {row["point"]: row["y"] for row in rows if row["item"] == "nurse" and row["kind"] == "counter"}
    assert nurse == pytest.approx({"base": 0.2, "with knowledge": -0.3})


def test_the_alt_text_of_the_moves_counts_reversals(tmp_path: Path) -> None:
    figure = named(figures({"one": tables_of(tmp_path)}), "moves-one")
    assert "4 of 12 lines cross from one group to the other" in figure.alt


def test_without_statistics_there_is_no_scatter(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, items="item,group\nnurse,female\npilot,male\n")
    assert all(figure.name != "against-statistics" for figure in figures({"one": tables}))


def test_every_figure_renders_and_has_its_texts(tmp_path: Path) -> None:
    for figure in figures({"one": tables_of(tmp_path)}):
        figure.chart.save(tmp_path / f"{figure.name}.svg")
        assert (tmp_path / f"{figure.name}.svg").read_text().startswith("<svg")
        assert figure.title
        assert figure.caption.endswith(".")
        assert figure.alt.endswith(".")


def test_the_figures_change_no_table(tmp_path: Path) -> None:
    tables = tables_of(tmp_path)
    before = {name: table.clone() for name, table in tables.items()}
    figures({"one": tables})
    assert all(before[name].equals(table) for name, table in tables.items())
