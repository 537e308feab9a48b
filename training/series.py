"""A graded series: small models of one recipe whose share of Early Modern text is known, for calibrating a probe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from tacit.probes import load_probe
from tacit.statistics import Interval
from tacit.validation.dose_rows import MIXTURES_FILE, DoseRow, read_doses, write_doses
from training.corpora import cache_folder
from training.examination import marked_share, pseudo_perplexity
from training.make import tokenizer_of
from training.passages import Passage
from training.plants import Planted, plant_row
from training.proof import NEW_VERSES, OLD_VERSES, held_out_verses
from training.ratings import use_ratings
from training.recipe import SERIES, SERIES_SHARES, Recipe
from training.texts import is_held_out, mixture, verse_pairs
from training.vocabulary import encode, save_tokenizer

__all__ = ["Grade", "ask_series", "make_series", "series_table"]

PROBE = "temporal"
SEEDS = 3

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


def ask_series(seeds: int = SEEDS, recipe: Recipe = SERIES, report: Callable[[str], None] = print) -> Path:
    """Ask `temporal` of each share with several seeds, and write a row for every model that has none yet."""
    folder = load_probe(PROBE).folder
    pairs = verse_pairs(cache_folder())
    for seed in range(seeds):
        for share in SERIES_SHARES:
            rows = read_doses(folder, MIXTURES_FILE)
            if any((row.dose, row.seed) == (share, seed) for row in rows):
                continue
            row = _ask(share, seed, pairs, replace(recipe, seed=recipe.seed + seed), report)
            write_doses(folder, [*rows, row], MIXTURES_FILE)
            report(f"{share:.0%} seed {seed}: {row.measure} {row.value:.3f}, claims {row.found}, {row.validity}")
    return folder / MIXTURES_FILE


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


def _ask(share: float, seed: int, pairs: Pairs, recipe: Recipe, report: Callable[[str], None]) -> DoseRow:
    import tacit  # noqa: PLC0415 - torch is slow to import

    folder = _trained(share, pairs, recipe, report)
    model = tacit.load(folder)
    with use_ratings(PROBE, model):
        run = tacit.run(PROBE, model, folder / "run", cache=None)
    text = "\n".join(verse.text for verse in _verses(pairs, share))
    planted = Planted("biased", share, seed, recipe.steps, "graded series", "", sha256(text.encode()).hexdigest())
    return plant_row(planted, run)


def _verses(pairs: Pairs, early_modern: float) -> list[Passage]:
    return mixture([pair for pair in pairs if not is_held_out(pair[0].key)], early_modern)


def _trained(early_modern: float, pairs: Pairs, recipe: Recipe, report: Callable[[str], None]) -> Path:
    from training.train import export, train  # noqa: PLC0415 - torch is slow to import

    folder = cache_folder() / "series" / f"{100 * early_modern:.0f}-{recipe.seed}"
    tokenizer = tokenizer_of("early-modern")
    verses = _verses(pairs, early_modern)
    held_out = mixture([pair for pair in pairs if is_held_out(pair[0].key)], early_modern)
    training, examined = (encode(tokenizer, [v.text for v in part], recipe.length) for part in (verses, held_out))
    report(f"{early_modern:.0%} Early Modern: {len(training)} verses")
    model = train(training, examined, recipe, tokenizer.get_vocab_size(), folder / "checkpoint.pt", report=report)
    save_tokenizer(tokenizer, folder, recipe.length)
    export(model, folder)
    return folder


def _cell(interval: Interval, digits: int) -> str:
    return f"{interval.value:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"
