"""The site is complete and true: every page is in the navigation, names are those of the code, what it shows runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from docs.check import blocks, check_page
from docs.generate.commands import command_pages
from docs.generate.links import link_pages
from docs.generate.math import typeset
from docs.generate.methods import formulas_of, read_equations
from docs.generate.notebooks import NOTEBOOKS, execute
from docs.generate.probes import probe_page
from docs.generate.site import generate_pages
from tacit.cli.main import app
from tacit.methods import method_names
from tacit.probes import load_probe, probe_names

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    written = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    return {**written, **generate_pages(full=False)}


def test_every_probe_method_and_command_has_a_page(pages: dict[str, str]) -> None:
    commands: Any = typer.main.get_command(app)
    wanted = [
        *(f"probes/{name}.md" for name in probe_names()),
        *(f"methods/{name}.md" for name in method_names()),
        *(f"reference/commands/{name}.md" for name in commands.commands),
    ]
    assert [page for page in wanted if page not in pages] == []


def test_every_option_of_every_command_is_on_its_page() -> None:
    pages = command_pages()
    commands: Any = typer.main.get_command(app)
    for name, command in commands.commands.items():
        own = getattr(command, "commands", {"": command}).values()
        options = [option for one in own for parameter in one.params for option in parameter.opts]
        named = [option for option in options if option.startswith("--") and option != "--help"]
        assert [option for option in named if f"`{option}`" not in pages[f"reference/commands/{name}.md"]] == []


def test_every_generated_link_leads_to_a_page(pages: dict[str, str]) -> None:
    dead = []
    for page, text in pages.items():
        for target in re.findall(r"(?<!!)\]\(([^)#\s]+\.md)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
            to = (DOCS / page).parent.joinpath(target).resolve()
            inside = to.is_relative_to(DOCS) and to.relative_to(DOCS).as_posix() in pages
            # Documents of the repository link to its files; the build turns these into pages or into plain names.
            if not inside and not to.exists():
                dead.append(f"{page}: {target}")
    assert dead == []


@pytest.mark.parametrize("method", sorted(read_equations()))
def test_equations_have_the_names_of_the_functions_that_compute_them(method: str) -> None:
    assert set(read_equations()[method]) - set(formulas_of(method)) == set()


def test_a_formula_becomes_mathml() -> None:
    made = typeset(r'<div class="arithmatex">\[\frac{a}{b} &lt; 1\]</div>')
    assert "<mfrac>" in made
    assert "arithmatex" not in made


def test_every_equation_can_be_typeset() -> None:
    for equations in read_equations().values():
        for latex in equations.values():
            made = typeset(rf'<span class="arithmatex">\({latex}\)</span>')
            text = re.sub(r"<[^>]+>", "", made)
            assert "\\" not in text, latex


def test_links_lead_to_pages_and_files_of_the_code_are_only_named() -> None:
    source = DOCS / "page.md"
    text = "[a](../CONTRIBUTING.md) [b](../src/tacit/cli/run.py) [c](validity.md#x) see docs/errata.md, `[d](e.md)`"
    assert link_pages(text, source, "page.md") == (
        "[a](contributing.md) `b` [c](validity.md#x) see [errata](errata.md), `[d](e.md)`"
    )


@pytest.mark.parametrize("name", ["temporal", "regional", "stereotype", "intensifier"])
def test_a_probe_page_shows_answers_certificate_limits_and_citation(name: str) -> None:
    page = probe_page(name, figures=False)
    for heading in ("What is asked", "Certificate", "Limits", "How to run", "Background", "How to cite"):
        assert f"\n## {heading}\n" in page, heading
    assert load_probe(name).limits[0].split("(")[0][:40] in page
    assert "smollm2-135m" in page


def test_the_python_of_the_start_page_runs() -> None:
    kinds = [block.kind for block in blocks(DOCS / "index.md")]
    assert kinds.count("python") == 1
    assert kinds.count("console") == 3
    assert check_page(DOCS / "index.md", consoles=False) == []


def test_a_block_that_fails_and_a_command_that_prints_something_else_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```python\n1 / 0\n```\n\n```console\n$ echo one\ntwo\n```\n\n<!-- not run: why -->\n```python\nx\n```\n"
    )
    assert [problem.split(": ")[1] for problem in check_page(page)] == [
        "a Python block fails",
        "a command prints something else (python -m docs.check --update)",
    ]
    check_page(page, update=True)
    assert "```console\n$ echo one\none\n```" in page.read_text()


@pytest.mark.parametrize("notebook", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    made = execute(notebook, tmp_path)
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    assert len(code) >= 3
    assert any(cell.outputs for cell in code)
