"""The headline and the sentences of the valence method; a leaning is stated only where its verdict holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.valence.control import FOUND
from tacit.methods.valence.groups import ALL
from tacit.methods.valence.verdicts import UNDECIDED
from tacit.numbers import interval_text, p_text

__all__ = ["headline_sentence", "key_rows", "summarize"]

_PRINTED_DIGIT = 0.001
_ROUNDING = 1e-9
_MOST_ROWS = 10
_MOST_GROUPS = 6


def headline_sentence(tables: Mapping[str, Tables]) -> str:
    """Which way each model leans in which sentences; of a study's printed answers, whether they recompute."""
    if all("published" in own for own in tables.values()):
        return " ".join(_recomputed(own, model) for model, own in tables.items())
    said = "; ".join(_leanings(own, model) for model, own in tables.items())
    return f"{said.replace('which', 'Which', 1) if said.startswith('which') else said}."


def summarize(tables: Tables, model: str) -> list[str]:
    """Beta and delta of each group, the positive control, and what the scores rest on."""
    scores = [*_unrated(tables), _raters(tables), *_by_rater(tables)]
    return [_beta(tables), _delta(tables), *_control(tables, model), *scores]


def key_rows(tables: Tables) -> pl.DataFrame:
    """Beta of each group, then delta, the positive control and the rated share."""
    rows = tables["measures"].filter(pl.col("item").is_null())
    of_groups = rows.filter((pl.col("group") != ALL) | (len(_groups(tables)) == 1))
    return pl.concat(
        [
            of_groups.filter(pl.col("measure") == "beta"),
            of_groups.filter(pl.col("measure") == "delta"),
            rows.filter(pl.col("measure") == FOUND),
            rows.filter(pl.col("measure") == "rated").tail(1),
        ]
    ).head(_MOST_ROWS)


def _leanings(tables: Tables, model: str) -> str:
    """The verdicts of one model; groups with the same verdict are named together."""
    groups: dict[str, list[str]] = {}
    for row in _rows(tables, "beta"):
        # Runs of older versions have no verdicts.
        groups.setdefault(row.get("verdict") or UNDECIDED, []).append(row["group"])
    undecided = groups.pop(UNDECIDED, [])
    scale = tables["scale"].row(0, named=True)
    if not groups:
        return f"which way {model} leans, to {scale['low']} or to {scale['high']}, cannot be told"
    leanings = " and ".join(f"{verdict} in {_listed(names)}" for verdict, names in groups.items())
    rest = f", and which way it leans in {_listed(undecided)} cannot be told" if undecided else ""
    return f"{model} {leanings}{rest}"


def _beta(tables: Tables) -> str:
    scale = tables["scale"].row(0, named=True)
    middle = (scale["least"] + scale["greatest"]) / 2
    ends = f"{scale['least']:g} = {scale['low']}, {scale['greatest']:g} = {scale['high']}, {middle:g} = no leaning"
    return f"Beta ({ends}): {_means(tables, 'beta')}."


def _delta(tables: Tables) -> str:
    return f"Delta (1 = fits the sentences perfectly; compare models, not groups): {_means(tables, 'delta')}."


def _means(tables: Tables, measure: str) -> str:
    """The means of the groups with their intervals, tests and cautions, in one line."""
    rows = _rows(tables, measure)
    shown = []
    for row in rows[:_MOST_GROUPS]:
        details = [p_text(row["p_adjusted"]), (row["caution"] or "") if measure == "beta" else ""]
        in_brackets = ", ".join(detail for detail in details if detail)
        value = interval_text(row["value"], row["low"], row["high"])
        shown.append(f"{row['group']} {value}{f' ({in_brackets})' if in_brackets else ''}")
    if len(rows) > _MOST_GROUPS:
        shown.append(f"{len(rows) - _MOST_GROUPS} more groups in the table")
    return "; ".join(shown)


def _control(tables: Tables, model: str) -> list[str]:
    rows = tables["measures"].filter(pl.col("measure") == FOUND)
    if rows.is_empty() or "published" in tables:
        return []
    row = rows.row(0, named=True)
    share, chance = interval_text(row["value"], row["low"], row["high"], percent=True), f"{row['neutral']:.0%}"
    return [f"In {share} of the sentences, the original word is among the fillings of {model} ({chance} by chance)."]


def _unrated(tables: Tables) -> list[str]:
    unrated = 1 - float(tables["sentences"]["rated"].to_numpy().mean())
    if unrated < _ROUNDING:
        return []
    return [
        f"{unrated:.0%} of the probability of the top fillings is unrated; the intervals allow it any score. Rate it "
        "with `tacit rate sheet`."
    ]


def _raters(tables: Tables) -> str:
    raters = tables["raters"]
    names = ", ".join(f"{rater} ({count:,})" for rater, count in raters.iter_rows())
    if "agreement" not in tables:
        alone = "one rater" if len(raters) == 1 else "no filling has several raters"
        return f"Scores by {names}; {alone}, so nothing is known about how much raters would differ."
    alpha, low, high, tokens = tables["agreement"].select("alpha", "low", "high", "tokens").row(0)
    return (
        f"Scores by {names}; Krippendorff's alpha (ordinal) is {interval_text(alpha, low, high)} over {tokens} tokens, "
        f"{len(tables['disputed'])} of them disputed. The intervals include how much the raters differ."
    )


def _by_rater(tables: Tables) -> list[str]:
    """Beta by the scores of each rater alone; described, not tested."""
    if "by_rater" not in tables:
        return []
    parts = []
    for of_rater in tables["by_rater"].drop_nulls("value").partition_by("rater", maintain_order=True):
        values = (
            f"{row['group']} {interval_text(row['value'], row['low'], row['high'])}"
            for row in of_rater.iter_rows(named=True)
        )
        parts.append(f"{of_rater['rater'][0]} alone: {', '.join(values)}")
    return [f"Beta by rater: {'; '.join(parts)}."] if parts else []


def _recomputed(tables: Tables, model: str) -> str:
    table = tables["published"]
    differences = table.select(
        beta=(pl.col("beta") - pl.col("printed_beta")).abs(), delta=(pl.col("delta") - pl.col("printed_delta")).abs()
    )
    largest = float(differences.to_numpy().max())
    verdict = "they agree to the printed digit" if largest <= _PRINTED_DIGIT else "more than rounding explains"
    return (
        f"{model}: beta and delta, recomputed from the study's printed inputs, differ from the published values of "
        f"{len(table)} sentences by at most {largest:.4f}: {verdict}."
    )


def _groups(tables: Tables) -> list[str]:
    return tables["sentences"]["group"].unique(maintain_order=True).to_list()


def _rows(tables: Tables, measure: str) -> list[dict[str, Any]]:
    """The rows of the groups, without that of all sentences."""
    names = _groups(tables)
    wanted = (pl.col("measure") == measure) & pl.col("item").is_null() & pl.col("group").is_in(names)
    return tables["measures"].filter(wanted).head(len(names)).to_dicts()


def _listed(groups: Sequence[str]) -> str:
    """ "the Old, Neutral and New sentences"."""
    names = ", ".join(groups[:-1]) + (" and " if len(groups) > 1 else "") + groups[-1]
    return f"the {names} sentences"
