"""The headline and the sentences of a contrast run, and when each may be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from tacit.methods.base import Tables, plural
from tacit.methods.contrast.fillings import FIRST
from tacit.methods.contrast.materials import FEWEST_UNITS, WITH
from tacit.methods.contrast.means import GAIN
from tacit.methods.contrast.verdicts import ALL_ITEMS, CONTEXT, DIFFERS, PREFERS, RELATES, UNDECIDED
from tacit.numbers import interval_text, p_text

__all__ = ["headline", "key_rows", "summarize"]

_MOST_ROWS = 10
_NAMED_WORDS = 5
_Row = dict[str, Any]


def headline(runs: Mapping[str, Tables]) -> str:
    """Which of the two words each model prefers, if either."""
    return " ".join(_preference(tables, model) for model, tables in runs.items())


def summarize(tables: Tables) -> list[str]:
    """The words one by one, what context adds, what explains accuracy, how categories differ, and what was left out."""
    measures, about = tables["measures"], tables["about"].row(0, named=True)
    return [
        *_words(tables, about),
        *_context(measures),
        *_explanations(measures, about),
        *_categories(measures),
        *_counts(tables["items"], about),
        *_fillings(measures),
        *_regression(measures, about),
    ]


def key_rows(tables: Tables) -> pl.DataFrame:
    """Accuracy overall, without context and by category (or by word if words are few), and what explains it."""
    rows = tables["measures"].filter(pl.col("item").is_null())
    overall = pl.col("group") == ALL_ITEMS
    first = rows.filter(overall & pl.col("measure").is_in(["acc", "acc without context", GAIN]))
    words = tables["words"]["word"].unique(maintain_order=True).to_list()
    is_word = pl.col("group").is_in(words)
    parts = rows.filter((pl.col("measure") == "acc") & ~overall & (is_word if len(words) < FEWEST_UNITS else ~is_word))
    tested = rows.filter(overall & pl.col("measure").is_in(["acc ~ intensity", "acc ~ frequency"]))
    ranks = rows.filter(overall & pl.col("measure").is_in(["MRR", "diff"]))
    return pl.concat([first, tested, parts, ranks]).drop_nulls("value").head(_MOST_ROWS)


def _row(measures: pl.DataFrame, measure: str, group: str = ALL_ITEMS) -> _Row | None:
    chosen = (pl.col("measure") == measure) & (pl.col("group") == group) & pl.col("item").is_null()
    rows = measures.filter(chosen & pl.col("value").is_not_null())
    return rows.row(0, named=True) if len(rows) else None


def _preference(tables: Tables, model: str) -> str:
    row, about = _row(tables["measures"], "acc"), tables["about"].row(0, named=True)
    if row is None:
        return f"None of the sentences asked of {model} has a winner."
    share = f"{interval_text(row['value'], row['low'], row['high'], percent=True)} of {_decided(tables)}"
    details = [f"50% = no preference, {p_text(row['p_adjusted'])}", row["caution"] or ""]
    numbers = f"{share} ({'; '.join(part for part in details if part)})"
    claim = _claim_of_choice if about["two_sided"] else _claim_of_preference
    return f"{claim(row['verdict'], about, model)} in {numbers}."


def _claim_of_preference(verdict: str, about: _Row, model: str) -> str:
    noun, rival, prefer = f"the {about['noun']}", about["against"], "prefer" if about["people"] else "prefers"
    claims = {
        PREFERS[0]: f"{model} {prefer} {noun} to {rival}",
        PREFERS[1]: f"{model} {prefer} {rival} to {noun}",
        UNDECIDED: f"It cannot be told whether {model} {prefer} {noun} or {rival}",
    }
    return f"{claims[verdict]}: {noun} wins"


def _claim_of_choice(verdict: str, about: _Row, model: str) -> str:
    choose, noun = "choose" if about["people"] else "chooses", about["noun"]
    claims = {
        PREFERS[0]: f"{model} {choose} the right {noun} more often than the wrong one",
        PREFERS[1]: f"{model} {choose} the wrong {noun} more often than the right one",
        UNDECIDED: f"It cannot be told whether {model} {choose} the right {noun} more often than by chance",
    }
    return f"{claims[verdict]}: the right one wins"


def _decided(tables: Tables) -> str:
    items = tables["items"].filter(pl.col("context") == WITH)
    return _count(items["acc"].count())


def _words(tables: Tables, about: _Row) -> Iterator[str]:
    """Each of a few words with its accuracy; of many, how many prefer which side."""
    words = tables["words"]["word"].unique(maintain_order=True).to_list()
    rows = tables["measures"].filter(
        (pl.col("measure") == "acc") & pl.col("item").is_null() & pl.col("group").is_in(words)
    )
    rows = rows.drop_nulls("value")
    if len(words) < FEWEST_UNITS:
        parts = [
            f'where "{row["group"]}" belongs, it wins in '
            f"{interval_text(row['value'], row['low'], row['high'], percent=True)} of {_count(row['n'])}"
            for row in rows.iter_rows(named=True)
        ]
        yield _sentence("; ".join(parts))
        return
    wins, loses, unclear = (rows.filter(pl.col("verdict") == verdict)["group"] for verdict in (*PREFERS, UNDECIDED))
    rival = about["against"]
    yield (
        f"By {about['noun']} (corrected for {len(rows)} tests): {_named(wins)} preferred to {rival}, {rival} preferred "
        f"to {_named(loses)}, {_named(unclear)} undecided."
    )


def _named(words: pl.Series) -> str:
    """How many words, by name if they are few."""
    if words.is_empty():
        return "none"
    return f"{len(words)} ({', '.join(words)})" if len(words) <= _NAMED_WORDS else str(len(words))


def _count(sentences: int) -> str:
    return f"{sentences:,} {'sentence' if sentences == 1 else 'sentences'}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _points(row: _Row) -> str:
    """A difference of shares in percentage points."""
    ends = (None if row[name] is None else 100 * row[name] for name in ("value", "low", "high"))
    return f"{interval_text(*ends)} points"


def _context(measures: pl.DataFrame) -> Iterator[str]:
    row = _row(measures, GAIN)
    if row is None or row["verdict"] is None:
        return
    details = [f"accuracy with context minus without: {_points(row)}", p_text(row["p_adjusted"]), row["caution"] or ""]
    claims = {
        CONTEXT[0]: "Context helps",
        CONTEXT[1]: "Context makes it worse",
        UNDECIDED: "Whether context helps cannot be told",
    }
    yield f"{claims[row['verdict']]} ({', '.join(part for part in details if part)})."


def _explanations(measures: pl.DataFrame, about: _Row) -> Iterator[str]:
    claims = {
        RELATES[0]: "accuracy rises with {}",
        RELATES[1]: "accuracy falls with {}",
        UNDECIDED: "a relation with {} cannot be shown",
    }
    parts, cautions = [], []
    for predictor in ("intensity", "frequency"):
        row = _row(measures, f"acc ~ {predictor}")
        if row is not None:
            rho = f"rho {interval_text(row['value'], row['low'], row['high'])}, {p_text(row['p_adjusted'])}"
            parts.append(f"{claims[row['verdict']].format(predictor)} ({rho})")
            cautions += [row["caution"]] if row["caution"] else []
    if parts:
        few = "".join(f"; {caution}" for caution in dict.fromkeys(cautions))
        yield f"Over {plural(about['noun'])}, {'; '.join(parts)}{few}."


def _categories(measures: pl.DataFrame) -> Iterator[str]:
    rows = measures.filter((pl.col("measure") == "acc difference") & pl.col("verdict").is_not_null())
    if rows.is_empty():
        return
    clear = rows.filter(pl.col("verdict") != UNDECIDED)
    if clear.is_empty():
        smallest = p_text(rows["p_adjusted"].to_numpy().min())
        yield f"No difference in accuracy between categories can be shown (smallest corrected {smallest})."
        return
    parts = []
    for row in clear.iter_rows(named=True):
        first, second = row["group"].split(" − ")
        high, low = (first, second) if row["verdict"] == DIFFERS[0] else (second, first)
        details = [f"{abs(row['value']) * 100:.0f} points", p_text(row["p_adjusted"]), row["caution"] or ""]
        parts.append(f"{high} above {low} ({', '.join(part for part in details if part)})")
    yield f"Accuracy differs between categories: {'; '.join(parts)}."


def _fillings(measures: pl.DataFrame) -> Iterator[str]:
    """Of which class the likeliest filling is, the commonest first; described, not tested."""
    rows = measures.filter(
        pl.col("measure").str.starts_with(f"{FIRST} ")
        & ~pl.col("measure").str.ends_with("without context")
        & (pl.col("group") == ALL_ITEMS)
        & (pl.col("value") > 0)
    ).sort("value", descending=True, maintain_order=True)
    if rows.is_empty():
        return
    kinds = rows["measure"].str.strip_prefix(f"{FIRST} ")
    ends = rows.select("value", "low", "high").iter_rows()
    shares = [f"{kind} {interval_text(*end, percent=True)}" for kind, end in zip(kinds, ends, strict=True)]
    yield f"The likeliest word in the blank is: {', '.join(shares)}."


def _regression(measures: pl.DataFrame, about: _Row) -> Iterator[str]:
    """What the logarithm of the rank difference depends on; described, not tested."""
    rows = measures.filter(pl.col("measure").str.starts_with("log diff ~ "))
    if rows.is_empty():
        return
    parts = [
        f"{row['measure'].removeprefix('log diff ~ ')} {interval_text(row['value'], row['low'], row['high'])}"
        for row in rows.iter_rows(named=True)
    ]
    yield (
        f"Log-rank of the {about['noun']} minus that of {about['against']}, in one regression (per factor of ten of a "
        f"frequency; negative: the {about['noun']} gains): {', '.join(parts)}."
    )


def _counts(items: pl.DataFrame, about: _Row) -> Iterator[str]:
    asked = items.filter(pl.col("context") == WITH)
    ties, several, missing = (int(asked[name].sum()) for name in ("tie", "several", "missing"))
    parts = []
    if ties:
        parts.append(f"{ties} are ties, which {'count as wrong' if about['ties_are_wrong'] else 'are left out'}")
    if several:
        parts.append(f"{several} have a word of several tokens, ranked by its joint probability among single tokens")
    if missing:
        parts.append(f"{missing} have a word that the model cannot represent, and are left out")
    if parts:
        yield f"Of the sentences, {'; '.join(parts)}."
