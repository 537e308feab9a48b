"""`tacit harvest`: sentences for a contrast probe out of any text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.errors import TacitError

__all__ = ["harvest"]


def harvest(
    probe: Annotated[str, typer.Argument(metavar="PROBE", help="A contrast probe, such as intensifier, or your YAML.")],
    out: Annotated[Path, typer.Option(help="The CSV file of sentences to write.")],
    corpus: Annotated[
        list[Path] | None, typer.Option(help="Text or JSON lines, plain or .gz .bz2 .xz .zst; repeatable.")
    ] = None,
    more: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help="More files of the corpus.")] = None,
    each: Annotated[int, typer.Option(min=1, help="How many adjective combinations of each word.")] = 40,
    seed: Annotated[int, typer.Option(help="Of what is drawn at random.")] = 0,
    any_verb: Annotated[
        bool, typer.Option("--any-verb", help='Also after other verbs than "be", where "not" may not fit.')
    ] = False,
) -> None:
    """Find sentences that end in one of the probe's words and an adjective, and sample them as the study does."""
    from tacit.asking.progress import watching
    from tacit.harvest import harvest as run_harvest
    from tacit.methods.contrast import Contrast
    from tacit.probes import load_probe

    files = [*(corpus or []), *(more or [])]
    if not files:
        raise TacitError("Name the files of the corpus with --corpus.")
    if out.exists():
        raise TacitError(f"{out} is there already: give another name with --out, or delete it.")
    loaded, method = load_probe(probe), Contrast()
    if loaded.method != method.name:
        raise TacitError(f"The probe {loaded.name} is no contrast of words, so there is nothing to harvest for it.")
    materials = method.materials(loaded, method.settings())
    with watching(f"harvest · {loaded.name} (texts)", None) as watcher:
        found = run_harvest(materials, files, out, each=each, seed=seed, any_verb=any_verb, watch=watcher.advance)
    typer.echo(f"{out}: {found.rows:,} sentences out of {found.texts:,} texts (adjectives by {found.tagger}).")
    if found.short:
        fewest = ", ".join(f"{word} {count}" for word, count in sorted(found.short.items(), key=lambda one: one[1])[:5])
        typer.echo(f"{len(found.short)} of {len(materials.words)} words have fewer than {each}: {fewest} ...")
    typer.echo("Read them before you use them: a tagger errs, and `not` must be natural in the blank.")
    typer.echo(f"Next: copy the folder of {loaded.name}, name this file under materials: sentences, and tacit run it")
