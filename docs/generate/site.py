"""All generated pages and figures of the site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules

import tacit
from docs.generate.commands import command_pages
from docs.generate.links import COPIED, REPO, link_pages
from docs.generate.methods import method_index, method_page
from docs.generate.notebooks import NOTEBOOKS, notebook_page
from docs.generate.probes import ordered_probes, probe_drawings, probe_index, probe_page, show_drawing
from docs.generate.runs import figure_file
from tacit.methods import method_names
from tacit.probes import load_probe

__all__ = ["generate_figures", "generate_pages"]


def generate_pages(*, full: bool = True) -> dict[str, str]:
    """The Markdown of every generated page, by its place in the site.

    Args:
        full: Run probes and notebooks; false leaves their results out, which takes a second.
    """
    pages = {"probes/index.md": probe_index(), "methods/index.md": method_index()}
    pages |= {f"probes/{name}.md": probe_page(name, figures=full) for name in ordered_probes()}
    pages |= {f"methods/{name}.md": method_page(name) for name in method_names()}
    pages |= command_pages()
    pages |= {f"reference/api/{name}.md": _api_page(name) for name in _api_names()}
    pages |= {f"notebooks/{path.stem}.md": notebook_page(path, run=full) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    pages |= {page: _copied(REPO / source, page) for source, page in COPIED.items()}
    pages["gallery.md"] = _gallery(full=full)
    return pages


def generate_figures() -> dict[str, str]:
    """The SVG of every figure, by its place in the site."""
    drawn = [drawing for name in ordered_probes() for drawing in probe_drawings(name)]
    return {figure_file(drawing): drawing.svg for drawing in drawn}


def _gallery(*, full: bool) -> str:
    intro = (
        "Every figure that a small run of each probe on the standards makes, drawn when this site was built. "
        "`tacit report RUNS --out report.html --figures FOLDER` draws those of your runs as SVG, PNG and PDF."
    )
    return "\n\n".join(["# Gallery", intro, *(_gallery_parts() if full else ())]) + "\n"


def _gallery_parts() -> Iterator[str]:
    for name in ordered_probes():
        drawings = probe_drawings(name)
        if drawings:
            yield f"## [{name}](probes/{name}.md)"
            yield load_probe(name).title
            yield from (show_drawing(drawing, 3, up="") for drawing in drawings)


def _api_names() -> list[str]:
    """The modules that other programs may import."""
    names = [module.name for module in iter_modules(tacit.__path__)]
    return ["tacit", *(f"tacit.{name}" for name in names if not name.startswith("_") and name != "cli")]


def _api_page(name: str) -> str:
    return f"# {name}\n\n::: {name}\n"


def _copied(source: Path, page: str) -> str:
    return link_pages(source.read_text(encoding="utf-8"), source, page)
