"""The two-choice sheet for people: the same items, blind and shuffled; writing it, and importing filled ones."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.methods.contrast.answers import CHOICES
from tacit.methods.contrast.materials import ContrastMaterials, Item
from tacit.ratings.spreadsheet import neutralize, read_rows, restore, row_code, write_rows
from tacit.storage import write_file
from tacit.tables import read_csv, require_unique

__all__ = ["COLUMNS", "Choice", "add_choices", "read_choice_sheet", "write_choice_sheet"]

COLUMNS = ("row", "text", "first", "second", "choice", "note")


@dataclass(frozen=True, slots=True)
class Choice:
    """The word that a rater puts into the blank of an item."""

    id: str
    choice: str
    rater: str
    date: str = ""
    note: str = ""


def write_choice_sheet(path: Path, probe: str, materials: ContrastMaterials, *, each: int | None, seed: int) -> int:
    """Write a sheet of items in random order, the two words of each in random order too.

    Rows carry a code instead of the item's id, so that the sheet does not show which word a sentence was written with.

    Args:
        path: The CSV file to write.
        probe: The name of the probe, part of the codes.
        materials: The items.
        each: How many items of each word to include; None includes all.
        seed: The seed of the random choices.

    Returns:
        The number of rows.
    """
    rng = random.Random(seed)
    items = [item for word in materials.words for item in _sample_items(materials, word, each, rng)]
    rng.shuffle(items)
    rows = []
    for item in items:
        pair = list(_word_and_rival(materials, item))
        rng.shuffle(pair)
        rows.append((_code(probe, item), item.text.replace("[MASK]", "_____"), *pair, "", ""))
    write_rows(path, COLUMNS, rows)
    return len(rows)


def read_choice_sheet(
    path: Path, probe: str, materials: ContrastMaterials, *, rater: str, date: str = ""
) -> list[Choice]:
    """The choices of a filled sheet: the word itself, or 1 or 2.

    Rows without a choice are skipped; one invalid row rejects the whole sheet.
    """
    items = {_code(probe, item): item for item in materials.items}
    choices: list[Choice] = []
    lines: dict[str, int] = {}
    for line, cells in read_rows(path, COLUMNS[:5]):
        if not cells["choice"].strip():
            continue
        problem = _problem(cells, items, materials, lines)
        if problem:
            raise MaterialsError(f"{path}, row {line}: {problem} Nothing was imported.")
        item = items[cells["row"].strip()]
        lines[item.id] = line
        choices.append(Choice(item.id, _chosen_word(cells), rater, date, cells["note"].strip()))
    return choices


def add_choices(path: Path, choices: list[Choice], *, replace: bool = False) -> int:
    """Add choices to the file that `--set people=FILE` scores; either all are added or none.

    Args:
        path: The CSV file; it is created if needed.
        choices: The choices to add.
        replace: Overwrite earlier choices of the same rater about the same item.

    Returns:
        The number of choices that the file now holds.
    """
    stored = {(choice.id, choice.rater): choice for choice in (_read_choices(path) if path.is_file() else [])}
    for choice in choices:
        earlier = stored.get((choice.id, choice.rater), choice)
        if earlier.choice != choice.choice and not replace:
            raise MaterialsError(
                f"{path}: {choice.rater} already chose {earlier.choice!r} in {choice.id}, not {choice.choice!r}. "
                "Use --replace to overwrite. Nothing was imported."
            )
        stored[choice.id, choice.rater] = choice
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*CHOICES, "date", "note"])
    for _, choice in sorted(stored.items()):
        cells = (choice.id, choice.choice, choice.rater, choice.date, choice.note)
        writer.writerow([neutralize(cell) for cell in cells])
    write_file(path, text.getvalue().encode())
    return len(stored)


def _read_choices(path: Path) -> list[Choice]:
    rows = read_csv(path, CHOICES, ["date", "note"])
    require_unique(path, rows, "id", "rater")
    return [Choice(*(restore(row[name]) for name in (*CHOICES, "date", "note"))) for row in rows]


def _sample_items(materials: ContrastMaterials, word: str, each: int | None, rng: random.Random) -> list[Item]:
    items = [item for item in materials.items if item.word == word]
    return items if each is None or each >= len(items) else rng.sample(items, each)


def _word_and_rival(materials: ContrastMaterials, item: Item) -> tuple[str, str]:
    word = materials.words[item.word]
    return word.name, word.rivals[0]


def _chosen_word(cells: Mapping[str, str]) -> str:
    """The chosen word, written out or as the number of its column; "" if it is neither."""
    choice = cells["choice"].strip().casefold()
    by_column = {"1": cells["first"], "2": cells["second"], "first": cells["first"], "second": cells["second"]}
    words = {cells[name].strip().casefold(): cells[name].strip() for name in ("first", "second")}
    return words.get(choice) or by_column.get(choice.removesuffix(".0"), "").strip()


def _problem(
    cells: Mapping[str, str], items: Mapping[str, Item], materials: ContrastMaterials, lines: Mapping[str, int]
) -> str:
    item = items.get(cells["row"].strip())
    if item is None:
        return f"the code {cells['row']!r} belongs to no item of this probe, or the item changed. Write a new sheet."
    if {cells["first"].strip(), cells["second"].strip()} != {*_word_and_rival(materials, item)}:
        return "the two words are not those of this item. Restore them."
    if item.id in lines:
        return f"this item is already answered in row {lines[item.id]}. Delete one of the two rows."
    if not _chosen_word(cells):
        return f"the choice must be {cells['first']!r} or {cells['second']!r} (or 1 or 2), not {cells['choice']!r}."
    return ""


def _code(probe: str, item: Item) -> str:
    """Letters that identify the item of a row without showing its word."""
    return row_code(probe, item.id, item.text, length=12)
