"""Texts with labels, from a table or a Hugging Face data set, and which of them are held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from tacit.data import FETCHED, require_data
from tacit.errors import MaterialsError
from tacit.methods.sentiment.datasets import open_dataset, reading_dataset, text_column
from tacit.tables import is_table_name, read_table, refuse

__all__ = ["LabeledText", "LabeledTexts", "read_labeled_texts"]

_FEWEST_PER_LABEL = 5


@dataclass(frozen=True)
class LabeledText:
    """A text, its label, and where it comes from (may be empty)."""

    text: str
    label: str
    source: str = ""


@dataclass(frozen=True)
class LabeledTexts:
    """Texts to learn from.

    Attributes:
        labels: The names of the labels, in the order of the classifier's outputs.
        training: The texts to learn.
        held_out: The texts that decide when to stop; none of them is among the others.
    """

    labels: tuple[str, ...]
    training: tuple[LabeledText, ...]
    held_out: tuple[LabeledText, ...]

    def digest(self) -> str:
        """A hash of everything, to tell whether an unfinished training had the same texts."""
        parts = [self.labels, *(list(map(astuple, part)) for part in (self.training, self.held_out))]
        return sha256(repr(parts).encode()).hexdigest()


def read_labeled_texts(source: str, most: int, share: float, seed: int) -> LabeledTexts:
    """Read texts and hold out a share of each label's.

    A text that occurs more than once is read once, so that no text is both learned and held out.

    Args:
        source: A file (CSV, JSONL or Parquet) with the columns text, label and (optional) source, `fetched` for the
            4,000 reviews of `tacit data fetch reviews`, or a data set as `owner/name:split`.
        most: The largest number of texts; a random sample where there are more.
        share: The share of each label's texts that is held out; at least one text per label.
        seed: Determines the sample and which texts are held out.
    """
    if source == FETCHED:
        source = str(require_data("reviews"))
    found = _read_file(Path(source)) if is_table_name(source) else _read_dataset(source, most, seed)
    texts = list({text.text: text for text in reversed(found)}.values())[::-1]
    order = np.random.default_rng(seed).permutation(len(texts))[:most]
    chosen = [texts[i] for i in order.tolist()]
    labels = _labels(source, chosen)
    held_out: list[LabeledText] = []
    training: list[LabeledText] = []
    for label in labels:
        members = [text for text in chosen if text.label == label]
        count = min(max(1, round(share * len(members))), len(members) - 1)
        held_out += members[:count]
        training += members[count:]
    return LabeledTexts(labels, tuple(training), tuple(held_out))


def _read_file(path: Path) -> list[LabeledText]:
    rows = read_table(path, ("text", "label"), ("source",))
    for row in rows:
        for column in ("text", "label"):
            if not row[column]:
                raise refuse(path, row, f"the {column} is empty.")
    return [LabeledText(row["text"], row["label"], row["source"]) for row in rows]


def _labels(source: str, texts: Sequence[LabeledText]) -> tuple[str, ...]:
    """The labels in alphabetical order, numbers by their value; one label, or a rare one, is an error."""
    counts = Counter(text.label for text in texts)
    if len(counts) < 2:
        only = next(iter(counts), None)
        raise MaterialsError(f"{source} has only one label, {only!r}. A classifier needs texts of at least two.")
    for label, count in counts.items():
        if count < _FEWEST_PER_LABEL:
            raise MaterialsError(
                f"{source} has too few texts with the label {label!r} ({count}; at least {_FEWEST_PER_LABEL} are "
                f"needed). Its labels are {', '.join(f'{name} ({n})' for name, n in counts.most_common(8))}."
            )
    return tuple(sorted(counts, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)))


def _read_dataset(name: str, most: int, seed: int) -> list[LabeledText]:
    texts: list[LabeledText] = []
    with reading_dataset(name):
        rows = open_dataset(name, seed, "texts")
        names = getattr((rows.features or {}).get("label"), "names", None)
        for row in rows:
            if len(texts) == most:
                break
            text, label = " ".join(str(row[text_column(name, row)]).split()), row["label"]
            # Data sets mark rows without a label by -1.
            if text and label is not None and label != -1:
                texts.append(LabeledText(text, str(names[label] if names else label), name))
    if not texts:
        raise MaterialsError(f"The data set {name} has no row with a text and a label. Name another split.")
    return texts
