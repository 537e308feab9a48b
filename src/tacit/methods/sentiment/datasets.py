"""Reviews from Hugging Face data sets such as IMDB, Yelp, Amazon and SST-2; needs the extra `datasets`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from tacit.errors import MaterialsError

__all__ = ["DatasetReview", "pick_reviews", "read_dataset"]

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
    if find_spec("datasets") is None:
        raise MaterialsError(
            f"reviews={name} is not a .csv file, so it must be a Hugging Face data set, and the extra for those is not "
            "installed. Run `pip install 'tacit[datasets]'`, or give a CSV file with the columns text and label."
        )
    import datasets  # noqa: PLC0415 - an extra, and slow to import

    repository, _, split = name.partition(":")
    try:
        rows = datasets.load_dataset(repository, split=split or "train", streaming=True)
        shuffled = rows.shuffle(seed=seed, buffer_size=_SHUFFLED_AT_ONCE)
        return list(pick_reviews(name, shuffled, per_class))
    except (OSError, ValueError) as error:
        raise MaterialsError(f"The data set {name} cannot be read ({error}). Name it as owner/name:split.") from None


def pick_reviews(name: str, rows: Iterable[Mapping[str, Any]], per_class: int) -> Iterator[DatasetReview]:
    """The first rows labeled 1 (positive) and 0 (negative), `per_class` of each; other rows are skipped."""
    missing = {True: per_class, False: per_class}
    for number, row in enumerate(rows):
        if not any(missing.values()):
            return
        text = next((row[column] for column in _TEXTS if column in row), None)
        if text is None or "label" not in row:
            raise MaterialsError(
                f"The data set {name} has the columns {', '.join(row)}. It needs label and one of {', '.join(_TEXTS)}."
            )
        if row["label"] not in (0, 1) or not str(text).strip() or not missing[bool(row["label"])]:
            continue
        missing[bool(row["label"])] -= 1
        yield DatasetReview(number, " ".join(str(text).split()), bool(row["label"]))
