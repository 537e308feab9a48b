"""`tacit rate`: a blind rating sheet for people, and its way back into the bank."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.options import AllowPickle, Device, Dtype
from tacit.cli.rate_choices import import_choices, is_contrast, sheet_of_choices
from tacit.errors import TacitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.methods.valence.materials import ValenceMaterials
    from tacit.ratings import Rating, TokenToRate

__all__ = ["app"]

app = typer.Typer(help="Rate what models fill in: a blind sheet for people, and its way back.", no_args_is_help=True)

ProbeName = Annotated[str, typer.Argument(metavar="PROBE", help="A probe that is rated, or a YAML file of your own.")]
Rater = Annotated[str | None, typer.Option(help="Who rates; default: your user name.")]

MOST_DISPUTED = 10


@app.command()
def sheet(
    probe: ProbeName,
    out: Annotated[Path, typer.Option(help="The CSV file to write.")],
    model: Annotated[
        list[str] | None, typer.Option(help="Whose fillings to rate; repeatable. Default: standards.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many fillings of each sentence.")] = 10,
    rater: Annotated[str | None, typer.Option(help="Ask for all that this rater has not rated yet.")] = None,
    each: Annotated[int, typer.Option(min=1, help="For a contrast: how many sentences of each word.")] = 5,
    seed: Annotated[int, typer.Option(help="Of the order of the rows.")] = 0,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
) -> None:
    """Write a blind sheet of what the models fill in and nobody has rated yet, or of two words to choose from."""
    if is_contrast(probe):
        sheet_of_choices(probe, out, each, seed)
        return
    from tacit.models import load  # only who asks pays for torch
    from tacit.ratings import write_sheet
    from tacit.standards import standard_names

    materials = _materials(probe)
    if out.exists():
        raise TacitError(f"{out} is there already and may hold ratings: give another name with --out.")
    asked: list[TokenToRate] = []
    for name in model or standard_names():
        loaded = load(name, device=device, dtype=dtype, allow_pickle=allow_pickle)
        asked.extend(_fillings(loaded, materials, top))
    missing = _unrated(asked, [each for each in materials.ratings if rater in {None, each.rater}])
    if not missing:
        typer.echo(f"Nothing to rate: all {len(set(asked))} fillings are rated already.")
        return
    rows, scale = write_sheet(out, materials.probe, materials.texts, missing, seed), materials.scale
    poles = f"{scale.points[0]:g} for {scale.low}, {scale.points[-1]:g} for {scale.high}"
    typer.echo(f"{out}: {rows} to rate, each with one of {scale.shown()} ({poles}).")
    typer.echo(f"Next: fill in the column score, then tacit rate import {probe} {out}")


@app.command("import")
def import_(
    probe: ProbeName,
    file: Annotated[Path, typer.Argument(help="The filled sheet.")],
    rater: Rater = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite earlier scores of this rater.")] = False,
) -> None:
    """Check a filled sheet and add it to the bank, whole or not at all."""
    from tacit.ratings import Bank, read_sheet

    who, today = rater or getpass.getuser(), datetime.now(UTC).date().isoformat()
    if is_contrast(probe):
        import_choices(probe, file, who, today, replace=replace)
        return
    materials = _materials(probe)
    ratings = read_sheet(file, materials.probe, materials.texts, materials.scale, rater=who, date=today)
    if not ratings:
        raise TacitError(f"{file} has no score yet: fill in the column score.")
    if not replace:
        _refuse_second_thoughts(file, ratings, materials.ratings)
    bank = Bank()
    bank.add(materials.probe, materials.texts, ratings)
    typer.echo(f"{len(ratings)} ratings by {who} are in {bank.path}.")
    _tell_agreement(_materials(probe).ratings)
    typer.echo(f"Next: tacit run {probe} --model MODEL, or tacit measure RUN for a run that is there already")


def _materials(probe: str) -> ValenceMaterials:
    from tacit.methods.valence.materials import read_materials
    from tacit.probes import load_probe

    loaded = load_probe(probe)
    if loaded.method != "valence":
        raise TacitError(
            f"The probe {loaded.name} is not rated by people: only probes of the methods valence and contrast are."
        )
    return read_materials(loaded)


def _fillings(model: object, materials: ValenceMaterials, top: int) -> Iterator[TokenToRate]:
    from tacit.asking import ask
    from tacit.questions import Fill, FillAnswer
    from tacit.ratings import TokenToRate

    questions = [Fill(text, top=top) for text in materials.texts.values()]
    for sentence, answer in zip(materials.texts, ask(model, questions, progress=True), strict=True):  # type: ignore[arg-type]
        if isinstance(answer, FillAnswer):
            yield from (TokenToRate(sentence, filling.token) for filling in answer.fillings)


def _unrated(asked: Sequence[TokenToRate], ratings: Sequence[Rating]) -> list[TokenToRate]:
    from tacit.ratings import token_key

    known = {(each.sentence, token_key(each.token)) for each in ratings}
    return [each for each in asked if (each.sentence, token_key(each.token)) not in known]


def _refuse_second_thoughts(file: Path, ratings: Sequence[Rating], earlier: Sequence[Rating]) -> None:
    known = {(each.sentence, each.token, each.rater): each.score for each in earlier}
    for each in ratings:
        before = known.get((each.sentence, each.token, each.rater), each.score)
        if before != each.score:
            raise TacitError(
                f"{file}: {each.rater} has rated {each.token!r} in sentence {each.sentence} as {before:g} already, "
                f"not {each.score:g}: use --replace to overwrite. Nothing was imported."
            )


def _tell_agreement(ratings: Sequence[Rating]) -> None:
    from tacit.ratings import agreement, disputed

    found = agreement(ratings)
    if found is None:
        return
    interval = f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"
    typer.echo(f"Krippendorff's alpha (ordinal) is {interval} over {found.n} tokens with several raters.")
    for row in disputed(ratings).head(MOST_DISPUTED).iter_rows(named=True):
        typer.echo(f"  disputed: {row['token']} in {row['sentence']} ({row['scores']})")
