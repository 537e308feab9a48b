"""Tables as Markdown, LaTeX (booktabs) and CSV, with everything escaped that these formats would read as commands."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import polars as pl

from tacit.reports.tables import Cell, PageTable
from tacit.runs.export import harmless
from tacit.runs.summary import escape_markdown

__all__ = ["csv_bytes", "escape_latex", "latex_table", "markdown_table"]

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "–": "--",
    "→": r"$\rightarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "α": r"$\alpha$",
    "“": "``",
    "”": "''",
    "’": "'",
    "…": r"\dots{}",
    "·": r"$\cdot$",
}


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(map(escape_markdown, columns))} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(escape_markdown(_plain(cell)) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def latex_table(table: PageTable, caption: str, *, sentences: bool = False) -> str:
    """A table in LaTeX with the rules of booktabs, a caption and a label.

    Args:
        table: The table. Measures are under their own names, which a paper explains, and without what is in small.
        caption: Its caption.
        sentences: Whether its cells hold sentences, which are then broken into lines.
    """
    width = f"{0.94 / len(table.columns):.3f}"
    kinds = (
        rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}" if sentences else "r" if one.numeric else "l"
        for one in table.columns
    )
    head = " & ".join(escape_latex(column.name) for column in table.columns)
    # After \\ an opening bracket would begin an argument.
    body = ["{}" + " & ".join(map(escape_latex, _short(row))) + r" \\" for row in table.rows]
    tabular = [
        rf"\begin{{tabular}}{{{''.join(kinds)}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *body,
        r"\bottomrule",
    ]
    fitting = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_latex(caption)}}}",
        rf"\label{{tab:{table.anchor}}}",
        *([r"\small"] if sentences else [fitting]),
        *tabular,
        r"\end{tabular}" + ("" if sentences else "}"),
        r"\end{table}",
    ]
    return "\n".join(lines)


def escape_latex(text: str) -> str:
    """Text that LaTeX sets as it is, with real minus signs before numbers."""
    signed = re.sub(r"(?<![\w.])-(?=\.?\d)", "−", " ".join(text.split()))
    return "".join(_LATEX.get(sign, sign) for sign in signed)


def csv_bytes(frame: pl.DataFrame) -> bytes:
    """A table as CSV; cells that a spreadsheet would run are neutralized, and lists are joined."""
    joined = frame.with_columns(
        pl.col(name).cast(pl.List(pl.String)).list.join(" ")
        for name, kind in frame.schema.items()
        if isinstance(kind, pl.List)
    )
    buffer = io.BytesIO()
    joined.with_columns(harmless(pl.col(pl.String))).write_csv(buffer)
    return buffer.getvalue()


def _short(row: Sequence[Cell]) -> list[str]:
    """The cells of a row: of a measure its own name, of the others what is not in small."""
    measure, *others = row
    name = measure if isinstance(measure, str) else measure[1].partition(";")[0]
    return [name, *(cell if isinstance(cell, str) else cell[0] for cell in others)]


def _plain(cell: Cell) -> str:
    return cell if isinstance(cell, str) else f"{cell[0]} ({cell[1]})"
