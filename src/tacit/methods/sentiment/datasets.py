"""Reviews from Hugging Face data sets such as IMDB, Yelp, Amazon and SST-2; needs the extra `datasets`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from tacit.errors import MaterialsError
from tacit.tables import TABLE_ENDINGS

__all__ = [
    "SHORT_NAMES",
    "DatasetReview",
    "open_dataset",
    "pick_reviews",
    "read_dataset",
    "read_datasets",
    "reading_dataset",
    "text_column",
]

SHORT_NAMES = {
    "imdb": "stanfordnlp/imdb",
    "yelp_polarity": "fancyzhx/yelp_polarity",
    "amazon_polarity": "fancyzhx/amazon_polarity",
    "sst2": "stanfordnlp/sst2",
}
"""The four data sets of the study, by the names that people know them by."""

_TEXTS = ("text", "content", "sentence", "review", "review_body")
_SHUFFLED_AT_ONCE = 10_000
_NAMED_LABELS = 8


@dataclass(frozen=True)
class DatasetReview:
    """One row of a data set: the data set, the row's number in the shuffled stream, its text, and its label."""

    source: str
    number: int
    text: str
    positive: bool


def read_datasets(names: Sequence[str], per_class: int, seed: int) -> list[DatasetReview]:
    """Sample reviews from several data sets, as many from each.

    Args:
        names: As `read_dataset` takes them.
        per_class: How many positive and how many negative reviews to take in all.
        seed: Seed of the shuffles.
    """
    if len(set(names)) < len(names) or not all(names):
        raise MaterialsError(f"reviews={','.join(names)} must name different data sets, separated by single commas.")
    if per_class < len(names):
        raise MaterialsError(
            f"{per_class} reviews per class cannot be divided among {len(names)} data sets. Take more."
        )
    # What is left over after an equal division goes to the first ones.
    counts = [per_class // len(names) + (number < per_class % len(names)) for number in range(len(names))]
    return [row for name, count in zip(names, counts, strict=True) for row in read_dataset(name, count, seed)]


def read_dataset(name: str, per_class: int, seed: int) -> list[DatasetReview]:
    """Sample reviews from a data set.

    Args:
        name: One of `SHORT_NAMES`, `owner/name`, or either with `:split`.
        per_class: How many positive and how many negative reviews to take.
        seed: Seed of the shuffle.
    """
    with reading_dataset(name):
        return list(pick_reviews(name, open_dataset(name, seed, "reviews"), per_class))


def open_dataset(name: str, seed: int, setting: str) -> Any:
    """The rows of a data set as a shuffled stream.

    Args:
        name: One of `SHORT_NAMES`, `owner/name`, or either with `:split`.
        seed: Seed of the shuffle.
        setting: What the user calls the data set, for the error if the extra is not installed.
    """
    if find_spec("datasets") is None:
        raise MaterialsError(
            f"{setting}={name} is neither a file ({', '.join(TABLE_ENDINGS)}) nor `fetched`, so it must be a Hugging "
            "Face data set, and the extra for those is not installed. Run `pip install 'tacit[datasets]'`, or give a "
            "file with the columns text and label."
        )
    import datasets  # noqa: PLC0415 - an extra, and slow to import

    repository, _, split = name.partition(":")
    rows = datasets.load_dataset(SHORT_NAMES.get(repository, repository), split=split or "train", streaming=True)
    return rows.shuffle(seed=seed, buffer_size=_SHUFFLED_AT_ONCE)


@contextmanager
def reading_dataset(name: str) -> Iterator[None]:
    """Say in one sentence why a data set cannot be read."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MaterialsError(
            f"The data set {name} cannot be read ({reason}). Name it as owner/name:split, or take one of "
            f"{', '.join(SHORT_NAMES)}."
        ) from None


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
    labels: set[str] = set()
    for number, row in enumerate(rows):
        if not any(missing.values()):
            return
        text = row[text_column(name, row)]
        labels.add(repr(row["label"]))
        if row["label"] not in (0, 1) or not str(text).strip() or not missing[bool(row["label"])]:
            continue
        missing[bool(row["label"])] -= 1
        yield DatasetReview(name, number, " ".join(str(text).split()), bool(row["label"]))
    _require_found(name, missing, per_class, labels)


def _require_found(name: str, missing: Mapping[bool, int], per_class: int, labels: set[str]) -> None:
    """Reject a data set without enough reviews of a class, because the sources would no longer be balanced."""
    for positive, count in missing.items():
        if count:
            found = f"{per_class - count} reviews with the label {int(positive)}"
            there = f"its labels are {', '.join(sorted(labels)[:_NAMED_LABELS]) or 'none'}"
            raise MaterialsError(
                f"The data set {name} has {found}, but {per_class} are needed; {there}. "
                "Take fewer with reviews_per_class, or another split with NAME:SPLIT."
            )
