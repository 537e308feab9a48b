"""Which way beta leans in a group of sentences: the words of the verdict, and every claim with its error."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables, Verdict

__all__ = ["SIGNIFICANT", "UNDECIDED", "choose_verdict", "list_verdicts"]

UNDECIDED = "undecided"
SIGNIFICANT = 0.05


def choose_verdict(p_adjusted: float, low: float, high: float, neutral: float, poles: tuple[str, str]) -> str:
    """A leaning is stated only if the corrected test and the interval agree, whatever the unrated fillings would score.

    Args:
        p_adjusted: The p-value of "no leaning" over the bounds, corrected for the number of groups.
        low: The low end of the interval of beta.
        high: The high end.
        neutral: The value that leans to neither pole.
        poles: What the lowest and the highest point of the scale stand for.
    """
    if not p_adjusted < SIGNIFICANT or low <= neutral <= high:
        return UNDECIDED
    return f"leans to {poles[0] if high < neutral else poles[1]}"


def list_verdicts(tables: Tables) -> list[Verdict]:
    """One family: whether beta leans in each group of sentences, corrected by Holm."""
    rows = tables["measures"].filter((pl.col("measure") == "beta") & pl.col("verdict").is_not_null())
    return [
        Verdict(f"beta leans ({row['group']})", row["verdict"] != UNDECIDED, "leans", "holm", SIGNIFICANT)
        for row in rows.iter_rows(named=True)
    ]
