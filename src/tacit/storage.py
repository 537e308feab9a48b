"""Where Tacit keeps things on disk: the cache folder, atomic writes, hashes, and outputs that never destroy a file."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path

from tacit.arguments import require_path
from tacit.errors import TacitError

__all__ = [
    "cache_folder",
    "cannot_write",
    "file_hash",
    "home_folder",
    "require_new",
    "require_output",
    "slug",
    "write_atomic",
    "write_file",
    "write_output",
]


def cache_folder() -> Path:
    """The folder for everything that can be made again: `$TACIT_CACHE`, or `tacit` in the user's cache folder."""
    named = os.environ.get("TACIT_CACHE")
    if named:
        return Path(named).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tacit"


def home_folder() -> Path:
    """The folder for what is to be kept: `$TACIT_HOME`, or else `tacit` in the user's data folder."""
    named = os.environ.get("TACIT_HOME")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "tacit"


def file_hash(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def slug(name: str) -> str:
    """A name as part of a file's or folder's name: `owner/model` becomes `owner--model`; of a folder its last part."""
    short = Path(name).name if os.path.isdir(name) else name.strip("/").replace("/", "--")
    return re.sub(r"[^\w.+-]+", "-", short).strip("-.") or "unnamed"


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there in one step, so that no reader ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(unfinished).chmod(0o666 & ~_umask())
        Path(unfinished).replace(path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise


def write_file(path: Path, content: bytes) -> None:
    """Write a file at once, and say in one sentence why it cannot be written."""
    try:
        write_atomic(path, content)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: OSError) -> TacitError:
    """The error for a file or folder that the disk or its permissions do not take."""
    reason = error.strerror or str(error)
    return TacitError(f"{path} cannot be written: {reason}. Check the folder, its permissions and the disk's space.")


def write_output(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write a file that the user named, but never over a file that Tacit did not write.

    Args:
        path: Where the file goes.
        content: Its bytes.
        force: Overwrite a regular file whoever wrote it.
    """
    target = require_output(path, force=force)
    write_file(target, content)
    _remember_output(target, content)


def require_output(path: Path, *, force: bool = False) -> Path:
    """Refuse a place that cannot be written or holds something that Tacit did not write; return the file to write."""
    require_path("out", path)
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise TacitError(f"{path} is a folder. Name a file in it.")
    if not target.exists():
        return target
    if not target.is_file():
        raise TacitError(f"{path} is not a regular file, and Tacit replaces nothing else. Name another file.")
    if not force and _outputs().get(str(target)) != file_hash(target):
        raise TacitError(
            f"{path} exists and was not written by Tacit (or has changed since). Name another file, or add --force."
        )
    return target


def require_new(path: Path) -> None:
    """Refuse the place of a file that people fill in or edit, if there is anything: it is never replaced."""
    require_path("out", path)
    if os.path.lexists(path):
        raise TacitError(f"{path} already exists and may hold your work. Choose another file with --out.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _outputs() -> dict[str, str]:
    """The hash of each output that Tacit wrote, by its path."""
    try:
        loaded = json.loads(_outputs_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # not remembering an output only means that overwriting it takes --force
    return loaded if isinstance(loaded, dict) else {}


def _remember_output(path: Path, content: bytes) -> None:
    outputs = {**_outputs(), str(path): hashlib.sha256(content).hexdigest()}
    try:
        write_atomic(_outputs_file(), json.dumps(outputs).encode())
    except OSError:
        return  # the output itself is written; overwriting it later takes --force


def _outputs_file() -> Path:
    return cache_folder() / "outputs.json"
