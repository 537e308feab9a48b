"""A verbalizer made of what models say: their most prevalent words on a blind sheet, which people sort by group."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np

from tacit.errors import MaterialsError
from tacit.methods.counterknowledge.grammar import Grammar
from tacit.ratings.spreadsheet import neutralize, read_rows, restore, row_code, write_rows
from tacit.statistics import Interval, krippendorff_interval
from tacit.storage import write_file
from tacit.tables import read_csv, require_unique

__all__ = [
    "COLUMNS",
    "NEITHER_GROUP",
    "Vote",
    "add_votes",
    "prevalence",
    "read_word_sheet",
    "vote_agreement",
    "write_verbalizer",
    "write_word_sheet",
]

COLUMNS = ("row", "word", "group", "note")
NEITHER_GROUP = "neither"


@dataclass(frozen=True, slots=True)
class Vote:
    """The group that a rater puts a word into; `neither` keeps it out of the verbalizer."""

    word: str
    group: str
    rater: str
    date: str = ""
    note: str = ""


def prevalence(fillings: Sequence[Iterable[Sequence[str]]]) -> dict[str, float]:
    """How prevalent each word is in what models say: (1/M) sum_m n_m(w) / N_m, the most prevalent first.

    n_m(w) is the number of prompts of model m that have w among their likeliest words, and N_m the number of its
    prompts. Case is ignored; punctuation, numbers and pieces of words are no words.

    Args:
        fillings: For each model the likeliest words of every prompt.
    """
    total: Counter[str] = Counter()
    for model in fillings:
        prompts = [{word.lower() for word in words if word.isalpha()} for words in model]
        counts = Counter(word for words in prompts for word in words)
        total.update({word: count / len(prompts) / len(fillings) for word, count in counts.items()})
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))


def write_word_sheet(path: Path, probe: str, words: Iterable[str], seed: int) -> int:
    """Write a blind sheet: the words alone, shuffled, without models, prompts or numbers; return its number of rows."""
    shuffled = sorted({word.lower() for word in words})
    random.Random(seed).shuffle(shuffled)
    write_rows(path, COLUMNS, [(_code(probe, word), word, "", "") for word in shuffled])
    return len(shuffled)


def read_word_sheet(path: Path, probe: str, grammar: Grammar, *, rater: str, date: str = "") -> list[Vote]:
    """The votes of a filled sheet. Rows without a group are skipped; one invalid row rejects the whole sheet."""
    votes: dict[str, Vote] = {}
    for line, cells in read_rows(path, COLUMNS[:3]):
        word, group = cells["word"].strip().lower(), cells["group"].strip().lower()
        if not group:
            continue
        problem = ""
        if cells["row"].strip() != _code(probe, word):
            problem = f"the word {word!r} is not what this row asked for. Write a new sheet."
        elif group not in (*grammar.groups, NEITHER_GROUP):
            known = ", ".join(grammar.groups)
            problem = f"the group of {word!r} must be {known} or {NEITHER_GROUP}, not {cells['group']!r}."
        elif word in votes:
            problem = f"the word {word!r} is on the sheet twice. Delete one of the two rows."
        if problem:
            raise MaterialsError(f"{path}, row {line}: {problem} Nothing was imported.")
        votes[word] = Vote(word, group, rater, date, cells["note"].strip())
    return list(votes.values())


def add_votes(path: Path, votes: Sequence[Vote], *, replace: bool = False) -> list[Vote]:
    """Add votes to the file that keeps those of all raters, all or none; return everything that it now holds."""
    stored = {(vote.word, vote.rater): vote for vote in (_read_votes(path) if path.is_file() else [])}
    for vote in votes:
        earlier = stored.get((vote.word, vote.rater), vote)
        if earlier.group != vote.group and not replace:
            raise MaterialsError(
                f"{path}: {vote.rater} already called {vote.word!r} {earlier.group}, not {vote.group}. "
                "Use --replace to overwrite. Nothing was imported."
            )
        stored[vote.word, vote.rater] = vote
    kept = [vote for _, vote in sorted(stored.items())]
    _write_csv(path, [field.name for field in fields(Vote)], [astuple(vote) for vote in kept])
    return kept


def write_verbalizer(path: Path, votes: Sequence[Vote], grammar: Grammar) -> dict[str, int]:
    """Write the words that more than half of their raters put into a group; return how many each group has."""
    by_word: dict[str, Counter[str]] = {}
    for vote in votes:
        by_word.setdefault(vote.word, Counter())[vote.group] += 1
    rows, counts = [], dict.fromkeys(grammar.groups, 0)
    for word, groups in sorted(by_word.items()):
        (group, most), raters = groups.most_common(1)[0], groups.total()
        if group in counts and 2 * most > raters:
            counts[group] += 1
            rows.append((word, group, f"{most} of {raters} {'rater' if raters == 1 else 'raters'}"))
    _write_csv(path, ("word", "group", "reason"), rows)
    return counts


def vote_agreement(votes: Sequence[Vote]) -> Interval | None:
    """Krippendorff's alpha (nominal) with its interval over words; None unless two raters share a word."""
    raters, words = (sorted({getattr(vote, name) for vote in votes}) for name in ("rater", "word"))
    groups = sorted({vote.group for vote in votes})
    codes = np.full((len(raters), len(words)), np.nan)
    for vote in votes:
        codes[raters.index(vote.rater), words.index(vote.word)] = groups.index(vote.group)
    shared = (~np.isnan(codes)).sum(axis=0) > 1
    return krippendorff_interval(codes, "nominal") if shared.any() else None


def _read_votes(path: Path) -> list[Vote]:
    names = [field.name for field in fields(Vote)]
    rows = read_csv(path, names[:3], names[3:])
    require_unique(path, rows, "word", "rater")
    return [Vote(*(restore(row[name]) for name in names)) for row in rows]


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([neutralize(cell) for cell in row] for row in rows)
    write_file(path, text.getvalue().encode())


def _code(probe: str, word: str) -> str:
    return row_code(probe, "word", word, length=10)
