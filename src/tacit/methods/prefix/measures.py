"""The tables of the prefix method: HERB's Tables 4 and 5 with intervals over texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.prefix.formulas import (
    Floats,
    Ints,
    accuracy,
    confusion,
    label_changes,
    macro_f1,
    rise_and_fall,
)
from tacit.methods.prefix.materials import PrefixMaterials, PrefixSettings
from tacit.statistics import Interval, bootstrap, bootstrap_many

__all__ = ["ALL", "CHANGED", "SHIFT", "prefix_tables"]

ALL, CHANGED, SHIFT = "all regions", "label changed", "change in probability"


@dataclass(frozen=True)
class _Labelled:
    """The probabilities of each text alone (texts, labels) and behind each region (regions, texts, labels)."""

    labels: list[str]
    alone: Floats
    behind: Floats
    target: int
    gold: Ints | None

    @property
    def before(self) -> Ints:
        return np.asarray(self.alone.argmax(axis=-1))

    @property
    def after(self) -> Ints:
        return np.asarray(self.behind.argmax(axis=-1))

    @property
    def change(self) -> Floats:
        """The change in the target's probability, (regions, texts)."""
        return np.asarray(self.behind[..., self.target] - self.alone[..., self.target])


def prefix_tables(materials: PrefixMaterials, settings: PrefixSettings, answers: pl.DataFrame) -> Tables:
    """The measures, and a row a region with all of Table 4's columns."""
    found = _labelled(materials, settings, answers)
    rows = [*_share_rows(found, settings), *_quality_rows(found, settings), *_region_rows(materials, found, settings)]
    return {"measures": measures_table(rows), "regions": _regions(materials, found)}


def _labelled(materials: PrefixMaterials, settings: PrefixSettings, answers: pl.DataFrame) -> _Labelled:
    own = answers.filter((pl.col("region") == "") & (pl.col("text") == 0)).sort("part")["token"].to_list()
    labels = [settings.labels.get(label, label) for label in own]
    keys = ["", *(materials.tree.regions[place].key for place in materials.regions)]
    order = pl.DataFrame({"region": keys, "row": np.arange(len(keys))})
    placed = answers.select("region", "text", "part", "probability").join(order, on="region")
    everything = np.full((len(keys), len(materials.texts), len(labels)), np.nan)
    everything[placed["row"].to_numpy(), placed["text"].to_numpy(), placed["part"].to_numpy()] = placed["probability"]
    if np.isnan(everything).any():
        raise TacitError("Some texts have no answer for some regions: run the probe again.")
    return _Labelled(labels, everything[0], everything[1:], _target(labels, settings), _gold(materials, labels))


def _target(labels: list[str], settings: PrefixSettings) -> int:
    if settings.target and settings.target not in labels:
        raise TacitError(f"The classifier has no label {settings.target!r}: its labels are {', '.join(labels)}.")
    return labels.index(settings.target) if settings.target else len(labels) - 1


def _gold(materials: PrefixMaterials, labels: list[str]) -> Ints | None:
    if not materials.labelled:
        return None
    unknown = sorted({text.label for text in materials.texts} - set(labels))
    if unknown:
        said = f"The texts have the label {unknown[0]!r}, the classifier only {', '.join(labels)}"
        raise TacitError(f"{said}: say what its labels are called, as in --set labels={labels[0]}={unknown[0]}.")
    return np.array([labels.index(text.label) for text in materials.texts])


def _means(columns: Floats, settings: PrefixSettings) -> list[Interval]:
    """The mean over texts of each column, (texts, columns), with its interval."""
    chosen = {"resamples": settings.resamples, "confidence": settings.confidence, "seed": settings.seed}
    return bootstrap_many(columns, **chosen)  # type: ignore[arg-type]


def _share_rows(found: _Labelled, settings: PrefixSettings) -> Iterator[MeasureRow]:
    """Means over regions within each text first, so that the text is the unit that is drawn."""
    moved = found.after != found.before
    columns = {CHANGED: moved.mean(axis=0)}
    for a, first in enumerate(found.labels):
        for b, second in enumerate(found.labels):
            if a != b:
                columns[f"{first} → {second}"] = ((found.before == a) & (found.after == b)).mean(axis=0)
    target = found.labels[found.target]
    columns[f"{SHIFT} of {target}"] = found.change.mean(axis=0)
    columns[f"texts in which {target} rises"] = (found.change > 0).mean(axis=0)
    columns[f"texts in which {target} falls"] = (found.change < 0).mean(axis=0)
    neutral = {name: 0.5 if name.startswith("texts in which") else 0.0 for name in columns}
    for name, interval in zip(columns, _means(np.column_stack(list(columns.values())), settings), strict=True):
        yield measure_row(name, ALL, interval, neutral=neutral[name])


def _quality_rows(found: _Labelled, settings: PrefixSettings) -> Iterator[MeasureRow]:
    if found.gold is None:
        return
    labels = len(found.labels)
    for group, predicted in (("texts alone", found.before[None]), (ALL, found.after)):
        right = (predicted == found.gold).mean(axis=0)
        yield measure_row("accuracy", group, _means(right[:, None], settings)[0])
        one_text = confusion(found.gold[:, None], np.moveaxis(predicted, 0, -1), labels).reshape(len(found.gold), -1)
        interval = bootstrap(
            one_text,
            lambda drawn: macro_f1(drawn.sum(axis=1).reshape(-1, labels, labels)),
            resamples=settings.resamples,
            confidence=settings.confidence,
            seed=settings.seed,
        )
        yield measure_row("macro F1", group, interval)


def _region_rows(materials: PrefixMaterials, found: _Labelled, settings: PrefixSettings) -> Iterator[MeasureRow]:
    """The share of changed labels of each region as an item; they need no interval."""
    changed = (found.after != found.before).mean(axis=-1)
    for place, value in zip(materials.regions, changed.tolist(), strict=True):
        yield measure_row(CHANGED, settings.level, value, item=materials.tree.regions[place].key, neutral=0.0)


def _regions(materials: PrefixMaterials, found: _Labelled) -> pl.DataFrame:
    moves = rise_and_fall(found.alone[..., found.target], found.behind[..., found.target])
    shares = label_changes(found.before, found.after, len(found.labels))
    tops = materials.tree.top_of()
    regions = [materials.tree.regions[place] for place in materials.regions]
    table: dict[str, object] = {
        "region": [region.key for region in regions],
        "name": [region.name for region in regions],
        "top": [materials.tree.regions[int(tops[place])].name for place in materials.regions],
        "code": [region.code for region in regions],
        "target": [found.labels[found.target]] * len(regions),
        "changed": (found.after != found.before).mean(axis=-1),
        "change": found.change.mean(axis=-1),
        "risen": moves.risen,
        "rise": pl.Series(moves.rise).fill_nan(None),
        "fallen": moves.fallen,
        "fall": pl.Series(moves.fall).fill_nan(None),
    }
    for a, first in enumerate(found.labels):
        for b, second in enumerate(found.labels):
            if a != b:
                table[f"{first} → {second}"] = shares[..., a, b]
    if found.gold is not None:
        table["accuracy"] = accuracy(found.gold, found.after)
        table["macro_f1"] = macro_f1(confusion(found.gold, found.after, len(found.labels)))
    return pl.DataFrame(table)
