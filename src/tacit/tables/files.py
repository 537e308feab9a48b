"""Opening a file that somebody handed over: a regular file of bounded size, or one sentence."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tacit.errors import MaterialsError

__all__ = ["LARGEST_TABLE", "read_text", "require_regular"]

LARGEST_TABLE = 512 * 1024 * 1024


def read_text(path: Path, largest: int = LARGEST_TABLE) -> str:
    """The text of a regular UTF-8 file of bounded size; devices, pipes and folders are refused unread."""
    require_regular(path, largest)
    with _explained(path):
        return path.read_bytes().decode("utf-8-sig")


def require_regular(path: Path, largest: int = LARGEST_TABLE) -> None:
    """Refuse what is no regular file, and what is too large."""
    with _explained(path):
        found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise MaterialsError(f"{path} is a folder where a file is needed.")
    if not stat.S_ISREG(found.st_mode):
        raise MaterialsError(f"{path} is not a regular file. Give a file on disk.")
    if found.st_size > largest:
        size = f"{found.st_size / 1e6:,.0f} MB"
        raise MaterialsError(f"{path} is too large ({size}; at most {largest / 1e6:,.0f} MB). Split or shorten it.")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise MaterialsError(f"There is no file {path}.") from None
    except UnicodeDecodeError as error:
        raise MaterialsError(f"{path} is not UTF-8 (byte {error.start}). Save it as UTF-8.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MaterialsError(f"{str(path)[:200]!r} cannot be read: {reason}.") from None
