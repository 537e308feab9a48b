"""A block for a Hugging Face model card: the numbers as metadata and as tables, with their warnings."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from tacit._version import __version__
from tacit.errors import RunError
from tacit.methods import get_method
from tacit.runs.certified import certificate_of
from tacit.runs.store import Run, must_fit, open_runs
from tacit.runs.summary import caution_lines, escape_markdown, measures_lines
from tacit.runs.text import command

__all__ = ["card"]


MOST_MEASURES = 5
"""Of one probe, so that the card of several probes stays short; the run itself has all of them."""


def card(runs: Sequence[str | Path | Run], name: str | None = None) -> str:
    """Summarize the runs of one model for its model card.

    Args:
        runs: Runs of one model, their folders, or a folder above them.
        name: What the card calls the model; by default its name, without the folders that it lies in.

    Returns:
        Markdown that starts with YAML metadata.
    """
    opened = open_runs(runs)
    models = list(dict.fromkeys(run.record.model.fingerprint for run in opened))
    if len(models) != 1:
        names = ", ".join(dict.fromkeys(run.model for run in opened)) or "none"
        raise RunError(f"A card is about one model, and these runs are about {names}. Name the runs of one model.")
    with must_fit(opened):
        metadata = _metadata(opened, name or Path(opened[0].record.model.name).name)
        sections = [_about(opened[0]), *map(_section, opened), _limits(opened)]
        parts = [metadata, "## What this model tacitly believes", *sections]
    return "\n\n".join(parts) + "\n"


def _metadata(runs: list[Run], name: str) -> str:
    results = [
        {
            "task": {"type": "tacit-probe", "name": run.record.probe.title},
            "dataset": {
                "type": f"tacit/{run.probe}",
                "name": f"{run.record.probe.title} (version {run.record.probe.version})",
            },
            "metrics": [_metric(row, run) for row in _key_rows(run).iter_rows(named=True)],
        }
        for run in runs
        if run.validity.can_be_interpreted
    ]
    return f"---\n{_yaml({'model-index': [{'name': name, 'results': results}]})}---"


def _key_rows(run: Run) -> pl.DataFrame:
    """The rows that carry the results; none where the run cannot be interpreted."""
    if not run.validity.can_be_interpreted:
        return run.measures.clear()
    return get_method(run.record.probe.method).key_rows(run.tables).head(MOST_MEASURES)


def _metric(row: dict[str, Any], run: Run) -> dict[str, Any]:
    numbers = {name: _rounded(row[name]) for name in ("low", "high", "neutral", "n") if row[name] is not None}
    name = f"{row['measure']} ({row['group']})" if row["group"] else row["measure"]
    args = CommentedMap({"mode": run.record.mode, **numbers})
    args.fa.set_flow_style()
    return {"type": row["measure"], "name": name, "value": _rounded(row["value"]), "args": args}


def _rounded(number: float) -> float:
    """To four significant digits: a card is read, and the run keeps all of them."""
    return number if isinstance(number, int) else float(f"{number:.4g}")


def _about(run: Run) -> str:
    return (
        f"Measured with Tacit {__version__}. At its neutral value a measure leans in neither direction; higher is not "
        f"better. Fingerprint of the model: `{run.record.model.fingerprint}`."
    )


def _section(run: Run) -> str:
    record = run.record
    lines = [f"### {escape_markdown(record.probe.title)}", "", f"**{escape_markdown(record.headline)}**", ""]
    lines += [f"- {escape_markdown(sentence)}" for sentence in record.sentences]
    lines += [f"- **Caution:** {escape_markdown(line)}" for line in caution_lines(record)]
    certificate = certificate_of(record)
    if certificate:
        lines.append(f"- **Certificate of the probe:** {certificate.words}. {escape_markdown(certificate.cannot_see)}")
    lines += ["", *measures_lines(_key_rows(run)), ""]
    lines += [f"- **Warning:** {escape_markdown(warning)}" for warning in record.warnings]
    lines += ["", f"Reproduce with `{command(record)}`."]
    return "\n".join(lines)


def _limits(runs: list[Run]) -> str:
    """What the probes do not show; what several of them say is said once."""
    limits = dict.fromkeys(limit for run in runs for limit in run.record.probe.limits)
    return "\n".join(["### Limits", "", *(f"- {escape_markdown(limit)}" for limit in limits)])


def _yaml(data: dict[str, Any]) -> str:
    stream = io.StringIO()
    yaml = YAML()
    yaml.width = 1000
    yaml.allow_unicode = True
    yaml.dump(data, stream)
    return stream.getvalue()
