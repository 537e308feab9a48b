"""A small valence probe of three sentences, and what the tests of this folder do with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.valence import Valence, ValenceSettings
from tacit.methods.valence.materials import ValenceMaterials
from tacit.probes import load_probe

PROBE = """
method: valence
materials:
  scale: {low: old, high: new, points: [-1, -0.5, 0, 0.5, 1]}
  sentences: sentences.csv
  ratings: ratings.csv
"""
SENTENCES = """id,group,text,rho
s1,Old,Why wilt [MASK] go?,-1
s2,Old,Fare [MASK] well.,-0.5
s3,New,Do you [MASK] to go?,1
"""
RATINGS = """sentence,token,score,rater
s1,thou,-1,ann
s1,you,0,ann
s2,thee,-1,ann
s2,you,-0.5,ann
s3,want,1,ann
s3,wish,-0.5,ann
"""
FILLED = {"s1": {"thou": 0.6, "you": 0.2}, "s2": {"thee": 0.3, "you": 0.3}, "s3": {"want": 0.4, "wish": 0.4}}
UNRATED = {**FILLED, "s1": {"thou": 0.6, "not": 0.2}, "s3": {"want": 0.1, "dare": 0.3}}
"""Fillings of which 75%, 100% and 25% are rated."""
FAST = {"resamples": 200}


def write_probe(folder: Path) -> None:
    for name, text in (("old.yaml", PROBE), ("sentences.csv", SENTENCES), ("ratings.csv", RATINGS)):
        (folder / name).write_text(text, encoding="utf-8")


def prepare(folder: Path, **settings: object) -> tuple[ValenceMaterials, ValenceSettings]:
    checked = ValenceSettings(**{**FAST, **settings})  # type: ignore[arg-type]
    return Valence().materials(load_probe(folder / "old.yaml"), checked), checked


def answers_of(filled: Mapping[str, Mapping[str, float]]) -> pl.DataFrame:
    rows = [
        {"sentence": sentence, "token": token, "probability": p, "rank": rank}
        for sentence, fillings in filled.items()
        for rank, (token, p) in enumerate(fillings.items(), start=1)
    ]
    return pl.DataFrame(rows)


def measure(folder: Path, filled: Mapping[str, Mapping[str, float]] = FILLED, **settings: object) -> Tables:
    materials, checked = prepare(folder, **settings)
    return Valence().measure(materials, checked, answers_of(filled))


def sentence_row(tables: Tables, sentence: str) -> dict[str, float]:
    return tables["sentences"].row(by_predicate=pl.col("sentence") == sentence, named=True)


def group_row(tables: Tables, name: str, group: str) -> dict[str, float]:
    group_rows = (pl.col("measure") == name) & (pl.col("group") == group) & pl.col("item").is_null()
    return tables["measures"].row(by_predicate=group_rows, named=True)
