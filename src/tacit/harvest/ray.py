"""Searching texts on a Ray cluster, with Ray Data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tacit.errors import TacitError
from tacit.harvest.finder import Finder, Match

try:
    import ray.data
except ImportError:
    raise TacitError("Harvesting on Ray needs the package ray. Install it with: pip install 'tacit[ray]'.") from None

__all__ = ["search_on_ray"]

CHUNK = 20_000
"""Texts that are on the cluster at once: enough to occupy it, few enough for the memory of the driver."""
BATCH = 500
"""Texts that one task searches."""


def search_on_ray(finder: Finder, texts: Iterator[str]) -> Iterator[list[Match]]:
    """Search texts on the cluster, chunk by chunk; the order of the texts is restored by their number."""
    ray.data.DataContext.get_current().enable_progress_bars = False

    def search(batch: dict[str, Any]) -> dict[str, Any]:
        matches = [
            [[match.text, match.word, match.adjective] for match in finder.matches(text)] for text in batch["text"]
        ]
        return {"id": batch["id"], "matches": [json.dumps(own) for own in matches]}

    while chunk := list(islice(texts, CHUNK)):
        rows = ray.data.from_items([{"id": number, "text": text} for number, text in enumerate(chunk)])
        searched = rows.map_batches(search, batch_size=BATCH).take_all()
        for row in sorted(searched, key=lambda row: row["id"]):
            yield [Match(*fields) for fields in json.loads(row["matches"])]
