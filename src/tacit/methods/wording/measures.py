"""From the labels that a model gives in each wording to the tables: what stays, and what depends on the wording.

All verdicts of a run hold at once: an interval that decides a word in a wording has its share of one error, divided by
the number of words and wordings. So a word that is said to shift labels up in one wording and down in another does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.association.leanings import WordTest, effect_contributions
from tacit.methods.base import MeasureRow, Tables, measure_row, measures_table
from tacit.methods.sentiment.blocks import CROSSED, few_units
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE
from tacit.methods.sentiment.measures import UNDECIDED
from tacit.methods.wording.formulas import variance_parts, variance_shares
from tacit.methods.wording.grid import Grid, read_grid
from tacit.methods.wording.materials import WordingMaterials, pair_name
from tacit.methods.wording.settings import WordingSettings
from tacit.statistics import (
    Interval,
    correlation,
    decide_by_margin,
    mean_interval,
    mean_share,
    net_share_interval,
    share_interval,
)

__all__ = ["NO_CONTROL", "compute_measures"]

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Strings = npt.NDArray[np.str_]

NO_CONTROL = "no better than a coin"
_THESE_REVIEWS = "for these reviews only"
_ALL_WORDINGS = "holds for all wordings at once, so it is wide"
_SIDES = (POSITIVE, NEGATIVE, NEUTRAL, UNDECIDED)


def compute_measures(materials: WordingMaterials, settings: WordingSettings, answers: pl.DataFrame) -> Tables:
    """Compute the tables.

    Returns:
        `measures`; `wordings`, one row per prompt and pair of label words; `words`, one row per word; `scores`, one row
        per word and wording; and `left_out`, the label words that are no single tokens of the model.
    """
    grid = read_grid(materials, settings, answers)
    accuracies = _accuracies(materials, settings, grid)
    passed = np.array([[cell.low > 0.5 for cell in row] for row in accuracies])
    # With fewer than two wordings the run cannot be interpreted, and nothing is concluded from the one.
    scores = _score_table(materials, settings, grid, passed if passed.sum() > 1 else np.zeros_like(passed))
    wordings = _wording_table(materials, grid, accuracies, passed, scores)
    words = _word_table(scores).with_columns(error=pl.lit(1 - settings.confidence))
    rows = [
        *_cell_rows(wordings, materials),
        *_word_rows(words, settings),
        *_variance_rows(grid, materials, settings, passed),
        *_association_rows(grid, materials, settings),
    ]
    left_out = pl.DataFrame({"label_words": grid.left_out}, schema={"label_words": pl.String})
    return {
        "measures": measures_table(rows),
        "wordings": wordings,
        "words": words,
        "scores": scores,
        "left_out": left_out,
    }


def _accuracies(materials: WordingMaterials, settings: WordingSettings, grid: Grid) -> list[list[Interval]]:
    """The balanced accuracy in each wording, with intervals that all hold at once."""
    wordings = len(grid.prompts) * len(grid.labels)
    confidence = 1 - (1 - settings.confidence) / wordings
    positive = materials.positive
    return [
        [
            mean_share(
                [share_interval((cell == positive)[side], confidence=confidence) for side in (positive, ~positive)],
                (0.5, 0.5),
            )
            for cell in row
        ]
        for row in grid.before
    ]


def _score_table(materials: WordingMaterials, settings: WordingSettings, grid: Grid, passed: Booleans) -> pl.DataFrame:
    """The net shift of every word in every wording, and its verdict where the model labels better than a coin."""
    changes, words = grid.changes, materials.words["word"].to_list()
    error = (1 - settings.confidence) / (len(words) * passed.size)
    sides = [materials.positive, ~materials.positive]
    rows = []
    for p, label in np.ndindex(passed.shape):
        for word, change in zip(words, changes[p, label], strict=True):
            net = mean_share(
                [net_share_interval(change[side] == 1, change[side] == -1, 1 - error) for side in sides], (0.5, 0.5)
            )
            decided = decide_by_margin(np.array([net.low]), np.array([net.high]), settings.margin)[0]
            leaning = str(decided) if passed[p, label] else None
            wording = {"prompt": grid.prompts[p], "labels": pair_name(grid.labels[label])}
            ends = {"net_shift": net.value, "low": net.low, "high": net.high}
            rows.append({"word": word, **wording, **ends, "leaning": leaning})
    floats = dict.fromkeys(("net_shift", "low", "high"), pl.Float64)
    texts = dict.fromkeys(("word", "prompt", "labels"), pl.String)
    return pl.DataFrame(rows, schema={**texts, **floats, "leaning": pl.String})


def _wording_table(
    materials: WordingMaterials,
    grid: Grid,
    accuracies: list[list[Interval]],
    passed: Booleans,
    scores: pl.DataFrame,
) -> pl.DataFrame:
    """One row per prompt and pair of label words: how well it labels, how many words lean, and the order it gives."""
    shifts = {key: own["net_shift"].to_numpy() for key, own in scores.group_by("prompt", "labels", maintain_order=True)}
    first, rows = next(iter(shifts.values())), []
    for (p, prompt), (place, pair) in product(enumerate(grid.prompts), enumerate(grid.labels)):
        accuracy, key = accuracies[p][place], (prompt, pair_name(pair))
        own = scores.filter(prompt=prompt, labels=key[1])
        leaning = own["leaning"].is_in([POSITIVE, NEGATIVE]).to_numpy()
        share = share_interval(leaning) if own["leaning"].is_not_null().any() else None
        ranks = correlation(first, shifts[key], resamples=500) if first.size > 2 else None
        rows.append(
            {
                "prompt": prompt,
                "labels": key[1],
                "prompt_source": materials.prompts[prompt],
                "label_source": materials.labels[pair],
                "accuracy": accuracy.value,
                "accuracy_low": accuracy.low,
                "accuracy_high": accuracy.high,
                "control": "passed" if passed[p, place] else NO_CONTROL,
                "leaning_share": share.value if share else None,
                "leaning_low": share.low if share else None,
                "leaning_high": share.high if share else None,
                **{side: (own["leaning"] == side).sum() if share else None for side in _SIDES},
                "mean_net_shift": float(own["net_shift"].to_numpy().mean()),
                "rank_with_first": None if ranks is None or np.isnan(ranks.value) else ranks.value,
                "rank_low": None if ranks is None or np.isnan(ranks.value) else ranks.low,
                "rank_high": None if ranks is None or np.isnan(ranks.value) else ranks.high,
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def _word_table(scores: pl.DataFrame) -> pl.DataFrame:
    """One row per word: in how many wordings it has each verdict, whether it flips, and its range."""
    own = scores.group_by("word", maintain_order=True).agg(
        wordings=pl.col("leaning").is_not_null().sum(),
        **{side: (pl.col("leaning") == side).sum() for side in _SIDES},
        most_common=pl.col("leaning").drop_nulls().mode().sort().first(),
        as_first=pl.when(pl.col("leaning").first().is_not_null()).then(
            (pl.col("leaning") == pl.col("leaning").first()).sum()
        ),
        mean=pl.col("net_shift").mean(),
        least=pl.col("net_shift").min(),
        most=pl.col("net_shift").max(),
        same_sign=pl.max_horizontal((pl.col("net_shift") > 0).mean(), (pl.col("net_shift") < 0).mean()),
    )
    return own.with_columns(
        flips=(pl.col(POSITIVE) > 0) & (pl.col(NEGATIVE) > 0),
        always=(pl.col("wordings") > 0)
        & ((pl.col(POSITIVE) == pl.col("wordings")) | (pl.col(NEGATIVE) == pl.col("wordings"))),
        ever=(pl.col(POSITIVE) > 0) | (pl.col(NEGATIVE) > 0),
        same_verdict=pl.max_horizontal(*_SIDES) / pl.col("wordings"),
    )


def _cell_rows(wordings: pl.DataFrame, materials: WordingMaterials) -> Iterator[MeasureRow]:
    reviews: dict[str, Any] = {"unit": "review", "neutral": 0.5, "n": len(materials.reviews)}
    reviews |= {"caution": few_units(materials.positive) or _ALL_WORDINGS}
    words: dict[str, Any] = {"unit": "word", "n": materials.words.height, "caution": _THESE_REVIEWS}
    for row in wordings.iter_rows(named=True):
        group = f"{row['prompt']} {row['labels']}"
        ends = {"low": row["accuracy_low"], "high": row["accuracy_high"]}
        yield measure_row("balanced accuracy", group, row["accuracy"], **ends, **reviews)
        if row["leaning_share"] is not None:
            ends = {"low": row["leaning_low"], "high": row["leaning_high"]}
            yield measure_row("leaning share", group, row["leaning_share"], **ends, **words)


def _word_rows(words: pl.DataFrame, settings: WordingSettings) -> Iterator[MeasureRow]:
    """How many words lean in any wording, in all, and both ways; and how often a word keeps its verdict."""
    group, about = "neutral words", {"unit": "word", "caution": _THESE_REVIEWS}
    for measure, column in (
        ("ever leaning share", "ever"),
        ("always leaning share", "always"),
        ("flipping share", "flips"),
    ):
        yield measure_row(measure, group, mean_interval(words[column].to_numpy(), settings.resampling), **about)
    known = words.filter(pl.col("wordings") > 0)
    if known.height:
        same = mean_interval(known["same_verdict"].to_numpy(), settings.resampling)
        yield measure_row("same verdict share", group, same, **about)
    signs = mean_interval(words["same_sign"].to_numpy(), settings.resampling)
    yield measure_row("same sign share", group, signs, neutral=0.5, **about)


def _variance_rows(
    grid: Grid, materials: WordingMaterials, settings: WordingSettings, passed: Booleans
) -> Iterator[MeasureRow]:
    """How much of the variance of the net shifts lies in the words, the prompts and the label words.

    Prompts and pairs with which the model never labels better than a coin are left out.
    """
    prompts, labels = passed.any(axis=1), passed.any(axis=0)
    kept = passed[prompts][:, labels]
    if kept.size < 2:
        return
    contributions = grid.contributions(materials.positive)[:, prompts][:, :, labels]
    shares = variance_shares(variance_parts(contributions), settings.confidence)
    caution = few_units(materials.positive, materials.words.height)
    if not kept.all() and caution is None:
        caution = f"{(~kept).sum()} of {kept.size} wordings are {NO_CONTROL}"
    for name, share in (shares or {}).items():
        yield measure_row("variance share of shift", name, share, unit=CROSSED, caution=caution)


def _association_rows(grid: Grid, materials: WordingMaterials, settings: WordingSettings) -> Iterator[MeasureRow]:
    """The same for the association test, whose scores do not depend on label words."""
    known = np.isfinite(grid.logs).all(axis=(0, 1))
    if not known.any():
        return
    polarities = np.full(int(known.sum()), NEUTRAL)
    cells = []
    for logs in grid.logs[:, :, known]:
        test = WordTest(logs, materials.positive, polarities, settings.margin, 1 - settings.confidence)
        cells.append(effect_contributions(test, test.run().effect))
    contributions: Any = np.stack(cells, axis=1)[:, :, None]
    shares = variance_shares(variance_parts(contributions), settings.confidence)
    about = {"unit": CROSSED, "caution": few_units(materials.positive, int(known.sum()))}
    for name, share in (shares or {}).items():
        yield measure_row("variance share of association", name, share, **about)
