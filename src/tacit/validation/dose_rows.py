"""The rows of a probe's `doses.csv`: what the probe found in each planted model."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tacit.storage import write_file
from tacit.tables import Row, finite_number, read_csv, refuse

__all__ = ["DOSES_FILE", "MIXTURES_FILE", "DoseRow", "read_doses", "write_doses"]

DOSES_FILE = "doses.csv"
"""A bias that was planted in a trained model."""
MIXTURES_FILE = "mixtures.csv"
"""Models that were trained from nothing on mixed text, in which the dose is a share of the mixture."""
_INTEGERS = ("seed", "epoch", "found", "n")
_NUMBERS = ("dose", "value", "low", "high", "neutral")
_MAY_BE_MISSING = ("low", "high", "n")


@dataclass(frozen=True, slots=True)
class DoseRow:
    """What a probe found in one planted model.

    Attributes:
        probe: The probe.
        arm: What was planted: biased, opposite or unrelated text.
        dose: The share of the sentences that carry it; 0 is balanced text.
        seed: The seed of the plant.
        epoch: After how many epochs the model was asked.
        side: On which side of the neutral point the biased text should push the measure: above or below.
        signed: Whether the opposite text should push it to the other side: yes or no.
        measure: The headline measure.
        group: Its group.
        value: Its value.
        low: The low end of its interval over items.
        high: The high end.
        neutral: Its neutral point.
        n: How many units the interval rests on.
        found: What the probe claims: 1 above the neutral point, -1 below, 0 nothing.
        validity: Whether the model can be interpreted: interpretable, weak or none.
        reason: Why not, or why only weakly.
        base: The model in which the bias was planted.
        base_hash: Its fingerprint.
        text_hash: The SHA-256 of the text.
        materials_hash: The SHA-256 of the probe's materials as the run records them.
        settings: The settings of the run.
        tacit: The version of Tacit.
        torch: The version of torch.
    """

    probe: str
    arm: str
    dose: float
    seed: int
    epoch: int
    side: str
    signed: str
    measure: str
    group: str
    value: float
    low: float | None
    high: float | None
    neutral: float
    n: int | None
    found: int
    validity: str
    reason: str
    base: str
    base_hash: str
    text_hash: str
    materials_hash: str
    settings: str
    tacit: str
    torch: str

    @property
    def response(self) -> float:
        """How far the measure is from its neutral point, counted in the planted direction."""
        distance = self.value - self.neutral
        return distance if self.side == "above" else -distance

    @property
    def finds_plant(self) -> int:
        """1 if the probe claims the planted direction, -1 if it claims the other, 0 if it claims nothing."""
        return self.found if self.side == "above" else -self.found


def read_doses(folder: Path, file: str = DOSES_FILE) -> list[DoseRow]:
    """The rows in a probe's folder, ordered by arm, dose and seed; none if no series was made."""
    path = folder / file
    if not path.is_file():
        return []
    rows = [_read_row(path, row) for row in read_csv(path, [field.name for field in fields(DoseRow)])]
    return sorted(rows, key=lambda row: (row.arm, row.dose, row.seed, row.epoch))


def write_doses(folder: Path, rows: Sequence[DoseRow], file: str = DOSES_FILE) -> None:
    """Write all rows, completely or not at all."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(DoseRow)])
    writer.writerows(_cells(asdict(row).values()) for row in rows)
    write_file(folder / file, text.getvalue().encode())


def _cells(values: Iterable[object]) -> list[object]:
    return ["" if value is None else value for value in values]


def _read_row(path: Path, row: Row) -> DoseRow:
    cells: dict[str, object] = {field.name: row[field.name] for field in fields(DoseRow)}
    for name in (*_NUMBERS, *_INTEGERS):
        number = None if name in _MAY_BE_MISSING and not row[name] else finite_number(path, row, name)
        cells[name] = int(number) if name in _INTEGERS and number is not None else number
    if row["side"] not in ("above", "below") or row["found"] not in ("-1", "0", "1"):
        raise refuse(path, row, "side must be above or below, and found must be -1, 0 or 1.")
    return DoseRow(**cells)  # type: ignore[arg-type]
