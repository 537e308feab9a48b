"""Charts that both sentiment tests use: words ranked with their intervals, and one scale of words against another."""

from __future__ import annotations

import altair as alt
import polars as pl

from tacit.figure import NEGATIVE, NEUTRAL, POSITIVE

__all__ = ["ends_and_middle", "leaning_colour", "ranked", "read_aloud", "scatter"]

_ENDS, _MIDDLE = 12, 6
_COLOURS = {"positive": POSITIVE, "neutral": NEUTRAL, "undecided": "#cc79a7", "negative": NEGATIVE}


def leaning_colour(words: pl.DataFrame, title: str = "leans") -> alt.Color:
    """The colour of a word's leaning, with a legend of the leanings that occur."""
    there = [side for side in _COLOURS if (words["leaning"] == side).any()]
    scale = alt.Scale(domain=there, range=[_COLOURS[side] for side in there])
    return alt.Color("leaning:N", scale=scale, title=title)


def ranked(words: pl.DataFrame, value: str, title: str) -> alt.LayerChart:
    """The most positive, the most neutral and the most negative words with their intervals."""
    shown = ends_and_middle(words, value)
    order = shown["word"].to_list()
    base = alt.Chart(shown).encode(
        y=alt.Y("word:N", sort=order, title=None),
        color=leaning_colour(shown),
        tooltip=["word", "leaning", *(alt.Tooltip(name, format=".4f") for name in (value, "low", "high"))],
    )
    intervals = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=title), x2="high:Q")
    points = base.mark_circle(size=55, opacity=1).encode(x=f"{value}:Q")
    zero = alt.Chart(shown).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(x=alt.datum(0))
    return alt.layer(zero, intervals, points).properties(width=420, height=13 * len(order))


def ends_and_middle(words: pl.DataFrame, value: str) -> pl.DataFrame:
    """The words that `ranked` shows, from the most positive to the most negative."""
    falling = words.drop_nulls(value).sort(value, "word", descending=[True, False])
    if falling.height <= 2 * _ENDS + _MIDDLE:
        return falling
    middle = falling.slice(_ENDS, falling.height - 2 * _ENDS).sort(pl.col(value).abs(), "word").head(_MIDDLE)
    chosen = pl.concat([falling.head(_ENDS), middle, falling.tail(_ENDS)])
    return chosen.sort(value, "word", descending=[True, False])


def read_aloud(words: pl.DataFrame, value: str) -> str:
    """The same words as a sentence, for who cannot see the chart."""
    shown = ends_and_middle(words, value)
    told = ", ".join(f"{word} {at:.3f}" for word, at in shown.select("word", value).iter_rows())
    return f"From the most positive to the most negative: {told}."


def scatter(points: pl.DataFrame, titles: tuple[str, str], tooltip: list[str], colour: alt.Color) -> alt.LayerChart:
    """Words as points at `x` and `y`, with lines at zero and the most distant ones named."""
    base = alt.Chart(points).encode(
        x=alt.X("x:Q", title=titles[0]),
        y=alt.Y("y:Q", title=titles[1]),
        tooltip=[*tooltip, *(alt.Tooltip(name, format=".4f") for name in ("x", "y"))],
    )
    dots = base.mark_circle(size=30, opacity=0.65).encode(color=colour)
    far = points.sort(pl.col("x").abs() / _largest(points, "x") + pl.col("y").abs() / _largest(points, "y"))
    names = alt.Chart(far.tail(8)).mark_text(dy=-8, fontSize=10, color=NEUTRAL).encode(x="x:Q", y="y:Q", text="word:N")
    vertical = alt.Chart(points).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(x=alt.datum(0))
    horizontal = alt.Chart(points).mark_rule(color=NEUTRAL, strokeDash=[4, 3]).encode(y=alt.datum(0))
    return alt.layer(vertical, horizontal, dots, names).properties(width=420, height=320)


def _largest(points: pl.DataFrame, column: str) -> float:
    largest = points[column].abs().max()
    return float(largest) if isinstance(largest, float) and largest > 0 else 1.0
