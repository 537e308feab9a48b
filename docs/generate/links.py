"""Links between files of the repository, as links between pages of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

__all__ = ["COPIED", "REPO", "link_pages", "outside_code", "relative_link"]

REPO = Path(__file__).parent.parent.parent

COPIED = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "speed.md",
}
"""Documents outside docs/ that are pages of the site."""

_SHOWN = {".md", ".svg", ".jpg", ".png"}

_LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_MENTION = re.compile(r"(?<![\w/(`.])`?docs/([\w/-]+)\.md`?")
_CODE = re.compile(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)


def link_pages(markdown: str, source: Path, page: str) -> str:
    """Point the links of a document at pages of the site.

    A link to a file that is no page becomes its name in code; `docs/errata.md` in running text becomes a link.

    Args:
        markdown: The document.
        source: Where it lies in the repository; its links start from there.
        page: The page that it becomes, such as `probes/temporal.md`.
    """

    def replace_link(match: re.Match[str]) -> str:
        image, text, target = match.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return match[0]
        path, _, anchor = target.partition("#")
        place = posixpath.normpath(posixpath.join(source.parent.relative_to(REPO).as_posix(), path))
        to = _page_of(place)
        if to is None:
            return f"`{text.strip('`')}`"
        return f"{image}[{text}]({relative_link(page, to)}{'#' + anchor if anchor else ''})"

    def replace_mention(match: re.Match[str]) -> str:
        to = f"{match[1]}.md"
        return f"[{match[1]}]({relative_link(page, to)})" if (REPO / "docs" / to).exists() else match[0]

    return outside_code(markdown, lambda text: _MENTION.sub(replace_mention, _LINK.sub(replace_link, text)))


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """Apply a change to everything but code, which a link may hold in its text."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    changed = change(_CODE.sub(keep, markdown))
    return re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], changed)


def relative_link(page: str, to: str) -> str:
    """The link from one page of the site to another."""
    return posixpath.relpath(to, posixpath.dirname(page) or ".")


def _page_of(place: str) -> str | None:
    """The page that a file of the repository becomes; None if it becomes none."""
    if place in COPIED:
        return COPIED[place]
    if place == "README.md":
        return "index.md"
    probe = re.fullmatch(r"src/tacit/probes/([\w-]+)/README\.md", place)
    if probe:
        return f"probes/{probe[1]}.md"
    inside = place.removeprefix("docs/")
    is_page = inside != place and (REPO / place).suffix in _SHOWN
    return inside if is_page and (REPO / place).is_file() else _generated(inside if inside != place else "")


def _generated(page: str) -> str | None:
    """A page that the build makes; whether it does is checked by the build itself."""
    return page if re.fullmatch(r"((probes|methods|notebooks|reference)/.+|gallery|contributing)\.md", page) else None
