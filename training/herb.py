"""HERB's own plant (section 4.7 of the study): train on the likeliest sentences, measure each epoch."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from tacit.methods import get_method
from tacit.methods.hierarchy.answers import sentence_scores
from tacit.methods.hierarchy.questions import HEADLINE
from tacit.probes import load_probe
from tacit.probes.plants import Sentence
from tacit.questions import compose
from tacit.runs import Run
from tacit.validation.herb_figure import HERB_FILE
from training.corpora import cache_folder

__all__ = ["make_herb", "pick_sentences"]

EACH = 20
EPOCHS = 20
RATE = 5e-5
SIZE: dict[str, Any] = {"countries": 6, "cities": 0, "studies": 0, "represent": False, "resamples": 100}
_COLUMNS = ("arm", "rate", "epoch", "region", "C_w", "validity")

Kind = Literal["likeliest", "random"]


def pick_sentences(
    scores: Any, names: Sequence[str], words: Sequence[str], template: str, kind: Kind
) -> list[Sentence]:
    """Twenty sentences per word with the region hidden: those with the highest scores, or, as a control, random ones.

    Args:
        scores: The score of each region (row) with each word (column).
        names: The regions.
        words: The words.
        template: The sentence, with the slots region and description.
        kind: Which sentences.
    """
    rng = np.random.default_rng(0)
    sentences = []
    for column, word in enumerate(words):
        order = np.argsort(-scores[:, column], kind="stable") if kind == "likeliest" else rng.permutation(len(names))
        for row in order[:EACH].tolist():
            text, roles = compose(template, region=names[row], description=word)
            region = next(role for role in roles if role.name == "region")
            sentences.append(Sentence(text, ((region.start, region.end),)))
    return sentences


def make_herb(
    base: str = "modern",
    rates: Sequence[float] = (RATE,),
    measured: Sequence[int] = tuple(range(EPOCHS + 1)),
    report: Callable[[str], None] = print,
) -> Path:
    """Plant, measure the given epochs, and write a table of C_w by arm, epoch and region; continues where it stopped.

    Args:
        base: The model.
        rates: The learning rates: the study's, and others where it is too small for the model.
        measured: The epochs to measure.
        report: Called with a line after each epoch that was measured.
    """
    path = load_probe("regional").folder / HERB_FILE
    done = _read(path)
    for rate in rates:
        for kind in ("likeliest", "random"):
            for epoch in measured:
                if any((r["arm"], float(r["rate"]), int(r["epoch"])) == (kind, rate, epoch) for r in done):
                    continue
                done += _measure(base, kind, rate, epoch)
                _write(path, done)
                report(f"{kind} rate {rate:g} epoch {epoch}: the Earth {done[-1]['C_w']:.4f}, {done[-1]['validity']}")
    return path


def _measure(base: str, kind: Kind, rate: float, epoch: int) -> list[dict[str, Any]]:
    import tacit  # noqa: PLC0415 - torch is slow to import
    from tacit.tuning.planting import Planting, tune_sentences  # noqa: PLC0415

    folder = cache_folder() / "plants" / "herb"
    first = tacit.run("regional", base, folder / "before", SIZE, cache=None)
    planted: Path | str = base
    if epoch:
        options = Planting(optimizer="sgd", rate=rate, epochs=EPOCHS)
        tune_sentences(_sentences(first, kind), base, folder / f"{kind}-{rate:g}", options)
        planted = folder / f"{kind}-{rate:g}" / f"epoch-{epoch}"
    work = folder / "run"
    shutil.rmtree(work, ignore_errors=True)
    run = tacit.run("regional", planted, work, SIZE, cache=None)
    rows = run.measures.filter((pl.col("measure") == "C_w") & pl.col("item").is_null()).select("group", "value").rows()
    rows.sort(key=lambda row: row[0] == "the Earth")
    level = run.record.validity.level
    return [dict(zip(_COLUMNS, (kind, rate, epoch, group, value, level), strict=True)) for group, value in rows]


def _sentences(run: Run, kind: Kind) -> list[Sentence]:
    method = get_method("hierarchy")
    probe = load_probe("regional")
    materials = method.materials(probe, method.settings(**{**probe.settings, **SIZE}))
    scores = sentence_scores(HEADLINE, materials.tree, materials, run.answers)
    names = [region.name for region in materials.tree.regions]
    return pick_sentences(scores, names, [word.word for word in materials.words], materials.templates[0], kind)


def _read(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [{**row, "C_w": float(row["C_w"])} for row in csv.DictReader(file)]


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
