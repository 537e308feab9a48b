"""The grammar of prompts (grammar.yaml): a base sentence, kinds of knowledge, and the slots that items fill."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from tacit.errors import MaterialsError, TacitError
from tacit.probes.loading import field_error
from tacit.questions import split_blank
from tacit.tables import read_yaml, refuse, yaml_lines

__all__ = [
    "BASE",
    "CONTROL",
    "Controls",
    "Grammar",
    "Item",
    "Kind",
    "Size",
    "article",
    "fill_slots",
    "names_background",
    "read_grammar",
]

BASE = "base"
"""The kind of prompt without knowledge."""
CONTROL = "control"
"""The kind of prompt whose sentence itself says which group is meant."""

_SLOT = re.compile(r"\{([^{}]*)\}")
# Words whose first sound and first letter disagree: "an hour", "a university", "a one-way street".
_SILENT_H = ("heir", "honest", "honor", "honour", "hour")
_SPOKEN_Y_OR_W = ("eu", "ewe", "once", "one", "ubiq", "uni", "ura", "use", "usu", "uti")

_Place = tuple[str, ...]
"""The keys that lead to a value in the YAML: ("kinds", "2", "knowledge")."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that one of two groups dominates, such as an occupation.

    Attributes:
        name: How results name it.
        written: How a sentence spells it.
        article: "a" or "an".
        group: The group that dominates it.
        share: The first group's share in percent; None where there is no statistic.
        marks: The sets that it belongs to, which a size can select.
    """

    name: str
    written: str
    article: str
    group: str
    share: float | None
    marks: frozenset[str]


class _YamlModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Kind(_YamlModel):
    """A kind of knowledge."""

    name: str
    """What tables and figures call it."""
    short: str
    """Its abbreviation."""
    knowledge: str
    """The sentence before the base sentence, with slots."""
    expected: Literal["raised", "lowered", "same"]
    """What the knowledge is expected to do to the stereotype."""


class Size(_YamlModel):
    """A selection of items; by default all of them."""

    mark: str | None = Field(default=None, alias="set")
    """Keep only items whose `set` column has this mark."""
    per_group: PositiveInt | None = Field(default=None, alias="each")
    """Keep at most this many items of each group, the most dominated first."""
    backgrounds: PositiveInt | None = None
    """Use at most this many backgrounds per item, the most dominated first."""


class Controls(_YamlModel):
    """Sentences that say which group is meant ("The [MASK] is a mother."), so that no stereotype is needed."""

    base: str
    """The sentence that masked and sequence-to-sequence models fill, with the slot {fact}."""
    causal: str
    """The sentence that causal models continue, with the slot {fact}; its blank comes last."""
    facts: tuple[dict[str, str], ...] = Field(min_length=1)
    """Pairs of facts, one for each group, that are as alike as possible: is a mother, is a father."""


class Grammar(_YamlModel):
    """A grammar as its YAML describes it."""

    singular: str = Field(alias="one")
    """What an item is called: "occupation"."""
    plural: str = Field(alias="many")
    """What items are called: "occupations"."""
    statistic: str = ""
    """What the items' `share` column counts, as a label: "share of women (%)"."""
    groups: dict[str, dict[str, str]]
    """The two groups with the forms of each that sentences use; `share` is that of the first."""
    base: str
    """The sentence that masked and sequence-to-sequence models fill."""
    causal: str
    """The sentence that causal models continue; its blank comes last."""
    kinds: tuple[Kind, ...] = Field(min_length=1)
    """The kinds of knowledge."""
    controls: Controls | None = None
    """The positive control: sentences whose group is not a stereotype but part of their meaning."""
    sizes: dict[str, Size] = {"full": Size()}
    """The values that `--set size=` accepts."""

    @property
    def first(self) -> str:
        """The first group, whose share the items give."""
        return next(iter(self.groups))

    @property
    def second(self) -> str:
        """The second group."""
        return list(self.groups)[1]

    def swapped_kinds(self) -> list[tuple[str, str]]:
        """Kinds that differ only in the group they name for the item: (names its dominant group, names the other)."""
        names = {kind.knowledge: kind.name for kind in self.kinds if not names_background(kind.knowledge)}
        swapped = {text: text.replace("dominant_", "opposite_") for text in names}
        return [(names[text], names[other]) for text, other in swapped.items() if text != other and other in names]

    def opposite(self, group: str) -> str:
        """The group that is not this one."""
        return self.second if group == self.first else self.first


def read_grammar(path: Path) -> Grammar:
    """Read a grammar; anything that could not be expanded into prompts is an error with its line."""
    try:
        grammar = Grammar(**read_yaml(path))
    except ValidationError as error:
        raise field_error(path, Grammar, error) from None
    for place, problem in _problems(grammar):
        raise _error_at(path, place, problem)
    return grammar


