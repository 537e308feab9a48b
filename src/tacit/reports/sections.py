"""What the page says about each probe: its runs side by side, as plain data for the template."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from tacit.asking.progress import OnStep, announced
from tacit.figure import Figure, model_colors, models_of_report, ordered_models
from tacit.methods import Method, Tables, get_method
from tacit.methods.agreement import Agreement
from tacit.reports.asked import Asked, asked
from tacit.reports.banner import Banner, settings_banner
from tacit.reports.certificates import Shown, certificate_shown
from tacit.reports.overview import Answer, answers
from tacit.reports.side_by_side import differences, side_by_side
from tacit.reports.tables import PageTable, page_table, stacked
from tacit.runs import Run
from tacit.runs.comparable import why_not_comparable
from tacit.runs.compare import Comparison, compare
from tacit.runs.record import RunRecord
from tacit.runs.summary import aggregates
from tacit.runs.text import command
from tacit.storage import slug

__all__ = ["Section", "sections"]

_MOST_SENTENCES = 3


@dataclass(frozen=True)
class Section:
    """One probe with one set of materials and settings, on one model or several.

    Attributes:
        anchor: Its id on the page.
        record: The record of its first run; probe and settings are the same in all of them.
        runs: The runs, by the model's name on the page, in the order of the report.
        answers: What each model answers to the title.
        headline: One sentence that answers the title for the models that can be asked.
        certificate: What the probe was shown to see; None if nothing vouches for it.
        banner: Which settings are not the probe's own; None if all are.
        asked: The questions, with one real example.
        figures: The figures of the method, about the models that can be asked; the first is the one that matters.
        comparison: How these models differ; None for fewer than two.
        key: The rows of the measures that carry the results, with a column per model.
        differences: The comparison as a table.
        agreement: What these models, or this method and the one that it is compared with, find alike.
        tables: All aggregates, the measures of each item, then the further tables of the method.
    """

    anchor: str
    record: RunRecord
    runs: dict[str, Run]
    answers: dict[str, Answer]
    headline: str
    certificate: Shown | None
    banner: Banner | None
    asked: Asked
    figures: list[Figure]
    comparison: Comparison | None
    key: PageTable
    differences: PageTable | None
    agreement: list[Agreement]
    tables: list[PageTable]

    @property
    def title(self) -> str:
        """The title of the probe, with the mode if it is not the default one."""
        mode = "" if self.record.mode == "corrected" else f" ({self.record.mode})"
        return f"{self.record.probe.title}{mode}"

    @property
    def sentences(self) -> list[str]:
        """At most three sentences: how the models differ or, of a single one, its headline and what follows it."""
        if self.comparison:
            return [*(self.comparison.findings or self.comparison.sentences)][:_MOST_SENTENCES]
        said = [sentence for run in self.runs.values() for sentence in run.sentences] if len(self.runs) == 1 else []
        return [sentence for sentence in [self.headline, *said] if sentence][:_MOST_SENTENCES]

    @property
    def further_sentences(self) -> dict[str, tuple[str, ...]]:
        """What else is said of each model."""
        said = {model: (run.headline, *run.sentences) for model, run in self.runs.items()}
        return {
            model: further
            for model, sentences in said.items()
            if (further := tuple(sentence for sentence in sentences if sentence not in self.sentences))
        }

    @property
    def further_comparisons(self) -> list[str]:
        """What else is said of how the models differ."""
        compared = list(self.comparison.sentences if self.comparison else ())
        compared += [sentence for agreement in self.agreement for sentence in agreement.sentences]
        return [sentence for sentence in dict.fromkeys(compared) if sentence not in self.sentences]

    @property
    def agreement_tables(self) -> list[PageTable]:
        """What is found alike, as tables."""
        return [
            replace(page_table(f"{self.anchor}-agreement-{found.name}", found.title, found.table, []), note=found.note)
            for found in self.agreement
        ]

    @property
    def commands(self) -> list[str]:
        """The commands that reproduce these runs."""
        return [command(run.record) for run in self.runs.values()]


def sections(runs: Sequence[Run], on_step: OnStep | None = None) -> list[Section]:
    """Group runs by probe, materials and settings, in the order given; models are in the order of every report."""
    order = ordered_models(run.model for run in runs)
    groups: dict[str, list[Run]] = {}
    for run in sorted(runs, key=lambda run: order.index(run.model)):
        groups.setdefault(_inputs(run), []).append(run)
    in_order = [groups[inputs] for inputs in dict.fromkeys(map(_inputs, runs))]
    with models_of_report(order):
        named = list(zip(_anchors([group[0].probe for group in in_order]), in_order, strict=True))
        steps = announced(named, lambda pair: f"Report: section {pair[1][0].probe}", on_step)
        return [_section(anchor, group, in_order) for anchor, group in steps]


def _inputs(run: Run) -> str:
    record = run.record
    settings = [record.plain_settings(), record.setting_hashes()]
    return json.dumps([record.probe.name, record.probe.version, record.materials, *settings], sort_keys=True)


def _anchors(probes: Sequence[str]) -> list[str]:
    """The name of each probe as an id; a probe that occurs again gets a number."""
    counts: Counter[str] = Counter()
    anchors = []
    for probe in probes:
        anchor = f"probe-{slug(probe)}"
        counts[anchor] += 1
        anchors.append(anchor if counts[anchor] == 1 else f"{anchor}-{counts[anchor]}")
    return anchors


def _section(anchor: str, group: list[Run], groups: Sequence[list[Run]]) -> Section:
    method = get_method(group[0].record.probe.method)
    runs = _by_model(group)
    colors = model_colors(runs)
    interpretable = _interpretable(group)
    tables = _tables(interpretable)
    key_rows = {model: method.key_rows(own) for model, own in tables.items()}
    comparison = _comparison(interpretable)
    questions = asked(anchor, runs, colors)
    return Section(
        anchor=anchor,
        record=group[0].record,
        runs=runs,
        answers=answers(method, runs, colors),
        headline=method.headline(tables) if tables else "",
        certificate=certificate_shown(group[0].record),
        banner=settings_banner([run.record for run in group], questions.prepared),
        asked=questions,
        figures=_figures(method, tables, groups) if tables else [],
        comparison=comparison,
        key=side_by_side(
            f"{anchor}-measures", "The numbers behind it", key_rows, method, colors, files=_files(group, "measures")
        ),
        differences=differences(f"{anchor}-differences", comparison, method) if comparison else None,
        agreement=_agreement(method, tables, groups),
        tables=_details(anchor, method, group, colors),
    )


def _comparison(runs: list[Run]) -> Comparison | None:
    comparable = len(runs) > 1 and runs[0].record.comparisons and why_not_comparable(runs[0], runs[1]) is None
    return compare(runs) if comparable else None


def _agreement(method: Method[Any, Any], tables: dict[str, Tables], groups: Sequence[list[Run]]) -> list[Agreement]:
    """What the models of a section find alike, also beside the first group of the method that it is compared with."""
    same = [_interpretable(group) for group in groups if group[0].record.probe.method == method.compared_with]
    others = next((_tables(group) for group in same if group), None)
    return method.agreement(tables, others) if tables else []


def _interpretable(group: list[Run]) -> list[Run]:
    return [run for run in group if run.validity.can_be_interpreted]


def _by_model(group: list[Run]) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    for run in group:
        runs[run.model if run.model not in runs else f"{run.model} ({run.folder})"] = run
    return runs


def _tables(group: list[Run]) -> dict[str, Tables]:
    return {model: run.tables for model, run in _by_model(group).items()}


def _files(group: list[Run], table: str) -> list[str]:
    return [f"{run.folder}/{table}.parquet" for run in group]


def _figures(method: Method[Any, Any], tables: dict[str, Tables], groups: Sequence[list[Run]]) -> list[Figure]:
    """The method's own figures, then those beside each group of runs of the method that it is compared with."""
    same = [_interpretable(group) for group in groups if group[0].record.probe.method == method.compared_with]
    others = [group for group in same if group]
    beside = [method.figures_beside(_tables(group), tables) for group in others]
    if len(others) > 1:
        labels = _labels([group[0] for group in others])
        beside = [
            [_beside(figure, number, label) for figure in figures]
            for number, (figures, label) in enumerate(zip(beside, labels, strict=True), start=1)
        ]
    return [*method.figures(tables), *(figure for figures in beside for figure in figures)]


