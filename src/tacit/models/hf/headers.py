"""The headers of safetensors files, read before anything is loaded: a damaged file is named in one sentence."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from tacit.errors import ModelError

__all__ = ["check_json", "check_weights"]

# The library's own limit for a header; larger ones are an attack or damage.
_MAX_HEADER_BYTES = 100_000_000
# No real configuration or index is near this; a tokenizer's is (tens of megabytes).
_MAX_JSON_BYTES = 500_000_000
_LFS_START = b"version https://git-lfs"
_BYTES = {
    **dict.fromkeys(("F64", "I64", "U64"), 8),
    **dict.fromkeys(("F32", "I32", "U32"), 4),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 2),
    **dict.fromkeys(("I8", "U8", "BOOL", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 1),
}


def check_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that must hold an object."""
    try:
        if path.stat().st_size > _MAX_JSON_BYTES:
            raise ModelError(f"{path} is too large for a JSON file of a model. Fetch it again.")
        content = path.read_bytes()
        _refuse_lfs_pointer(path, content[:64])
        parsed = json.loads(content)
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise ModelError(f"{path} is not valid JSON. Fetch the file again.") from None
    if not isinstance(parsed, dict):
        raise ModelError(f"{path} must hold a JSON object, such as {{...}}. Fetch the file again.")
    return parsed


def check_weights(path: Path) -> None:
    """Check the header of a safetensors file: its tensors must fill the file exactly, without gaps or overlaps."""
    tensors, data_bytes = _read_header(path)
    end = 0
    for start, stop, name, expected in sorted(_ranges(path, tensors)):
        if start != end or stop - start != expected:
            raise ModelError(f"{path} is damaged: its tensor {name!r} is not where it should be. Fetch the file again.")
        end = stop
    if end != data_bytes:
        raise ModelError(
            f"{path} is damaged: its header describes {end:,} bytes of weights, the file has {data_bytes:,}. Fetch the "
            "file again."
        )


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    """The tensors in a file's header, and how many bytes follow it."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(8)
            _refuse_lfs_pointer(path, start + file.read(56))
            length = int.from_bytes(start, "little")
            if len(start) < 8 or length > min(_MAX_HEADER_BYTES, size - 8):
                raise ModelError(f"{path} is cut off or not a safetensors file. Fetch the file again.")
            file.seek(8)
            header = json.loads(file.read(length))
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise ModelError(f"The header of {path} is not valid JSON. Fetch the file again.") from None
    if not isinstance(header, dict):
        raise ModelError(f"The header of {path} must be a JSON object. Fetch the file again.")
    header.pop("__metadata__", None)
    return header, size - 8 - length


def _ranges(path: Path, tensors: dict[str, Any]) -> list[tuple[int, int, str, int]]:
    """First byte, byte after the last, name and expected number of bytes of each tensor."""
    ranges: list[tuple[int, int, str, int]] = []
    for name, tensor in tensors.items():
        try:
            start, stop = tensor["data_offsets"]
            count = math.prod(tensor["shape"])
            expected = count * _BYTES[tensor["dtype"]]
            is_sound = all(type(number) is int and number >= 0 for number in (start, stop, *tensor["shape"]))
        except (KeyError, TypeError, ValueError, OverflowError):
            is_sound = False
        if not is_sound:
            raise ModelError(f"The header of {path} does not describe its tensor {name!r}. Fetch the file again.")
        ranges.append((start, stop, name, expected))
    return ranges


def _refuse_lfs_pointer(path: Path, start: bytes) -> None:
    if start.startswith(_LFS_START):
        raise ModelError(f"{path} is a Git LFS pointer, not the file itself. Run `git lfs pull` in its folder.")
