"""The headline and the sentences of the hierarchy method, and when each may be said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tacit.methods.base import Tables, Verdict, plural
from tacit.methods.hierarchy.controls import LESS_ALIKE, MEAN_OF_TOPS, MORE_ALIKE, SHUFFLED
from tacit.methods.hierarchy.headline import C_W, C_Z, SIGNIFICANT, UNDECIDED
from tacit.methods.hierarchy.ranking import HIGHEST
from tacit.numbers import interval_text, number, p_text

__all__ = ["headline_sentence", "key_rows", "list_verdicts", "summarize"]

_MOST_ROWS = 10
_MOST_NAMES = 6


def headline_sentence(tables: Mapping[str, Tables]) -> str:
    """Whether regions are described by where they are: are parts of one top region more alike than random ones?"""
    return " ".join(_grouping(model_tables, model) for model, model_tables in tables.items())


def summarize(tables: Tables, model: str) -> list[str]:
    """The overall C_w, which top regions stand out, which is highest, and how many regions have no C of their own."""
    return [_overall(tables, model), *_single_regions(tables), _highest(tables), *_without_c(tables)]


def list_verdicts(tables: Tables) -> list[Verdict]:
    """Three families: the grouping as a whole, each top region (Holm), and which top region has the highest C_w."""
    measures = tables["measures"].filter(pl.col("item").is_null())
    verdicts = []
    for row in measures.filter(pl.col("measure").is_in([SHUFFLED, HIGHEST])).iter_rows(named=True):
        holds = row["verdict"] not in (None, UNDECIDED)
        if row["measure"] == HIGHEST:
            claim = Verdict("one top region has the highest C_w", holds, "highest", error=SIGNIFICANT)
        elif row["group"] == MEAN_OF_TOPS:
            claim = Verdict("the grouping matters", holds, "grouping", error=SIGNIFICANT)
        else:
            claim = Verdict(f"the grouping matters ({row['group']})", holds, "top regions", "holm", SIGNIFICANT)
        verdicts.append(claim)
    return verdicts


def key_rows(tables: Tables) -> pl.DataFrame:
    """C_w of the whole and of the top regions, the comparison with shuffled trees, and the highest region."""
    rows = tables["measures"].filter(pl.col("item").is_null())
    tested = rows.filter((pl.col("measure") == HIGHEST) | (pl.col("group") == MEAN_OF_TOPS))
    values = rows.filter(pl.col("measure") == C_W).sort("value", descending=True, nulls_last=True)
    overall = rows.filter((pl.col("measure") == C_Z) & (pl.col("group") == _whole(tables)["group"]))
    return pl.concat([tested, values, overall]).head(_MOST_ROWS)


def _whole(tables: Tables) -> dict[str, Any]:
    return tables["measures"].filter((pl.col("measure") == C_W) & pl.col("item").is_null()).row(-1, named=True)


def _levels(tables: Tables) -> list[str]:
    """What the top regions and the levels below them are called: "continent", "country", "city"."""
    regions = tables["regions"]
    top = regions.filter(pl.col("name") == pl.col("top")).row(0, named=True)
    below = regions.filter(pl.col("depth") > top["depth"]).sort("depth", maintain_order=True)
    return [top["level"], *below.unique("depth", keep="first", maintain_order=True)["level"]]


def _parts(tables: Tables) -> str:
    """What the parts of a top region are called, in the plural: "countries"."""
    levels = _levels(tables)
    return plural(levels[1]) if len(levels) > 1 else "parts"


def _grouping(tables: Tables, model: str) -> str:
    """A direction is stated only if the permutation test finds one."""
    rows = tables["measures"].filter((pl.col("measure") == SHUFFLED) & (pl.col("group") == MEAN_OF_TOPS))
    if rows.is_empty():
        return _overall(tables, model)
    row = rows.row(0, named=True)
    top, parts = _levels(tables)[0], _parts(tables)
    finding = {
        MORE_ALIKE: f"{model} describes {parts} of the same {top} more alike than {parts} grouped at random",
        LESS_ALIKE: f"{model} describes {parts} of the same {top} less alike than {parts} grouped at random",
        UNDECIDED: f"{model}: whether {parts} of the same {top} are described more alike than {parts} grouped at "
        "random cannot be told",
    }[row["verdict"]]
    values = f"mean distance between them, C_w, {number(row['value'])} against {number(row['neutral'])}"
    return f"{finding} ({values}, {p_text(row['p'])})."


def _overall(tables: Tables, model: str) -> str:
    row = _whole(tables)
    if row["value"] is None:
        return f"{model}: there is no overall C_w, because too few regions have two or more parts."
    value = interval_text(row["value"], row["low"], row["high"])
    words = f" for words like these {row['n']}" if row["n"] else ""
    caution = f"; {row['caution']}" if row["caution"] else ""
    return (
        f"{model}: the mean distance between the descriptions of two {plural(_levels(tables)[0])}, the overall C_w, is "
        f"{value}{words} (0 = described alike{caution})."
    )


def _single_regions(tables: Tables) -> list[str]:
    rows = tables["measures"].filter((pl.col("measure") == SHUFFLED) & (pl.col("group") != MEAN_OF_TOPS))
    if rows.is_empty():
        return []
    top, parts = _levels(tables)[0], _parts(tables)
    corrected = f"corrected for {len(rows)} tests"
    sentences = []
    for verdict in (MORE_ALIKE, LESS_ALIKE):
        names = rows.filter(pl.col("verdict") == verdict)["group"].to_list()
        if names:
            sentences.append(f"{parts.capitalize()} are described {verdict} in {', '.join(names)} ({corrected}).")
    return sentences or [f"For no single {top} can a difference from {parts} grouped at random be told ({corrected})."]


def _highest(tables: Tables) -> str:
    ranking = tables["ranking"].drop_nulls("c_w").sort("rank")
    if ranking.is_empty():
        return "There is no ranking, because no top region has a C_w."
    rows = tables["measures"].filter(pl.col("measure") == HIGHEST)
    order, top = ", ".join(ranking["group"].head(_MOST_NAMES)), _levels(tables)[0]
    if rows.is_empty():
        return f"By value the order is {order}; with these settings it cannot be tested."
    row = rows.row(0, named=True)
    if row["verdict"] == UNDECIDED:
        return f"Which {top} has the highest C_w cannot be told ({p_text(row['p'])}); by value the order is {order}."
    return f"{ranking['group'][0]} has the highest C_w ({p_text(row['p'])}); by value the order is {order}."


def _without_c(tables: Tables) -> list[str]:
    """How many parts have no C, so that nobody takes a ranking of few for one of many, and what they change."""
    ranking, levels = tables["ranking"], _levels(tables)
    few = f"fewer than two {plural(levels[2]) if len(levels) > 2 else 'parts'}"
    left_out = ranking.filter(pl.col("used") < pl.col("children"))
    if len(left_out):
        counts = [f"{row['group']} {row['used']} of {row['children']}" for row in left_out.iter_rows(named=True)]
        return [f"C_w leaves out {_parts(tables)} with {few}; it rests on {', '.join(counts)}."]
    weighted = ranking.filter(pl.col("without_c") > 0)
    if weighted.is_empty():
        return []
    counts = [f"{row['group']} {row['without_c']} of {row['used']}" for row in weighted.iter_rows(named=True)]
    orders = [ranking.sort(rank)["group"].head(_MOST_NAMES).to_list() for rank in ("rank", "rank_if_left_out")]
    change = "does not change the order" if orders[0] == orders[1] else f"gives the order {', '.join(orders[1])}"
    return [
        f"{_parts(tables).capitalize()} with {few} are weighted by the mean of the others ({', '.join(counts)}); "
        f"leaving them out {change}."
    ]
