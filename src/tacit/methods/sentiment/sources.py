"""Results by source: the headline measures for the reviews of each source alone, such as imdb and amazon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import MeasureRow
from tacit.methods.sentiment.materials import SentimentMaterials

__all__ = ["describe_sources", "list_sources", "of_source", "source_rows"]

_MARK = " only: "
_GROUPS = ("all reviews", "neutral words")


def list_sources(materials: SentimentMaterials) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
    """Each source with its reviews, where there are at least two sources; one needs two reviews of each class."""
    sources = np.array([review.source for review in materials.reviews])
    names = [name for name in dict.fromkeys(sources.tolist()) if name]
    for name in names if len(names) > 1 else ():
        members = sources == name
        positive = materials.positive[members]
        if min(positive.sum(), (~positive).sum()) > 1:
            yield name, members


def of_source(source: str, rows: Iterable[MeasureRow], measures: Iterable[str]) -> Iterator[MeasureRow]:
    """Of these rows, those of the given measures about all reviews or the neutral words, marked with the source."""
    wanted = set(measures)
    for row in rows:
        if row["measure"] in wanted and row["group"] in _GROUPS:
            yield {**row, "group": f"{source}{_MARK}{row['group']}"}


def source_rows(measures: pl.DataFrame, measure: str | None = None) -> pl.DataFrame:
    """The rows of a measures table that are about one source, with the source as a column of their own."""
    is_wanted = pl.col("group").str.contains(_MARK, literal=True) & pl.col("item").is_null()
    if measure is not None:
        is_wanted &= pl.col("measure") == measure
    return measures.filter(is_wanted).with_columns(source=pl.col("group").str.split(_MARK).list.first())


def describe_sources(measures: pl.DataFrame, measure: str) -> list[str]:
    """A sentence with the positive control of each source; none where there are no sources."""
    rows = source_rows(measures, measure)
    if rows.is_empty():
        return []
    listed = "; ".join(f"{row['source']} {_percent(row)}" for row in rows.iter_rows(named=True))
    return [f"By source: {listed}."]


def _percent(row: Mapping[str, float]) -> str:
    return f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
