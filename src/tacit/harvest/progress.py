"""The state of a harvest, kept beside its output, so that the same command continues after an interruption."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.harvest.samples import Combination, Tallies
from tacit.storage import write_file

__all__ = ["Identity", "Progress", "progress_path", "read_progress", "write_progress"]

Identity = dict[str, object]
"""What makes two harvests the same: corpus, words, tagger, seed and options."""


@dataclass
class Progress:
    """How far a harvest has come.

    Attributes:
        identity: Which harvest this is.
        tallies: The combinations counted so far.
        files: The number of corpus files that are done.
        texts: The number of texts done in the current file.
        all_texts: The number of texts done in all files.
    """

    identity: Identity
    tallies: Tallies
    files: int = 0
    texts: int = 0
    all_texts: int = 0


def progress_path(out: Path) -> Path:
    """The file beside the output; it is deleted when the harvest is done."""
    return out.with_name(f"{out.name}.progress")


def write_progress(out: Path, progress: Progress) -> None:
    """Save the progress atomically."""
    rows = [[*key, asdict(combination)] for key, combination in progress.tallies.combinations.items()]
    state = {
        "of": progress.identity,
        "files": progress.files,
        "texts": progress.texts,
        "all_texts": progress.all_texts,
        "rows": rows,
    }
    write_file(progress_path(out), json.dumps(state).encode())


def read_progress(out: Path, identity: Identity, seed: int) -> Progress:
    """The progress of an interrupted harvest with the same identity, or a new start."""
    path = progress_path(out)
    if not path.is_file():
        return Progress(identity, Tallies(seed))
    try:
        state = json.loads(path.read_bytes())
        rows = {(word, adjective): Combination(**fields) for word, adjective, fields in state["rows"]}
        saved = dict(state["of"])
    except (ValueError, KeyError, TypeError):
        raise MaterialsError(f"{path} is not the progress of a harvest. Delete it and start again.") from None
    if saved != identity:
        changed = " and ".join(sorted(name for name in identity if saved.get(name) != identity[name]))
        raise MaterialsError(f"{path} belongs to a harvest with a different {changed}. Delete it or use another --out.")
    return Progress(identity, Tallies(seed, rows), state["files"], state["texts"], state["all_texts"])
