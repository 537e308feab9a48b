"""The result of a valence run in a few plain sentences."""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit.methods.base import Tables

__all__ = ["summarize"]

_PRINTED_DIGIT = 0.001
_ROUNDING = 1e-9


def summarize(tables: Tables, model: str) -> list[str]:
    """One sentence per group, then what is unrated, who rated, how well they agree, and how a study compares."""
    groups = tables["sentences"]["group"].unique(maintain_order=True).to_list()
    return [
        *(_group_sentence(tables, model, group) for group in groups),
        *_unrated_sentences(tables),
        *_rater_sentences(tables),
        *_agreement_sentences(tables),
        *_published_sentences(tables),
    ]


def _group_sentence(tables: Tables, model: str, group: str) -> str:
    bias, fit = _group_row(tables, "beta", group), _group_row(tables, "delta", group)
    if bias["value"] is None:
        return f"{group}: no result for {model}, because too few of its fillings are rated."
    members = tables["sentences"].filter(pl.col("group") == group)
    counted = f"{bias['n']} of {len(members)} sentences counted"
    return f"{group}: {model} {_leaning(tables, bias)}: beta {_interval(bias)}, delta {_interval(fit)} ({counted})."


def _leaning(tables: Tables, bias: dict[str, Any]) -> str:
    """A leaning is stated only if the interval lies on one side of the neutral point."""
    scale = tables["scale"].row(0, named=True)
    if bias["low"] is None:
        return "has too few sentences for an interval"
    if bias["low"] > bias["neutral"]:
        return f"leans to {scale['high']}"
    return f"leans to {scale['low']}" if bias["high"] < bias["neutral"] else "shows no clear leaning"


def _unrated_sentences(tables: Tables) -> list[str]:
    sentences = tables["sentences"]
    rated = sentences["rated"].to_numpy().mean()
    if rated > 1 - _ROUNDING:
        return []
    start = f"{rated:.0%} of the probability of the top fillings is rated"
    left_out = len(sentences) - int(sentences["counted"].sum())
    if not left_out:
        return [f"{start}; all sentences are counted."]
    advice = "Rate the missing fillings with `tacit rate sheet`."
    return [f"{start}; {left_out} of {len(sentences)} sentences are reported but not counted. {advice}"]


def _rater_sentences(tables: Tables) -> list[str]:
    raters = [f"{rater} ({count:,})" for rater, count in tables["raters"].iter_rows()]
    return [f"Ratings by {', '.join(raters)}."] if raters else []


def _agreement_sentences(tables: Tables) -> list[str]:
    if "agreement" not in tables:
        return []
    alpha, low, high, tokens = tables["agreement"].select("alpha", "low", "high", "tokens").row(0)
    disputed = len(tables["disputed"])
    return [
        f"Agreement between raters: Krippendorff's alpha (ordinal) {alpha:.2f} [{low:.2f}, {high:.2f}] over {tokens} "
        f"tokens, {disputed} of them disputed."
    ]


def _published_sentences(tables: Tables) -> list[str]:
    if "published" not in tables:
        return []
    table = tables["published"]
    differences = table.select(
        beta=(pl.col("beta") - pl.col("printed_beta")).abs(), delta=(pl.col("delta") - pl.col("printed_delta")).abs()
    )
    largest = float(differences.to_numpy().max())
    verdict = "they agree to the printed digit" if largest <= _PRINTED_DIGIT else "more than rounding explains"
    return [
        f"Beta and delta, recomputed from the study's printed inputs, differ from the published values of {len(table)} "
        f"sentences by at most {largest:.4f}: {verdict}."
    ]


def _group_row(tables: Tables, measure: str, group: str) -> dict[str, Any]:
    rows = tables["measures"].filter(
        (pl.col("measure") == measure) & (pl.col("group") == group) & pl.col("item").is_null()
    )
    return rows.row(0, named=True)


def _interval(row: dict[str, Any]) -> str:
    bounds = f" [{row['low']:.2f}, {row['high']:.2f}]" if row["low"] is not None else ""
    return f"{row['value']:.2f}{bounds}"
