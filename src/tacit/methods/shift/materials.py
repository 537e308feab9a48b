"""The materials of the shift test: the shared reviews, and words of the polarities that the settings name."""

from __future__ import annotations

from tacit.methods.sentiment.materials import SentimentMaterials, SentimentShape, read_sentiment_materials
from tacit.methods.shift.settings import ShiftSettings
from tacit.probes.loading import Probe

__all__ = ["SentimentMaterials", "SentimentShape", "read_materials"]


def read_materials(probe: Probe, settings: ShiftSettings) -> SentimentMaterials:
    """Read and check the reviews, and the words that are appended to them."""
    return read_sentiment_materials(probe, settings, settings.polarities)
