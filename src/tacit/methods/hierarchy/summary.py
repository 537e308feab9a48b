"""The headline and the sentences of the hierarchy method, and when each may be said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tacit.methods.base import Tables, plural
from tacit.methods.hierarchy.headline import (
    C_W,
    C_Z,
    HIGHEST,
    LESS_ALIKE,
    MEAN_OF_TOPS,
    MORE_ALIKE,
    SHUFFLED,
    UNDECIDED,
)
from tacit.numbers import interval_text, number, p_text

__all__ = ["headline_sentence", "key_rows", "summarize"]

_MOST_ROWS = 10


def headline_sentence(tables: Mapping[str, Tables]) -> str:
    """Whether regions are described by where they are: are parts of one top region more alike than random ones?"""
    return " ".join(_grouping(model_tables, model) for model, model_tables in tables.items())


def summarize(tables: Tables, model: str) -> list[str]:
    """The overall C_w, which top regions stand out, which is highest, and how many regions have no C of their own."""
    return [_overall(tables, model), *_single_regions(tables), _highest(tables), *_without_c(tables)]


def key_rows(tables: Tables) -> pl.DataFrame:
    """C_w of the whole and of the top regions, the comparison with shuffled trees, and the highest region."""
    rows = tables["measures"].filter(pl.col("item").is_null())
    tested = rows.filter((pl.col("measure") == HIGHEST) | (pl.col("group") == MEAN_OF_TOPS))
    values = rows.filter(pl.col("measure") == C_W).sort("value", descending=True, nulls_last=True)
    overall = rows.filter((pl.col("measure") == C_Z) & (pl.col("group") == _whole(tables)["group"]))
    return pl.concat([tested, values, overall]).head(_MOST_ROWS)


def _whole(tables: Tables) -> dict[str, Any]:
    return tables["measures"].filter((pl.col("measure") == C_W) & pl.col("item").is_null()).row(-1, named=True)


def _levels(tables: Tables) -> tuple[str, str]:
    """What a top region is called, and its parts in the plural: "continent", "countries"."""
    regions = tables["regions"]
    top = regions.filter(pl.col("name") == pl.col("top")).row(0, named=True)
    parts = regions.filter(pl.col("depth") == top["depth"] + 1)
    return top["level"], plural(parts["level"][0]) if len(parts) else "parts"


def _grouping(tables: Tables, model: str) -> str:
    """A direction is stated only if the permutation test finds one."""
    rows = tables["measures"].filter((pl.col("measure") == SHUFFLED) & (pl.col("group") == MEAN_OF_TOPS))
    if rows.is_empty():
        return _overall(tables, model)
    row = rows.row(0, named=True)
    top, parts = _levels(tables)
    finding = {
        MORE_ALIKE: f"describes {parts} of the same {top} more alike than {parts} grouped at random",
        LESS_ALIKE: f"describes {parts} of the same {top} less alike than {parts} grouped at random",
        UNDECIDED: f"shows no difference between {parts} of the same {top} and {parts} grouped at random",
    }[row["verdict"]]
    values = f"mean C_w {number(row['value'])} against {number(row['neutral'])}, {p_text(row['p'])}"
    return f"{model} {finding} ({values})."


def _overall(tables: Tables, model: str) -> str:
    row = _whole(tables)
    if row["value"] is None:
        return f"{model}: there is no overall C_w, because too few regions have two or more parts."
    value = interval_text(row["value"], row["low"], row["high"])
    caution = f"; {row['caution']}" if row["caution"] else ""
    return (
        f"{model}: overall C_w is {value}, resampling the {row['n']} words (0 = all {plural(_levels(tables)[0])} "
        f"are described alike{caution})."
    )


def _single_regions(tables: Tables) -> list[str]:
    rows = tables["measures"].filter((pl.col("measure") == SHUFFLED) & (pl.col("group") != MEAN_OF_TOPS))
    if rows.is_empty():
        return []
    top, parts = _levels(tables)
    sentences = []
    for verdict in (MORE_ALIKE, LESS_ALIKE):
        names = rows.filter(pl.col("verdict") == verdict)["group"].to_list()
        if names:
            sentences.append(
                f"{parts.capitalize()} are described {verdict} in {', '.join(names)} (corrected for {len(rows)} tests)."
            )
    return sentences or [f"None of the {len(rows)} {plural(top)} stands out from {parts} grouped at random."]


def _highest(tables: Tables) -> str:
    ranking = tables["ranking"].drop_nulls("c_w").sort("rank")
    if ranking.is_empty():
        return "There is no ranking, because no top region has a C_w."
    rows = tables["measures"].filter(pl.col("measure") == HIGHEST)
    order, (top, _) = ", ".join(ranking["group"].head(6)), _levels(tables)
    if rows.is_empty():
        return f"By value the order is {order}; with these settings it cannot be tested."
    row = rows.row(0, named=True)
    if row["verdict"] == UNDECIDED:
        return f"Which {top} has the highest C_w cannot be told ({p_text(row['p'])}); by value the order is {order}."
    return f"{ranking['group'][0]} has the highest C_w ({p_text(row['p'])}); by value the order is {order}."


def _without_c(tables: Tables) -> list[str]:
    """How many parts have no C, so that nobody takes a ranking of few for one of many."""
    ranking = tables["ranking"]
    left_out = ranking.filter(pl.col("used") < pl.col("children"))
    weighted = ranking.filter(pl.col("without_c") > 0)
    if len(left_out):
        counts = [f"{row['group']} {row['used']} of {row['children']}" for row in left_out.iter_rows(named=True)]
        return [f"Parts in C_w (others have fewer than two sub-regions): {', '.join(counts)}."]
    if len(weighted):
        counts = [f"{row['group']} {row['without_c']} of {row['used']}" for row in weighted.iter_rows(named=True)]
        return [f"Parts with fewer than two sub-regions, weighted by their siblings' mean: {', '.join(counts)}."]
    return []
