"""What may be said about how far verdicts depend on the wording, and when."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from tacit.methods.base import Tables, Validity, Verdict
from tacit.methods.glance import Glance, Term, find_row
from tacit.methods.wording.formulas import LABELS, PROMPTS, REST, WORDS
from tacit.methods.wording.measures import NO_CONTROL

__all__ = ["assess_validity", "glance", "headline", "key_rows", "list_verdicts", "summarize", "term"]

_FEWEST_WORDINGS = 2
_SHIFT, _ASSOCIATION = "variance share of shift", "variance share of association"
_KEY_MEASURES = (
    "ever leaning share",
    "always leaning share",
    "flipping share",
    "same verdict share",
    _SHIFT,
    _ASSOCIATION,
)
_TERMS = {
    "balanced accuracy": Term("reviews that it labels correctly in this wording (50% = chance)", percent=True),
    "leaning share": Term("words shown to shift labels in this wording", percent=True),
    "ever leaning share": Term("words shown to shift labels in some wording", percent=True),
    "always leaning share": Term("words shown to shift labels in every wording", percent=True),
    "flipping share": Term("words shown to shift labels up in one wording and down in another", percent=True),
    "same verdict share": Term("wordings in which a word has its most common verdict", percent=True),
    "same sign share": Term("wordings in which a word has its most common sign", percent=True),
    _SHIFT: Term("variance of the words' shifts that lies in", percent=True),
    _ASSOCIATION: Term("variance of the words' associations that lies in", percent=True),
}


def assess_validity(tables: Tables) -> Validity:
    """The positive control: does the model label reviews better than a coin in at least two wordings?"""
    wordings = tables["wordings"]
    passed = wordings.filter(pl.col("control") != NO_CONTROL)
    if passed.height >= _FEWEST_WORDINGS:
        return Validity()
    best = wordings.sort("accuracy", descending=True).row(0, named=True)
    share = f"{best['accuracy']:.0%} [{best['accuracy_low']:.0%}, {best['accuracy_high']:.0%}]"
    return Validity(
        "none",
        f"it is shown to label reviews better than a coin in {passed.height} of {wordings.height} wordings, and two "
        f"are needed; the best is {best['prompt']!r} with {best['labels']} ({share} of them correctly)",
    )


def list_verdicts(tables: Tables) -> list[Verdict]:
    """For each word: does it shift labels in some wording, and both ways? All hold at once."""
    verdicts = []
    for word, ever, flips, error in tables["words"].select("word", "ever", "flips", "error").iter_rows():
        verdicts.append(Verdict(f"{word} shifts labels in a wording", ever, "words that shift labels", "holm", error))
        verdicts.append(Verdict(f"{word} flips with the wording", flips, "words that flip", "holm", error))
    return verdicts


def headline(runs: Mapping[str, Tables]) -> str:
    """How many words keep their verdict in all wordings, in each model."""
    return " ".join(_headline_of(tables, model) for model, tables in runs.items())


def summarize(tables: Tables, model: str) -> list[str]:
    """How well the wordings label, how many words lean in each, and what the scores depend on.

    Args:
        tables: The tables of `compute_measures`.
        model: The model's name.
    """
    wordings = tables["wordings"]
    passed = wordings.filter(pl.col("control") != NO_CONTROL)
    sentences = [
        f"{model} labels {_range(wordings['accuracy'])} of the reviews correctly, depending on the prompt and the "
        f"label words, and is shown to do better than a coin in {passed.height} of {wordings.height} wordings."
    ]
    if passed.height:
        sentences.append(
            f"In these, {_range(passed['leaning_share'])} of the words are shown to shift labels; that any verdict is "
            f"wrong has a probability of at most {tables['words']['error'][0]:.0%}, for reviews like these."
        )
    for measure, test in ((_SHIFT, "shift"), (_ASSOCIATION, "association")):
        sentences += _variance(tables["measures"], measure, test)
    left_out = tables["left_out"]["label_words"].to_list()
    if left_out:
        sentences.append(f"Left out, because {model} splits one of the two words: {', '.join(left_out)}.")
    return sentences


def key_rows(tables: Tables) -> pl.DataFrame:
    """How many words lean and flip, and the variance shares."""
    return tables["measures"].filter(pl.col("measure").is_in(_KEY_MEASURES)).head(10)


def glance(tables: Tables) -> Glance | None:
    """The share of words that keep their verdict, and how many flip."""
    row, words = find_row(tables["measures"], "same verdict share"), tables["words"]
    if row is None:
        return None
    ever, flips = int(words["ever"].sum()), int(words["flips"].sum())
    phrase = f"{flips} of {words.height} words flip with the wording"
    detail = f"{ever} of {words.height} words shift labels in some wording, {int(words['always'].sum())} in all."
    label = "Wordings in which a word has its most common verdict"
    return Glance(phrase, row, label, ends=(0.0, 1.0), percent=True, detail=detail)


def term(measure: str) -> Term:
    """A measure in plain words."""
    return _TERMS.get(measure, Term(measure))


def _headline_of(tables: Tables, model: str) -> str:
    words, wordings = tables["words"], tables["wordings"].filter(pl.col("control") != NO_CONTROL).height
    ever, always, flips = (int(words[name].sum()) for name in ("ever", "always", "flips"))
    if not ever:
        none = f"None of {words.height} neutral words is shown to shift the labels of {model}"
        return f"{none} in any of {wordings} wordings."
    return (
        f"{ever} of {words.height} neutral words shift the labels of {model} in some of {wordings} wordings, {always} "
        f"in all of them, and {flips} in opposite directions."
    )


def _variance(measures: pl.DataFrame, measure: str, test: str) -> list[str]:
    rows = {row["group"]: row for row in measures.filter(pl.col("measure") == measure).to_dicts()}
    if not rows:
        return []
    names = {WORDS: "the words", PROMPTS: "the prompt", LABELS: "the label words", REST: "both together"}
    parts = [
        f"{name} {row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
        for group, name in names.items()
        if (row := rows.get(group))
    ]
    return [f"Of the variance of the words' scores in the {test} test: {', '.join(parts)}."]


def _range(shares: pl.Series) -> str:
    least, most = (float(end) for end in (np.min(shares.to_numpy()), np.max(shares.to_numpy())))
    return f"{least:.0%}" if least == most else f"{least:.0%} to {most:.0%}"
