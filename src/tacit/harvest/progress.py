"""What a harvest has seen so far, beside its output, so that the same command goes on after an interruption."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tacit.errors import TacitError
from tacit.harvest.sampling import Combination, Tallies
from tacit.storage import write_atomic

__all__ = ["Progress", "progress_path", "read_progress", "write_progress"]


@dataclass
class Progress:
    """Files that are done, texts done in the next one, and the tallies; `of` says of which harvest."""

    of: dict[str, Any]
    tallies: Tallies
    files: int = 0
    texts: int = 0
    all_texts: int = 0


def progress_path(out: Path) -> Path:
    """The file beside the output; it is deleted when the harvest is done."""
    return out.with_name(f"{out.name}.progress")


def write_progress(out: Path, progress: Progress) -> None:
    """Keep it, whole."""
    rows = [[word, adjective, asdict(one)] for (word, adjective), one in progress.tallies.combinations.items()]
    state = {"of": progress.of, "files": progress.files, "texts": progress.texts, "all_texts": progress.all_texts}
    write_atomic(progress_path(out), json.dumps({**state, "rows": rows}).encode())


def read_progress(out: Path, of: dict[str, Any]) -> Progress:
    """Where an interrupted harvest of the same files and settings stands, or the beginning."""
    path = progress_path(out)
    if not path.is_file():
        return Progress(of, Tallies(of["seed"]))
    try:
        state = json.loads(path.read_bytes())
        rows = {(word, adjective): Combination(**one) for word, adjective, one in state["rows"]}
    except (ValueError, KeyError, TypeError):
        raise TacitError(f"{path} is not a harvest's progress: delete it and harvest again.") from None
    if state["of"] != of:
        changed = sorted(name for name in of if state["of"].get(name) != of[name])
        raise TacitError(
            f"{path} belongs to a harvest with other {' and '.join(changed)}: give another --out, or delete it."
        )
    return Progress(of, Tallies(of["seed"], rows), state["files"], state["texts"], state["all_texts"])
