"""Contrast at a glance: in how many items the word ranks above its rival."""

from __future__ import annotations

from tacit.methods.base import Tables
from tacit.methods.contrast.fillings import FIRST
from tacit.methods.contrast.regression import OUTCOMES
from tacit.methods.contrast.verdicts import ALL_ITEMS
from tacit.methods.glance import Glance, Term, find_row, lean_phrase
from tacit.numbers import interval_text

__all__ = ["glance", "term"]

_TERMS = {
    "acc": Term("sentences in which the word ranks above its rival", percent=True),
    "MRR": Term("how high the word ranks among all words (mean of 1/rank)"),
    "diff": Term("how many ranks the rival is ahead"),
}
_TOUCHES = {
    " without context": ", asked without the sentence",
    " gain from context": ": what the sentence adds",
    " difference": ": difference between the categories",
}


def term(measure: str) -> Term:
    """A measure in plain words."""
    if measure in _TERMS:
        return _TERMS[measure]
    for ending, words in _TOUCHES.items():
        base = _TERMS.get(measure.removesuffix(ending))
        if measure.endswith(ending) and base is not None:
            return Term(base.words + words, base.percent)
    if measure.startswith(FIRST):
        return Term(measure, percent=True)
    if " ~ " in measure:
        score, _, cause = measure.partition(" ~ ")
        if score in OUTCOMES:
            return Term(f"how the rank difference changes with {cause}, in {OUTCOMES[score]}")
        return Term(f"does {'accuracy' if score == 'acc' else score} rise with {cause}?")
    return Term(measure)


def glance(tables: Tables) -> Glance | None:
    """Accuracy over all items: half of them would be no preference."""
    row = find_row(tables["measures"], "acc", ALL_ITEMS)
    if row is None:
        return None
    about = tables["about"].row(0, named=True)
    value = interval_text(row["value"], None, None, percent=True)
    if about["two_sided"]:
        word, rival = f"the right {about['noun']}", f"the wrong {about['noun']}"
    else:
        word, rival = f"the {about['noun']}", about["against"]
    return Glance(
        phrase=lean_phrase(row, f"No: prefers {rival}", f"Yes: prefers {word}"),
        row=row,
        label=f"Sentences in which {word} ranks above {rival}",
        poles=(rival, word),
        ends=(0, 1),
        percent=True,
        detail=f"{word.capitalize()} wins in {value} of the sentences; 50% would be no preference.",
    )
