"""Charts that both sentiment tests use: ranked words with intervals, and one score of words against another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

import altair as alt
import polars as pl

from tacit.figure import NEGATIVE, NEUTRAL, POSITIVE, UNDECIDED, Figure
from tacit.methods.base import Tables
from tacit.methods.sentiment.agreement import between_models, neutral_words, rank_agreement
from tacit.storage import slug

__all__ = [
    "describe_agreement",
    "describe_ranking",
    "has_verdicts",
    "leaning_color",
    "model_pairs",
    "pair_words",
    "panels",
    "percent",
    "ranked_words",
    "scatter",
    "shown_words",
]

_ENDS, _MIDDLE = 12, 6
_COLORS = {"positive": POSITIVE, "neutral": NEUTRAL, "undecided": UNDECIDED, "negative": NEGATIVE}
_NAMED_POINTS = 8


def ranked_words(words: pl.DataFrame, column: str, title: str, margin: float | None = None) -> alt.LayerChart:
    """A chart of the most positive, the most neutral and the most negative words with their intervals.

    Args:
        words: The words table: word, leaning, the score and, where it has an interval, low and high.
        column: The column of the score.
        title: The title of the axis of the score.
        margin: The size up to which a score does not matter, drawn on both sides.
    """
    shown = _colored(shown_words(words, column))
    order = shown["word"].to_list()
    ends = [name for name in ("low", "high") if name in shown.columns]
    base = alt.Chart(shown).encode(
        y=alt.Y("word:N", sort=order, title=None),
        color=leaning_color(),
        tooltip=["word", "leaning", *(alt.Tooltip(name, format=".4f") for name in (column, *ends))],
    )
    intervals = [base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=title), x2="high:Q")] if ends else []
    points = base.mark_circle(size=55, opacity=1).encode(x=alt.X(f"{column}:Q", title=title))
    lines = [_vertical_line(shown, 0, [4, 3])]
    if margin is not None:
        lines += [_vertical_line(shown, end, [1, 3]) for end in (-margin, margin)]
    return alt.layer(*lines, *intervals, points).properties(width=300, height=13 * len(order))


def panels(charts: Mapping[str, alt.TopLevelMixin], columns: int = 3) -> alt.ConcatChart:
    """The chart of each model under its name, side by side while there is room."""
    named = [chart.properties(title=model) for model, chart in charts.items()]
    return alt.concat(*named, columns=min(columns, len(named))).resolve_scale(color="shared")


def shown_words(words: pl.DataFrame, column: str) -> pl.DataFrame:
    """The words that `ranked_words` shows, from the most positive to the most negative."""
    ranked = words.drop_nulls(column).sort(column, "word", descending=[True, False])
    if ranked.height <= 2 * _ENDS + _MIDDLE:
        return ranked
    middle = ranked.slice(_ENDS, ranked.height - 2 * _ENDS).sort(pl.col(column).abs(), "word").head(_MIDDLE)
    chosen = pl.concat([ranked.head(_ENDS), middle, ranked.tail(_ENDS)])
    return chosen.sort(column, "word", descending=[True, False])


def describe_ranking(words: pl.DataFrame, column: str) -> str:
    """The chart of `ranked_words` as a sentence, for readers who cannot see it."""
    scores = shown_words(words, column).select("word", column).iter_rows()
    listed = ", ".join(f"{word} {score:.3f}" for word, score in scores)
    return f"From the most positive to the most negative: {listed}."


def model_pairs(test: str, column: str, runs: Mapping[str, Tables]) -> list[Figure]:
    """A scatter of the same neutral words in two models, for each pair of models.

    Args:
        test: The name of the test, for titles.
        column: The column of the words table that holds its score.
        runs: The tables of each model.
    """
    return [_model_pair(test, column, runs, first, second) for first, second in combinations(runs, 2)]


def scatter(points: pl.DataFrame, x_title: str, y_title: str, tooltip: list[str], color: alt.Color) -> alt.LayerChart:
    """Words as points at the columns x and y, with lines at zero and the most distant words named."""
    base = alt.Chart(points).encode(
        x=alt.X("x:Q", title=x_title),
        y=alt.Y("y:Q", title=y_title),
        tooltip=[*tooltip, *(alt.Tooltip(name, format=".4f") for name in ("x", "y"))],
    )
    dots = base.mark_circle(size=30, opacity=0.65).encode(color=color)
    distance = pl.col("x").abs() / _largest(points, "x") + pl.col("y").abs() / _largest(points, "y")
    named = alt.Chart(points.sort(distance).tail(_NAMED_POINTS))
    names = named.mark_text(dy=-8, fontSize=10, color=NEUTRAL).encode(x="x:Q", y="y:Q", text="word:N")
    horizontal = alt.Chart(points).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(0))
    return alt.layer(_vertical_line(points, 0, [4, 3]), horizontal, dots, names).properties(width=420, height=320)


def pair_words(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """The words of both tables with their scores x and y, where both are finite."""
    points = left.join(right, on="word", maintain_order="left")
    return points.filter(pl.col("x").is_finite(), pl.col("y").is_finite())


def has_verdicts(tables: Tables) -> bool:
    """Whether words have verdicts at all: those of a model that cannot be asked have none."""
    return tables["words"]["leaning"].is_not_null().any()


def _colored(words: pl.DataFrame) -> pl.DataFrame:
    """Words without a verdict are drawn as undecided ones."""
    return words.with_columns(pl.col("leaning").fill_null("undecided"))


def leaning_color(title: str = "leaning") -> alt.Color:
    """Color by the column leaning; all panels share one scale, so it names every leaning."""
    scale = alt.Scale(domain=[*_COLORS], range=[*_COLORS.values()])
    return alt.Color("leaning:N", scale=scale, title=title)


def describe_agreement(points: pl.DataFrame) -> str:
    """The rank correlation of the columns x and y as a sentence; empty where it is undefined."""
    agreement = rank_agreement(points)
    if agreement is None or math.isnan(agreement.value):
        return ""
    return f"Rank correlation {agreement.value:.2f} [{agreement.low:.2f}, {agreement.high:.2f}]. "


def percent(share: float | None) -> str:
    """A share as a percentage; "none" where it is undefined."""
    return "none" if share is None else f"{share:.0%}"


def _model_pair(test: str, column: str, runs: Mapping[str, Tables], first: str, second: str) -> Figure:
    left = _colored(neutral_words(runs[first])).select("word", "leaning", x=column)
    right = neutral_words(runs[second]).select("word", y=column)
    points = pair_words(left, right)
    rows = between_models({first: runs[first], second: runs[second]}).to_dicts()
    leaning = [row for row in rows if row["words"]]
    shared = "; ".join(f"{percent(row['shared'])} of the {row['words']} {row['side']} ones" for row in leaning)
    sentence = f"Leaning words that both models share: {shared}." if shared else "No word leans in either model."
    unasked = [model for model in (first, second) if not has_verdicts(runs[model])]
    if unasked:
        sentence = f"No word is called leaning in {' and '.join(unasked)}, which cannot be asked this."
    agreement = f"{describe_agreement(points)}{sentence}"
    return Figure(
        f"pair-{slug(first)}-{slug(second)}",
        f"The same neutral words in {first} and {second}",
        scatter(points, f"{test} in {first}", f"{test} in {second}", ["word"], leaning_color(f"in {first}")),
        f"Each point is a neutral word. {agreement}",
        f"Scatter of {points.height} neutral words, {first} against {second}. {agreement}",
    )


def _vertical_line(data: pl.DataFrame, x: float, dash: list[int]) -> alt.Chart:
    return alt.Chart(data).mark_rule(color=NEUTRAL, strokeDash=dash).encode(x=alt.datum(x))


def _largest(points: pl.DataFrame, column: str) -> float:
    largest = points[column].abs().max()
    return float(largest) if isinstance(largest, float) and largest > 0 else 1.0
