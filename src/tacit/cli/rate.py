"""`tacit rate`: write a blind rating sheet for people, and import it when it is filled in."""

from __future__ import annotations

import getpass
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.arguments import LARGEST_SEED, require_path
from tacit.cli.json_output import with_json
from tacit.cli.options import AllowPickle, Device, Dtype
from tacit.cli.prose import say
from tacit.cli.rate_bank import blank_rows, export, remove, status
from tacit.cli.rate_choices import import_choices, is_contrast, write_choices
from tacit.cli.rate_corpus import corpus
from tacit.cli.rate_valence import model_fillings, print_agreement, read_valence, reject_changed_scores
from tacit.cli.rate_words import import_words, is_counterknowledge, write_words
from tacit.cli.verbosity import note
from tacit.errors import MaterialsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.ratings import Rating, TokenToRate

__all__ = ["app"]

app = typer.Typer(help="Rate what models fill in: blind sheets for people, or two corpora.", no_args_is_help=True)
for command in (corpus, with_json(status), export, remove):
    app.command()(command)

ProbeName = Annotated[
    str, typer.Argument(metavar="PROBE", help="A probe that people rate, or the YAML file of your own.")
]
Rater = Annotated[str | None, typer.Option(help="Who filled in the sheet; default: your user name.")]


@app.command()
def sheet(
    probe: ProbeName,
    out: Annotated[Path, typer.Option(help="The CSV file to write.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A model whose fillings to rate; repeatable. Default: the standards.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, max=10_000, help="How many fillings per sentence.")] = 10,
    words: Annotated[
        int, typer.Option(min=1, max=100_000, help="Counterknowledge probes: how many words, the most prevalent.")
    ] = 300,
    rater: Annotated[str | None, typer.Option(help="Include everything that this rater has not rated.")] = None,
    each: Annotated[int, typer.Option(min=1, max=1_000_000, help="Contrast probes: how many sentences per word.")] = 5,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Seed for the order of the rows.")] = 0,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
) -> None:
    """Write a blind sheet: models' unrated fillings; word pairs (contrast) or words to sort (counterknowledge)."""
    if is_contrast(probe):
        write_choices(probe, out, each, seed)
        return
    from tacit.cli.loading import load  # torch is imported only if a model is asked
    from tacit.ratings import write_sheet
    from tacit.standards import standard_names
    from tacit.storage import require_new

    materials = None if is_counterknowledge(probe) else read_valence(probe)
    require_new(out)
    models = [load(name, device=device, dtype=dtype, allow_pickle=allow_pickle) for name in model or standard_names()]
    if materials is None:
        write_words(probe, out, models, top=top, words=words, seed=seed)
        return
    tokens = [token for loaded in models for token in model_fillings(loaded, materials, top)]
    unrated = _unrated(tokens, [rating for rating in materials.ratings if rater in {None, rating.rater}])
    if not unrated:
        say(f"Nothing to rate: all {len(set(tokens))} fillings are already rated.")
        return
    rows, scale = write_sheet(out, materials.probe, materials.texts, unrated, seed), materials.scale
    poles = f"{scale.points[0]:g} = {scale.low}, {scale.points[-1]:g} = {scale.high}"
    say(f"{out}: {rows} tokens to rate, each with one of {scale.points_text} ({poles}).")
    named = f" --rater {shlex.quote(rater)}" if rater is not None else ""
    note(f"Next: fill in the column score, then run tacit rate import {probe} {out}{named}")


@app.command("import")
def import_(
    probe: ProbeName,
    file: Annotated[Path, typer.Argument(help="The filled sheet.")],
    rater: Rater = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite earlier scores by this rater.")] = False,
) -> None:
    """Check a filled sheet and add it to the rating bank; if any row is wrong, nothing is imported."""
    from tacit.ratings import Bank, read_sheet

    require_path("file", file)
    name, today = rater or getpass.getuser(), datetime.now(UTC).date().isoformat()
    if is_contrast(probe):
        import_choices(probe, file, name, today, replace=replace)
        return
    if is_counterknowledge(probe):
        import_words(probe, file, name, today, replace=replace)
        return
    materials = read_valence(probe)
    ratings = read_sheet(file, materials.probe, materials.texts, materials.scale, rater=name, date=today)
    if not ratings:
        raise MaterialsError(f"{file} has no scores yet. Fill in the column score.")
    if not replace:
        reject_changed_scores(str(file), ratings, materials.ratings)
    bank = Bank()
    bank.add(materials.probe, materials.texts, ratings)
    say(f"Added {len(ratings)} ratings by {name} to {bank.path}{blank_rows(file, 'score')}.")
    print_agreement(read_valence(probe).ratings)
    note(f"Next: tacit run {probe} --model MODEL, or tacit measure RUN --ratings current for an existing run")


def _unrated(tokens: Sequence[TokenToRate], ratings: Sequence[Rating]) -> list[TokenToRate]:
    rated = {rating.key for rating in ratings}
    return [token for token in tokens if token.key not in rated]
