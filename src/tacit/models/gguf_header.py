"""The header of a GGUF file, read within the bounds of the file: its metadata and the extent of its tensors."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from pathlib import Path

from tacit.errors import ModelError

__all__ = ["GGUFHeader", "read_header"]

_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_VERSIONS = (2, 3)
# Every key-value pair takes at least this many bytes, and every tensor this many.
_MIN_PAIR_BYTES, _MIN_TENSOR_BYTES = 13, 24
_MAX_DIMENSIONS = 8


@dataclass
class GGUFHeader:
    """What the header says.

    Attributes:
        values: The metadata: numbers, truth values and texts; of an array, its length.
        numbers: How many numbers the tensors hold.
        tensors: How many tensors there are.
    """

    values: dict[str, int | float | bool | str] = field(default_factory=dict)
    numbers: int = 0
    tensors: int = 0


def read_header(path: Path) -> GGUFHeader:
    """Read the header of a GGUF file; a damaged one is an error that names the file."""
    try:
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            return _Reader(path, content).read()
    except (OSError, ValueError, struct.error, UnicodeDecodeError, IndexError, OverflowError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise ModelError(f"{path} cannot be read: {error.strerror}.") from None
        raise ModelError(f"{path} is cut off or not a GGUF file. Fetch the file again.") from None


class _Reader:
    """A position in the file that only moves forward, and never past its end."""

    def __init__(self, path: Path, content: mmap) -> None:
        self.path, self.content, self.place = path, content, 0

    def read(self) -> GGUFHeader:
        if self.take(4) != b"GGUF" or self.number("<I") not in _VERSIONS:
            raise ValueError("not GGUF")
        tensors, pairs = int(self.number("<Q")), int(self.number("<Q"))
        if pairs * _MIN_PAIR_BYTES + tensors * _MIN_TENSOR_BYTES > len(self.content):
            raise ValueError("more entries than bytes")
        header = GGUFHeader(tensors=tensors)
        for _ in range(pairs):
            key = self.text()
            header.values[key] = self.value(int(self.number("<I")))
        extents = [self.tensor() for _ in range(tensors)]
        header.numbers = sum(count for count, _, _ in extents)
        self.check_extents(header, extents)
        return header

    def check_extents(self, header: GGUFHeader, extents: list[tuple[int, int, int]]) -> None:
        """Reject tensors that lie outside the file."""
        import gguf  # noqa: PLC0415 - an extra

        alignment = header.values.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 0 < alignment <= 1 << 20:
            raise ValueError("alignment")
        start = math.ceil(self.place / alignment) * alignment
        for count, kind, offset in extents:
            block, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType(kind)]
            if count % block or start + offset + count // block * size > len(self.content):
                raise ValueError("a tensor outside the file")

    def tensor(self) -> tuple[int, int, int]:
        """How many numbers a tensor has, their type, and where they are."""
        self.text()
        dimensions = int(self.number("<I"))
        if dimensions > _MAX_DIMENSIONS:
            raise ValueError("dimensions")
        count = math.prod(int(self.number("<Q")) for _ in range(dimensions))
        return count, int(self.number("<I")), int(self.number("<Q"))

    def value(self, kind: int, depth: int = 0) -> int | float | bool | str:
        if kind == _STRING:
            return self.text()
        if kind != _ARRAY:
            return self.number(_SCALARS.get(kind, ""))
        inner, length = int(self.number("<I")), int(self.number("<Q"))
        if inner in _SCALARS:
            self.take(length * struct.calcsize(_SCALARS[inner]))
        elif depth > 2 or length > len(self.content):
            raise ValueError("array")
        else:
            for _ in range(length):
                self.value(inner, depth + 1)
        return length

    def text(self) -> str:
        return self.take(int(self.number("<Q"))).decode("utf-8", "replace")

    def number(self, form: str) -> int | float | bool:
        if not form:
            raise ValueError("unknown type")
        (number,) = struct.unpack(form, self.take(struct.calcsize(form)))
        result: int | float | bool = number
        return result

    def take(self, count: int) -> bytes:
        if count > len(self.content) - self.place:
            raise ValueError("cut off")
        self.place += count
        return self.content[self.place - count : self.place]
