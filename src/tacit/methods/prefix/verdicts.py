"""What may be claimed of naming a region, and every claim that the summary could make."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.methods.base import MeasureRow, Tables, Verdict
from tacit.methods.prefix.quality import ACCURACY_CHANGE, ALL_REGIONS
from tacit.methods.prefix.regions import AGAINST_MEAN, ERROR, REGIONS_DIFFER, UNDECIDED
from tacit.statistics import holm

__all__ = ["ACCURACY_SIDES", "PROBABILITY_SIDES", "judge_all_regions", "list_verdicts"]

PROBABILITY_SIDES = ("raised", "lowered")
ACCURACY_SIDES = ("improved", "made worse")


def judge_all_regions(rows: list[MeasureRow | None]) -> list[MeasureRow]:
    """What naming any region does to the target's probability and to accuracy: one family, corrected by Holm."""
    tested = [row for row in rows if row is not None]
    numbers = np.array([(row["p"], row["value"]) for row in tested], dtype=np.float64).reshape(-1, 2)
    judged = []
    for row, p, value in zip(tested, holm(numbers[:, 0]), numbers[:, 1], strict=True):
        if np.isnan(p):
            judged.append({**row, "p": None})
            continue
        sides = ACCURACY_SIDES if row["measure"] == ACCURACY_CHANGE else PROBABILITY_SIDES
        verdict = sides[int(value < 0)] if p < ERROR else UNDECIDED
        judged.append({**row, "p_adjusted": float(p), "verdict": verdict})
    return judged


def list_verdicts(tables: Tables) -> list[Verdict]:
    """Two families: what naming any region does, and which regions stand out (if one does, regions differ)."""
    measures = tables["measures"].filter(pl.col("verdict").is_not_null())
    verdicts = []
    for row in measures.iter_rows(named=True):
        holds = row["verdict"] != UNDECIDED
        if row["measure"] == AGAINST_MEAN:
            claim = Verdict(f"{row['item']} stands out", holds, "regions differ", "max", ERROR)
        elif row["measure"] == REGIONS_DIFFER:
            claim = Verdict("regions differ", holds, "regions differ", "max", ERROR)
        else:
            claim = Verdict(f"{row['measure']} ({ALL_REGIONS})", holds, "any region", "holm", ERROR)
        verdicts.append(claim)
    return verdicts
