"""The notebooks as pages: run when the site is built, with what their cells show."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from docs.generate.links import REPO

__all__ = ["NOTEBOOKS", "execute", "notebook_page", "notebook_title"]

NOTEBOOKS = REPO / "docs/notebooks"
_KEPT = REPO / "build/docs/notebooks"


def execute(path: Path, folder: Path) -> Any:
    """Run a notebook in a folder; a cell that fails raises an error with its traceback."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def notebook_title(path: Path) -> str:
    """The first heading of a notebook."""
    return str(nbformat.read(path, as_version=4).cells[0].source.splitlines()[0].lstrip("# "))


def notebook_page(path: Path, *, run: bool = True) -> str:
    """A notebook as Markdown.

    Args:
        path: The notebook.
        run: Run it (once for each version of it) and show the results.
    """
    notebook = _executed(path) if run else nbformat.read(path, as_version=4)
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            parts.append(f"```python\n{cell.source}\n```")
            parts += [shown for output in cell.outputs if (shown := _show(output))]
    parts.append(f"*This page is the notebook `docs/notebooks/{path.name}`.*")
    return "\n\n".join(parts) + "\n"


def _executed(path: Path) -> Any:
    key = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    folder = _KEPT / f"{path.stem}-{key}"
    done = folder / "executed.ipynb"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(execute(path, folder), done)
    return nbformat.read(done, as_version=4)


def _show(output: Any) -> str:
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```" if output.name == "stdout" else ""
    data = output.get("data", {})
    if "text/html" in data and "vega" not in data["text/html"].lower():
        # Blank lines would end the HTML block for Markdown.
        return '<div class="output">' + re.sub(r"\n\s*\n", "\n", data["text/html"]) + "</div>"
    if "image/svg+xml" in data:
        return f'<div class="output">{data["image/svg+xml"]}</div>'
    return f"```text\n{data['text/plain']}\n```" if "text/plain" in data else ""
