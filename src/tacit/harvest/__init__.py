"""Harvest: collect sentences for a contrast probe from any text, in the way of the intensifier study."""

from __future__ import annotations

from tacit.harvest.harvester import Harvest, Search, harvest, search_here
from tacit.harvest.taggers import ListTagger, SpacyTagger, Tagger, find_tagger

__all__ = ["Harvest", "ListTagger", "Search", "SpacyTagger", "Tagger", "find_tagger", "harvest", "search_here"]
