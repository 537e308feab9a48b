"""A small probe on disk, and the answers of an invented respondent, for the tests of the sentiment methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import polars as pl

from tacit.methods.base import KeyedQuestion
from tacit.probes.loading import Probe, load_probe
from tacit.questions import Choose

__all__ = ["SCHEMA", "answer_table", "write_probe"]

SCHEMA = {"question": pl.Int64, "part": pl.Int64, "token": pl.String, "probability": pl.Float64, "pieces": pl.Int64}

_CLASSES = (("praise", "positive"), ("blame", "negative"))
Respondent = Callable[[Choose], Sequence[float | None]]


def write_probe(
    folder: Path,
    method: str,
    *,
    words: str = "word,polarity\ngood,positive\nbad,negative\nchair,neutral\ntable,neutral\n",
    reviews: str | None = None,
    per_class: int = 6,
) -> Probe:
    """A probe with a few words, and `per_class` reviews of each class that say 'praise 3' or 'blame 3'."""
    praise, blame = ([f"{word} {i},{label}" for i in range(per_class)] for word, label in _CLASSES)
    rows = ["text,label", *praise, *blame]
    (folder / "lexicon.csv").write_text(words, encoding="utf-8")
    (folder / "reviews.csv").write_text(reviews or "\n".join(rows), encoding="utf-8")
    source = folder / "probe.yaml"
    source.write_text(
        f"name: small\nmethod: {method}\nmaterials: {{lexicon: lexicon.csv, reviews: reviews.csv}}\n", encoding="utf-8"
    )
    return load_probe(source)


def answer_table(questions: Iterable[KeyedQuestion], respondent: Respondent, start: int = 0) -> pl.DataFrame:
    """The answers table as a run keeps it."""
    rows = [
        {**item.keys, "question": start + number, "part": part, "token": word, "probability": p, "pieces": 1}
        for number, item in enumerate(questions)
        if isinstance(item.question, Choose)
        for part, (word, p) in enumerate(zip(item.question.words, respondent(item.question), strict=True))
    ]
    keys = {"review": pl.String, **({"word": pl.String, "k": pl.Int64} if rows and "k" in rows[0] else {})}
    return pl.DataFrame(rows, schema={**keys, **SCHEMA})
