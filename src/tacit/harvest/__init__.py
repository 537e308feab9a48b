"""Harvest: sentences for a contrast from any text, found as the intensifier study found them."""

from __future__ import annotations

from tacit.harvest.harvesting import Harvest, harvest
from tacit.harvest.tagging import ListTagger, SpacyTagger, Tagger, find_tagger

__all__ = ["Harvest", "ListTagger", "SpacyTagger", "Tagger", "find_tagger", "harvest"]
