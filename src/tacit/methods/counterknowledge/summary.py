"""The headline and the sentences of the counterknowledge method, and when each may be said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tacit.methods.base import Tables
from tacit.methods.counterknowledge.grammar import BASE
from tacit.methods.counterknowledge.prompts import TOLD_APART
from tacit.methods.counterknowledge.verdicts import (
    AGAINST,
    CONTRARY,
    FOLLOWS,
    LOWERED,
    PRO_SHARE,
    RAISED,
    SHARE_EFFECT,
    TOO_SMALL,
    WITH,
)
from tacit.numbers import interval_text, p_text

__all__ = ["headline_sentence", "key_rows", "summarize"]

_MOST_ROWS, _SHOWN_WORDS = 10, 5
_Row = dict[str, Any]


def headline_sentence(tables: Mapping[str, Tables]) -> str:
    """Whether each model leans with the stereotype, and whether that yields to counter-knowledge."""
    return " ".join(_yields(of_model, model) for model, of_model in tables.items())


def summarize(tables: Tables, model: str) -> list[str]:
    """The leaning in numbers, the statistics, what each kind of knowledge does, and how much is neither."""
    effects = _effects(tables)
    should_lower = pl.col("expected") == LOWERED
    return [
        _leaning(tables, model),
        *_statistics(tables),
        *_knowledge(effects.filter(should_lower), "that should lower this share"),
        *_knowledge(effects.filter(~should_lower), "that should raise it or leave it the same"),
        _neither(tables),
        *_verbalizers(tables),
    ]


def key_rows(tables: Tables) -> pl.DataFrame:
    """The positive control, the base share, the correlation with the statistics, and knowledge, the surest first."""
    control = _headline_rows(tables).filter(measure=TOLD_APART)
    base = _headline_rows(tables).filter((pl.col("measure") == _measure(tables, PRO_SHARE)) & (pl.col("group") == BASE))
    effects = _effects(tables).drop("expected").sort("p_adjusted", nulls_last=True, maintain_order=True)
    return pl.concat([control, base, _correlations(tables), effects]).head(_MOST_ROWS)


def _yields(tables: Tables, model: str) -> str:
    verdict = _base_share(tables)["verdict"]
    if verdict == AGAINST:
        return f"{model} leans against the stereotype, so that counter-knowledge has none to undo."
    leans = "leans with the stereotype" if verdict == WITH else "is not shown to lean with or against the stereotype"
    changes = _counter_changes(tables, leaning=verdict == WITH)
    return f"{model} {leans}{changes}."


def _counter_changes(tables: Tables, *, leaning: bool) -> str:
    """How many of the kinds that should lower the stereotype do so, and how many do the opposite."""
    counter = _effects(tables).filter(pl.col("expected") == LOWERED)
    if counter.is_empty():
        return ""
    kinds = f"{len(counter)} kind{'' if len(counter) == 1 else 's'} of counter-knowledge"
    verbs = ("weakened", "strengthened") if leaning else ("moved against it", "moved towards it")
    counts = [len(counter.filter(verdict=direction)) for direction in (LOWERED, RAISED)]
    moved = [f"{verb} by {count}" for verb, count in zip(verbs, counts, strict=True) if count]
    subject = ", which is" if leaning else "; its words are"
    return f"{subject} {' and '.join(moved) or 'not shown to be changed by any'} of {kinds}"


def _leaning(tables: Tables, model: str) -> str:
    names, lean = _names(tables), _base_share(tables)
    words = f"{names['first']} and {names['second']} words"
    if lean["value"] is None:
        return f"Without knowledge, no share can be computed: {lean['note']} ({model}, {words}, {_reach(tables)})."
    share = interval_text(lean["value"], lean["low"], lean["high"], percent=True)
    verdict = {WITH: "more than half", AGAINST: "less than half", TOO_SMALL: "too close to half to matter"}
    claim = verdict.get(lean["verdict"], "no difference from half is shown")
    details = [f"over {lean['n']} {names['many']}", p_text(lean["p"]), lean["caution"] or ""]
    return (
        f"Without knowledge, {share} of the probability that {model} gives to {words} is on the group that dominates "
        f"the {names['one']}: {claim} ({', '.join(part for part in details if part)})."
    )


def _statistics(tables: Tables) -> list[str]:
    rows = _correlations(tables)
    if rows.is_empty() or rows["value"][0] is None:
        return []
    names, row = _names(tables), rows.row(0, named=True)
    verb = {FOLLOWS: "rises", CONTRARY: "falls"}.get(row["verdict"], "is not shown to rise or fall")
    rho = interval_text(row["value"], row["low"], row["high"])
    return [
        f"Over the {names['many']}, its {names['first']} share {verb} with the {names['statistic']}: "
        f"Spearman's rho {rho}, {p_text(row['p'])}."
    ]


def _knowledge(effects: pl.DataFrame, which: str) -> list[str]:
    """What the kinds that should move the share one way do to it."""
    if effects.is_empty():
        return []
    moved = [
        f"{verb} after {', '.join(_change(row) for row in rows.iter_rows(named=True))}"
        for verdict, verb in ((LOWERED, "it falls"), (RAISED, "it rises"))
        if len(rows := effects.filter(verdict=verdict))
    ]
    kinds = f"{len(effects)} kind{'' if len(effects) == 1 else 's'} of knowledge {which}"
    if not moved:
        return [f"Of {kinds}, none is shown to change it (corrected for all kinds)."]
    return [f"Of {kinds}: {'; '.join(moved)} (corrected for all kinds)."]


def _change(row: _Row) -> str:
    value, low, high = (None if end is None else 100 * end for end in (row["value"], row["low"], row["high"]))
    caution = f"; {row['caution']}" if row["caution"] else ""
    return f"{row['group']} ({interval_text(value, low, high)} points{caution})"


def _neither(tables: Tables) -> str:
    names, base = _names(tables), tables["items"].filter(pl.col("kind") == BASE, pl.col("reach") == _reach(tables))
    mass = float((base["first"] + base["second"]).to_numpy().mean())
    words = tables["words"].filter(pl.col("group") == "neither")["token"].head(_SHOWN_WORDS)
    such_as = f"; its most likely words of neither group are {', '.join(map(repr, words))}" if len(words) else ""
    both = f"{names['first'].capitalize()} and {names['second']} words"
    return f"{both} get {mass:.1%} of the probability in the base prompts{such_as}."


def _verbalizers(tables: Tables) -> list[str]:
    """Both shares of the base prompts and their difference; no claim, because none is tested."""
    if "verbalizers" not in tables:
        return []
    rows = tables["verbalizers"].filter(measure=PRO_SHARE, group=BASE, reach=_reach(tables)).drop_nulls("difference")
    if rows.is_empty():
        return ["With the second verbalizer, no share can be computed: it has no word that this model says here."]
    row = rows.row(0, named=True)
    ends = (None if row[name] is None else 100 * row[name] for name in ("difference", "low", "high"))
    return [
        f"With the second verbalizer this share is {row['beside']:.1%} instead of {row['own']:.1%} over the same "
        f"{row['n']} {_names(tables)['many']} (difference {interval_text(*ends)} points); the table `verbalizers` has "
        "the other measures."
    ]


def _names(tables: Tables) -> dict[str, str]:
    return dict(tables["names"].iter_rows())


def _reach(tables: Tables) -> str:
    return str(tables["items"]["reach"][0])


def _measure(tables: Tables, name: str) -> str:
    return f"{name}, {_reach(tables)}"


def _headline_rows(tables: Tables) -> pl.DataFrame:
    return tables["measures"].filter(pl.col("item").is_null())


def _base_share(tables: Tables) -> _Row:
    rows = _headline_rows(tables).filter(measure=_measure(tables, PRO_SHARE), group=BASE)
    return rows.row(0, named=True)


def _correlations(tables: Tables) -> pl.DataFrame:
    return _headline_rows(tables).filter(
        pl.col("measure") == _measure(tables, f"correlation with the {_names(tables)['statistic']}")
    )


def _effects(tables: Tables) -> pl.DataFrame:
    """The tested effects of knowledge, with what the study expects of each kind."""
    expected = tables["kinds"].select(group="kind", expected="expected").unique(maintain_order=True)
    rows = _headline_rows(tables).filter(measure=_measure(tables, SHARE_EFFECT))
    return rows.join(expected, on="group", how="left", maintain_order="left")
