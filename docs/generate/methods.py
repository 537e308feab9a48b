"""A page for each method: what it measures, its equations with the names that the code has, its settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType

from docs.generate.links import REPO, link_pages
from tacit.methods import get_method, method_names
from tacit.probes import load_probe, probe_names
from tacit.tables import read_yaml

__all__ = ["EQUATIONS", "formulas_of", "method_index", "method_page", "read_equations"]

EQUATIONS = REPO / "docs/equations.yaml"
"""The equations as LaTeX, by method and by the function of `formulas.py` that computes them."""


def method_index() -> str:
    """All methods."""
    rows = [f"| [`{name}`]({name}.md) | {_summary(name)} | {_links(name)} |" for name in method_names()]
    intro = (
        "A method is a paper's way of measuring: which questions to ask, and the formulas that turn answers into "
        "measures. [Statistics](../statistics.md) tells how intervals and verdicts come about; "
        "[contributing](../contributing.md) shows a whole method on one page."
    )
    return "\n".join(["# Methods", "", intro, "", "| method | in a sentence | probes |", "|---|---|---|", *rows, ""])


def method_page(name: str) -> str:
    """The page of one method."""
    parts = [f"# {name}", *_intro(name), *_equations(name), *_settings(name)]
    return "\n\n".join(parts) + "\n"


def read_equations() -> dict[str, dict[str, str]]:
    """The typeset equations."""
    loaded: dict[str, dict[str, str]] = read_yaml(EQUATIONS)
    return loaded


def formulas_of(name: str) -> dict[str, Callable[..., object]]:
    """The public functions of a method's `formulas.py`, in the order of the file."""
    module = _module(name, ".formulas")
    functions = {name: value for name, value in vars(module).items() if inspect.isfunction(value)}
    return {name: value for name, value in functions.items() if name in module.__all__}


def _intro(name: str) -> Iterator[str]:
    module = _module(name)
    yield link_pages(inspect.cleandoc(module.__doc__ or ""), REPO / "docs/methods/index.md", f"methods/{name}.md")
    probes = _links(name)
    if probes:
        yield f"*Probes:* {probes}."


def _equations(name: str) -> Iterator[str]:
    typeset = read_equations().get(name, {})
    yield "## Equations"
    yield f"Each is a function of `tacit.methods.{name}.formulas`, under the same name. {_first_line(name)}"
    for function, code in formulas_of(name).items():
        yield f"### `{function}`"
        if function in typeset:
            yield f"$$\n{typeset[function].strip()}\n$$"
        yield _prose(code)
        yield f"```text\n{function}{_signature(code)}\n```"


def _first_line(name: str) -> str:
    text = inspect.cleandoc(_module(name, ".formulas").__doc__ or "")
    return " ".join(text.split())


def _prose(code: Callable[..., object]) -> str:
    """The docstring up to its arguments, its formulas in code so that Markdown leaves them alone."""
    text = inspect.cleandoc(code.__doc__ or "").split("\n\nArgs:")[0].split("\n\nReturns:")[0]
    return "\n\n".join(_escape(" ".join(part.split())) for part in text.split("\n\n"))


def _escape(text: str) -> str:
    parts = text.split("`")
    # What stands in backquotes is code already; elsewhere these signs belong to formulas.
    plain = [part if number % 2 else _literal(part) for number, part in enumerate(parts)]
    return "`".join(plain)


def _literal(text: str) -> str:
    for sign in ("\\", "*", "_", "|", "[", "]", "<", "$"):
        text = text.replace(sign, "\\" + sign if sign != "<" else "&lt;")
    return text


def _signature(code: Callable[..., object]) -> str:
    names = []
    for parameter in inspect.signature(code).parameters.values():
        default = "" if parameter.default is inspect.Parameter.empty else f"={parameter.default!r}"
        names.append(f"{parameter.name}{default}")
    return f"({', '.join(names)})"


def _settings(name: str) -> Iterator[str]:
    kind = get_method(name).settings
    yield "## Settings"
    rows = ["| `--set` | meaning | choices |", "|---|---|---|"]
    for setting, (meaning, choices) in kind.describe().items():
        rows.append(f"| `{setting}` | {_escape(meaning)} | {', '.join(choices)} |")
    yield "\n".join(rows)


def _summary(name: str) -> str:
    return inspect.cleandoc(_module(name).__doc__ or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _links(name: str) -> str:
    own = [probe for probe in probe_names() if load_probe(probe).method == name]
    return ", ".join(f"[{probe}](../probes/{probe}.md)" for probe in own)


def _module(name: str, part: str = "") -> ModuleType:
    return import_module(f"{type(get_method(name)).__module__}{part}")
