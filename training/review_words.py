"""Does a word's association follow what a standard read? Its odds in good against bad reviews of the training text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.stats import rankdata

from tacit.errors import TacitError
from tacit.runs import open_run
from tacit.statistics import Interval, correlation
from training.corpora import cache_folder
from training.passages import Passage, share
from training.reading import read
from training.texts import VARIETIES, is_held_out, split

__all__ = ["correlation_gap", "follows_text", "log_odds", "training_reviews", "word_odds"]

Floats = npt.NDArray[np.float64]

# The sources of `modern` whose texts are rated.
RATED = ("reviews", "vader")
LABELS = ("positive", "negative")
POLARITIES = ("neutral", "positive", "negative")
FEWEST = 3


def log_odds(in_first: int, first: int, in_second: int, second: int) -> float:
    """log((a + ½) / (A − a + ½)) − log((b + ½) / (B − b + ½)): how much likelier a word is in texts of the first kind.

    Args:
        in_first: The number a of texts of the first kind that hold the word.
        first: The number A of texts of the first kind.
        in_second: The number b of texts of the second kind that hold it.
        second: The number B of texts of the second kind.
    """
    return float(
        np.log((in_first + 0.5) / (first - in_first + 0.5)) - np.log((in_second + 0.5) / (second - in_second + 0.5))
    )


def training_reviews(folder: Path) -> list[Passage]:
    """The rated passages that `modern` was trained on."""
    taken = VARIETIES["modern"]
    passages = (
        passage
        for name in RATED
        for passage in read(name, folder)
        if share(passage.key + "-taken") < taken[name] or is_held_out(passage.key)
    )
    return [passage for passage in split(passages).training if passage.label in LABELS]


def word_odds(passages: Iterable[Passage], words: Iterable[str]) -> pl.DataFrame:
    """How often each word occurs in positive and in negative passages.

    Returns:
        The columns word, positive and negative (passages that hold the word), and log_odds.
    """
    wanted = {word.lower(): word for word in words}
    totals: Counter[str] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    for passage in passages:
        totals[passage.label] += 1
        held = {*re.findall(r"[a-z]+", passage.text.lower())} & wanted.keys()
        counts.update((word, passage.label) for word in held)
    rows = []
    for word, name in wanted.items():
        good, bad = (counts[word, label] for label in LABELS)
        rows.append((name, good, bad, log_odds(good, totals[LABELS[0]], bad, totals[LABELS[1]])))
    schema = {"word": pl.String, "positive": pl.Int64, "negative": pl.Int64, "log_odds": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def correlation_gap(first: Floats, second: Floats, text: Floats, resamples: int = 2_000, seed: int = 0) -> Interval:
    """ρ(first, text) − ρ(second, text), Spearman's, with the percentile interval of resampling words.

    A control that never read the text shares the probe's reviews and words with the model, so that only what the model
    has beyond the control can come from the text.
    """
    rng, words = np.random.default_rng(seed), text.size
    draws = [np.arange(words), *rng.integers(0, words, (resamples, words))]
    gaps = [_rank_correlation(first[draw], text[draw]) - _rank_correlation(second[draw], text[draw]) for draw in draws]
    low, high = np.nanquantile(gaps[1:], (0.025, 0.975))
    return Interval(gaps[0], float(low), float(high), 0.95, words, "percentile")


def follows_text(run: Path, folder: Path | None = None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The words of a run of `sentiment-association` beside their odds in the training text.

    Args:
        run: The run's folder.
        folder: Where the packages are.

    Returns:
        The words with their effect and log-odds; and for each polarity the rank correlation of both over words, with
        its interval.
    """
    words = open_run(run).tables["words"]
    if "effect" not in words.columns:
        raise TacitError(f"{run} has no effects of words. Name a run of sentiment-association in the mode corrected.")
    odds = word_odds(training_reviews(folder or cache_folder()), words["word"])
    joined = words.select("word", "polarity", "effect").join(odds, on="word")
    rows = []
    for polarity in (*POLARITIES, "all"):
        own = joined if polarity == "all" else joined.filter(pl.col("polarity") == polarity)
        often = own.filter(pl.col("positive") + pl.col("negative") >= FEWEST)
        if often.height > 2:
            ranks = correlation(often["effect"].to_numpy(), often["log_odds"].to_numpy())
            rows.append((polarity, often.height, ranks.value, ranks.low, ranks.high))
    floats = dict.fromkeys(("rank_correlation", "low", "high"), pl.Float64)
    return joined, pl.DataFrame(rows, schema={"polarity": pl.String, "words": pl.Int64, **floats}, orient="row")


def _rank_correlation(x: Floats, y: Floats) -> float:
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])
