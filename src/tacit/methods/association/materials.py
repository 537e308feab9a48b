"""The materials of the association test: the shared reviews, and words of all three polarities."""

from __future__ import annotations

from tacit.methods.association.settings import AssociationSettings
from tacit.methods.sentiment.materials import POLARITIES, SentimentMaterials, SentimentShape, read_sentiment_materials
from tacit.probes.loading import Probe

__all__ = ["SentimentMaterials", "SentimentShape", "read_materials"]


def read_materials(probe: Probe, settings: AssociationSettings) -> SentimentMaterials:
    """Read and check the reviews and all words; positive and negative ones show whether a model senses sentiment."""
    return read_sentiment_materials(probe, settings, POLARITIES)
