"""The files inside a fetched package: wheels, source archives, Debian packages."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["debian_files", "member_bytes", "zipped"]


def zipped(path: Path, name: str) -> bytes:
    """One file of a wheel."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def member_bytes(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    """The content of one file of an archive; empty for a folder."""
    stream = archive.extractfile(member)
    return stream.read() if stream else b""


def debian_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """The names and contents of all files of a Debian package."""
    unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(path)], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
        for member in archive.getmembers():
            if member.isfile():
                yield member.name, member_bytes(archive, member)
