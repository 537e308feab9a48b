"""The grammar of prompts: a base sentence and kinds of knowledge before it, with slots that are filled by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from tacit.errors import TacitError
from tacit.questions import split_blank
from tacit.tables import read_yaml, refuse

__all__ = ["BASE", "Grammar", "Item", "Kind", "Size", "article", "fill_slots", "names_background", "read_grammar"]

BASE = "base"
_SLOT = re.compile(r"\{([^{}]*)\}")
# Words whose first sound and first letter disagree: "an hour", "a university", "a one-way street".
_SILENT_H = ("heir", "honest", "honor", "honour", "hour")
_SPOKEN_Y_OR_W = ("eu", "ewe", "once", "one", "ubiq", "uni", "ura", "use", "usu", "uti")


@dataclass(frozen=True, slots=True)
class Item:
    """Something that one of two groups is held to dominate: an occupation. `share` is the first group's, in percent."""

    name: str
    written: str
    article: str
    group: str
    share: float | None
    marks: frozenset[str]


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Kind(_Written):
    """One kind of knowledge, and what it is expected to do to the stereotype."""

    name: str
    short: str
    knowledge: str
    expected: Literal["raised", "lowered", "same"]


class Size(_Written):
    """Which items are asked about: those with a mark, so many of each group, with so many backgrounds."""

    set: str | None = None
    each: PositiveInt | None = None
    backgrounds: PositiveInt | None = None


class Grammar(_Written):
    """A grammar as its YAML describes it; the first group is the one whose share the items give."""

    one: str
    many: str
    statistic: str = ""
    groups: dict[str, dict[str, str]]
    base: str
    causal: str
    kinds: tuple[Kind, ...] = Field(min_length=1)
    sizes: dict[str, Size] = {"full": Size()}

    @property
    def first(self) -> str:
        return next(iter(self.groups))

    @property
    def second(self) -> str:
        return list(self.groups)[1]

    def other(self, group: str) -> str:
        """The opposite of a group."""
        return self.second if group == self.first else self.first


def read_grammar(path: Path) -> Grammar:
    """Read a grammar and refuse what could not be expanded."""
    try:
        grammar = Grammar(**read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise TacitError(f"{path}: {where}: {first['msg']}.") from None
    _check_groups(path, grammar)
    _check_kinds(path, grammar)
    _check_blanks(path, grammar)
    for template in (grammar.base, grammar.causal, *(kind.knowledge for kind in grammar.kinds)):
        _check_slots(path, grammar, template)
    return grammar


def names_background(template: str) -> bool:
    """Is this sentence about another item too?"""
    return any(slot.removeprefix("a_") == "background" for slot in _SLOT.findall(template))


def fill_slots(template: str, grammar: Grammar, item: Item, background: Item | None = None) -> str:
    """The sentence of a template for one item; it starts with a capital."""
    values = dict(_values(grammar, item, background))
    text = _SLOT.sub(lambda slot: values[slot[1]], template)
    return text[:1].upper() + text[1:]


def article(word: str) -> str:
    """`a` or `an` by the first sound, as far as spelling tells it; an initialism such as MP needs its own word."""
    lower = word.lower()
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if lower.startswith(tuple("aeiou")) and not lower.startswith(_SPOKEN_Y_OR_W) else "a"


def _values(grammar: Grammar, item: Item, background: Item | None) -> Iterator[tuple[str, str]]:
    for slot, filler in (("item", item), ("background", background)):
        if filler is not None:
            yield slot, filler.written
            yield f"a_{slot}", f"{filler.article} {filler.written}"
    for side, group in (("dominant", item.group), ("opposite", grammar.other(item.group))):
        for form, word in grammar.groups[group].items():
            yield f"{side}_{form}", word
            yield f"a_{side}_{form}", f"{article(word)} {word}"


def _check_groups(path: Path, grammar: Grammar) -> None:
    if len(grammar.groups) != 2:
        raise TacitError(f"{path}: there are {len(grammar.groups)} groups; a stereotype is measured between two.")
    first, second = (set(forms) for forms in grammar.groups.values())
    if first != second:
        lacking = sorted(first ^ second)[0]
        raise TacitError(f"{path}: only one of the two groups has the form {lacking!r}; give it to both.")


def _check_kinds(path: Path, grammar: Grammar) -> None:
    names = [kind.name for kind in grammar.kinds]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TacitError(f"{path}: two kinds are called {twice!r}; give each its own name.")
    if BASE in names:
        raise TacitError(f"{path}: no kind may be called {BASE!r}, which is the prompt without knowledge.")


def _check_blanks(path: Path, grammar: Grammar) -> None:
    for template in (grammar.base, grammar.causal):
        try:
            _, after = split_blank(template)
        except TacitError as error:
            raise refuse(path, _line_of(path, template), str(error)) from None
    if after.strip():
        problem = f"the causal prompt must end with its blank, but {after.strip()!r} stands after it."
        raise refuse(path, _line_of(path, grammar.causal), problem)


def _check_slots(path: Path, grammar: Grammar, template: str) -> None:
    forms = next(iter(grammar.groups.values()))
    known = ["item", "background", *(f"{side}_{form}" for side in ("dominant", "opposite") for form in forms)]
    if template in (grammar.base, grammar.causal):
        known = ["item"]
    for slot in _SLOT.findall(template):
        if slot.removeprefix("a_") not in known:
            shown = ", ".join(f"{{{name}}}" for name in known)
            problem = f"there is no slot {{{slot}}} here: the slots are {shown}, each also with a_ before its name."
            raise refuse(path, _line_of(path, f"{{{slot}}}"), problem)


def _line_of(path: Path, part: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if part in line and not line.startswith("#")), 1)
