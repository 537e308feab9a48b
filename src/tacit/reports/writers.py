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


def latex_table(table: PageTable, caption: str) -> str:
    """A table in LaTeX with the rules of booktabs, a caption and a label."""
    shape = "".join("r" if column.numeric else "l" for column in table.columns)
    head = " & ".join(escape_latex(column.name) for column in table.columns)
    # After \\ an opening bracket would begin an argument.
    body = ["{}" + " & ".join(escape_latex(_plain(cell)) for cell in row) + r" \\" for row in table.rows]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_latex(caption)}}}",
        rf"\label{{tab:{table.anchor}}}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{{shape}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}}",
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


def _plain(cell: Cell) -> str:
    return cell if isinstance(cell, str) else f"{cell[0]} ({cell[1]})"
