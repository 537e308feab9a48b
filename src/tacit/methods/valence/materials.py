"""The materials of valence: sentences with one blank, a bipolar scale, ratings, and what a study printed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import TacitError
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.questions import split_blank
from tacit.ratings import Bank, Rating, Scale, read_ratings, read_scale, token_key
from tacit.tables import LINE, Row, read_csv, refuse, require_unique

__all__ = ["ValenceMaterials", "ValenceShape", "read_materials"]

_REQUIRED = ("id", "group", "text", "rho")
_OPTIONAL = ("original", "word_class", "reason", "source", "locus")
_PRINTED = ("model", "sentence", "rank", "token", "p", "sigma")
_PUBLISHED = ("model", "sentence", "beta", "delta")


class ValenceShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    scale: dict[str, Any]
    sentences: FileName | list[dict[str, Any]]
    ratings: FileName | None = None
    printed: FileName | None = None
    published: FileName | None = None


@dataclass(frozen=True)
class ValenceMaterials:
    """`sentences` in their order; `printed` and `published` only where a study's own figures are recomputed."""

    probe: str
    scale: Scale
    sentences: pl.DataFrame
    ratings: tuple[Rating, ...]
    printed: pl.DataFrame | None = None
    published: pl.DataFrame | None = None

    @property
    def texts(self) -> dict[str, str]:
        return dict(self.sentences.select("sentence", "text").iter_rows())

    @property
    def groups(self) -> list[str]:
        return self.sentences["group"].unique(maintain_order=True).to_list()


def read_materials(probe: Probe, raters: tuple[str, ...] = ()) -> ValenceMaterials:
    """Read and check everything; `raters` are the only ones to heed, none meaning all."""
    scale = read_scale(probe.materials.get("scale"), str(probe.source))
    sentences = _sentences(probe, scale)
    texts = dict(sentences.select("sentence", "text").iter_rows())
    printed = _printed(probe.path("printed"), scale, texts) if "printed" in probe.materials else None
    ratings = _printed_ratings(printed) if printed is not None else []
    if "ratings" in probe.materials:
        ratings += read_ratings(probe.path("ratings"), scale, list(texts))
    ratings += Bank().ratings(probe.name, texts)
    return ValenceMaterials(
        probe=probe.name,
        scale=scale,
        sentences=sentences,
        ratings=tuple(_heeded(ratings, raters)),
        printed=printed,
        published=_published(probe.path("published"), texts) if "published" in probe.materials else None,
    )


def _sentences(probe: Probe, scale: Scale) -> pl.DataFrame:
    given = probe.materials.get("sentences")
    if isinstance(given, list):
        path = Path(f"{probe.source}, list of sentences")
        rows = _inline(path, given)
    else:
        path = probe.path("sentences")
        rows = read_csv(path, _REQUIRED, _OPTIONAL)
    require_unique(path, rows, "id")
    require_unique(path, rows, "text")
    return pl.DataFrame([_sentence(path, row, scale) for row in rows])


def _inline(path: Path, given: list[Any]) -> list[Row]:
    """Sentences that stand in the YAML itself, as a list of mappings with the columns of the CSV."""
    rows = []
    for number, entry in enumerate(given, start=1):
        missing = [name for name in _REQUIRED if not isinstance(entry, dict) or name not in entry]
        if missing:
            raise refuse(path, number, f"a sentence needs {', '.join(_REQUIRED)}; {missing[0]!r} is missing.")
        row = {name: str(entry.get(name, "")).strip() for name in (*_REQUIRED, *_OPTIONAL)}
        rows.append({**row, LINE: str(number)})
    return rows


def _sentence(path: Path, row: Row, scale: Scale) -> dict[str, str | float]:
    try:
        split_blank(row["text"])
        rho = scale.score(row["rho"])
    except (TacitError, ValueError) as error:
        raise refuse(path, row, str(error).replace("the score", "rho")) from None
    more: dict[str, str | float] = {name: row[name] for name in ("group", "text", "original", "word_class")}
    return {"sentence": row["id"], **more, "rho": rho}


def _printed(path: Path, scale: Scale, texts: dict[str, str]) -> pl.DataFrame:
    rows = read_csv(path, _PRINTED)
    require_unique(path, rows, "model", "sentence", "rank")
    return pl.DataFrame([_printed_row(path, row, scale, texts) for row in rows])


def _printed_row(path: Path, row: Row, scale: Scale, texts: dict[str, str]) -> dict[str, str | int | float]:
    if row["sentence"] not in texts:
        raise refuse(path, row, f"there is no sentence {row['sentence']!r} in this probe.")
    try:
        p, rank, sigma = float(row["p"]), int(row["rank"]), scale.score(row["sigma"])
    except ValueError as error:
        raise refuse(path, row, str(error)) from None
    if not 0 <= p <= 1:
        raise refuse(path, row, f"a probability lies between 0 and 1, not at {row['p']}.")
    return {**{name: row[name] for name in ("model", "sentence", "token")}, "rank": rank, "p": p, "sigma": sigma}


def _printed_ratings(printed: pl.DataFrame) -> list[Rating]:
    said: dict[tuple[str, str], float] = {}
    for sentence, token, sigma in printed.select("sentence", "token", "sigma").iter_rows():
        if said.setdefault((sentence, token_key(token)), sigma) != sigma:
            raise TacitError(f"The printed scores of {token!r} in sentence {sentence} contradict each other: keep one.")
    return [Rating(sentence, token, sigma, "as printed") for (sentence, token), sigma in said.items()]


def _published(path: Path, texts: dict[str, str]) -> pl.DataFrame:
    rows = read_csv(path, _PUBLISHED)
    require_unique(path, rows, "model", "sentence")
    for row in rows:
        if row["sentence"] not in texts:
            raise refuse(path, row, f"there is no sentence {row['sentence']!r} in this probe.")
    table = pl.DataFrame(rows).drop(LINE)
    return table.with_columns(pl.col("beta", "delta").cast(pl.Float64))


def _heeded(ratings: list[Rating], raters: tuple[str, ...]) -> list[Rating]:
    unknown = [rater for rater in raters if rater not in {rating.rater for rating in ratings}]
    if unknown:
        known = ", ".join(sorted({rating.rater for rating in ratings})) or "nobody"
        raise TacitError(f"No rating was given by {unknown[0]!r}: this probe was rated by {known}.")
    return [rating for rating in ratings if not raters or rating.rater in raters]
