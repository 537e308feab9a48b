"""Reviews from Hugging Face data sets such as IMDB, Yelp, Amazon and SST-2, for who has the extra `datasets`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from tacit.errors import TacitError

__all__ = ["pick", "read_dataset"]

_TEXTS = ("text", "content", "sentence", "review", "review_body")
_SHUFFLED_AT_ONCE = 10_000


def read_dataset(name: str, each: int, seed: int) -> list[tuple[int, str, bool]]:
    """`each` reviews a class of the data set `owner/name` or `owner/name:split`, in an order that the seed decides."""
    if find_spec("datasets") is None:
        raise TacitError(
            f"reviews={name} is not a .csv file, so it would be a Hugging Face data set: install the extra with "
            "`pip install 'tacit[datasets]'`, or give a CSV file with the columns text and label."
        )
    import datasets  # noqa: PLC0415 - an extra, and slow to import

    repository, _, split = name.partition(":")
    try:
        rows = datasets.load_dataset(repository, split=split or "train", streaming=True)
        shuffled = rows.shuffle(seed=seed, buffer_size=_SHUFFLED_AT_ONCE)
        return list(pick(name, shuffled, each))
    except (OSError, ValueError) as error:
        raise TacitError(f"The data set {name} cannot be read ({error}); name it as owner/name:split.") from None


def pick(name: str, rows: Iterable[Mapping[str, Any]], each: int) -> Iterator[tuple[int, str, bool]]:
    """The first `each` rows labelled 1 (positive) and 0 (negative), with their places; other rows are passed over."""
    wanted = {True: each, False: each}
    for number, row in enumerate(rows):
        if not any(wanted.values()):
            return
        text = next((row[column] for column in _TEXTS if column in row), None)
        if text is None or "label" not in row:
            raise TacitError(
                f"The data set {name} has the columns {', '.join(row)}: it needs label and one of {', '.join(_TEXTS)}."
            )
        if row["label"] not in (0, 1) or not str(text).strip() or not wanted[bool(row["label"])]:
            continue
        wanted[bool(row["label"])] -= 1
        yield number, " ".join(str(text).split()), bool(row["label"])
