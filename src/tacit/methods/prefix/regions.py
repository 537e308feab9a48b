"""Whether it matters which region is named: each region against the mean of all, over texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.prefix.answers import Predictions
from tacit.methods.prefix.formulas import Floats
from tacit.methods.prefix.quality import ALL_REGIONS, TEXT
from tacit.methods.prefix.settings import PrefixSettings
from tacit.statistics import sign_flip_test_many

__all__ = ["AGAINST_MEAN", "ERROR", "MATTERS", "MOVES", "REGIONS_DIFFER", "UNDECIDED", "RegionEffects"]

AGAINST_MEAN, REGIONS_DIFFER = "change against the mean region", "spread of the regions"
ERROR = 0.05
UNDECIDED = "undecided"
MATTERS = "regions differ"
MOVES = ("above the mean", "below the mean")


@dataclass(frozen=True)
class RegionEffects:
    """How far each region moves the target's probability, beyond what every region does.

    What all regions share comes from the sentence and not from the region, so each text's mean over regions is taken
    off. Texts are the unit: all regions of a text flip together, because regions with similar names go together.

    Attributes:
        deviations: The change in probability minus its mean over regions: (texts, regions).
        p: The p-value of each region, corrected for all regions.
    """

    deviations: Floats
    p: Floats

    @classmethod
    def of(cls, predictions: Predictions, settings: PrefixSettings) -> RegionEffects | None:
        """The effects of two or more regions over two or more texts; None where there are fewer."""
        shift = predictions.shift.T
        if min(shift.shape) < 2:
            return None
        deviations = shift - shift.mean(axis=1, keepdims=True)
        return cls(deviations, sign_flip_test_many(deviations, resamples=settings.resamples, seed=settings.seed))

    @property
    def verdicts(self) -> list[str]:
        """What may be said of each region."""
        means = self.deviations.mean(axis=0)
        found = self.p < ERROR
        return [MOVES[int(mean < 0)] if sure else UNDECIDED for mean, sure in zip(means, found, strict=True)]

    def spread_row(self) -> MeasureRow:
        """√(mean over regions of (mean over texts)²), beside what chance would give.

        It cannot be below 0, so it has no interval; its neutral point is what random signs of the texts give. The claim
        rests on the region that stands out most.
        """
        texts, p = len(self.deviations), float(self.p.min())
        spread = float(np.sqrt((self.deviations.mean(axis=0) ** 2).mean()))
        expected = float(np.sqrt((self.deviations**2).sum(axis=0).mean()) / texts)
        row = measure_row(REGIONS_DIFFER, ALL_REGIONS, spread, neutral=expected, n=texts, unit=TEXT)
        note = "p-value of the region that stands out most"
        return row | {"p_adjusted": p, "verdict": MATTERS if p < ERROR else UNDECIDED, "note": note}

    def rows(self, levels: list[str], keys: list[str], confidence: float) -> Iterator[MeasureRow]:
        """One row per region, corrected for all regions."""
        texts = len(self.deviations)
        means = self.deviations.mean(axis=0)
        reach = self.deviations.std(axis=0, ddof=1) / np.sqrt(texts) * stdtrit(texts - 1, (1 + confidence) / 2)
        columns = zip(levels, keys, means, reach, self.p, self.verdicts, strict=True)
        for level, key, mean, half, p, verdict in columns:
            yield measure_row(
                AGAINST_MEAN,
                level,
                float(mean),
                item=key,
                low=float(mean - half) if half else None,
                high=float(mean + half) if half else None,
                n=texts,
                neutral=0.0,
                unit=TEXT,
                p_adjusted=float(p),
                verdict=verdict,
            )
