"""Where countries lie on the globe, and how far apart."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.hierarchy.formulas import Floats

__all__ = ["great_circle", "locations"]

_EARTH_RADIUS = 6371.0


def great_circle(latitudes: npt.ArrayLike, longitudes: npt.ArrayLike) -> Floats:
    """The distance on the globe between all pairs of places, in kilometers: (places, places).

    d = 2 R asin √(sin²(Δφ/2) + cos φ₁ cos φ₂ sin²(Δλ/2)), with R = 6371 km (the haversine formula).
    """
    north, east = np.radians(np.asarray(latitudes, dtype=np.float64)), np.radians(np.asarray(longitudes, dtype=float))
    across = np.cos(north)[:, None] * np.cos(north)[None] * np.sin((east[:, None] - east[None]) / 2) ** 2
    inner = np.sin((north[:, None] - north[None]) / 2) ** 2 + across
    return np.asarray(2 * _EARTH_RADIUS * np.arcsin(np.sqrt(np.clip(inner, 0, 1))))


@cache
def locations() -> dict[str, tuple[float, float]]:
    """Latitude and longitude of where the people of each country live, by its ISO 3166 code (GeoNames, CC BY 4.0)."""
    rows = pl.read_csv(Path(__file__).with_name("locations.csv"))
    return {code: (north, east) for code, north, east in rows.iter_rows()}
