"""Whether a run can be interpreted: enough is rated, raters agree, and the model finds words that fit."""

from __future__ import annotations

import math

import polars as pl

from tacit.methods.base import FEW_UNITS, Tables, Validity
from tacit.methods.valence.control import FOUND
from tacit.numbers import interval_text

__all__ = ["judge_validity"]

# If less than half of what a model says is rated, the bounds of beta span more than half of the scale.
_LEAST_RATED = 0.5
# The bounds are then at most one of five points of the scale apart.
_WELL_RATED = 0.75
# Krippendorff (2004): below .667 no conclusion should be drawn from the ratings.
_LEAST_ALPHA = 0.667
# Five words of a vocabulary of 30,000 have 0.02% if all words are equally likely.
_LEAST_MASS = 0.01
_LITTLE_MASS = 0.1
_ADVICE = "rate more with `tacit rate sheet`, then recompute the run with `tacit measure --ratings current`"


def judge_validity(tables: Tables) -> Validity:
    """Interpretable if most fillings are rated, they are probable, raters agree, and the words that fit are found."""
    checks = [_rated(tables), _agreement(tables), _mass(tables), _control(tables)]
    reasons = {level: [check.reason for check in checks if check.level == level] for level in ("none", "weak")}
    if reasons["none"]:
        return Validity("none", reasons["none"][0])
    return Validity("weak", "; ".join(reasons["weak"])) if reasons["weak"] else Validity()


def _rated(tables: Tables) -> Validity:
    rated = float(tables["sentences"]["rated"].to_numpy().mean())
    if rated >= _WELL_RATED:
        return Validity()
    if rated < _LEAST_RATED:
        found = f"only {rated:.0%} of the probability of its likeliest fillings is rated"
        return Validity("none", f"{found if rated > 0 else 'none of its likeliest fillings is rated'}; {_ADVICE}")
    return Validity("weak", f"only {rated:.0%} of the probability of its likeliest fillings is rated; {_ADVICE}")


def _agreement(tables: Tables) -> Validity:
    """One rater has no agreement to check; the summary says so."""
    if "agreement" not in tables:
        return Validity()
    alpha, low, high, tokens = tables["agreement"].select("alpha", "low", "high", "tokens").row(0)
    if tokens < FEW_UNITS:
        return Validity("weak", f"how well its raters agree is known from only {tokens} tokens that several rated")
    if math.isnan(alpha):
        return Validity()
    found = f"Krippendorff's alpha {interval_text(alpha, low, high)} over {tokens} tokens; {_LEAST_ALPHA} is the least"
    if high < _LEAST_ALPHA:
        return Validity("none", f"its raters do not agree ({found}). Choose raters with `--set raters=NAME`")
    return Validity("weak", f"its raters may not agree well enough ({found})") if low < _LEAST_ALPHA else Validity()


def _mass(tables: Tables) -> Validity:
    mass = float(tables["sentences"]["mass"].to_numpy().mean())
    if mass >= _LITTLE_MASS:
        return Validity()
    shown = f"{mass:.0%}" if mass >= _LEAST_MASS else f"{mass:.2%}"
    return Validity(
        "none" if mass < _LEAST_MASS else "weak", f"its likeliest fillings have only {shown} of its probability"
    )


def _control(tables: Tables) -> Validity:
    """A study's printed sentences illustrate its arithmetic, so nothing is asked of their models."""
    rows = tables["measures"].filter(pl.col("measure") == FOUND)
    if "published" in tables:
        return Validity()
    if rows.is_empty():
        return Validity("weak", "no sentence names its original word, so nothing shows that it can fill them")
    row = rows.row(0, named=True)
    if row["low"] > row["neutral"]:
        return Validity()
    found = f"{row['value'] * row['n']:.0f} of {row['n']} original words, {row['neutral']:.0%} by chance"
    reason = f"it does not find the words that fit ({found})"
    return Validity("none" if row["n"] >= FEW_UNITS else "weak", reason)
