"""Skeletons: a small commented probe of each method, for users who write one of their own."""

from __future__ import annotations

import inspect
import shutil
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.methods.registry import get_method
from tacit.storage import cannot_write

__all__ = ["new_probe"]

_SKELETON = "skeleton"


def new_probe(method: str, folder: Path) -> list[Path]:
    """Write the skeleton of a probe into a new or empty folder.

    Args:
        method: The name of a method.
        folder: Where the probe goes.

    Returns:
        The files, `probe.yaml` first.
    """
    source = Path(inspect.getfile(type(get_method(method)))).parent / _SKELETON
    if not source.is_dir():
        raise MaterialsError(f"The method {method!r} has no skeleton. Copy the folder of a probe that uses it.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise MaterialsError(f"{folder} is already there. Name a new or an empty folder.")
    names = sorted((path.name for path in source.iterdir() if path.is_file()), key=lambda name: name != "probe.yaml")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The probe's YAML comes last, so that a folder that was not written whole is no probe.
        for name in reversed(names):
            shutil.copyfile(source / name, folder / name)
    except OSError as error:
        raise cannot_write(folder, error) from None
    return [folder / name for name in names]
