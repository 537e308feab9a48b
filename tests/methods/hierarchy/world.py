"""A small made-up world for the tests of the hierarchy method, and answers that need no model."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import numpy as np
import polars as pl

from tacit.methods.hierarchy import Hierarchy
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.probes.loading import load_probe
from tacit.questions import Likelihood, Represent

TREE = """name,parent,level,population,iso
North,,continent,,
South,,continent,,
Aland,North,country,,AA
Bland,North,country,,BB
Cland,North,country,,CC
Dland,South,country,,DD
Eland,South,country,,EE
Fland,South,country,,FF
A1,Aland,city,30,
A2,Aland,city,20,
A3,Aland,city,10,
B1,Bland,city,9,
B2,Bland,city,8,
C1,Cland,city,7,
D1,Dland,city,6,
D2,Dland,city,5,
E1,Eland,city,4,
E2,Eland,city,3,
"""
WORDS = "topic,word,substitute\nwit,wise,clever\nwit,dull,slow\nlook,tall,high\nlook,weak,feeble\nforce,weak,frail\n"


def write_probe(folder: Path, tree: str = TREE, words: str = WORDS, **materials: object) -> Path:
    """Write a hierarchy probe to a folder, from the contents of its two files."""
    (folder / "tree.csv").write_text(tree)
    (folder / "words.csv").write_text(words)
    contents = {
        "tree": "tree.csv",
        "words": "words.csv",
        "templates": ["People in {region} are {description}.", "The folk of {region} are {description}."],
        "neutral": ["this place"],
        **materials,
    }
    lines = "".join(f"  {name}: {value!r}\n" for name, value in contents.items())
    (folder / "own.yaml").write_text(f"method: hierarchy\nmaterials:\n{lines}")
    return folder / "own.yaml"


def read(source: Path, **settings: object):
    """The method's materials and settings."""
    chosen = HierarchySettings(**{"resamples": 10, **settings})
    return Hierarchy().materials(load_probe(source), chosen), chosen


def answer(questions, score=None) -> pl.DataFrame:
    """An answers table in which the score of a text depends on its characters only, or is `score(text)`."""
    score = score or (lambda text: -1 - crc32(text.encode()) % 1000 / 1000)
    rows = []
    for number, keyed in enumerate(questions):
        row = {
            **keyed.keys,
            "question": number,
            "part": 0,
            "logprob": None,
            "pieces": None,
            "role": None,
            "vector": None,
        }
        if isinstance(keyed.question, Represent):
            rows.append({**row, "vector": _vector(keyed.question.text)})
        elif isinstance(keyed.question, Likelihood) and keyed.question.detail:
            for part, letter in enumerate(keyed.question.text.split()[-1]):
                rows.append({**row, "part": part, "logprob": score(letter), "role": "region"})
        else:
            rows.append({**row, "logprob": score(keyed.question.text), "pieces": 9})
    schema = {"vector": pl.List(pl.Float64), "role": pl.String, "logprob": pl.Float64, "pieces": pl.Int64}
    return pl.DataFrame(rows, schema_overrides=schema)


def _vector(text: str) -> list[float]:
    return np.random.default_rng(crc32(text.encode())).normal(size=4).tolist()
