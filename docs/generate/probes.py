"""A page for each probe, from its YAML, its README, its certificate, its coverage and small runs on the standards."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from docs.generate.examples import read_examples
from docs.generate.links import link_pages
from docs.generate.runs import Drawing, draw_planted, draw_runs, figure_file, run_settings, small_runs
from tacit.errors import MaterialsError
from tacit.methods import get_method
from tacit.methods.glance import Term
from tacit.probes import Probe, load_probe, probe_names
from tacit.probes.certificate import Certificate, Check, shipped_certificate
from tacit.probes.coverage import read_coverage
from tacit.runs import Run
from tacit.standards import standard_names

__all__ = ["probe_drawings", "probe_index", "probe_page"]

_LIGHTS = {"green": "🟢", "yellow": "🟡", "red": "🔴"}
_MOST_FIGURES = 3


def probe_index() -> str:
    """All probes, those of the studies first."""
    rows = []
    for name in ordered_probes():
        probe = load_probe(name)
        certificate = shipped_certificate(name, probe.version)
        light = f"{_LIGHTS[certificate.light]} {certificate.light}" if certificate else "none"
        paper = f"{probe.paper.authors}, {probe.paper.year}" if probe.paper else ""
        rows.append(f"| [`{name}`]({name}.md) | {probe.title} | {paper} | {light} |")
    head = "| probe | question | study | certificate |\n|---|---|---|---|"
    intro = (
        "A probe is a method with materials, under a name. Run one with `tacit run NAME --model MODEL`; a probe of "
        "your own is [a YAML file and a CSV](../howto/own-probe.md). The light sums up the probe's "
        "[certificate](../validity.md): green if every check passes, yellow if one is doubtful, red if one fails. "
        "The others are examples and variants, without one."
    )
    return "\n".join(["# Probes", "", intro, "", head, *rows, ""])


def ordered_probes() -> list[str]:
    """Certified probes first: they are those of the studies; the others are examples and variants."""
    return sorted(probe_names(), key=lambda name: (shipped_certificate(name) is None, name))


def probe_drawings(name: str) -> list[Drawing]:
    """All figures of a probe: of its small runs, and of what was planted."""
    return [*draw_runs(name), *draw_planted(name)]


def probe_page(name: str, *, figures: bool = True) -> str:
    """The page of one probe.

    Args:
        name: Its name.
        figures: Run it on the standards and show what comes out; false for a quick look at everything else.
    """
    probe = load_probe(name)
    parts = [f"# {name}", f"**{probe.title}**", probe.description.strip(), *_facts(probe), *_asked(probe)]
    if figures:
        parts += [*_results(probe), *_figures(probe)]
    parts += [*_certificate(probe), *_limits(probe), *_how_to_run(probe), *_coverage(probe), *_readme(probe)]
    parts += _citation(probe)
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(probe: Probe) -> Iterator[str]:
    if probe.paper:
        venue = f", {probe.paper.venue}" if probe.paper.venue else ""
        yield f"*Study:* {probe.paper.authors} ({probe.paper.year}), “{probe.paper.title}”{venue}."
    yield f"*Method:* [{probe.method}](../methods/{probe.method}.md). *Version:* {probe.version}."


def _asked(probe: Probe) -> Iterator[str]:
    examples = read_examples(probe.name)
    if not examples:
        return
    yield "## What is asked"
    models = _count(len(examples[0]["answers"]))
    yield f"Two of its questions, and {get_method(probe.method).exchange_note}, as {models} models answer them:"
    for example in examples:
        yield f"> {_plain(example['text'])}"
        for model, text in example["asked"].items():
            if text != example["text"]:
                yield f"`{model}` continues a text instead of filling a blank, so it is asked: {_plain(text)}"
        yield _answers(example["answers"])
        yield "```sh\n" + "\n".join(example["commands"]) + "\n```"
    yield "`tacit models fetch smollm2-135m` fetches the last model once; the others ship with Tacit."


def _count(number: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(number, str(number))


def _answers(answers: dict[str, list[list[str]]]) -> str:
    head = "| " + " | ".join(answers) + " |\n|" + "---|" * len(answers)
    rows = []
    for place in range(max(map(len, answers.values()))):
        words = [words[place] if place < len(words) else ["", ""] for words in answers.values()]
        rows.append("| " + " | ".join(f"{_plain(word)} {text}".strip() for word, text in words) + " |")
    return "\n".join([head, *rows])


def _results(probe: Probe) -> Iterator[str]:
    runs, problems = small_runs(probe.name)
    if not runs:
        return
    yield "## What the numbers mean"
    settings = ", ".join(f"`{key}={value}`" for key, value in run_settings(probe).items())
    size = f"a small run ({settings})" if settings else "a run with the default settings"
    yield f"What {size} says of the models that ship with Tacit:"
    yield "\n".join(f"- {_plain(run.headline)}" for run in runs)
    run = next((run for run in runs if run.validity.can_be_interpreted), runs[0])
    yield f"The main measures of `{run.model}` in that run:"
    yield _measures(probe, run)
    yield "".join(f"- Not asked: {problem}\n" for problem in problems)


def _measures(probe: Probe, run: Run) -> str:
    method = get_method(probe.method)
    rows = ["| measure | group | value and 95% interval | no leaning at | sampled unit |", "|" + "---|" * 5]
    for row in method.key_rows(run.tables).iter_rows(named=True):
        term = method.term(row["measure"])
        interval = f" [{_number(row['low'], term)}, {_number(row['high'], term)}]" if row["low"] is not None else ""
        cells = [
            f"{_plain(term.words)} (`{row['measure']}`)",
            _plain(row["group"] or ""),
            _number(row["value"], term) + interval,
            _number(row["neutral"], term),
            row["unit"] or "",
        ]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _number(value: float | None, term: Term) -> str:
    if value is None or math.isnan(value):
        return ""
    return f"{value:.0%}" if term.percent else f"{value:.3g}"


def _figures(probe: Probe) -> Iterator[str]:
    drawn = [*draw_runs(probe.name)[:_MOST_FIGURES], *draw_planted(probe.name)]
    if not drawn:
        return
    yield "## Figures"
    for drawing in drawn:
        yield show_drawing(drawing, 3)
    yield "The [gallery](../gallery.md) has all of them."


def show_drawing(drawing: Drawing, level: int, up: str = "../") -> str:
    """A figure under its title, with how to read it."""
    figure = drawing.figure
    alt = re.sub(r"[\[\]\n]", " ", figure.alt)
    return (
        f"{'#' * level} {_plain(figure.title)}\n\n![{alt}]({up}{figure_file(drawing)}){{ .figure }}\n\n"
        f"{_plain(figure.caption)}"
    )


def _certificate(probe: Probe) -> Iterator[str]:
    certificate = shipped_certificate(probe.name, probe.version)
    yield "## Certificate"
    if certificate is None:
        yield f"None ships with this probe. `tacit validate {probe.name}` checks what it can see."
        return
    yield f"{_LIGHTS[certificate.light]} {_plain(certificate.words)}. {_plain(certificate.cannot_see)}"
    yield _checks(certificate)
    yield "[Validity](../validity.md) says what each check is and why its bar is where it is."


def _checks(certificate: Certificate) -> str:
    every: list[tuple[str, Check]] = [("all models", check) for check in certificate.checks]
    every += [(model.model, check) for model in certificate.models for check in model.checks]
    rows = [
        f"| {check.name} | {model} | {check.outcome} | {_plain(check.number)} |"
        for model, check in every
        if check.outcome != "not applicable"
    ]
    return "\n".join(["| check | model | outcome | what was found |", "|---|---|---|---|", *rows])


def _limits(probe: Probe) -> Iterator[str]:
    if probe.limits:
        yield "## Limits"
        yield "\n".join(f"- {_plain(limit)}" for limit in probe.limits)


def _how_to_run(probe: Probe) -> Iterator[str]:
    name = probe.name
    models = " ".join(f"--model {model}" for model in standard_names())
    if get_method(probe.method).tuned_standards:
        models += "".join(f" --model {model}" for model in get_method(probe.method).tuned_standards)
    yield "## How to run"
    yield (
        f"```sh\ntacit run {name} {models}\ntacit report runs/{name} --out {name}.html\n"
        f"tacit probes {name}                # sizes, settings, certificate, limits\n```"
    )
    yield f'```text\nrun = tacit.run("{name}", model="MODEL")     # the same in Python\n```'
    described = get_method(probe.method).settings.describe()
    rows = ["| setting | meaning | choices | here |", "|---|---|---|---|"]
    for setting, (meaning, choices) in described.items():
        here = f"`{probe.settings[setting]}`" if setting in probe.settings else ""
        rows.append(f"| `{setting}` | {_plain(meaning)} | {', '.join(choices)} | {here} |")
    yield '??? note "Settings (`--set key=value`)"\n\n' + _indent("\n".join(rows))


def _coverage(probe: Probe) -> Iterator[str]:
    try:
        parts = read_coverage(probe)
    except MaterialsError:
        return
    yield "## The study, part by part"
    rows = ["| part | shows | command | differs |", "|---|---|---|---|"]
    for part in parts:
        command = f"`{part.command}`" if part.command else "cannot be made here"
        rows.append(f"| {_plain(part.part)} | {_plain(part.shows)} | {command} | {_plain(part.differs)} |")
    yield "\n".join(rows)


def _readme(probe: Probe) -> Iterator[str]:
    path: Path = probe.folder / "README.md"
    if not path.exists():
        return
    text = re.sub(r"\A# .*\n", "", path.read_text(encoding="utf-8"))
    text = re.sub(r"^(#+) ", r"#\1 ", text, flags=re.MULTILINE)
    yield "## Background"
    yield link_pages(text.strip(), path, f"probes/{probe.name}.md")


def _citation(probe: Probe) -> Iterator[str]:
    yield "## How to cite"
    if probe.paper is None:
        yield "Name the probe, its version and the version of Tacit; `run.json` has all three."
        return
    paper = probe.paper
    key = re.sub(r"\W", "", paper.authors.split(",")[0].split()[-1]).lower() + str(paper.year)
    venue = f"  howpublished = {{{paper.venue}}},\n" if paper.venue else ""
    authors = re.sub(r",? and |, ", " and ", paper.authors)
    yield "Cite the study, and say which version of Tacit and of the probe you used (`run.json` has both):"
    yield (
        f"```bibtex\n@misc{{{key},\n  author = {{{authors}}},\n  title = {{{paper.title}}},\n"
        f"  year = {{{paper.year}}},\n{venue}}}\n```"
    )


def _plain(text: str) -> str:
    """Text that Markdown and HTML leave alone, in one line."""
    one_line = " ".join(text.split())
    return re.sub(r"([\\*_|<>\[\]#`])", r"\\\1", one_line).replace("\\<", "&lt;").replace("\\>", "&gt;")


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
