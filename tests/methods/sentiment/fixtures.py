"""A small probe on disk, and a made-up respondent whose leanings are known, for the tests of the sentiment methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import polars as pl

from tacit.methods.base import KeyedQuestion
from tacit.probes.loading import Probe, load_probe
from tacit.questions import Choose

__all__ = ["SCHEMA", "answer_table", "write_probe"]

SCHEMA = {"question": pl.Int64, "part": pl.Int64, "token": pl.String, "probability": pl.Float64, "pieces": pl.Int64}

Respondent = Callable[[Choose], Sequence[float | None]]


def write_probe(
    folder: Path,
    method: str,
    *,
    words: str = "word,polarity\ngood,positive\nbad,negative\nchair,neutral\ntable,neutral\n",
    reviews: str | None = None,
    each: int = 6,
) -> Probe:
    """A probe with a few words, and `each` reviews a class that say 'praise 3' or 'blame 3'."""
    made = ["text,label", *(f"praise {i},positive" for i in range(each)), *(f"blame {i},negative" for i in range(each))]
    (folder / "lexicon.csv").write_text(words, encoding="utf-8")
    (folder / "reviews.csv").write_text(reviews or "\n".join(made), encoding="utf-8")
    source = folder / "probe.yaml"
    source.write_text(
        f"name: small\nmethod: {method}\nmaterials: {{lexicon: lexicon.csv, reviews: reviews.csv}}\n", encoding="utf-8"
    )
    return load_probe(source)


def answer_table(asked: Iterable[KeyedQuestion], respondent: Respondent, start: int = 0) -> pl.DataFrame:
    """The answers table as a run would keep it."""
    rows = [
        {**one.keys, "question": start + number, "part": part, "token": word, "probability": p, "pieces": 1}
        for number, one in enumerate(asked)
        if isinstance(one.question, Choose)
        for part, (word, p) in enumerate(zip(one.question.words, respondent(one.question), strict=True))
    ]
    keys = {"review": pl.String, **({"word": pl.String, "k": pl.Int64} if rows and "k" in rows[0] else {})}
    return pl.DataFrame(rows, schema={**keys, **SCHEMA})
