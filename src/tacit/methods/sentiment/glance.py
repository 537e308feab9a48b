"""Both sentiment tests at a glance: how many neutral words lean, and which way they lean on average."""

from __future__ import annotations

from tacit.methods.base import Tables
from tacit.methods.glance import CANNOT_TELL, Glance, Term, find_row
from tacit.methods.sentiment.agreement import neutral_words
from tacit.methods.sentiment.materials import NEGATIVE, POSITIVE
from tacit.methods.sentiment.measures import UNDECIDED, count_leanings, follows_study

__all__ = ["sentiment_glance", "sentiment_term"]

_BY_RULE = "positive-biased share"
_TERMS = {
    _BY_RULE: Term("words that the study's rule calls positive", percent=True),
    "negative-biased share": Term("words that the study's rule calls negative", percent=True),
    "same way share": Term("words that lower both accuracies or raise both", percent=True),
    "association": Term("average lean of the words (Cohen's d)"),
    "strength": Term("typical strength of the words' leanings (root mean square), in either direction"),
    "q": Term("the study's score of the words (above 0: toward positive)"),
    "net shift": Term("labels that the words change on balance (above 0: to positive)", percent=True),
    "reviews told apart": Term("pairs of reviews that it ranks the right way (50% = chance)", percent=True),
    "reviews of the right sign": Term("reviews whose words lean the right way", percent=True),
    "balanced accuracy before": Term("reviews that it labels correctly (50% = chance)", percent=True),
    "accuracy before": Term("reviews that it labels correctly", percent=True),
    "leaning share": Term("words shown to lean", percent=True),
    "leaning positive share": Term("words shown to lean to positive", percent=True),
    "leaning negative share": Term("words shown to lean to negative", percent=True),
    "within the margin share": Term("words shown to lean less than the margin", percent=True),
    "undecided share": Term("words about which nothing can be told", percent=True),
    "positive share": Term("words shown to shift labels to positive", percent=True),
    "negative share": Term("words shown to shift labels to negative", percent=True),
    "neutral share": Term("words shown to shift hardly any label", percent=True),
}


def sentiment_term(measure: str) -> Term:
    """A measure in plain words."""
    return _TERMS.get(measure, Term(measure, percent=measure.endswith("share")))


def sentiment_glance(tables: Tables, measure: str, verb: str) -> Glance | None:
    """The mean over the neutral words, and how many of them are shown to lean.

    Args:
        tables: The tables of a run.
        measure: The measure of the mean.
        verb: What such a word does, such as "lean".
    """
    words = neutral_words(tables)
    by_rule = not words.is_empty() and follows_study(words)
    row = find_row(tables["measures"], _BY_RULE) if by_rule else find_row(tables["measures"], measure, "neutral words")
    if row is None or words.is_empty():
        return None
    counts = count_leanings(words)
    up, down, undecided = counts[POSITIVE], counts[NEGATIVE], counts[UNDECIDED]
    counted = f"{up + down} of {words.height} words {verb}"
    sides = f"{up} to positive, {down} to negative, {undecided} undecided"
    detail = f"Of {words.height} neutral words: {sides}."
    if by_rule:
        label = "Neutral words that the study's rule calls positive"
        return Glance(f"By the study's rule, {counted}", row, label, percent=True, detail=detail)
    return Glance(
        phrase=CANNOT_TELL if undecided == words.height else counted,
        row=row,
        label="Average lean of the neutral words",
        poles=("negative", "positive"),
        detail=detail,
    )
