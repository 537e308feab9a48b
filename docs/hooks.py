"""What MkDocs calls: add the generated pages, complete the navigation, point links at pages, typeset formulas."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from docs.generate.links import REPO, link_pages
from docs.generate.math import typeset
from docs.generate.site import generate_figures, generate_pages

_QUICK = "TACIT_DOCS_QUICK"
"""The environment variable that builds the site without runs, figures and notebooks."""


def on_files(files: Files, config: Any) -> Files:
    """Add what is generated, and replace each pattern of the navigation by the pages that match it."""
    full = not os.environ.get(_QUICK)
    made = {**generate_pages(full=full), **(generate_figures() if full else {})}
    for place, content in made.items():
        files.append(File.generated(config, place, content=content))
    pages = [file.src_uri for file in files.documentation_pages()]
    order = list(made)
    pages.sort(key=lambda page: order.index(page) if page in order else -1)
    config["nav"] = _expand(config["nav"], pages)
    return files


def _expand(nav: Any, pages: list[str]) -> Any:
    if isinstance(nav, dict):
        return {title: _expand(part, pages) for title, part in nav.items()}
    if not isinstance(nav, list):
        return nav
    named = {part for part in nav if isinstance(part, str)}
    expanded: list[Any] = []
    for part in nav:
        if isinstance(part, str) and "*" in part:
            expanded += [page for page in pages if fnmatch(page, part) and page not in named]
        else:
            expanded.append(_expand(part, pages))
    return expanded


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links of the documents lead to files of the repository; those of generated pages lead to pages already."""
    source = page.file.abs_src_path
    if source is None or not Path(source).is_relative_to(REPO / "docs"):
        return markdown
    return link_pages(markdown, Path(source), page.file.src_uri)


def on_page_content(html: str, **_: Any) -> str:
    """Formulas become MathML."""
    return typeset(html)
