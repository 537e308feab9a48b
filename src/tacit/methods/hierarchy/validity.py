"""Whether a run can be interpreted: does the model pass the positive controls?"""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.base import FEW_UNITS, Tables, Validity
from tacit.methods.hierarchy.positive_controls import SEVERAL_TOKENS, TEMPLATES_AGREE, WORD_ORDER, WORD_SPREAD
from tacit.numbers import interval_text, number

__all__ = ["judge_validity"]

# A model that ignores the word gives every word the same score, up to rounding (scores are log-likelihoods per token).
_LEAST_SPREAD = 1e-4
# Above this share a vector says more about how names are cut up than about what follows them.
_MOST_SPLIT_NAMES = 0.95


def judge_validity(tables: Tables) -> Validity:
    """Interpretable if scores depend on the word, natural order is preferred, names are words, and templates agree."""
    spread, order = _row(tables, WORD_SPREAD), _row(tables, WORD_ORDER)
    if spread is not None and spread["value"] < _LEAST_SPREAD:
        return Validity("none", f"its scores do not depend on the word (standard deviation {number(spread['value'])})")
    if order is not None and order["low"] <= 0.5 and (order["n"] >= FEW_UNITS or order["value"] <= 0.5):
        share = interval_text(order["value"], order["low"], order["high"], percent=True)
        return Validity("none", f"it finds sentences no likelier than the same words in reverse order ({share})")
    reasons = [*_weak_order(order), *_weak_names(tables), *_weak_templates(tables)]
    return Validity("weak", "; ".join(reasons)) if reasons else Validity()


def _row(tables: Tables, measure: str) -> dict[str, Any] | None:
    rows = tables["measures"].filter(pl.col("measure") == measure)
    return rows.row(0, named=True) if len(rows) else None


def _weak_order(order: dict[str, Any] | None) -> list[str]:
    if order is None:
        return ["it was not asked for sentences in reverse order, so nothing shows that it can score sentences"]
    return [f"only {order['n']} words show that it prefers natural word order"] if order["low"] <= 0.5 else []


def _weak_names(tables: Tables) -> list[str]:
    row = _row(tables, SEVERAL_TOKENS)
    if row is None or row["value"] <= _MOST_SPLIT_NAMES:
        return []
    return [f"it splits {row['value']:.0%} of the names into several tokens, so spelling weighs heavily"]


def _weak_templates(tables: Tables) -> list[str]:
    row = _row(tables, TEMPLATES_AGREE)
    if row is None or row["low"] is None or row["low"] > 0:
        return []
    agreement = interval_text(row["value"], row["low"], row["high"])
    return [f"paraphrased templates do not single out the same regions (rank correlation {agreement})"]
