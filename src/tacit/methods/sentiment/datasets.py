"""Reviews from Hugging Face data sets such as IMDB, Yelp, Amazon and SST-2; needs the extra `datasets`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from tacit.errors import MaterialsError

__all__ = ["DatasetReview", "open_dataset", "pick_reviews", "read_dataset", "reading_dataset", "text_column"]

_TEXTS = ("text", "content", "sentence", "review", "review_body")
_SHUFFLED_AT_ONCE = 10_000


@dataclass(frozen=True)
class DatasetReview:
    """One row of a data set: its number in the shuffled stream, its text, and its label."""

    number: int
    text: str
    positive: bool


def read_dataset(name: str, per_class: int, seed: int) -> list[DatasetReview]:
    """Sample reviews from a data set.

    Args:
        name: `owner/name` or `owner/name:split`.
        per_class: How many positive and how many negative reviews to take.
        seed: Seed of the shuffle.
    """
    with reading_dataset(name):
        return list(pick_reviews(name, open_dataset(name, seed, "reviews"), per_class))


def open_dataset(name: str, seed: int, setting: str) -> Any:
    """The rows of a data set as a shuffled stream.

    Args:
        name: `owner/name` or `owner/name:split`.
        seed: Seed of the shuffle.
        setting: What the user calls the data set, for the error if the extra is not installed.
    """
    if find_spec("datasets") is None:
        raise MaterialsError(
            f"{setting}={name} is not a .csv file, so it must be a Hugging Face data set, and the extra for those is "
            "not installed. Run `pip install 'tacit[datasets]'`, or give a CSV file with the columns text and label."
        )
    import datasets  # noqa: PLC0415 - an extra, and slow to import

    repository, _, split = name.partition(":")
    rows = datasets.load_dataset(repository, split=split or "train", streaming=True)
    return rows.shuffle(seed=seed, buffer_size=_SHUFFLED_AT_ONCE)


@contextmanager
def reading_dataset(name: str) -> Iterator[None]:
    """Say in one sentence why a data set cannot be read."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MaterialsError(f"The data set {name} cannot be read ({reason}). Name it as owner/name:split.") from None


def text_column(name: str, row: Mapping[str, Any]) -> str:
    """The column that holds the text; a row without one, or without a label, is an error."""
    column = next((column for column in _TEXTS if column in row), None)
    if column is None or "label" not in row:
        raise MaterialsError(
            f"The data set {name} has the columns {', '.join(row)}. It needs label and one of {', '.join(_TEXTS)}."
        )
    return column


def pick_reviews(name: str, rows: Iterable[Mapping[str, Any]], per_class: int) -> Iterator[DatasetReview]:
    """The first rows labeled 1 (positive) and 0 (negative), `per_class` of each; other rows are skipped."""
    missing = {True: per_class, False: per_class}
    for number, row in enumerate(rows):
        if not any(missing.values()):
            return
        text = row[text_column(name, row)]
        if row["label"] not in (0, 1) or not str(text).strip() or not missing[bool(row["label"])]:
            continue
        missing[bool(row["label"])] -= 1
        yield DatasetReview(number, " ".join(str(text).split()), bool(row["label"]))
