"""What was asked, in the reader's eyes: one real sentence with the words of each model, and a table of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from tacit.errors import TacitError
from tacit.methods.exchanges import Exchange, Word
from tacit.questions import BLANK
from tacit.reports.tables import MOST_CELLS, MOST_ROWS, Column, PageTable
from tacit.runs import Run
from tacit.runs.plan import Prepared, prepare_again

__all__ = ["Asked", "Example", "asked"]

_BLANK = "____"
_UNFIT = (pl.exceptions.PolarsError, LookupError, ValueError, TypeError, ArithmeticError)


@dataclass(frozen=True)
class Example:
    """One sentence with what each model answered.

    Attributes:
        before: The text before its blank.
        after: The text after it; None where the text has no blank.
        words: The words of each model.
        largest: The largest weight of a word, which fills its bar.
    """

    before: str
    after: str | None
    words: dict[str, tuple[Word, ...]]
    largest: float


@dataclass(frozen=True)
class Asked:
    """The questions of a section.

    Attributes:
        total: How many sentences are shown in the table.
        example: The first of them; None if there is none.
        table: All of them: one row per sentence, one column per model.
        note: What the words and their numbers are.
        prepared: The probe as the first run used it; None if it cannot be read.
        problems: Why the sentences of a run cannot be shown.
    """

    total: int = 0
    example: Example | None = None
    table: PageTable | None = None
    note: str = ""
    prepared: Prepared | None = None
    problems: list[str] = field(default_factory=list)


def asked(anchor: str, runs: Mapping[str, Run], colors: Mapping[str, str]) -> Asked:
    """Read the questions of runs of one probe from the copies of the materials in their folders."""
    problems: list[str] = []
    prepared: Prepared | None = None
    exchanges: dict[str, list[Exchange]] = {}
    for model, run in runs.items():
        try:
            own = prepare_again(run.folder, run.record)
            family = run.record.model.family
            exchanges[model] = own.method.exchanges(own.materials, own.settings, family, run.answers)  # type: ignore[arg-type]
            prepared = prepared or own
        except TacitError as error:
            problems.append(str(error))
        except _UNFIT as error:
            # The folder may come from a stranger: answers that do not fit the materials are told of the run.
            problems.append(f"The answers in {run.folder} do not fit its probe ({type(error).__name__}).")
    rows = _rows(exchanges)
    if prepared is None or not rows:
        return Asked(prepared=prepared, problems=problems)
    table = _table(anchor, rows, exchanges, colors, [f"{run.folder}/answers.parquet" for run in runs.values()])
    return Asked(len(rows), _example(rows), table, prepared.method.exchange_note, prepared, problems)


@dataclass(frozen=True)
class _Row:
    keys: dict[str, str]
    text: str
    words: dict[str, tuple[Word, ...]]


def _rows(exchanges: Mapping[str, list[Exchange]]) -> list[_Row]:
    """One row per sentence. Models of another family may be asked in other words, which makes another row."""
    rows: dict[tuple[str, ...], _Row] = {}
    for model, own in exchanges.items():
        for exchange in own:
            identity = (*exchange.keys.values(), exchange.text)
            row = rows.setdefault(identity, _Row(exchange.keys, exchange.text, {}))
            row.words[model] = exchange.words
    return list(rows.values())


def _example(rows: list[_Row]) -> Example:
    row = rows[0]
    before, blank, after = row.text.partition(BLANK)
    weights = [word.weight for words in row.words.values() for word in words if word.weight is not None]
    return Example(before, after if blank else None, row.words, max(weights, default=1.0) or 1.0)


def _table(
    anchor: str,
    rows: list[_Row],
    exchanges: Mapping[str, list[Exchange]],
    colors: Mapping[str, str],
    files: list[str],
) -> PageTable:
    keys = _telling_keys(rows)
    columns = [*(Column(key.replace("_", " ")) for key in keys), Column("sentence", wide=True)]
    columns += [Column(model, color=colors.get(model, ""), wide=True) for model in exchanges]
    most = min(MOST_ROWS, MOST_CELLS // len(columns))
    cells = [
        [
            *(row.keys[key] for key in keys),
            row.text.replace(BLANK, _BLANK),
            *(_words_text(row.words.get(model)) for model in exchanges),
        ]
        for row in rows[:most]
    ]
    return PageTable(f"{anchor}-sentences", "Every sentence", columns, list(map(list, cells)), len(rows), files)


def _telling_keys(rows: list[_Row]) -> list[str]:
    """The keys that group sentences: neither the same for all, nor a mere number of each."""
    names = list(rows[0].keys)
    counts = {name: len({row.keys[name] for row in rows}) for name in names}
    sentences = len({tuple(row.keys.values()) for row in rows})
    return [name for name in names if 1 < counts[name] < sentences]


def _words_text(words: tuple[Word, ...] | None) -> str:
    if words is None:
        return "–"
    # A dot, because commas are among the words that models fill in.
    return " · ".join(f"{word.word} {word.text}".strip() for word in words)
