"""A small contrast probe and hand-made answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from tacit.methods.contrast import Contrast, ContrastSettings
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.probes import load_probe

WORDS = """adverb,category,intensity,against
never,time,1,not
always,time,2,not
maybe,doubt,1,not
surely,doubt,2,not
"""
SENTENCES = """id,text,adverb,adjective
never-1,He is [MASK] late.,never,late
never-2,She was [MASK] rude.,never,rude
always-1,They are [MASK] kind.,always,kind
always-2,It is [MASK] cold.,always,cold
maybe-1,That is [MASK] odd.,maybe,odd
maybe-2,This was [MASK] mean.,maybe,mean
surely-1,We are [MASK] lost.,surely,lost
surely-2,I am [MASK] wrong.,surely,wrong
"""
YAML = """title: Small
method: contrast
materials:
  noun: adverb
  words: words.csv
  sentences: sentences.csv
  bare: "is [MASK] {adjective}"
"""


def write_probe(folder: Path, *, words: str = WORDS, sentences: str = SENTENCES, yaml: str = YAML) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.csv").write_text(words, encoding="utf-8")
    (folder / "sentences.csv").write_text(sentences, encoding="utf-8")
    (folder / "small.yaml").write_text(yaml, encoding="utf-8")
    return folder / "small.yaml"


def read(path: Path | str) -> ContrastMaterials:
    return Contrast().materials(load_probe(path), ContrastSettings())


def settings(**changed: Any) -> ContrastSettings:
    return ContrastSettings(**{"resamples": 500, **changed})


def answers(rows: Iterable[tuple[str, str, str, int | None, int | None]], *, made: str = "one mask") -> pl.DataFrame:
    """The answers table for rows of item, word, context, rank of the word and rank of "not"."""
    cells = []
    for question, (item, word, context, own, rival) in enumerate(rows):
        for part, (token, rank) in enumerate(((word, own), ("not", rival))):
            probability = None if rank is None else 1 / rank
            keys = {"item": item, "word": word, "context": context, "question": question, "part": part}
            cells.append({**keys, "token": token, "probability": probability, "rank": rank, "pieces": 1, "made": made})
    return pl.DataFrame(cells)


def value(tables: dict[str, pl.DataFrame], measure: str, group: str = "all items") -> dict[str, Any]:
    chosen = (pl.col("measure") == measure) & (pl.col("group") == group) & pl.col("item").is_null()
    return tables["measures"].filter(chosen).row(0, named=True)