def _beside(figure: Figure, number: int, label: str) -> Figure:
    """A figure whose name and title say which of several groups of runs it is beside."""
    return replace(
        figure,
        name=f"{figure.name}-{number}",
        title=f"{figure.title} (beside {label})",
        alt=f"Beside {label}. {figure.alt}",
    )


def _labels(runs: Sequence[Run]) -> list[str]:
    """The probe of each run with the settings that differ between them, and the folder where that is not enough."""
    settings = [run.record.settings for run in runs]
    names = dict.fromkeys(name for values in settings for name in values)
    differing = [name for name in names if any(values.get(name) != settings[0].get(name) for values in settings)]
    labels = []
    for run in runs:
        values = [f"{name}={run.record.settings[name]}" for name in differing if name in run.record.settings]
        labels.append(run.probe + (f" with {', '.join(values)}" if values else ""))
    return [
        label if labels.count(label) == 1 else f"{label} in {run.folder}"
        for label, run in zip(labels, runs, strict=True)
    ]


def _details(anchor: str, method: Method[Any, Any], group: list[Run], colors: dict[str, str]) -> list[PageTable]:
    """All aggregates, the measures of each item, then each further table of the method, where they are not empty."""
    tables, files = _tables(group), _files(group, "measures")
    whole = {model: aggregates(own["measures"]) for model, own in tables.items()}
    items = {model: own["measures"].filter(pl.col("item").is_not_null()) for model, own in tables.items()}
    details = [
        side_by_side(f"{anchor}-all", "All measures", whole, method, colors, files=files),
        side_by_side(f"{anchor}-items", "Measures of each item", items, method, colors, files=files),
    ]
    for name in next(iter(tables.values())):
        if name != "measures":
            frames = {model: own[name] for model, own in tables.items() if name in own}
            title = name.replace("_", " ").replace("-", " ").capitalize()
            details.append(page_table(f"{anchor}-table-{slug(name)}", title, _joined(frames), _files(group, name)))
    return [table for table in details if table.rows]


def _joined(frames: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """The table of each model below the other; once where it is the same for all of them."""
    first = next(iter(frames.values()))
    alike = len(frames) > 1 and all(frame.equals(first) for frame in frames.values())
    return first if alike else stacked(frames)
