"""Removing a run: all that it wrote, and nothing that it did not write."""

from __future__ import annotations

from pathlib import Path

from tacit.errors import RunError
from tacit.runs.record import MATERIALS, RECORD, read_record
from tacit.runs.store import LEFT_BEHIND, path_inside, scratch

__all__ = ["remove_run"]


def remove_run(folder: Path) -> None:
    """Remove a run's files and its folder; a folder that holds anything else, or is being written, is refused.

    The record goes last, so that a removal that is interrupted can be repeated.
    """
    files = [path_inside(folder, name) for name in read_record(folder).files]
    materials = path_inside(folder, MATERIALS)
    copies = sorted(materials.iterdir()) if materials.is_dir() else []
    own = {*files, materials, folder / RECORD, *(folder / name for name in LEFT_BEHIND)}
    foreign = sorted(path for path in folder.iterdir() if path not in own)
    foreign += [path for path in copies if path.is_symlink() or not path.is_file()]
    if foreign:
        raise RunError(f"{foreign[0]} was not written by the run. Move it away, then repeat the command.")
    with scratch(folder):
        for path in (*files, *copies):
            path.unlink(missing_ok=True)
    if materials.is_dir():
        materials.rmdir()
    for name in (*LEFT_BEHIND, RECORD):
        (folder / name).unlink(missing_ok=True)
    folder.rmdir()
