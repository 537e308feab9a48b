"""`tacit rate status|export|remove`: who rated what, everything as one CSV file, and taking a rater out again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.confirm import confirm
from tacit.cli.prose import say
from tacit.errors import MaterialsError
from tacit.registry import did_you_mean

__all__ = ["blank_rows", "export", "remove", "status"]

ProbeName = Annotated[str, typer.Argument(metavar="PROBE", help="A probe of the method valence, or your YAML.")]


def status(probe: ProbeName) -> None:
    """Show how many tokens each rater scored, what is in your bank, and how well the raters agree."""
    from tacit.cli.rate_valence import print_agreement, read_valence
    from tacit.cli.tables import show
    from tacit.ratings import Bank

    materials = read_valence(probe)
    own = Counter(rating.rater for rating in Bank().ratings(materials.probe, materials.texts))
    counts = Counter(rating.rater for rating in materials.ratings)
    tokens = len({rating.key for rating in materials.ratings})
    say(f"{materials.probe}: {tokens:,} tokens in {len(materials.texts)} sentences are rated.")
    rows = [(rater, count, own[rater]) for rater, count in sorted(counts.items())]
    show("", ["rater", "scores", "in your bank"], rows, most=1000)
    print_agreement(materials.ratings)


def export(
    probe: ProbeName,
    out: Annotated[Path, typer.Option(help="The CSV file to write.")],
    rater: Annotated[list[str] | None, typer.Option(help="Only this rater; repeatable. Default: all.")] = None,
) -> None:
    """Write all ratings that count for a probe, shipped ones and your own, as one CSV file."""
    from tacit.cli.rate_valence import read_valence
    from tacit.ratings import kept_bytes
    from tacit.storage import require_new, write_file

    materials = read_valence(probe)
    require_new(out)
    known = sorted({rating.rater for rating in materials.ratings})
    for name in rater or []:
        if name not in known:
            raise MaterialsError(f"{name!r} has not rated {materials.probe}: {did_you_mean(name, known)}")
    ratings = [rating for rating in materials.ratings if not rater or rating.rater in rater]
    if not ratings:
        raise MaterialsError(f"Nobody has rated {materials.probe} yet. Write a sheet with tacit rate sheet {probe}.")
    write_file(out, kept_bytes(ratings))
    raters = ", ".join(sorted({rating.rater for rating in ratings}))
    say(f"{out}: {len(ratings):,} ratings by {raters}.")


def remove(
    probe: ProbeName,
    rater: Annotated[str, typer.Option(help="Whose ratings to remove from your bank.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a rater's scores from your bank; ratings that ship with the probe stay."""
    from tacit.cli.rate_valence import read_valence
    from tacit.ratings import Bank

    materials, bank = read_valence(probe), Bank()
    own = Counter(rating.rater for rating in bank.ratings(materials.probe, materials.texts))
    if not own[rater]:
        shipped = any(rating.rater == rater for rating in materials.ratings)
        hint = "those ship with the probe; use --set raters=... to leave them out" if shipped else _hint(rater, [*own])
        raise MaterialsError(f"Your bank has no ratings of {materials.probe} by {rater!r}: {hint}.")
    confirm(f"{own[rater]:,} ratings by {rater} from {bank.path}", yes=yes)
    count = bank.remove(materials.probe, rater)
    say(f"Removed {count:,} ratings by {rater} from {bank.path}.")


def blank_rows(sheet: Path, column: str) -> str:
    """How many rows of a filled sheet were left blank, to be said after how many were added."""
    from tacit.ratings.spreadsheet import read_rows

    blank = sum(not cells[column].strip() for _, cells in read_rows(sheet, [column]))
    return f"; {blank:,} {'row was' if blank == 1 else 'rows were'} left blank" if blank else "; no row was left blank"


def _hint(rater: str, known: list[str]) -> str:
    return did_you_mean(rater, known).rstrip(".") if known else "it has none at all"
