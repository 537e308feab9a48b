"""Charts as JSON for the page and as files for a paper, with one theme for both."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from tacit.figure import INK, Figure
from tacit.storage import write_output

__all__ = ["save_figure", "specification"]

_PRINT_PPI = 300
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
_THEME: dict[str, Any] = {
    "background": None,
    "font": _FONT,
    "view": {"stroke": None},
    "text": {"color": INK},
    "rule": {"color": INK},
    "title": {"color": INK, "fontSize": 13, "fontWeight": 600, "anchor": "start"},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "domainColor": INK,
        "domainOpacity": 0.4,
        "tickColor": INK,
        "tickOpacity": 0.4,
        "gridColor": INK,
        "gridOpacity": 0.12,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": 500,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "labelLimit": 260,
        "orient": "top",
    },
    "header": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12},
}


def specification(figure: Figure) -> dict[str, Any]:
    """The chart as Vega-Lite, with the theme below its own settings and numbers rounded to what a screen shows."""
    with alt.data_transformers.enable("default", max_rows=None):
        spec: dict[str, Any] = figure.chart.to_dict(validate=False)
    spec["config"] = _merged(_THEME, _without_defaults(spec.get("config", {})))
    spec["datasets"] = {name: _rounded(rows) for name, rows in spec.get("datasets", {}).items()}
    spec["description"] = figure.alt
    cleaned: dict[str, Any] = _with_plain_titles(spec)
    return cleaned


def save_figure(figure: Figure, folder: Path, prefix: str, *, force: bool = False) -> list[Path]:
    """Write a figure as SVG, PNG and PDF at print quality, black on white.

    Args:
        figure: The figure.
        folder: Where the files go.
        prefix: What their names start with.
        force: Overwrite files that Tacit did not write.

    Returns:
        The paths of the files.
    """
    svg = vl_convert.vegalite_to_svg({**specification(figure), "background": "white"})
    contents = {
        "svg": svg.encode(),
        "png": vl_convert.svg_to_png(svg, scale=1, ppi=_PRINT_PPI),
        "pdf": vl_convert.svg_to_pdf(svg),
    }
    paths = [folder / f"{prefix}-{figure.name}.{kind}" for kind in contents]
    for path, content in zip(paths, contents.values(), strict=True):
        write_output(path, content, force=force)
    return paths


def _without_defaults(config: dict[str, Any]) -> dict[str, Any]:
    """The settings of the chart itself, without the view size that Altair adds to every chart."""
    view = {key: value for key, value in config.get("view", {}).items() if not key.startswith("continuous")}
    return {**{key: value for key, value in config.items() if key != "view"}, **({"view": view} if view else {})}


def _with_plain_titles(value: Any) -> Any:
    """The specification with titles that Vega-Lite can put into an expression.

    It escapes quotes but neither backslashes nor line separators there, so a model named `a\\` would end a string.
    """
    if isinstance(value, dict):
        parts = {key: _with_plain_titles(part) for key, part in value.items() if key != "datasets"}
        titles = {key: _plain_title(parts[key]) for key in ("title", "text") if isinstance(parts.get(key), str | list)}
        return {**parts, **titles, **({"datasets": value["datasets"]} if "datasets" in value else {})}
    return [_with_plain_titles(part) for part in value] if isinstance(value, list) else value


def _plain_title(title: str | list[Any]) -> str | list[Any]:
    if isinstance(title, list):
        return [_plain_title(line) if isinstance(line, str) else line for line in title]
    return " ".join(title.replace("\\", "\N{SET MINUS}").split())


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both else value
    return merged


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.5g}") if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list) else value
