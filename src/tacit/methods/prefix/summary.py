"""The headline and the sentences of the prefix method, and when each may be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.prefix.baseline import CHANGED_BY_REGION, CHANGED_BY_SENTENCE, SENTENCE_ALONE
from tacit.methods.prefix.measures import CHANGED, probability_change
from tacit.methods.prefix.quality import ACCURACY_CHANGE, ALL_REGIONS, TEXTS_ALONE
from tacit.methods.prefix.regions import MATTERS, MOVES, REGIONS_DIFFER, UNDECIDED
from tacit.methods.prefix.verdicts import ACCURACY_SIDES, PROBABILITY_SIDES
from tacit.numbers import interval_text, p_text

__all__ = ["headline", "key_rows", "summarize"]

_NAMED_REGIONS = 5
_MOST_ROWS = 10
_Row = dict[str, Any]


def headline(runs: Mapping[str, Tables]) -> str:
    """How many labels a region changes, and whether it matters which region is named."""
    return " ".join(_changes(tables, model) for model, tables in runs.items())


def summarize(tables: Tables) -> list[str]:
    """Which regions stand out, what any region does to probability and accuracy, and which labels change."""
    return [
        *_single_regions(tables),
        *_probability(tables),
        *_baseline(tables),
        *_accuracy(tables),
        *_directions(tables),
    ]


def key_rows(tables: Tables) -> pl.DataFrame:
    """Changed labels, whether regions differ, what any region does, and how well the texts alone are labeled."""
    rows = tables["measures"].filter(pl.col("item").is_null())
    target = tables["about"]["target"][0]
    order = [CHANGED, REGIONS_DIFFER, probability_change(target), ACCURACY_CHANGE, "accuracy"]
    order += [CHANGED_BY_SENTENCE, CHANGED_BY_REGION]
    first = [rows.filter(pl.col("measure") == measure) for measure in order]
    directions = rows.filter(pl.col("measure").str.contains(" → ", literal=True))
    return pl.concat([*first, directions]).drop_nulls("value").head(_MOST_ROWS)


def _row(tables: Tables, measure: str, group: str = ALL_REGIONS) -> _Row | None:
    chosen = (pl.col("measure") == measure) & (pl.col("group") == group) & pl.col("item").is_null()
    rows = tables["measures"].filter(chosen)
    return rows.row(0, named=True) if len(rows) else None


def _value(row: _Row, *, percent: bool = False) -> str:
    return interval_text(row["value"], row["low"], row["high"], percent=percent)


def _cautious(row: _Row) -> str:
    return f"; {row['caution']}" if row["caution"] else ""


def _changes(tables: Tables, model: str) -> str:
    changed, spread = _row(tables, CHANGED), _row(tables, REGIONS_DIFFER)
    about, regions = tables["about"].row(0, named=True), tables["regions"]
    share = "" if changed is None else f"{_value(changed, percent=True)} of the labels of {about['texts']} texts"
    caution = "" if changed is None else _cautious(changed).replace("; ", " (", 1)
    text = f"Naming a region changes {share}{f'{caution})' if caution else ''} in {model}"
    if spread is None:
        return f"{text}."
    numbers = f"{len(regions)} regions, {p_text(spread['p_adjusted'])}"
    if spread["verdict"] == MATTERS:
        return f"{text}, and it matters which region is named ({numbers})."
    return f"{text}; that it matters which region is named cannot be shown ({numbers})."


def _single_regions(tables: Tables) -> Iterator[str]:
    regions, target = tables["regions"], tables["about"]["target"][0]
    if "verdict" not in regions.columns:
        return
    parts = []
    for verdict, where, descending in ((MOVES[0], "above", True), (MOVES[1], "below", False)):
        found = regions.filter(pl.col("verdict") == verdict).sort("against_mean", descending=descending)
        if len(found):
            names = ", ".join(found["name"].head(_NAMED_REGIONS))
            more = ", ..." if len(found) > _NAMED_REGIONS else ""
            parts.append(f"{len(found)} {where} the mean of all regions ({names}{more})")
    tests = f"corrected for {len(regions)} regions"
    if parts:
        yield f"Regions that stand out by the probability of {target}: {'; '.join(parts)}; {tests}."
    else:
        yield f"No single region is shown to stand out by the probability of {target} ({tests})."


def _probability(tables: Tables) -> Iterator[str]:
    target = tables["about"]["target"][0]
    row = _row(tables, probability_change(target))
    if row is None or row["verdict"] is None:
        return
    numbers = f"by {_value(row)}, {p_text(row['p_adjusted'])}{_cautious(row)}"
    if row["verdict"] == UNDECIDED:
        yield f"Whether naming a region as such moves the probability of {target} cannot be told ({numbers})."
        return
    verb = "raises" if row["verdict"] == PROBABILITY_SIDES[0] else "lowers"
    yield f"Whichever region it names, the sentence {verb} the probability of {target} on average ({numbers})."


def _baseline(tables: Tables) -> Iterator[str]:
    """What is the sentence's doing and what the region's: two numbers, no claim."""
    sentence, region = _row(tables, CHANGED_BY_SENTENCE, SENTENCE_ALONE), _row(tables, CHANGED_BY_REGION)
    if sentence is None or region is None:
        return
    changes = [f"{_value(row, percent=True)}{_cautious(row).replace('; ', ', ', 1)}" for row in (sentence, region)]
    yield (
        f"The sentence without a region (“{tables['about']['baseline'][0]}”) changes {changes[0]} of the labels; a "
        f"region's name in it changes {changes[1]} once more."
    )


def _accuracy(tables: Tables) -> Iterator[str]:
    alone, change = _row(tables, "accuracy", TEXTS_ALONE), _row(tables, ACCURACY_CHANGE)
    if alone is None or change is None or change["verdict"] is None:
        return
    ends = (None if change[name] is None else 100 * change[name] for name in ("value", "low", "high"))
    numbers = f"{interval_text(*ends)} points, {p_text(change['p_adjusted'])}{_cautious(change)}"
    claims = {
        ACCURACY_SIDES[0]: f"naming a region improves that ({numbers})",
        ACCURACY_SIDES[1]: f"naming a region makes that worse ({numbers})",
        UNDECIDED: f"whether naming a region changes that cannot be told ({numbers})",
    }
    yield f"It labels {_value(alone, percent=True)} of the texts alone correctly; {claims[change['verdict']]}."


def _directions(tables: Tables) -> Iterator[str]:
    rows = tables["measures"].filter(
        pl.col("measure").str.contains(" → ", literal=True) & pl.col("item").is_null() & (pl.col("value") > 0)
    )
    if rows.is_empty():
        return
    parts = [f"{row['measure']} {_value(row, percent=True)}" for row in rows.head(4).iter_rows(named=True)]
    yield f"Labels change in these directions (shares of all labels): {', '.join(parts)}."
