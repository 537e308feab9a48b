"""The documents are true: what they link to is there, and the commands they show exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from tacit.cli.main import app

REPO = Path(__file__).parent.parent
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
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def _commands(page: Path) -> list[list[str]]:
    blocks = re.findall(r"```(?:sh|bash|console|text)?\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    joined = [line.partition(" #")[0] for line in lines if line.startswith("tacit ")]
    return [shlex.split(line.replace("\\", "")) for line in joined if "..." not in line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_every_command_shown_exists_with_its_options(page: Path) -> None:
    whole = typer.main.get_command(app)
    for words in _commands(page):
        command: Any = whole
        rest = words[1:]
        while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
            assert rest[0] in command.commands, f"{page.name}: {' '.join(words)}"
            command, rest = command.commands[rest[0]], rest[1:]
        known = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]}
        used = {word.partition("=")[0] for word in rest if word.startswith("--")}
        assert used <= known | {"--help"}, f"{page.name}: {' '.join(words)}"


def test_the_architecture_names_files_that_exist() -> None:
    named = re.findall(
        r"`((?:\w+/)+\w+\.(?:py|csv|yaml))`", (REPO / "docs/architecture.md").read_text(encoding="utf-8")
    )
    assert len(named) > 15
    missing = [name for name in named if not (REPO / name).exists() and not (REPO / "src/tacit" / name).exists()]
    assert missing == []
