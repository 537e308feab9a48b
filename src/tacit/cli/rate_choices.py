"""`tacit rate` for contrast probes: a sheet with two words to choose from, and the import of the choices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tacit.cli.prose import say
from tacit.cli.rate_bank import blank_rows
from tacit.cli.verbosity import note
from tacit.errors import MaterialsError

if TYPE_CHECKING:
    from tacit.methods.contrast.materials import ContrastMaterials

__all__ = ["import_choices", "is_contrast", "write_choices"]


def is_contrast(probe: str) -> bool:
    """Whether people choose between two words in this probe instead of rating one."""
    from tacit.probes import load_probe

    return load_probe(probe).method == "contrast"


def write_choices(probe: str, out: Path, each: int, seed: int) -> None:
    """Write a blind sheet with `each` sentences per word, in an order that `seed` decides."""
    from tacit.methods.contrast.people import write_choice_sheet
    from tacit.storage import require_new

    name, materials = _read_materials(probe)
    require_new(out)
    rows = write_choice_sheet(out, name, materials, each=each, seed=seed)
    say(f"{out}: {rows} sentences, {each} per {materials.noun}, with two words each to choose from.")
    note(f"Next: write the better word (or 1 or 2) under choice, then run tacit rate import {probe} {out}")


def import_choices(probe: str, file: Path, rater: str, date: str, *, replace: bool) -> None:
    """Check a filled sheet and add it to the probe's choices; if any row is wrong, nothing is imported."""
    from tacit.methods.contrast.people import add_choices, read_choice_sheet
    from tacit.ratings import bank_path

    name, materials = _read_materials(probe)
    choices = read_choice_sheet(file, name, materials, rater=rater, date=date)
    if not choices:
        raise MaterialsError(f"{file} has no choices yet. Fill in the column choice.")
    stored = bank_path().with_name(f"choices-{name}.csv")
    total = add_choices(stored, choices, replace=replace)
    say(f"Added {len(choices)} choices by {rater} to {stored}, which now has {total}{blank_rows(file, 'choice')}.")
    note(f"Next: tacit run {probe} --set people={stored}, then tacit report with the runs of models")


def _read_materials(probe: str) -> tuple[str, ContrastMaterials]:
    from tacit.methods.contrast import Contrast
    from tacit.probes import load_probe

    loaded, method = load_probe(probe), Contrast()
    return loaded.name, method.materials(loaded, method.settings())
