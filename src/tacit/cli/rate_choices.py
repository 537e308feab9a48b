"""`tacit rate` for contrasts: a two-choice sheet for people, and their choices on the way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tacit.errors import TacitError

if TYPE_CHECKING:
    from tacit.methods.contrast.materials import ContrastMaterials

__all__ = ["import_choices", "is_contrast", "sheet_of_choices"]


def is_contrast(probe: str) -> bool:
    """Whether people choose between two words in this probe, rather than rate one."""
    from tacit.probes import load_probe

    return load_probe(probe).method == "contrast"


def sheet_of_choices(probe: str, out: Path, each: int, seed: int) -> None:
    """Write a blind sheet of some items of each word."""
    from tacit.methods.contrast.people import write_choice_sheet

    name, materials = _materials(probe)
    if out.exists():
        raise TacitError(f"{out} is there already and may hold choices: give another name with --out.")
    rows = write_choice_sheet(out, name, materials, each=each, seed=seed)
    typer.echo(f"{out}: {rows} sentences, {each} of each {materials.noun}, each with two words to choose from.")
    typer.echo(f"Next: write the better word (or 1 or 2) under choice, then tacit rate import {probe} {out}")


def import_choices(probe: str, file: Path, rater: str, date: str, *, replace: bool) -> None:
    """Check a filled sheet and add it to the choices of this probe, whole or not at all."""
    from tacit.methods.contrast.people import add_choices, read_choice_sheet
    from tacit.ratings import bank_path

    name, materials = _materials(probe)
    choices = read_choice_sheet(file, name, materials, rater=rater, date=date)
    if not choices:
        raise TacitError(f"{file} has no choice yet: fill in the column choice.")
    kept = bank_path().with_name(f"choices-{name}.csv")
    total = add_choices(kept, choices, replace=replace)
    typer.echo(f"{len(choices)} choices by {rater} are in {kept}, which holds {total}.")
    typer.echo(f"Next: tacit run {probe} --set people={kept}, then tacit report with the runs of models")


def _materials(probe: str) -> tuple[str, ContrastMaterials]:
    from tacit.methods.contrast import Contrast
    from tacit.probes import load_probe

    loaded, method = load_probe(probe), Contrast()
    return loaded.name, method.materials(loaded, method.settings())
