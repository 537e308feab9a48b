"""The figures of a contrast show what the tables hold, for one model, several, and people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.contrast import Contrast
from tacit.methods.contrast.figures import figures
from tests.methods.contrast.contrasts import YAML, answers, read, settings, write_probe

METHOD = Contrast()


def tables(folder: Path, *, own: int = 1, bare: bool = True, made: str = "one mask") -> Tables:
    materials = read(write_probe(folder))
    contexts = ("with", "without") if bare else ("with",)
    rows = [
        (item.id, item.word, context, own if context == "with" and item.word != "maybe" else 9, 5)
        for item in materials.items
        for context in contexts
    ]
    return METHOD.measure(materials, settings(), answers(rows, made=made))


def data_of(chart: Any) -> list[dict[str, Any]]:
    spec = json.loads(chart.to_json())
    return [row for rows in spec["datasets"].values() for row in rows if "word" in row]


def test_there_is_a_heatmap_an_intensity_chart_and_arrows(tmp_path: Path) -> None:
    charts = figures({"a": tables(tmp_path), "b": tables(tmp_path, own=2)})
    assert [figure.name for figure in charts] == ["contrast-intensity", "contrast-heatmap", "contrast-context"]
    for figure in charts:
        assert figure.chart.to_dict()
        assert "a: highest" in figure.alt
        assert figure.caption.endswith(".")


def test_the_heatmap_holds_every_word_of_every_model_with_its_value(tmp_path: Path) -> None:
    both = tables(tmp_path)
    heatmap = figures({"a": both, "b": both})[1]
    shown = {(row["model"], row["word"]): row["acc"] for row in data_of(heatmap.chart)}
    means = both["words"].filter(pl.col("context") == "with")
    assert shown == {(model, row["word"]): row["acc"] for model in "ab" for row in means.iter_rows(named=True)}


def test_an_arrow_goes_from_without_to_with_context(tmp_path: Path) -> None:
    arrows = figures({"a": tables(tmp_path)})[2]
    ends = {row["word"]: (row["without"], row["acc"]) for row in data_of(arrows.chart)}
    assert ends["always"] == (0.0, 1.0)
    assert ends["maybe"] == (0.0, 0.0)
    assert "3 of 4 are higher with context" in arrows.alt


def test_without_bare_questions_there_are_no_arrows(tmp_path: Path) -> None:
    assert [figure.name for figure in figures({"a": tables(tmp_path, bare=False)})] == [
        "contrast-intensity",
        "contrast-heatmap",
    ]


def test_people_without_ranks_can_be_drawn_beside_a_model(tmp_path: Path) -> None:
    people = tables(tmp_path, bare=False, made="chosen by 3 people")
    charts = figures({"people": people, "model": tables(tmp_path)})
    assert {row["model"] for row in data_of(charts[1].chart)} == {"people", "model"}
    assert all(figure.chart.to_dict() for figure in charts)


def test_words_without_intensity_are_shown_in_the_order_of_the_file(tmp_path: Path) -> None:
    words = "adverb,against\nbefore,after\nafter,before\n"
    sentences = "id,text,adverb,adjective\na,Wash [MASK] lunch.,before,x\nb,Wet [MASK] rain.,after,y\n"
    materials = read(write_probe(tmp_path, words=words, sentences=sentences, yaml=YAML))
    rows = [("a", "before", "with", 1, 2), ("b", "after", "with", 2, 1)]
    swapped = answers(rows).with_columns(
        token=pl.when((pl.col("token") == "not") & (pl.col("word") == "before"))
        .then(pl.lit("after"))
        .when(pl.col("token") == "not")
        .then(pl.lit("before"))
        .otherwise(pl.col("token"))
    )
    charts = figures({"a": METHOD.measure(materials, settings(), swapped)})
    assert charts[0].title == "Accuracy of each adverb"
    assert [row["word"] for row in data_of(charts[1].chart)] == ["before", "after"]
