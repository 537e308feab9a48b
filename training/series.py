"""A graded series: small models of one recipe whose share of Early Modern text is known, for calibrating a probe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.statistics import Interval
from training.corpora import cache_folder
from training.examination import marked_share, pseudo_perplexity
from training.make import tokenizer_of
from training.proof import NEW_VERSES, OLD_VERSES, held_out_verses
from training.reading import Passage
from training.recipe import SERIES, SERIES_SHARES, Recipe
from training.texts import is_held_out, mixture, verse_pairs
from training.vocabulary import encode, save_tokenizer

__all__ = ["Grade", "make_series", "series_table"]

Pairs = Sequence[tuple[Passage, Passage]]


@dataclass(frozen=True)
class Grade:
    """One model of the series and what it does with held-out verses."""

    early_modern: float
    marked: Interval
    old_verses: Interval
    new_verses: Interval


def make_series(recipe: Recipe = SERIES, report: Callable[[str], None] = print) -> list[Grade]:
    """Train (or continue) one model for each share, on the same verses, and examine it."""
    pairs = verse_pairs(cache_folder())
    return [_grade(share, pairs, recipe, report) for share in SERIES_SHARES]


def series_table(grades: Sequence[Grade]) -> str:
    """The series as a Markdown table."""
    lines = [
        "| Early Modern text | share of older forms | pseudo-perplexity, KJV | pseudo-perplexity, WEB |",
        "|---|---|---|---|",
    ]
    for grade in grades:
        cells = [_cell(grade.marked, 3), _cell(grade.old_verses, 1), _cell(grade.new_verses, 1)]
        lines.append(f"| {grade.early_modern:.0%} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _grade(early_modern: float, pairs: Pairs, recipe: Recipe, report: Callable[[str], None]) -> Grade:
    from tacit.models import load  # noqa: PLC0415 - torch is slow to import

    model = load(_trained(early_modern, pairs, recipe, report))
    verses = held_out_verses(pairs)
    old, new = (pseudo_perplexity(model, verses[share]) for share in (OLD_VERSES, NEW_VERSES))
    return Grade(early_modern, marked_share(model), old, new)


def _trained(early_modern: float, pairs: Pairs, recipe: Recipe, report: Callable[[str], None]) -> Path:
    from training.train import export, train  # noqa: PLC0415 - torch is slow to import

    folder = cache_folder() / "series" / f"{100 * early_modern:.0f}"
    tokenizer = tokenizer_of("early-modern")
    verses = mixture([pair for pair in pairs if not is_held_out(pair[0].key)], early_modern)
    held_out = mixture([pair for pair in pairs if is_held_out(pair[0].key)], early_modern)
    training, examined = (encode(tokenizer, [v.text for v in part], recipe.length) for part in (verses, held_out))
    report(f"{early_modern:.0%} Early Modern: {len(training)} verses")
    model = train(training, examined, recipe, tokenizer.get_vocab_size(), folder / "checkpoint.pt", report=report)
    save_tokenizer(tokenizer, folder, recipe.length)
    export(model, folder)
    return folder


def _cell(interval: Interval, digits: int) -> str:
    return f"{interval.value:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"
