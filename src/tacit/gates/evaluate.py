"""Whether a rule is kept: decided by an interval, never by a value alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from tacit.gates.rules import Rule, Rules
from tacit.registry import did_you_mean
from tacit.runs import Run
from tacit.runs.comparable import why_not_asked
from tacit.runs.compare import Comparison
from tacit.runs.text import interval_text

__all__ = ["Decision", "Outcome", "decide", "evaluate", "evaluate_difference"]

Decision = Literal["pass", "fail", "cannot tell"]


@dataclass(frozen=True)
class Outcome:
    """What came of one rule.

    Attributes:
        rule: The rule.
        decision: "pass" if the whole interval keeps the bound, "fail" if the whole interval breaks it.
        value: The value, or the difference from the baseline; None if the model cannot be asked.
        low: The lower end of the interval.
        high: The upper end.
        reason: Why it cannot be told; empty otherwise.
        blocks: Whether the gate is closed by this.
    """

    rule: Rule
    decision: Decision
    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    blocks: bool = False

    @property
    def numbers(self) -> str:
        """The value with its interval, such as "0.534 [0.502, 0.566]"; a dash if there is none."""
        return "–" if self.value is None else interval_text(self.value, self.low, self.high)


def evaluate(rules: Rules, rule: Rule, run: Run) -> Outcome:
    """Hold a measure of a run against a rule."""
    unasked = why_not_asked(run)
    row = _row(rules, rule, run.measures, "value")
    return _outcome(rules, rule, row, "value", unasked)


def evaluate_difference(rules: Rules, rule: Rule, comparison: Comparison | None, unasked: str | None) -> Outcome:
    """Hold the difference from the baseline against a rule.

    Args:
        rules: All rules.
        rule: The rule.
        comparison: The comparison of the model, named first, with the baseline; None if they cannot be compared.
        unasked: Why one of the two cannot be asked.
    """
    row = None if comparison is None else _row(rules, rule, comparison.table, "difference")
    return _outcome(rules, rule, row, "difference", unasked)


def decide(rule: Rule, low: float, high: float) -> Decision:
    """Hold an interval against the bounds of a rule.

    With a 95 % interval, a model whose true value breaks a bound passes in at most 2.5 % of runs, and one whose true
    value keeps it fails in at most 2.5 %.
    """
    most = math.inf if rule.at_most is None else rule.at_most
    least = -math.inf if rule.at_least is None else rule.at_least
    if least <= low and high <= most:
        return "pass"
    return "fail" if low > most or high < least else "cannot tell"


def _outcome(rules: Rules, rule: Rule, row: dict[str, Any] | None, column: str, unasked: str | None) -> Outcome:
    may_pass = rules.allows_unknown(rule)
    if unasked or row is None:
        return Outcome(rule, "cannot tell", reason=unasked or "it cannot be compared", blocks=not may_pass)
    value, low, high = row[column], row["low"], row["high"]
    numbers = {"value": value, "low": low, "high": high}
    reason = ""
    if low is None or high is None:
        reason = "the measure has no interval"
    elif row.get("caution") and not rule.accept_caution:
        reason = f"the interval is marked: {row['caution']} (accept-caution: true takes it all the same)"
    decision: Decision = "cannot tell" if reason else decide(rule, low, high)
    if decision == "cannot tell" and not reason:
        reason = "the interval holds values on both sides of the bound"
    blocks = decision == "fail" or (decision == "cannot tell" and not may_pass)
    return Outcome(rule, decision, **numbers, reason=reason, blocks=blocks)


def _row(rules: Rules, rule: Rule, table: pl.DataFrame, column: str) -> dict[str, Any]:
    """The one row that a rule means; none or several are an error that names what there is."""
    rows = _named(rules, rule, table, "measure", rule.measure)
    if rule.group is not None:
        rows = _named(rules, rule, rows, "group", rule.group)
    if "item" in table.columns:
        rows = rows.filter(pl.col("item").is_null()) if rule.item is None else _item(rules, rule, rows)
    if column == "difference" and rule.group is None:
        rows = rows.head(1)  # the headline row, over all items
    if rows.height != 1:
        groups = ", ".join(repr(name) for name in rows["group"].unique(maintain_order=True).to_list()[:12])
        needed = "item" if rows.is_empty() else "group"
        raise rules.refuse(rule, f"{rule.measure!r} has {rows.height} rows. Add {needed}: {groups or 'a word'}.")
    return rows.row(0, named=True)


def _item(rules: Rules, rule: Rule, rows: pl.DataFrame) -> pl.DataFrame:
    return _named(rules, rule, rows, "item", str(rule.item))


def _named(rules: Rules, rule: Rule, table: pl.DataFrame, column: str, name: str) -> pl.DataFrame:
    rows = table.filter(pl.col(column) == name)
    if rows.is_empty():
        known = [value for value in table[column].unique(maintain_order=True).to_list() if value is not None]
        raise rules.refuse(rule, f"{rule.probe} has no {column} {name!r}: {did_you_mean(name, known)}")
    return rows
