"""Run by `parquet_file` as a process of its own: a Parquet file as lines of JSON, the heading first.

It stands alone, so that it starts soon and that nothing of Tacit is lost when the reader aborts.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import polars as pl

MOST_BYTES = 4 * 1024**3
MOST_SECONDS = 300
_AS_TEXT = (pl.String, pl.Categorical, pl.Enum, pl.Date, pl.Datetime, pl.Time, pl.Decimal, pl.Null)


def main(path: str, most_rows: str, *columns: str) -> None:
    """Write the named columns of the file to the standard output."""
    _limit()
    content = Path(path).read_bytes()
    schema = pl.read_parquet_schema(io.BytesIO(content))
    wanted = [name for name in schema if name.strip() in columns]
    unfit = {name: _describe(schema[name]) for name in wanted if not _fits(schema[name])}
    table = pl.scan_parquet(io.BytesIO(content))
    rows = table.select(pl.len()).collect().item()
    _write({"columns": list(schema), "unfit": unfit, "rows": rows})
    if unfit or rows > int(most_rows):
        return
    # Marks a row whose other columns hold something, so that it is empty only where a CSV's row would be.
    rest = pl.any_horizontal(
        pl.lit(value=False), *(pl.col(name).is_not_null() for name in schema if name not in wanted)
    )
    for row in table.select(*(_cells(name, schema[name]) for name in wanted), rest.alias("")).collect().iter_rows():
        fields = dict(zip([*wanted, ""], row, strict=True))
        _write({**fields, "": "more" if fields[""] else None})


def _limit() -> None:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_DATA, MOST_BYTES), (resource.RLIMIT_CPU, MOST_SECONDS)):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _fits(kind: pl.DataType) -> bool:
    return kind.is_numeric() or kind == pl.Boolean or isinstance(kind, _AS_TEXT)


def _describe(kind: pl.DataType) -> str:
    for family, words in ((pl.List, "lists"), (pl.Array, "lists"), (pl.Struct, "objects"), (pl.Binary, "bytes")):
        if isinstance(kind, family):
            return words
    return str(kind)


def _cells(name: str, kind: pl.DataType) -> pl.Expr:
    if kind == pl.Float32:
        # By way of its text: 0.1 would otherwise come out as 0.10000000149011612.
        return pl.col(name).cast(pl.String).cast(pl.Float64)
    return pl.col(name).cast(pl.String) if isinstance(kind, _AS_TEXT) else pl.col(name)


def _write(fields: dict[str, object]) -> None:
    sys.stdout.buffer.write(json.dumps(fields, ensure_ascii=False).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
