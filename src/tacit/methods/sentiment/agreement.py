"""How far models, and the two tests, agree on which neutral words lean (Garg et al. 2022, sections 4.3 and 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.agreement import Agreement
from tacit.methods.base import Tables
from tacit.methods.sentiment.formulas import overlap, shared_by_two, top_and_bottom
from tacit.methods.sentiment.materials import NEGATIVE, NEUTRAL, POSITIVE
from tacit.numbers import interval_text
from tacit.statistics import Correlation, Overlap, Resampling, correlation, overlaps, wilson_interval

__all__ = [
    "PERMUTATIONS",
    "agreement_of_models",
    "agreement_of_tests",
    "between_models",
    "between_tests",
    "neutral_words",
    "rank_agreement",
]

Booleans = npt.NDArray[np.bool_]

PERMUTATIONS = Resampling(10_000, 0.95, 0)
"""Of the words, to see what chance would give."""
_SIDES = (POSITIVE, NEGATIVE)
_ANY, _ALL = "any model", "all models"
_NOTE = (
    "By chance: the words of each {set} are permuted among all neutral words, {resamples:,} times; the interval holds "
    "95 % of the permutations, and p is how often chance shares as much or more. {sets} that were asked about the same "
    "reviews also share the errors of these reviews, so a small p alone does not show that they share leanings."
)


def neutral_words(tables: Tables) -> pl.DataFrame:
    """The rows of the words table for the words under test."""
    return tables["words"].filter(pl.col("polarity") == NEUTRAL)


def between_models(runs: Mapping[str, Tables]) -> pl.DataFrame:
    """How far models agree, one row per direction.

    Args:
        runs: The tables of each model; all of the same test.

    Returns:
        The columns side, words (neutral words that lean to this side in any model) and shared (the share of them that
        lean so in at least two models).
    """
    rows = []
    for side in (POSITIVE, NEGATIVE):
        word_sets = [_leaning_words(tables, side) for tables in runs.values()]
        rows.append({"side": side, "words": len(set().union(*word_sets)), "shared": shared_by_two(word_sets)})
    return pl.DataFrame(rows, schema={"side": pl.String, "words": pl.Int64, "shared": pl.Float64})


def agreement_of_models(runs: Mapping[str, Tables], resampling: Resampling) -> Agreement | None:
    """How many neutral words at least one, two … and all models find to lean alike (section 4.3).

    Args:
        runs: The tables of each model; all of the same test.
        resampling: Of the permutations.

    Returns:
        A table with a row per direction and number of models: words, the share of those that any model finds with its
        interval over words, and the number and share that chance would give. None for fewer than two models, or where
        they have no word in common.
    """
    if len(runs) < 2 or not _common_words([*runs.values()]):
        return None
    rows, sentences = [], []
    for side in _SIDES:
        counted = overlaps(_found([*runs.values()], side), resampling)
        rows += [_model_row(side, overlap, counted[0].count, len(runs), resampling) for overlap in counted]
        sentences.append(_model_sentence(side, counted, resampling.confidence))
    note = _NOTE.format(set="model", sets="Models", resamples=resampling.resamples)
    return Agreement("models", "Words that several models share", pl.DataFrame(rows), tuple(sentences), note)


def agreement_of_tests(
    association: Mapping[str, Tables], shift: Mapping[str, Tables], resampling: Resampling
) -> Agreement | None:
    """How many neutral words both tests, and either, find to lean alike: in each model, in any and in all.

    Args:
        association: The tables of the association test, by model.
        shift: The tables of the shift test; only models that ran both count.
        resampling: Of the permutations.

    Returns:
        A table with a row per model and direction, with the number of words that each test, both, and either find, and
        what chance would give; None if no model ran both tests on the same words.
    """
    models = [model for model in shift if model in association]
    if not models or not _common_words([tables[model] for tables in (association, shift) for model in models]):
        return None
    rows, sentences = [], []
    for side in _SIDES:
        found = [_found([association[model], shift[model]], side) for model in models]
        scopes = dict(zip(models, found, strict=True))
        if len(models) > 1:
            aligned = _aligned([association[model] for model in models], [shift[model] for model in models], side)
            scopes |= {_ANY: np.logical_or.reduce(aligned), _ALL: np.logical_and.reduce(aligned)}
        for scope, sets in scopes.items():
            rows.append(_test_row(scope, side, sets, resampling))
        sentences.append(_test_sentence(rows[-2 if len(models) > 1 else -1]))
    note = _NOTE.format(set="test", sets="Tests", resamples=resampling.resamples)
    return Agreement("tests", "Words that both tests share", pl.DataFrame(rows), tuple(sentences), note)


def between_tests(association: Tables, shift: Tables, size: int = 50) -> pl.DataFrame:
    """How far the two tests agree about one model, one row per direction.

    Args:
        association: The tables of the association test.
        shift: The tables of the shift test on the same model.
        size: How many of the strongest and of the weakest words of the shift test to look up.

    Returns:
        The columns side, association and shift (how many neutral words lean to this side), association_in_shift (the
        share of the first that the shift test finds too), top and bottom (the shares of the strongest and the weakest
        words of the shift test that the association test finds too).
    """
    rows = []
    for side in (POSITIVE, NEGATIVE):
        by_association, by_shift = _leaning_words(association, side), _leaning_words(shift, side)
        scores = neutral_words(shift).select("word", "q").iter_rows()
        strength = {word: abs(q) for word, q in scores if word in by_shift}
        top, bottom = top_and_bottom(strength, by_association, size)
        shares = {"association_in_shift": overlap(by_association, by_shift), "top": top, "bottom": bottom}
        rows.append({"side": side, "association": len(by_association), "shift": len(by_shift), **shares})
    kinds = dict.fromkeys(("association_in_shift", "top", "bottom"), pl.Float64)
    return pl.DataFrame(rows, schema={"side": pl.String, "association": pl.Int64, "shift": pl.Int64, **kinds})


def rank_agreement(points: pl.DataFrame, *, resamples: int = 1_000, seed: int = 0) -> Correlation | None:
    """Spearman's correlation of the columns x and y, two scores of the same words; None with fewer than three words."""
    if points.height < 3:
        return None
    return correlation(points["x"].to_numpy(), points["y"].to_numpy(), resamples=resamples, seed=seed)