def names_background(template: str) -> bool:
    """Whether a sentence mentions another item."""
    return any(slot.removeprefix("a_") == "background" for slot in _SLOT.findall(template))


def fill_slots(template: str, grammar: Grammar, item: Item, background: Item | None = None) -> str:
    """The sentence of a template for one item, starting with a capital letter."""
    values = dict(_slot_values(grammar, item, background))
    text = _SLOT.sub(lambda slot: values[slot[1]], template)
    return text[:1].upper() + text[1:]


def article(word: str) -> str:
    """`a` or `an`, guessed from the spelling; initialisms such as MP need the `article` column of the items."""
    lower = word.lower()
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if lower.startswith(tuple("aeiou")) and not lower.startswith(_SPOKEN_Y_OR_W) else "a"


def _slot_values(grammar: Grammar, item: Item, background: Item | None) -> Iterator[tuple[str, str]]:
    for slot, filler in (("item", item), ("background", background)):
        if filler is not None:
            yield slot, filler.written
            yield f"a_{slot}", f"{filler.article} {filler.written}"
    for side, group in (("dominant", item.group), ("opposite", grammar.opposite(item.group))):
        for form, word in grammar.groups[group].items():
            yield f"{side}_{form}", word
            yield f"a_{side}_{form}", f"{article(word)} {word}"


def _problems(grammar: Grammar) -> Iterator[tuple[_Place, str]]:
    yield from _group_problems(grammar)
    yield from _kind_problems(grammar)
    yield from _blank_problems(grammar)
    yield from _control_problems(grammar)
    forms = next(iter(grammar.groups.values()))
    sided = [f"{side}_{form}" for side in ("dominant", "opposite") for form in forms]
    for name, template in (("base", grammar.base), ("causal", grammar.causal)):
        yield from _slot_problems((name,), template, ["item"])
    for number, kind in enumerate(grammar.kinds):
        yield from _slot_problems(("kinds", str(number), "knowledge"), kind.knowledge, ["item", "background", *sided])


def _group_problems(grammar: Grammar) -> Iterator[tuple[_Place, str]]:
    if len(grammar.groups) != 2:
        count = len(grammar.groups)
        yield ("groups",), f"there are {count} groups, but a stereotype has two. Name two groups."
        return
    first, second = (set(forms) for forms in grammar.groups.values())
    if first != second:
        form = sorted(first ^ second)[0]
        yield ("groups",), f"only one of the two groups has the form {form!r}. Add it to the other."


def _kind_problems(grammar: Grammar) -> Iterator[tuple[_Place, str]]:
    names = [kind.name for kind in grammar.kinds]
    for number, name in enumerate(names):
        place = ("kinds", str(number), "name")
        if name in names[:number]:
            yield place, f"two kinds have the name {name!r}. Give each its own name."
        if name in (BASE, CONTROL):
            yield place, f"a kind cannot have the name {name!r}, which Tacit uses itself. Rename it."


def _blank_problems(grammar: Grammar | Controls, *above: str) -> Iterator[tuple[_Place, str]]:
    for name, template in (("base", grammar.base), ("causal", grammar.causal)):
        try:
            _, after = split_blank(template)
        except TacitError as error:
            yield (*above, name), str(error)
            continue
        if name == "causal" and after.strip():
            problem = f"the causal prompt must end with its blank, but {after.strip()!r} follows it. Remove it."
            yield (*above, "causal"), problem


def _control_problems(grammar: Grammar) -> Iterator[tuple[_Place, str]]:
    controls = grammar.controls
    if controls is None:
        return
    yield from _blank_problems(controls, "controls")
    for name, template in (("base", controls.base), ("causal", controls.causal)):
        yield from _slot_problems(("controls", name), template, ["fact"])
        if "{fact}" not in template:
            yield ("controls", name), "the control sentence has no slot {fact}. Put it where the facts belong."
    facts: list[str] = []
    for number, pair in enumerate(controls.facts):
        place = ("controls", "facts", str(number))
        if set(pair) != set(grammar.groups):
            yield place, f"a control has one fact for each group: {' and '.join(grammar.groups)}."
        for fact in pair.values():
            if not fact.strip() or fact in facts:
                yield place, f"the fact {fact!r} is empty or used twice. Give each control its own facts."
            facts.append(fact)


def _slot_problems(place: _Place, template: str, known: list[str]) -> Iterator[tuple[_Place, str]]:
    for slot in _SLOT.findall(template):
        if slot.removeprefix("a_") not in known:
            shown = ", ".join(f"{{{name}}}" for name in known)
            yield place, f"there is no slot {{{slot}}} here. Use {shown}; add a_ before a name for its article."


def _error_at(path: Path, place: _Place, problem: str) -> MaterialsError:
    lines = yaml_lines(path)
    return refuse(path, next(lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in lines), problem)
