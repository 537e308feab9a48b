"""Templates, styles and scripts of the page, and the data in it, compressed until a reader opens it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tacit.figure import Figure
from tacit.reports.charts import specification

__all__ = ["content_policy", "environment", "pack", "script", "style", "vega"]

_SCRIPTS = ("data.js", "charts.js", "tables.js", "page.js")


@cache
def environment() -> Environment:
    """The templates, with everything that comes from a model or a file escaped."""
    made = Environment(
        loader=PackageLoader("tacit.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["pack"] = pack
    made.filters["chart"] = _pack_chart
    return made


def pack(data: Any) -> str:
    """Data as compressed JSON in Base64, which cannot end its HTML element; the same data give the same text."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode()


def _pack_chart(figure: Figure) -> str:
    return pack(specification(figure))


def script() -> str:
    """The page's own scripts as one."""
    return "\n".join(_asset(name) for name in _SCRIPTS)


def style() -> str:
    """The page's style sheet."""
    return _asset("page.css")


@cache
def vega() -> str:
    """The library that draws the charts."""
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # An end tag or a comment inside a string of the bundle would end or swallow the element that holds it.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def content_policy(*scripts: str) -> Markup:
    """A policy that runs these scripts and nothing else, and reaches no network."""
    hashes = " ".join(f"'sha256-{_sha256(text)}'" for text in scripts)
    return Markup(f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes}")


def _asset(name: str) -> str:
    return files("tacit.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