def _leaning_words(tables: Tables, side: str) -> set[str]:
    return set(neutral_words(tables).filter(pl.col("leaning") == side)["word"])


def _found(tables: Sequence[Tables], side: str) -> Booleans:
    """Which of the words that all tables hold lean to this side (tables, words)."""
    words = _common_words(tables)
    leaning = [_leaning_words(own, side) for own in tables]
    return np.array([[word in found for word in words] for found in leaning])


def _aligned(association: Sequence[Tables], shift: Sequence[Tables], side: str) -> Booleans:
    """The same for both tests of several models (models, tests, words)."""
    found = _found([*association, *shift], side)
    return np.stack([found[: len(association)], found[len(association) :]], axis=1)


def _common_words(tables: Sequence[Tables]) -> list[str]:
    """The neutral words of all tables, in the order of the first."""
    others = [set(neutral_words(own)["word"]) for own in tables[1:]]
    return [word for word in neutral_words(tables[0])["word"] if all(word in known for known in others)]


def _model_row(side: str, overlap: Overlap, found: int, models: int, resampling: Resampling) -> dict[str, object]:
    share = wilson_interval(overlap.share, found, resampling.confidence) if found else None
    return {
        "side": side,
        "models": f"{'all' if overlap.at_least == models else f'at least {overlap.at_least}'} of {models}",
        "words": overlap.count,
        "share": share.value if share else None,
        "low": share.low if share else None,
        "high": share.high if share else None,
        "chance_words": overlap.expected,
        "chance_low": overlap.low,
        "chance_high": overlap.high,
        "chance_share": overlap.expected_share if found else None,
        "p": overlap.p,
    }


def _test_row(scope: str, side: str, sets: Booleans, resampling: Resampling) -> dict[str, object]:
    either, both = overlaps(sets, resampling)
    by_association, by_shift = (int(found.sum()) for found in sets)
    share = (
        wilson_interval(both.count / by_association, by_association, resampling.confidence) if by_association else None
    )
    return {
        "model": scope,
        "side": side,
        "association": by_association,
        "shift": by_shift,
        "both": both.count,
        "either": either.count,
        "share_of_association": share.value if share else None,
        "low": share.low if share else None,
        "high": share.high if share else None,
        "share_of_shift": both.count / by_shift if by_shift else None,
        "chance_both": both.expected,
        "chance_low": both.low,
        "chance_high": both.high,
        "chance_either": either.expected,
        "p": both.p,
    }


def _model_sentence(side: str, counted: Sequence[Overlap], confidence: float) -> str:
    found, models = counted[0].count, len(counted)
    if not found:
        return f"No model finds a {side} word."
    two, every = counted[1], counted[-1]
    share = wilson_interval(two.share, found, confidence)
    shared = f"{two.count} of them ({interval_text(share.value, share.low, share.high, percent=True)})"
    by_all = f"; all {models} find {every.count}, by chance {_by_chance(every)}" if models > 2 else ""
    who = "both models" if models == 2 else "at least two models"
    return (
        f"{found} {side} words are found by any of {models} models, {shared} by {who}, where chance would give "
        f"{_by_chance(two)}{by_all}."
    )


def _by_chance(overlap: Overlap) -> str:
    return f"{overlap.expected:.1f} [{overlap.low:.0f}, {overlap.high:.0f}]"


def _test_sentence(row: Mapping[str, object]) -> str:
    where = "in any model" if row["model"] == _ANY else f"in {row['model']}"
    return (
        f"Of {row['association']} {row['side']} words by association and {row['shift']} by shift {where}, both tests "
        f"find {row['both']}, where chance would give {row['chance_both']:.1f} [{row['chance_low']:.0f}, "
        f"{row['chance_high']:.0f}]; either finds {row['either']}."
    )
