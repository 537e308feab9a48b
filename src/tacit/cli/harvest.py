"""`tacit harvest`: collect sentences for a contrast probe from any text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.arguments import LARGEST_SEED
from tacit.cli.options import ExecutorName
from tacit.cli.prose import say
from tacit.cli.verbosity import note
from tacit.errors import MaterialsError

if TYPE_CHECKING:
    from tacit.harvest import Search

__all__ = ["harvest"]


def harvest(
    probe: Annotated[str, typer.Argument(metavar="PROBE", help="A contrast probe, such as intensifier, or your YAML.")],
    out: Annotated[Path, typer.Option(help="The CSV file to write.")],
    corpus: Annotated[
        list[Path] | None, typer.Option(help="A text or JSON Lines file, plain or .gz .bz2 .xz .zst; repeatable.")
    ] = None,
    more: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help="More corpus files.")] = None,
    each: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many adjectives to keep per word.")] = 40,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Seed of the random sample.")] = 0,
    any_verb: Annotated[
        bool, typer.Option("--any-verb", help='Also accept verbs other than "be", after which "not" may not fit.')
    ] = False,
    executor: ExecutorName = "local",
) -> None:
    """Collect sentences that end in one of the probe's words and an adjective, sampled as in the study."""
    from tacit.asking.progress import watching
    from tacit.harvest import harvest as run_harvest
    from tacit.methods.contrast import Contrast
    from tacit.probes import load_probe
    from tacit.storage import require_new

    files = [*(corpus or []), *(more or [])]
    if not files:
        raise MaterialsError("No corpus files are given. Name them with --corpus.")
    require_new(out)
    loaded, method = load_probe(probe), Contrast()
    if loaded.method != method.name:
        raise MaterialsError(
            f"The probe {loaded.name} uses the method {loaded.method}, but only contrast probes can be harvested for."
        )
    materials = method.materials(loaded, method.settings())
    search = _search_on(executor)
    with watching(f"harvest · {loaded.name} (texts)", None) as watcher:
        result = run_harvest(
            materials, files, out, each=each, seed=seed, any_verb=any_verb, watch=watcher.advance, search=search
        )
    say(f"{out}: {result.rows:,} sentences from {result.texts:,} texts (adjectives by {result.tagger}).")
    if result.shortfalls:
        fewest = sorted(result.shortfalls.items(), key=lambda shortfall: shortfall[1])[:5]
        shown = ", ".join(f"{word} {count}" for word, count in fewest)
        say(f"{len(result.shortfalls)} of {len(materials.words)} words have fewer than {each}: {shown} ...")
    say("Read the sentences before you use them: taggers err, and `not` must sound natural in the blank.")
    note(f"Next: copy the folder of {loaded.name}, name this file under materials: sentences, and tacit run it")


def _search_on(executor: str) -> Search:
    """How texts are searched: here, or on a cluster."""
    from tacit.harvest import search_here

    if executor == "local":
        return search_here
    from tacit.asking.ray import connect
    from tacit.harvest.ray import search_on_ray

    connect(executor)
    return search_on_ray
