"""The materials of the wording method: the shared reviews and neutral words, and prompts and label words to cross."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import TacitError
from tacit.methods.sentiment.materials import (
    NEUTRAL,
    Review,
    SentimentMaterials,
    SentimentShape,
    read_sentiment_materials,
)
from tacit.methods.wording.settings import WordingSettings
from tacit.probes.loading import FileName, Probe
from tacit.questions import split_blank
from tacit.tables import read_table, refuse

__all__ = ["WordingMaterials", "WordingShape", "pair_name", "read_materials"]

_OWN = "setting"


class WordingShape(SentimentShape):
    """What a probe's YAML says under `materials`."""

    prompts: FileName
    labels: FileName


@dataclass(frozen=True)
class WordingMaterials:
    """What is asked, and in which wordings.

    Attributes:
        sentiment: The reviews and the neutral words.
        prompts: The prompts, the study's own first, with where each comes from.
        labels: The pairs of label words, the study's own first, with where each comes from.
    """

    sentiment: SentimentMaterials
    prompts: dict[str, str]
    labels: dict[tuple[str, str], str]

    @property
    def reviews(self) -> tuple[Review, ...]:
        """The reviews."""
        return self.sentiment.reviews

    @property
    def positive(self) -> npt.NDArray[np.bool_]:
        """Which reviews are positive."""
        return self.sentiment.positive

    @property
    def words(self) -> pl.DataFrame:
        """The neutral words."""
        return self.sentiment.words

    @property
    def label_words(self) -> tuple[str, ...]:
        """Every label word once: one question is about all of them."""
        return tuple(dict.fromkeys(word for pair in self.labels for word in pair))


def pair_name(pair: tuple[str, str]) -> str:
    """A pair of label words as tables show it."""
    return "/".join(pair)


def read_materials(probe: Probe, settings: WordingSettings) -> WordingMaterials:
    """Read and check the reviews, the neutral words, the prompts and the label words."""
    shape = probe.parse(WordingShape)
    shared = {name: value for name, value in probe.materials.items() if name not in ("prompts", "labels")}
    sentiment = read_sentiment_materials(probe.model_copy(update={"materials": shared}), settings, (NEUTRAL,))
    prompts = _read_prompts(settings.prompts or probe.file(shape.prompts))
    labels = _read_labels(settings.labels or probe.file(shape.labels))
    own = settings.prompt, settings.label_words
    return WordingMaterials(
        sentiment,
        {own[0]: prompts.get(own[0], _OWN), **prompts},
        {own[1]: labels.get(own[1], _OWN), **labels},
    )


def _read_prompts(path: Path) -> dict[str, str]:
    prompts: dict[str, str] = {}
    for row in read_table(path, ("prompt",), ("source",)):
        try:
            split_blank(row["prompt"])
        except TacitError as error:
            raise refuse(path, row, f"the prompt {row['prompt']!r} cannot be asked: {error}") from None
        if row["prompt"] in prompts:
            raise refuse(path, row, f"the prompt {row['prompt']!r} is listed twice.")
        prompts[row["prompt"]] = row["source"]
    return prompts


def _read_labels(path: Path) -> dict[tuple[str, str], str]:
    labels: dict[tuple[str, str], str] = {}
    for row in read_table(path, ("positive", "negative"), ("source",)):
        pair = row["positive"], row["negative"]
        if not all(pair) or pair[0] == pair[1]:
            raise refuse(path, row, f"label words must be two different words, not {pair[0]!r} and {pair[1]!r}.")
        if pair in labels:
            raise refuse(path, row, f"the pair {pair_name(pair)} is listed twice.")
        labels[pair] = row["source"]
    return labels
