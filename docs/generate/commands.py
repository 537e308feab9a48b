"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer

from docs.generate.links import REPO
from tacit.cli.main import app

__all__ = ["command_pages", "examples_of"]

_FOLDER = "reference/commands"
_OWN = {"help", "install_completion", "show_completion"}


def command_pages() -> dict[str, str]:
    """One page per command; a group of commands has a section for each of its own."""
    top: Any = typer.main.get_command(app)
    pages = {f"{_FOLDER}/index.md": _index(top)}
    for name, command in top.commands.items():
        pages[f"{_FOLDER}/{name}.md"] = "\n".join(_describe(command, ["tacit", name], level=1))
    return pages


def _index(top: Any) -> str:
    rows = [f"| [`tacit {name}`]({name}.md) | {_sentence(command)} |" for name, command in top.commands.items()]
    return "\n".join(
        [
            "# Commands",
            "",
            "Every command can be interrupted and continues when given again. It exits with 0 (done), 1 (ran and found "
            "a problem) or 2 (could not run: one sentence says why).",
            "",
            "| command | what it does |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def _describe(command: Any, words: list[str], level: int) -> Iterator[str]:
    yield f"{'#' * level} `{' '.join(words)}`\n"
    yield f"{_text(command)}\n"
    own = getattr(command, "commands", {})
    if not own:
        yield f"```text\n{_usage(command, words)}\n```\n"
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and one.name not in _OWN]
    yield from _table("argument", arguments)
    yield from _table("option", options)
    examples = examples_of(tuple(words[1:]))
    if examples and not own:
        yield "**Examples**\n\n```sh\n" + "\n".join(examples) + "\n```\n"
    for name, inner in own.items():
        yield from _describe(inner, [*words, name], level + 1)


def _usage(command: Any, words: list[str]) -> str:
    arguments = [_argument(one) for one in command.params if one.param_type_name == "argument"]
    return " ".join([*words, *arguments, "[OPTIONS]"])


def _argument(parameter: Any) -> str:
    shown = str(parameter.name).upper().rstrip("_") + ("..." if parameter.nargs == -1 else "")
    return shown if parameter.required else f"[{shown}]"


def _table(kind: str, parameters: list[Any]) -> Iterator[str]:
    if not parameters:
        return
    yield f"| {kind} | meaning | default |\n|---|---|---|"
    for parameter in parameters:
        named = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
        if kind == "argument":
            named = f"`{_argument(parameter)}`"
        required = "required" if parameter.required else _default(parameter)
        yield f"| {named} | {_cell(parameter.help or '')} | {required} |"
    yield ""


def _default(parameter: Any) -> str:
    default = parameter.default
    if default is None or default is False or callable(default) or default in ((), [], ""):
        return ""
    return f"`{default}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _text(command: Any) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))


def _sentence(command: Any) -> str:
    return _cell((command.help or "").split("\n\n")[0])


def examples_of(command: tuple[str, ...]) -> list[str]:
    """How the documents use a command: at most four different lines, those of the README first."""
    found = [line for line in _lines() if tuple(line.split()[1 : len(command) + 1]) == command]
    return list(dict.fromkeys(found))[:4]


@cache
def _lines() -> tuple[str, ...]:
    pages = [REPO / "README.md", *sorted((REPO / "docs").rglob("*.md")), *sorted(REPO.glob("src/tacit/probes/*/*.md"))]
    blocks = [
        block
        for page in pages
        for block in re.findall(r"```(?:sh|console|text)?\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    ]
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return tuple(line for line in lines if line.startswith("tacit ") and not line.endswith("\\"))
