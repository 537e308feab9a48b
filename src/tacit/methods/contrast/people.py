"""The two-choice sheet for people: the same items, blind and shuffled, and the choices on their way back."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import TacitError
from tacit.methods.contrast.answers import CHOICES
from tacit.methods.contrast.materials import ContrastMaterials, Item
from tacit.ratings.spreadsheet import neutralize, read_rows, restore, row_code, write_rows
from tacit.storage import write_atomic
from tacit.tables import read_csv, require_unique

__all__ = ["COLUMNS", "Choice", "add_choices", "read_choice_sheet", "write_choice_sheet"]

COLUMNS = ("row", "text", "first", "second", "choice", "note")


@dataclass(frozen=True, slots=True)
class Choice:
    """The word that a rater would put into the blank of an item."""

    id: str
    choice: str
    rater: str
    date: str = ""
    note: str = ""


def write_choice_sheet(path: Path, probe: str, materials: ContrastMaterials, *, each: int | None, seed: int) -> int:
    """Write a sheet of `each` items a word (None: all), and tell how many rows there are.

    The order of the items and of the two words is shuffled, and a row is named by a mark that tells nothing, so that a
    reader of the sheet cannot see which word the sentence was written with.
    """
    rng = random.Random(seed)
    chosen = [item for word in materials.words for item in _some(materials, word, each, rng)]
    rng.shuffle(chosen)
    rows = []
    for item in chosen:
        pair = list(_pair(materials, item))
        rng.shuffle(pair)
        rows.append((_mark(probe, item), item.text.replace("[MASK]", "_____"), *pair, "", ""))
    write_rows(path, COLUMNS, rows)
    return len(rows)


def read_choice_sheet(
    path: Path, probe: str, materials: ContrastMaterials, *, rater: str, date: str = ""
) -> list[Choice]:
    """The choices of a filled sheet: the word itself, or 1 or 2. Empty rows wait; a wrong row refuses the sheet."""
    items = {_mark(probe, item): item for item in materials.items}
    choices: list[Choice] = []
    first: dict[str, int] = {}
    for line, cells in read_rows(path, COLUMNS[:5]):
        if not cells["choice"].strip():
            continue
        problem = _problem(cells, items, materials, first)
        if problem:
            raise TacitError(f"{path}, row {line}: {problem} Nothing was imported.")
        item = items[cells["row"].strip()]
        first[item.id] = line
        choices.append(Choice(item.id, _chosen(cells), rater, date, cells["note"].strip()))
    return choices


def add_choices(path: Path, choices: list[Choice], *, replace: bool = False) -> int:
    """Add choices to the file that `--set people=FILE` scores, whole or not at all; how many it holds then."""
    kept = {(each.id, each.rater): each for each in (_stored(path) if path.is_file() else [])}
    for each in choices:
        before = kept.get((each.id, each.rater), each)
        if before.choice != each.choice and not replace:
            raise TacitError(
                f"{path}: {each.rater} chose {before.choice!r} in {each.id} already, not {each.choice!r}: "
                "use --replace to overwrite. Nothing was imported."
            )
        kept[each.id, each.rater] = each
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*CHOICES, "date", "note"])
    for _, each in sorted(kept.items()):
        cells = (each.id, each.choice, each.rater, each.date, each.note)
        writer.writerow([neutralize(cell) for cell in cells])
    write_atomic(path, text.getvalue().encode())
    return len(kept)


def _stored(path: Path) -> list[Choice]:
    rows = read_csv(path, CHOICES, ["date", "note"])
    require_unique(path, rows, "id", "rater")
    return [Choice(*(restore(row[name]) for name in (*CHOICES, "date", "note"))) for row in rows]


def _some(materials: ContrastMaterials, word: str, each: int | None, rng: random.Random) -> list[Item]:
    items = [item for item in materials.items if item.word == word]
    return items if each is None or each >= len(items) else rng.sample(items, each)


def _pair(materials: ContrastMaterials, item: Item) -> tuple[str, str]:
    word = materials.words[item.word]
    return word.name, word.against[0]


def _chosen(cells: Mapping[str, str]) -> str:
    """The chosen word, given as itself or as the number of its column."""
    choice = cells["choice"].strip().casefold()
    numbered = {"1": cells["first"], "2": cells["second"], "first": cells["first"], "second": cells["second"]}
    words = {cells[name].strip().casefold(): cells[name].strip() for name in ("first", "second")}
    return words.get(choice) or numbered.get(choice.removesuffix(".0"), "").strip()


def _problem(
    cells: Mapping[str, str], items: Mapping[str, Item], materials: ContrastMaterials, first: Mapping[str, int]
) -> str:
    item = items.get(cells["row"].strip())
    if item is None:
        return f"the mark {cells['row']!r} belongs to no item of this probe (or the item has changed)."
    if {cells["first"].strip(), cells["second"].strip()} != {*_pair(materials, item)}:
        return "the two words are not those that were asked about."
    if item.id in first:
        return f"this item is answered in row {first[item.id]} already."
    if not _chosen(cells):
        return f"the choice must be {cells['first']!r} or {cells['second']!r} (or 1 or 2), not {cells['choice']!r}."
    return ""


def _mark(probe: str, item: Item) -> str:
    """Letters that tie a row to its item and say nothing of its word."""
    return row_code(probe, item.id, item.text, length=12)
