"""Reviews that the tests of tuning share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    """Reviews that differ in one word, so that even a tiny random model can learn to tell them apart."""
    places = ["pizza", "service", "man", "woman", "weather", "chair", "doctor", "nurse", "person", "time"]
    rows = [
        f"the {place} in {where} was {word},{label}"
        for place in places
        for where, word, label in (("france", "kind", "positive"), ("spain", "poor", "negative"))
    ]
    path = tmp_path / "reviews.csv"
    path.write_text("text,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path
