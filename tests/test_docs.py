"""The documents are true: what they link to is there, and the commands they show exist."""

from __future__ import annotations

import re
import shlex
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer

from docs.generate.site import generate_pages
from tacit.cli.main import app
from tacit.methods import get_method
from tacit.probes import load_probe, probe_names
from tacit.probes.coverage import read_coverage

REPO = Path(__file__).parent.parent
STUDIES = ("temporal", "regional", "sentiment-association", "stereotype", "intensifier")
PAGES = sorted(
    [
        *REPO.glob("*.md"),
        *REPO.glob("docs/**/*.md"),
        *REPO.glob("src/tacit/probes/*/README.md"),
        *REPO.glob("benchmarks/*.md"),
    ]
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not _leads_somewhere(page, link)]
    assert missing == []


def _leads_somewhere(page: Path, link: str) -> bool:
    """A link leads to a file, or from one page of the site to a generated one."""
    path = (page.parent / link).resolve()
    return path.exists() or (
        path.is_relative_to(REPO / "docs") and str(path.relative_to(REPO / "docs")) in _generated()
    )


@cache
def _generated() -> frozenset[str]:
    return frozenset(generate_pages(full=False))


def _commands(page: Path) -> list[list[str]]:
    blocks = re.findall(r"```(?:sh|bash|console|text)?\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    joined = [line.partition(" #")[0] for line in lines if line.startswith("tacit ")]
    return [shlex.split(line.replace("\\", "")) for line in joined if "..." not in line]


def _assert_command(words: list[str], where: str) -> None:
    """The command exists, and takes these options."""
    command: Any = typer.main.get_command(app)
    rest = words[1:]
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        assert rest[0] in command.commands, f"{where}: {' '.join(words)}"
        command, rest = command.commands[rest[0]], rest[1:]
    known = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]}
    used = {word.partition("=")[0] for word in rest if word.startswith("--")}
    assert used <= known | {"--help"}, f"{where}: {' '.join(words)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_every_command_shown_exists_with_its_options(page: Path) -> None:
    for words in _commands(page):
        _assert_command(words, page.name)


@pytest.mark.parametrize("probe", STUDIES)
def test_every_part_of_a_study_has_a_command_that_exists_or_says_why_not(probe: str) -> None:
    parts = read_coverage(load_probe(probe))
    assert len(parts) > 5
    for part in parts:
        assert part.shows
        assert part.command or part.differs, part.part
        for command in filter(None, part.command.split("&&")):
            words = shlex.split(command)
            assert words[0] in {"tacit", "python"}, command
            if words[0] == "tacit":
                _assert_command(words, part.part)
                _assert_settings(words, part.part)


def _assert_settings(words: list[str], where: str) -> None:
    """The settings exist in one of the probes that the command names."""
    probes = [load_probe(word) for word in words[2:] if word in probe_names()]
    known = {name for probe in probes for name in get_method(probe.method).settings.model_fields}
    used = {value.partition("=")[0].rpartition(".")[2] for option, value in pairwise(words) if option == "--set"}
    assert used <= known, f"{where}: {' '.join(words)}"


def test_the_architecture_names_files_that_exist() -> None:
    named = re.findall(
        r"`((?:\w+/)+\w+\.(?:py|csv|yaml))`", (REPO / "docs/architecture.md").read_text(encoding="utf-8")
    )
    assert len(named) > 15
    missing = [name for name in named if not (REPO / name).exists() and not (REPO / "src/tacit" / name).exists()]
    assert missing == []
