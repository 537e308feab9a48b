"""The report: one self-contained HTML page that opens without a network and can be printed and sent."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tacit._version import __version__
from tacit.arguments import require_path
from tacit.errors import RunError
from tacit.figure import Figure
from tacit.reports.charts import save_figure, specification
from tacit.reports.sections import Section, sections
from tacit.runs import Run, open_runs
from tacit.runs.store import must_fit
from tacit.runs.text import p_text
from tacit.storage import require_output, slug, write_output

__all__ = ["render_page", "report"]


def report(
    runs: Sequence[str | Path | Run], out: str | Path, figures: str | Path | None = None, *, force: bool = False
) -> Path:
    """Write one HTML page about runs; runs of the same probe on several models are shown side by side.

    Args:
        runs: Runs, their folders, or folders above runs.
        out: The page to write.
        figures: A folder for the figures as SVG, PNG and PDF; by default they are only on the page.
        force: Overwrite files that Tacit did not write.

    Returns:
        The path of the page.
    """
    require_path("out", out)
    if figures is not None:
        require_path("figures", figures)
    opened = open_runs(runs)
    if not opened:
        raise RunError("A report needs at least one run. Name the folder of a run, or a folder above runs.")
    path = Path(out)
    require_output(path, force=force)
    with must_fit(opened):
        parts = sections(opened)
        page = render_page(parts)
    write_output(path, page.encode(errors="backslashreplace"), force=force)
    if figures is not None:
        for prefix, section in zip(_prefixes(parts), parts, strict=True):
            for figure in section.figures:
                save_figure(figure, Path(figures), prefix, force=force)
    return path


def render_page(parts: Sequence[Section]) -> str:
    """The page as one string."""
    environment = Environment(
        loader=PackageLoader("tacit.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["chart"] = _chart
    environment.filters["p"] = p_text
    script, style, vega = _asset("page.js"), _asset("page.css"), _vega()
    return environment.get_template("page.html.j2").render(
        sections=parts,
        models=_models(parts),
        version=__version__,
        script=Markup(script),
        style=Markup(style),
        vega=Markup(vega),
        script_hashes=" ".join(f"'sha256-{_sha256(text)}'" for text in (script, vega)),
    )


def _prefixes(parts: Sequence[Section]) -> list[str]:
    """What the file names of each section's figures start with; a probe that occurs again gets a number."""
    prefixes: list[str] = []
    counts: Counter[str] = Counter()
    for section in parts:
        prefix = f"{slug(section.record.probe.name)}-{section.record.mode}"
        counts[prefix] += 1
        prefixes.append(prefix if counts[prefix] == 1 else f"{prefix}-{counts[prefix]}")
    return prefixes


def _models(parts: Sequence[Section]) -> dict[str, dict[str, Any]]:
    """What is known about each model, by its name on the page."""
    known: dict[str, dict[str, Any]] = {}
    for section in parts:
        for name, run in section.runs.items():
            model = run.record.model
            facts = known.setdefault(name, {"family": model.family, "fingerprint": model.fingerprint})
            facts["description"] = {
                key: value for key, value in model.description.items() if key not in _SHOWN_ELSEWHERE
            }
    return known


_SHOWN_ELSEWHERE = {"name", "family", "fingerprint"}


def _chart(figure: Figure) -> Markup:
    """A chart as JSON that cannot end its HTML element."""
    text = json.dumps(specification(figure), separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


@cache
def _vega() -> str:
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # An end tag or a comment inside a string of the bundle would end or swallow the element that holds it.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _asset(name: str) -> str:
    return files("tacit.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
