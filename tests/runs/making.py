"""A probe of a user's own, small enough for a random model, whose every possible filling is rated."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

from tests.tiny import wordpiece

GROUPS = ("old", "new")

YAML = """
version: 1
title: Old or new
method: valence
description: Which way do the fillings lean?
settings: {{top: 5, resamples: 5000}}
limits: [It shows nothing about people.]
materials:
  scale: {{low: old, high: new, points: {{-1: old, 0: neither, 1: new}}}}
  sentences: {sentences}
  ratings: {ratings}
"""


def score(token: str) -> int:
    """-1, 0 or 1, the same for the same token."""
    return hashlib.sha256(token.encode()).digest()[0] % 3 - 1


def make_probe(folder: Path, sentences: int = 12, name: str = "old-or-new", title: str | None = None) -> Path:
    """Write the probe's YAML and materials, and give the YAML's path."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [(f"s{n:03}", GROUPS[n % 2], f"The man number {n} was [MASK] great.", n % 3 - 1) for n in range(sentences)]
    _write(folder / "sentences.csv", ["id", "group", "text", "rho"], texts)
    tokens = sorted(token for token in wordpiece().get_vocab() if token.strip())
    rated = [(text[0], token, score(token), "test") for text in texts for token in tokens]
    _write(folder / "ratings.csv", ["sentence", "token", "score", "rater"], rated)
    yaml = folder / f"{name}.yaml"
    text = YAML.format(sentences="sentences.csv", ratings="ratings.csv")
    yaml.write_text(text.replace("Old or new", title) if title else text, encoding="utf-8")
    return yaml


HOSTILE = [
    "<script>window.hit=1</script>\"'`${1+1}</script><!-- [MASK]",
    "שלום עולם \u202e[MASK] evil",
    "😀 🏳️‍🌈 [MASK] =1+1",
    "x" * 10_000 + " [MASK]",
    '"><img src=x onerror=window.hit=1> [MASK] {{ 7*7 }}',
]


def make_hostile_probe(folder: Path, title: str) -> Path:
    """The same probe with sentences and a title that mean harm."""
    yaml = make_probe(folder, name="hostile", title=json.dumps(title))
    with (folder / "sentences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    for row, text in zip(rows[1:], HOSTILE, strict=False):
        row[2] = text
    _write(folder / "sentences.csv", rows[0], [tuple(row) for row in rows[1:]])
    return yaml


def make_printed_probe(folder: Path) -> Path:
    """A probe that holds its answers, as a study printed them, so that no model is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [(f"s{n}", "old", f"The man {n} was [MASK].", 0) for n in range(3)]
    _write(folder / "sentences.csv", ["id", "group", "text", "rho"], texts)
    rows = [("A", f"s{n}", rank, f"w{rank}", 0.2, rank % 3 - 1) for n in range(3) for rank in range(1, 6)]
    _write(folder / "printed.csv", ["model", "sentence", "rank", "token", "p", "sigma"], rows)
    yaml = folder / "printed.yaml"
    text = YAML.format(sentences="sentences.csv", ratings="X").replace("  ratings: X", "  printed: printed.csv")
    yaml.write_text(text, encoding="utf-8")
    return yaml


def _write(path: Path, heading: list[str], rows: list[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heading, *rows])
