"""The report: one HTML page that opens from a file, without a network, and can be printed and sent."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tacit._version import __version__
from tacit.errors import TacitError
from tacit.reports.charts import save_figure, specification
from tacit.reports.sections import Section, sections
from tacit.runs import Run, open_runs
from tacit.runs.store import slug
from tacit.runs.text import p_words
from tacit.storage import require_output, write_output

__all__ = ["make_page", "report"]


def report(
    runs: Sequence[str | Path | Run], out: str | Path, figures: str | Path | None = None, *, force: bool = False
) -> Path:
    """Write the page about these runs, and each figure as SVG, PNG and PDF where a folder is named.

    A file that Tacit did not write is overwritten only with `force`.
    """
    opened = open_runs(runs)
    if not opened:
        raise TacitError("A report needs at least one run.")
    path = Path(out)
    require_output(path, force=force)
    made = sections(opened)
    write_output(path, make_page(made).encode(), force=force)
    if figures is not None:
        for section in made:
            for figure in section.figures:
                prefix = f"{slug(section.record.probe.name)}-{section.record.mode}"
                save_figure(figure, Path(figures), prefix, force=force)
    return path


def make_page(made: Sequence[Section]) -> str:
    """The page as one string."""
    environment = Environment(
        loader=PackageLoader("tacit.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["chart"] = _chart
    environment.filters["p"] = p_words
    script, style, vega = _asset("page.js"), _asset("page.css"), _vega()
    return environment.get_template("page.html.j2").render(
        sections=made,
        models=_models(made),
        version=__version__,
        script=Markup(script),
        style=Markup(style),
        vega=Markup(vega),
        script_hashes=" ".join(f"'sha256-{_sha256(text)}'" for text in (script, vega)),
    )


def _models(made: Sequence[Section]) -> dict[str, dict[str, Any]]:
    """What is known of each model, by its name in the report."""
    known: dict[str, dict[str, Any]] = {}
    for section in made:
        for name, run in section.runs.items():
            model = run.record.model
            facts = known.setdefault(name, {"family": model.family, "fingerprint": model.fingerprint, "probes": 0})
            facts["name"] = model.name
            facts["description"] = {key: value for key, value in model.description.items() if key not in _TOLD}
            facts["probes"] += 1
    return known


_TOLD = {"name", "family", "fingerprint"}


def _chart(figure: Any) -> Markup:
    """A chart as JSON that no parser can take for the end of its element."""
    told = json.dumps(specification(figure), separators=(",", ":"), ensure_ascii=False)
    return Markup(told.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


@cache
def _vega() -> str:
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # An end tag or a comment sign within a string of the bundle would end or swallow the page's element.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _asset(name: str) -> str:
    return files("tacit.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
