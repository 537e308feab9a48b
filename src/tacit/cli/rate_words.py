"""`tacit rate` for counterknowledge probes: a sheet of models' words to sort by group, and a verbalizer made of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tacit.cli.prose import say
from tacit.cli.rate_bank import blank_rows
from tacit.cli.verbosity import note
from tacit.errors import MaterialsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.methods.counterknowledge import CounterknowledgeMaterials, CounterknowledgeSettings
    from tacit.models.base import Model

__all__ = ["import_words", "is_counterknowledge", "write_words"]


def is_counterknowledge(probe: str) -> bool:
    """Whether people sort words by group in this probe instead of rating tokens."""
    from tacit.probes import load_probe

    return load_probe(probe).method == "counterknowledge"


def write_words(probe: str, out: Path, models: Sequence[Model], *, top: int, words: int, seed: int) -> None:
    """Write a blind sheet of the words that the models say most, over all prompts, in an order that `seed` decides."""
    from tacit.methods.counterknowledge.people import prevalence, write_word_sheet
    from tacit.storage import require_new

    name, materials, settings = _read_materials(probe)
    require_new(out)
    fillings = [list(_fillings(model, materials, settings, top)) for model in models]
    rows = write_word_sheet(out, name, list(prevalence(fillings))[:words], seed)
    groups = ", ".join(materials.grammar.groups)
    say(f"{out}: the {rows} most prevalent words of {len(models)} models, each to be called {groups} or neither.")
    note(f"Next: fill in the column group, then run tacit rate import {probe} {out}")


def import_words(probe: str, file: Path, rater: str, date: str, *, replace: bool) -> None:
    """Check a filled sheet and make a verbalizer of all votes; if any row is wrong, nothing is imported."""
    from tacit.methods.counterknowledge.people import add_votes, read_word_sheet, vote_agreement, write_verbalizer
    from tacit.ratings import bank_path

    name, materials, _ = _read_materials(probe)
    votes = read_word_sheet(file, name, materials.grammar, rater=rater, date=date)
    if not votes:
        raise MaterialsError(f"{file} has no groups yet. Fill in the column group.")
    every_vote = add_votes(bank_path().with_name(f"words-{name}.csv"), votes, replace=replace)
    verbalizer = bank_path().with_name(f"verbalizer-{name}.csv")
    counts = write_verbalizer(verbalizer, every_vote, materials.grammar)
    alpha = vote_agreement(every_vote)
    left = blank_rows(file, "group")
    say(f"Added {len(votes)} words by {rater}; {verbalizer} now has {_listed(counts)} words{left}.")
    if alpha is not None:
        interval = f"{alpha.value:.2f} [{alpha.low:.2f}, {alpha.high:.2f}]"
        say(f"Krippendorff's alpha (nominal): {interval} over {alpha.n} words with several raters.")
    empty = [group for group, count in counts.items() if not count]
    if empty:
        say(f"No word is {empty[0]} yet, so it cannot be used. Have more words sorted.")
        return
    note(f"Next: tacit run {probe} --set beside={verbalizer} (compare), or --set words={verbalizer} (replace)")


def _count(models: int) -> str:
    return "1 model" if models == 1 else f"{models} models"


def _listed(counts: dict[str, int]) -> str:
    return " and ".join(f"{count} {group}" for group, count in counts.items())


def _read_materials(probe: str) -> tuple[str, CounterknowledgeMaterials, CounterknowledgeSettings]:
    from tacit.methods.counterknowledge import Counterknowledge
    from tacit.probes import load_probe

    loaded, method = load_probe(probe), Counterknowledge()
    settings = method.settings(**loaded.settings)
    return loaded.name, method.materials(loaded, settings), settings


def _fillings(
    model: Model, materials: CounterknowledgeMaterials, settings: CounterknowledgeSettings, top: int
) -> Iterator[list[str]]:
    """The likeliest words of every prompt."""
    from tacit.asking import ask
    from tacit.methods.counterknowledge.grammar import CONTROL
    from tacit.methods.counterknowledge.questions import questions
    from tacit.questions import FillAnswer

    changed = settings.model_copy(update={"whole": "off", "tops": (top,)})
    asked = [keyed.question for keyed in questions(materials, changed, model.family) if keyed.keys["kind"] != CONTROL]
    for answer in ask(model, asked, progress=True):
        if isinstance(answer, FillAnswer):
            yield [filling.token for filling in answer.fillings]
