"""The materials of the valence method: sentences with one blank each, a bipolar scale, and ratings of the fillings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import model_validator

from tacit.errors import MaterialsError, TacitError
from tacit.methods.valence.settings import ValenceSettings
from tacit.methods.valence.study import printed_ratings, read_printed, read_published
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.questions import split_blank
from tacit.ratings import Bank, Rating, Scale, ScaleShape, read_kept, read_ratings, read_scale
from tacit.tables import LINE, Row, read_table, refuse, require_unique, yaml_lines

__all__ = ["ValenceMaterials", "ValenceShape", "read_materials"]

_REQUIRED = ("id", "group", "text", "rho")
_OPTIONAL = ("original", "word_class", "reason", "source", "locus")


class ValenceShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    scale: ScaleShape
    sentences: FileName | list[dict[str, Any]]
    """A file, or the rows themselves as a list of mappings with the same columns."""
    ratings: FileName | None = None
    printed: FileName | None = None
    published: FileName | None = None

    @model_validator(mode="before")
    @classmethod
    def _explain_missing_scale(cls, given: dict[str, Any]) -> dict[str, Any]:
        return {"scale": None, **given}  # the scale's own error shows how to write one


@dataclass(frozen=True)
class ValenceMaterials:
    """Checked materials.

    Attributes:
        probe: The probe's name.
        scale: The scale of `rho` and of the ratings.
        sentences: One row per sentence, with the columns sentence, group, text, original, word_class and rho.
        ratings: All ratings that count: shipped with the probe, printed by a study, and the user's own.
        printed: The fillings that a study printed, if its own results are recomputed.
        published: The results that it published.
    """

    probe: str
    scale: Scale
    sentences: pl.DataFrame
    ratings: tuple[Rating, ...]
    printed: pl.DataFrame | None = None
    published: pl.DataFrame | None = None

    @property
    def texts(self) -> dict[str, str]:
        """Each sentence's text by its id."""
        return dict(self.sentences.select("sentence", "text").iter_rows())

    @property
    def groups(self) -> list[str]:
        """The groups of sentences, in the order of the sentences."""
        return self.sentences["group"].unique(maintain_order=True).to_list()


def read_materials(probe: Probe, settings: ValenceSettings, kept: Path | None = None) -> ValenceMaterials:
    """Read and check a probe's materials.

    Args:
        probe: The probe.
        settings: Its settings.
        kept: The ratings that a run kept. By default they are those of the probe and of the user's own bank.
    """
    shape = probe.parse(ValenceShape)
    scale = read_scale(shape.scale)
    sentences = _read_sentences(probe, shape, scale)
    texts = dict(sentences.select("sentence", "text").iter_rows())
    printed = read_printed(probe.path("printed"), scale, texts) if shape.printed else None
    ratings = read_kept(kept, scale, texts) if kept else _read_ratings(probe, shape, scale, texts, printed)
    return ValenceMaterials(
        probe=probe.name,
        scale=scale,
        sentences=sentences,
        ratings=tuple(_select_raters(ratings, settings.raters)),
        printed=printed,
        published=read_published(probe.path("published"), texts) if shape.published else None,
    )


def _read_ratings(
    probe: Probe, shape: ValenceShape, scale: Scale, texts: dict[str, str], printed: pl.DataFrame | None
) -> list[Rating]:
    """The ratings of the probe, then the user's own, which replace an earlier score by the same rater."""
    ratings = printed_ratings(printed) if printed is not None else []
    if shape.ratings:
        ratings += read_ratings(probe.path("ratings"), scale, texts)
    ratings += Bank().ratings(probe.name, texts)
    return list({(rating.key, rating.rater): rating for rating in ratings}.values())


def _read_sentences(probe: Probe, shape: ValenceShape, scale: Scale) -> pl.DataFrame:
    if isinstance(shape.sentences, list):
        path, rows = probe.source, _read_inline(probe.source, shape.sentences)
        if not rows:
            raise probe.refuse(("materials", "sentences"), "the list of sentences is empty. Add a sentence.")
    else:
        path = probe.path("sentences")
        rows = read_table(path, _REQUIRED, _OPTIONAL)
    require_unique(path, rows, "id")
    require_unique(path, rows, "text")
    return pl.DataFrame([_read_sentence(path, row, scale) for row in rows])


def _read_inline(source: Path, entries: Sequence[dict[str, Any]]) -> list[Row]:
    """Sentences written in the YAML itself, as the rows that a file would give."""
    lines = yaml_lines(source)
    rows = []
    for index, entry in enumerate(entries):
        line = lines.get(("materials", "sentences", str(index)), 1)
        missing = [name for name in _REQUIRED if name not in entry]
        if missing:
            raise refuse(source, line, f"a sentence needs {', '.join(_REQUIRED)}; {missing[0]!r} is missing.")
        cells = {name: str(entry.get(name, "")).strip() for name in (*_REQUIRED, *_OPTIONAL)}
        rows.append({**cells, LINE: str(line)})
    return rows


def _read_sentence(path: Path, row: Row, scale: Scale) -> dict[str, str | float]:
    try:
        split_blank(row["text"])
        rho = scale.parse_score(row["rho"], "rho")
    except (TacitError, ValueError) as error:
        raise refuse(path, row, str(error)) from None
    columns: dict[str, str | float] = {name: row[name] for name in ("group", "text", "original", "word_class")}
    return {"sentence": row["id"], **columns, "rho": rho}


def _select_raters(ratings: Sequence[Rating], raters: Sequence[str]) -> list[Rating]:
    """The ratings by these raters; by all if none is named."""
    known = sorted({rating.rater for rating in ratings})
    unknown = [rater for rater in raters if rater not in known]
    if unknown:
        raise MaterialsError(
            f"{unknown[0]!r} has not rated this probe (setting raters). Choose from {', '.join(known) or 'nobody'}."
        )
    return [rating for rating in ratings if not raters or rating.rater in raters]
