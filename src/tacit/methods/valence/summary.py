"""The result of a valence run in a few plain sentences."""

from __future__ import annotations

import polars as pl

from tacit.methods.base import Tables

__all__ = ["told"]

PRINTED_DIGIT = 0.001


def told(tables: Tables, model: str) -> list[str]:
    """What each group came to, what nobody has rated, and whether printed figures were met."""
    groups = tables["sentences"]["group"].unique(maintain_order=True).to_list()
    found = [_group(tables, model, group) for group in groups]
    return [*found, *_unrated(tables), *_raters(tables), *_agreement(tables), *_met(tables)]


def _group(tables: Tables, model: str, group: str) -> str:
    bias, fit = _aggregate(tables, "beta", group), _aggregate(tables, "delta", group)
    if bias["value"] is None:
        return f"{group}: nothing can be said of {model}, because too little of what it fills in has been rated."
    counted = str(bias["note"]).replace(" counted", " sentences counted")
    return f"{group}: {model} {_leaning(tables, bias)}, beta {_interval(bias)}, delta {_interval(fit)} ({counted})."


def _leaning(tables: Tables, bias: dict[str, float]) -> str:
    scale = tables["scale"].row(0, named=True)
    if bias["low"] is None:
        return "has too few sentences for an interval"
    if bias["low"] > bias["neutral"]:
        return f"leans to {scale['high']}"
    return f"leans to {scale['low']}" if bias["high"] < bias["neutral"] else "leans to neither pole for certain"


def _unrated(tables: Tables) -> list[str]:
    sentences = tables["sentences"]
    left_out, rated = sentences.filter(~pl.col("counted")), sentences["rated"].to_numpy().mean()
    if rated > 1 - 1e-9:
        return []
    start = f"{rated:.0%} of the mass of the likeliest fillings is rated"
    if left_out.is_empty():
        return [f"{start}; all sentences count."]
    return [
        f"{start}; {len(left_out)} of {len(sentences)} sentences are reported but not counted: rate what is missing."
    ]


def _raters(tables: Tables) -> list[str]:
    raters = [f"{rater} ({count:,})" for rater, count in tables["raters"].iter_rows()]
    return [f"Scored by {', '.join(raters)}."] if raters else []


def _agreement(tables: Tables) -> list[str]:
    if "agreement" not in tables:
        return []
    found = tables["agreement"].row(0, named=True)
    alpha = f"{found['alpha']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"
    over = f"{found['tokens']} tokens; {len(tables['disputed'])} are disputed"
    return [f"Krippendorff's alpha (ordinal) of the raters is {alpha} over {over}."]


def _met(tables: Tables) -> list[str]:
    if "published" not in tables:
        return []
    table = tables["published"]
    differences = table.select(
        beta=(pl.col("beta") - pl.col("printed_beta")).abs(), delta=(pl.col("delta") - pl.col("printed_delta")).abs()
    )
    worst = float(differences.to_numpy().max())
    verdict = "to the printed digit" if worst <= PRINTED_DIGIT else "but not to the printed digit"
    return [f"The study's own figures come out within {worst:.4f} of print, {verdict}, in {len(table)} sentences."]


def _aggregate(tables: Tables, measure: str, group: str) -> dict[str, float]:
    rows = tables["measures"].filter(
        (pl.col("measure") == measure) & (pl.col("group") == group) & pl.col("item").is_null()
    )
    return rows.row(0, named=True)


def _interval(row: dict[str, float]) -> str:
    bounds = f" [{row['low']:.2f}, {row['high']:.2f}]" if row["low"] is not None else ""
    return f"{row['value']:.2f}{bounds}"
