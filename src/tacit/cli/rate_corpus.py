"""`tacit rate corpus`: a rater made of two corpora, one for each pole of the scale."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.prose import say
from tacit.cli.verbosity import note
from tacit.errors import MaterialsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.ratings import Rating

__all__ = ["corpus"]


def corpus(
    probe: Annotated[str, typer.Argument(metavar="PROBE", help="A probe of the method valence, or your YAML.")],
    early: Annotated[
        list[Path], typer.Option(help="Text of the scale's low pole: a file or a folder of files; repeatable.")
    ],
    modern: Annotated[list[Path], typer.Option(help="Text of the scale's high pole, likewise.")],
    rater: Annotated[str, typer.Option(help="The name under which the scores are kept.")],
    model: Annotated[
        list[str] | None,
        typer.Option(help="Also rate what this model fills in; repeatable. Default: only what is rated."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, max=10_000, help="How many fillings per sentence of each model.")] = 10,
    out: Annotated[Path | None, typer.Option(help="Write the scores to this CSV file instead of the bank.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite earlier scores by this rater.")] = False,
) -> None:
    """Score tokens by how much commoner they are in one corpus than in the other, and compare with the other raters."""
    from tacit.cli.rate_valence import fillings_to_rate, print_agreement, read_valence, reject_changed_scores
    from tacit.ratings import Bank, TokenToRate, kept_bytes
    from tacit.ratings.corpus import count_words, rate_by_corpora
    from tacit.storage import require_new, write_file

    materials = read_valence(probe)
    if out is not None:
        require_new(out)
    tokens = [TokenToRate(rating.sentence, rating.token) for rating in materials.ratings]
    tokens += fillings_to_rate(model or [], materials, top)
    if not tokens:
        raise MaterialsError(f"Nobody has rated {materials.probe} yet. Name a --model whose fillings to rate.")
    wanted = {token.key[1] for token in tokens}
    corpora = count_words(_texts(early), wanted), count_words(_texts(modern), wanted)
    for option, counted in zip(("--early", "--modern"), corpora, strict=True):
        if not counted.totals[""]:
            raise MaterialsError(f"There is no word in the text of {option}. Name a file with text in it.")
    classes = dict(materials.sentences.select("sentence", "word_class").iter_rows())
    today = datetime.now(UTC).date().isoformat()
    ratings = rate_by_corpora(tokens, classes, corpora, materials.scale, (rater, today))
    sizes = " and ".join(f"{counted.totals['']:,}" for counted in corpora)
    asked = len({token.key for token in tokens})
    say(f"{rater} scores {len(ratings):,} of {asked:,} tokens, from {sizes} words.")
    if out is not None:
        write_file(out, kept_bytes(ratings))
        note(f"Written to {out}; the rating bank is as it was.")
    else:
        if not replace:
            reject_changed_scores(rater, ratings, materials.ratings)
        Bank().add(materials.probe, materials.texts, ratings)
    print_agreement([*_others(materials.ratings, rater), *ratings])
    note(f"Next: tacit run {probe} --model MODEL --set raters={rater}; without --set, all raters count together")


def _others(ratings: Sequence[Rating], rater: str) -> list[Rating]:
    return [rating for rating in ratings if rating.rater != rater]


def _texts(paths: Sequence[Path]) -> Iterator[str]:
    """The texts of files, and of all files in folders, in the order of their names."""
    from tacit.harvest.texts import read_texts

    for path in paths:
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        if not files:
            raise MaterialsError(f"There is no file in the folder {path}. Name a folder of text files.")
        for file in files:
            yield from read_texts(file)
