"""The answers as arrays: probabilities by region, text and label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.errors import MaterialsError, RunError
from tacit.methods.prefix.formulas import Floats, Ints
from tacit.methods.prefix.materials import PrefixMaterials
from tacit.methods.prefix.questions import BASELINE, NO_REGION
from tacit.methods.prefix.settings import PrefixSettings

__all__ = ["Predictions", "read_answers"]


@dataclass(frozen=True)
class Predictions:
    """What the classifier decided.

    Attributes:
        labels: The names of the labels, as the texts call them.
        alone: Probabilities of the texts on their own: (texts, labels).
        prefixed: Probabilities of the texts after each region's sentence: (regions, texts, labels).
        target: The index of the label whose probability is followed.
        baseline: Probabilities after the sentence that names no region: (texts, labels); None if it was not asked.
        gold: The true label of each text, as an index: (texts,); None if the texts have none.
    """

    labels: list[str]
    alone: Floats
    prefixed: Floats
    baseline: Floats | None
    target: int
    gold: Ints | None

    @property
    def before(self) -> Ints:
        """The predicted labels of the texts on their own: (texts,)."""
        return np.asarray(self.alone.argmax(axis=-1))

    @property
    def after(self) -> Ints:
        """The predicted labels after each region's sentence: (regions, texts)."""
        return np.asarray(self.prefixed.argmax(axis=-1))

    @property
    def shift(self) -> Floats:
        """The change in the target's probability: (regions, texts)."""
        return np.asarray(self.prefixed[..., self.target] - self.alone[..., self.target])


def read_answers(materials: PrefixMaterials, settings: PrefixSettings, answers: pl.DataFrame) -> Predictions:
    """Arrange the answers in arrays; a missing answer or an unknown label is an error."""
    first = answers.filter((pl.col("region") == NO_REGION) & (pl.col("text") == 0)).sort("part")
    labels = [settings.labels.get(label, label) for label in first["token"]]
    asked = [BASELINE] if (answers["region"] == BASELINE).any() else []  # runs of earlier versions did not ask it
    keys = [NO_REGION, *(region.key for region in materials.regions), *asked]
    order = pl.DataFrame({"region": keys, "row": np.arange(len(keys))})
    cells = answers.select("region", "text", "part", "probability").join(order, on="region")
    probabilities = np.full((len(keys), len(materials.texts), len(labels)), np.nan)
    probabilities[cells["row"].to_numpy(), cells["text"].to_numpy(), cells["part"].to_numpy()] = cells["probability"]
    if np.isnan(probabilities).any():
        raise RunError("Answers for some texts and regions are missing. Run the probe again.")
    return Predictions(
        labels=labels,
        alone=probabilities[0],
        prefixed=probabilities[1 : len(materials.regions) + 1],
        baseline=probabilities[-1] if asked else None,
        target=_target(labels, settings),
        gold=_gold(materials, labels),
    )


def _target(labels: list[str], settings: PrefixSettings) -> int:
    if settings.target and settings.target not in labels:
        raise MaterialsError(
            f"The classifier has no label {settings.target!r}. Set `target` to one of its labels: {', '.join(labels)}."
        )
    return labels.index(settings.target) if settings.target else len(labels) - 1


def _gold(materials: PrefixMaterials, labels: list[str]) -> Ints | None:
    if not materials.labeled:
        return None
    unknown = sorted({text.label for text in materials.texts} - set(labels))
    if unknown:
        raise MaterialsError(
            f"The texts have the label {unknown[0]!r}, but the classifier's labels are {', '.join(labels)}. Map them "
            f"to the texts' labels, as in --set labels={labels[0]}={unknown[0]}."
        )
    return np.array([labels.index(text.label) for text in materials.texts])
