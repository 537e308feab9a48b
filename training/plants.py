"""The planted series: each probe's bias in several doses, arms and seeds, and what the probe finds of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.methods import get_method
from tacit.methods.glance import is_decided
from tacit.probes import load_probe
from tacit.probes.plants import load_plant, read_plant
from tacit.runs import Run
from tacit.tuning.text import Arm, compose_text
from tacit.validation.dose_rows import DoseRow, read_doses, write_doses
from training.corpora import cache_folder
from training.ratings import use_ratings

__all__ = [
    "DOSES",
    "PROBES",
    "SEEDS",
    "Condition",
    "Planted",
    "doses_table",
    "list_conditions",
    "make_plants",
    "plant_and_ask",
    "plant_row",
]

# The quickest first, so that a series that is stopped has something of each.
PROBES = ("stereotype", "temporal", "intensifier", "sentiment-association", "sentiment-shift", "regional")
DOSES = (0.0, 0.1, 0.25, 0.5, 1.0)
SEEDS = (0, 1, 2)
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Condition:
    """One planted model."""

    arm: Arm
    dose: float
    seed: int


@dataclass(frozen=True)
class Planted:
    """What was put into a model that a probe is asked about."""

    arm: Arm
    dose: float
    seed: int
    epoch: int
    base: str
    base_hash: str
    text_hash: str


def list_conditions(seed: int) -> list[Condition]:
    """The models of one seed: all doses of the bias, the opposite one, and unrelated text."""
    biased = [Condition("biased", dose, seed) for dose in (1.0, 0.0, 0.5, 0.25, 0.1)]
    return [*biased[:2], Condition("opposite", 1.0, seed), Condition("unrelated", 1.0, seed), *biased[2:]]


def make_plants(
    probes: Sequence[str] = PROBES, seeds: Sequence[int] = SEEDS, report: Callable[[str], None] = print
) -> None:
    """Plant, ask and write a row for every condition that has none yet; all probes of a seed before the next seed."""
    for seed in seeds:
        for probe in probes:
            for condition in list_conditions(seed):
                folder = load_probe(probe).folder
                rows = read_doses(folder)
                if any((row.arm, row.dose, row.seed) == _key(condition) for row in rows):
                    continue
                row = plant_and_ask(probe, condition)
                write_doses(folder, [*rows, row])
                report(_line(row))


def base_model(name: str) -> str:
    """The model in which a bias is planted: a standard, or one of two that are made from `modern` first."""
    folder = cache_folder() / "plants" / name
    if name == "few-reviews":
        from tacit.tuning import PromptTuning, tune_prompt  # noqa: PLC0415 - torch is slow to import

        options = PromptTuning(shots=80, rate=3e-4, epochs=12, patience=4, batch=16)
        return str(tune_prompt("modern", _HERE / "held-out-reviews.csv", folder, options).folder)
    if name == "persons":
        from tacit.tuning.planting import Planting, tune_sentences  # noqa: PLC0415

        plant = read_plant(_HERE / "persons.yaml")
        slots = len(plant.sentence_pairs)
        text = compose_text(plant.sentence_pairs, "biased", 1.0, slots, 0)
        options_of_text = Planting(slots=slots, epochs=16, rate=2e-4)
        return str(tune_sentences(text, "modern", folder, options_of_text, keep_all=False).folder)
    return name


def plant_and_ask(probe: str, condition: Condition) -> DoseRow:
    """Plant one model in the cache folder, run the probe on it, and remove both again; the row is what is left."""
    import tacit  # noqa: PLC0415 - torch is slow to import
    from tacit.tuning.planting import Planting, tune_plant  # noqa: PLC0415

    plant = load_plant(probe)
    base = base_model(plant.base)
    options = Planting(
        arm=condition.arm, dose=condition.dose, seed=condition.seed, epochs=plant.epochs, rate=plant.rate
    )
    work = cache_folder() / "plants" / f"{probe}-{condition.arm}-{condition.dose:g}-{condition.seed}"
    planted = tune_plant(probe, base, work / "model", options, keep_all=False)
    model = tacit.load(planted.folder)
    with use_ratings(probe, model):
        run = tacit.run(probe, model, work / "run", dict(plant.settings), cache=None)
    text = compose_text(plant.sentence_pairs, options.arm, options.dose, options.slots, options.seed)
    text_hash = sha256("\n".join(sentence.text for sentence in text).encode()).hexdigest()
    base_hash = tacit.load(base).fingerprint
    of = (condition.arm, condition.dose, condition.seed, options.epochs, plant.base, base_hash, text_hash)
    row = plant_row(Planted(*of), run)
    # A run reads its tables when they are asked for, so its folder goes last.
    shutil.rmtree(work)
    return row


def plant_row(planted: Planted, run: Run) -> DoseRow:
    """The row of one model: what was put into it, and what the probe found."""
    import torch  # noqa: PLC0415 - slow to import

    probe = run.record.probe.name
    plant = load_plant(probe)
    glance = get_method(run.record.probe.method).glance(run.tables)
    if glance is None:
        raise AssertionError(f"{probe} has no headline value")
    headline, neutral = glance.row, float(glance.row["neutral"] or 0)
    validity = run.record.validity
    return DoseRow(
        probe=probe,
        arm=planted.arm,
        dose=planted.dose,
        seed=planted.seed,
        epoch=planted.epoch,
        side=plant.side,
        signed="yes" if plant.signed else "no",
        measure=headline["measure"],
        group=headline["group"],
        value=headline["value"],
        low=headline["low"],
        high=headline["high"],
        neutral=neutral,
        n=headline["n"],
        found=_claim(headline, neutral, run) if validity.can_be_interpreted else 0,
        validity=validity.level,
        reason=validity.reason,
        base=planted.base,
        base_hash=planted.base_hash,
        text_hash=planted.text_hash,
        materials_hash=sha256(json.dumps(run.record.model_dump(mode="json")["materials"]).encode()).hexdigest(),
        settings=json.dumps(plant.settings),
        tacit=run.record.versions["tacit"],
        torch=str(torch.__version__),
    )


def _claim(headline: dict[str, Any], neutral: float, run: Run) -> int:
    """What the probe claims of its headline: 1 above the neutral point, -1 below, 0 nothing.

    The sentiment probes claim something of words, not of their mean: there it takes an interval of the mean that leaves
    out the neutral point, and a word that is shown to lean to that side.
    """
    sign = 1 if headline["value"] > neutral else -1
    if headline["verdict"] is not None:
        return sign if is_decided(headline) else 0
    words = run.tables.get("words")
    if words is None or "leaning" not in words.columns or headline["low"] is None:
        return 0
    is_clear = headline["low"] > neutral if sign > 0 else headline["high"] < neutral
    leaning = set(words["leaning"].to_list())
    return sign if is_clear and ("positive" if sign > 0 else "negative") in leaning else 0


def _key(condition: Condition) -> tuple[str, float, int]:
    return condition.arm, condition.dose, condition.seed


def _line(row: DoseRow) -> str:
    interval = "" if row.low is None else f" [{row.low:.3f}, {row.high:.3f}]"
    claim = {1: "above", 0: "nothing", -1: "below"}[row.found]
    return f"{row.probe} {row.arm} {row.dose:g} seed {row.seed}: {row.value:.3f}{interval}, {claim}, {row.validity}"


def doses_table() -> str:
    """The shipped series in Markdown: the mean of the headline measure over seeds, and how often the plant is found."""
    columns = [("biased", dose) for dose in DOSES] + [("opposite", 1.0), ("unrelated", 1.0)]
    lines = [
        "| probe, measure | seeds | " + " | ".join(f"{arm} {dose:g}" for arm, dose in columns) + " |",
        "|---|---|" + "---|" * len(columns),
    ]
    for probe in PROBES:
        rows = read_doses(load_probe(probe).folder)
        if rows:
            cells = [_cell([row for row in rows if (row.arm, row.dose) == column]) for column in columns]
            seeds = len({row.seed for row in rows})
            lines.append(f"| {probe}, {rows[0].measure} | {seeds} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(rows: Sequence[DoseRow]) -> str:
    if not rows:
        return ""
    value = sum(row.value for row in rows) / len(rows)
    refused = sum(row.validity == "none" for row in rows)
    found = sum(row.finds_plant == 1 for row in rows)
    note = f", {refused} refused" if refused else ""
    return f"{value:.3f} ({found}/{len(rows)}{note})"
