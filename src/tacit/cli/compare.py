"""`tacit compare`: paired differences between models on the same probe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.options import Force
from tacit.cli.prose import say
from tacit.cli.verbosity import note

if TYPE_CHECKING:
    from tacit.runs.compare import Comparison

__all__ = ["compare"]

_HEADING = ["measure", "group", "models", "difference", "p", "items", "n", "unit", "rank corr."]
_CHANGES = ["measure", "before", "after", "change", "seeds", "words", "caution"]


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Run folders of the same probe, or of both sentiment probes."),
    ],
    out: Annotated[Path | None, typer.Option(help="Also write the table here: .csv, .parquet or .json.")] = None,
    before: Annotated[
        Path | None, typer.Option(metavar="RUN", help="The run before tuning; the others are tunings of it.")
    ] = None,
    force: Force = False,
) -> None:
    """Compare models on the same probe: paired differences with intervals and corrected p-values.

    Of the sentiment probes, also which words several models, or both tests, find alike, and what chance would give.
    With --before, compare sentiment probes before and after tuning instead: the change over seeds and words.
    """
    if before is not None:
        _compare_before_after(before, runs, out, force=force)
        return
    from tacit.asking.progress import watching_steps
    from tacit.cli.tables import show
    from tacit.runs.compare import compare as compare_runs

    with watching_steps() as on_step:
        comparison = compare_runs(runs, on_step=on_step)
    for sentence in comparison.sentences:
        say(sentence)
    typer.echo()
    if not comparison.table.is_empty():
        _show_differences(comparison)
    for found in comparison.agreement:
        cells = [[_cell(value) for value in row] for row in found.table.rows()]
        title = f"{comparison.probe}: {found.title}. {found.note}"
        show(title, found.table.columns, cells, records=found.table.to_dicts())
    if out is not None:
        for path in _write(comparison, out, force=force):
            note(f"\nWritten: {path}")
    _show_certificate(runs)
    note(f"\nNext: tacit report {' '.join(map(str, runs))} --out report.html")


def _show_differences(comparison: Comparison) -> None:
    from tacit.cli.tables import show

    show(
        f"{comparison.probe}: paired differences, p-values corrected by Holm, Spearman's rank correlation of the items",
        _HEADING,
        map(_cells, comparison.table.to_dicts()),
        records=comparison.table.to_dicts(),
    )


def _write(comparison: Comparison, out: Path, *, force: bool) -> list[Path]:
    """Write the differences, and what is found alike beside them; where there are no differences, only the latter."""
    from tacit.runs.export import write_frame

    beside = {out.with_stem(f"{out.stem}-{found.name}"): found.table for found in comparison.agreement}
    frames = beside if comparison.table.is_empty() and beside else {out: comparison.table, **beside}
    for path, frame in frames.items():
        write_frame(frame, path, force=force)
    return [*frames]


def _compare_before_after(before: Path, after: list[Path], out: Path | None, *, force: bool) -> None:
    from tacit.cli.tables import show
    from tacit.runs.change import compare_before_after
    from tacit.runs.export import write_frame
    from tacit.runs.text import interval_text, number

    change = compare_before_after(before, after)
    for sentence in change.sentences:
        say(sentence)
    typer.echo()
    rows = [
        (
            row["measure"],
            number(row["before"]),
            number(row["after"]),
            interval_text(row["change"], row["low"], row["high"]),
            row["seeds"],
            row["words"],
            row["caution"] or "",
        )
        for row in change.table.to_dicts()
    ]
    over = "words" if len(after) == 1 else "seeds and words"
    title = f"{change.probe}: change by tuning {change.before}, intervals over {over}"
    show(title, _CHANGES, rows, records=change.table.to_dicts())
    if out is not None:
        write_frame(change.table, out, force=force)
        note(f"\nWritten: {out}")
    note(f"\nNext: tacit report {' '.join(map(str, [before, *after]))} --out report.html")


def _show_certificate(runs: list[Path]) -> None:
    """Say how far the probe can be relied on, where it has a certificate."""
    from tacit.runs import open_runs
    from tacit.runs.certified import certificate_of

    certificate = certificate_of(open_runs(runs)[0].record)
    if certificate is not None:
        say(f"\nCertificate of the probe: {certificate.words}. {certificate.cannot_see}")


def _cell(value: object) -> object:
    """A number as people read it; a missing one as a dash."""
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else value


def _cells(row: dict[str, Any]) -> tuple[object, ...]:
    from tacit.runs.text import interval_text, p_text

    models = f"{row['first']} − {row['second']}"
    difference = interval_text(row["difference"], row["low"], row["high"])
    correlation = "–" if row["rank_correlation"] is None else f"{row['rank_correlation']:.2f}"
    return (
        row["measure"],
        row["group"],
        models,
        difference,
        p_text(row["p_adjusted"]),
        row["items"],
        row["n"],
        row["unit"],
        correlation,
    )
