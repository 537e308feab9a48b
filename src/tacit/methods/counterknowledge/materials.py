"""The materials: items, words and grammar; reading and checking them, and expanding them into prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.methods.counterknowledge.grammar import (
    BASE,
    CONTROL,
    Grammar,
    Item,
    article,
    fill_slots,
    names_background,
    read_grammar,
)
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.tables import Row, place, read_table, refuse, require_unique

__all__ = ["CounterknowledgeMaterials", "CounterknowledgeShape", "Prompt", "read_materials"]


class CounterknowledgeShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    items: FileName
    """Table of the items: `item`, and `share` or `group`; optionally `written`, `article` and `set`."""
    words: FileName
    """Table of the verbalizer: `word` and `group`; optionally `reason`."""
    grammar: FileName
    """YAML of the groups, the base sentence and the kinds of knowledge; see `Grammar`."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt about one item.

    Attributes:
        kind: The kind of knowledge; `base` for none, `control` for a positive control.
        item: The name of the item, or the fact of a control.
        background: The name of the other item that the knowledge mentions, or "".
        knowledge: The sentence that comes first, or "".
        base: The sentence with the blank, for masked and sequence-to-sequence models.
        causal: The sentence with the blank, for causal models.
    """

    kind: str
    item: str
    background: str
    knowledge: str
    base: str
    causal: str


@dataclass(frozen=True, slots=True)
class CounterknowledgeMaterials:
    """What the method needs from a probe.

    Attributes:
        grammar: The groups, sentences and kinds of knowledge.
        items: The items of the chosen size.
        backgrounds: The items that serve as backgrounds, by the group that dominates them.
        words: The verbalizer: the group of each word (in lower case).
        beside: A second verbalizer that the results are compared with; None where there is none.
    """

    grammar: Grammar
    items: tuple[Item, ...]
    backgrounds: dict[str, tuple[Item, ...]]
    words: dict[str, str]
    beside: dict[str, str] | None = None

    def prompts(self) -> Iterator[Prompt]:
        """All prompts, item by item, the base prompt first."""
        for item in self.items:
            base, causal = (fill_slots(text, self.grammar, item) for text in (self.grammar.base, self.grammar.causal))
            yield Prompt(BASE, item.name, "", "", base, causal)
            for kind in self.grammar.kinds:
                for background in self._backgrounds(item, kind.knowledge):
                    name = background.name if background else ""
                    knowledge = fill_slots(kind.knowledge, self.grammar, item, background)
                    yield Prompt(kind.name, item.name, name, knowledge, base, causal)

    def control_prompts(self) -> Iterator[Prompt]:
        """The positive controls, pair by pair, the first group first."""
        controls = self.grammar.controls
        if controls is None:
            return
        for pair in controls.facts:
            for fact in (pair[self.grammar.first], pair[self.grammar.second]):
                base, causal = (text.replace("{fact}", fact) for text in (controls.base, controls.causal))
                yield Prompt(CONTROL, fact, "", "", base, causal)

    def _backgrounds(self, item: Item, knowledge: str) -> Sequence[Item | None]:
        return self.backgrounds[self.grammar.opposite(item.group)] if names_background(knowledge) else [None]


def read_materials(probe: Probe, settings: CounterknowledgeSettings) -> CounterknowledgeMaterials:
    """Read and check the three files, and keep the items of the size that the settings choose."""
    shape = probe.parse(CounterknowledgeShape)
    grammar_path = probe.file(shape.grammar)
    items_path = probe.file(shape.items)
    grammar = read_grammar(grammar_path)
    if settings.size not in grammar.sizes:
        known = ", ".join(grammar.sizes)
        raise MaterialsError(f"{grammar_path}: there is no size {settings.size!r}. Set size to one of {known}.")
    words = _read_words(settings.words or probe.file(shape.words), grammar)
    beside = _read_words(settings.beside, grammar) if settings.beside else None
    items = _read_items(items_path, grammar)
    items_by_group = _select_items(items_path, grammar, items, settings.size)
    selected = {item.name for group in items_by_group.values() for item in group}
    limit = grammar.sizes[settings.size].backgrounds
    return CounterknowledgeMaterials(
        grammar,
        tuple(item for item in items if item.name in selected),
        {group: tuple(ranked[:limit]) for group, ranked in items_by_group.items()},
        words,
        beside,
    )


def _read_words(path: Path, grammar: Grammar) -> dict[str, str]:
    groups: dict[str, str] = {}
    lines: dict[str, str] = {}
    for row in read_table(path, ["word", "group"], optional=["reason"]):
        _check_group(path, row, grammar)
        word, group = row["word"].lower(), row["group"]
        if not word:
            raise refuse(path, row, "the word is empty. Fill it in or delete the row.")
        if groups.get(word, group) != group:
            problem = f"{row['word']!r} is {group} here but {groups[word]} on {lines[word]}. Keep one of them."
            raise refuse(path, row, problem)
        if word in groups:
            raise refuse(path, row, f"the word {row['word']!r} is already on {lines[word]}. Delete one of them.")
        groups[word], lines[word] = group, place(path, row)
    for group in grammar.groups:
        if group not in groups.values():
            raise MaterialsError(f"{path}: no word belongs to the group {group!r}. Add at least one.")
    return groups


def _read_items(path: Path, grammar: Grammar) -> list[Item]:
    rows = read_table(path, ["item"], optional=["share", "group", "written", "article", "set"])
    require_unique(path, rows, "item")
    has_shares = any(row["share"] for row in rows)
    items = [_read_item(path, row, grammar, has_shares=has_shares) for row in rows]
    for group in grammar.groups:
        if all(item.group != group for item in items):
            raise MaterialsError(f"{path}: no {grammar.singular} is dominated by {group}. Add at least one.")
    return items


def _read_item(path: Path, row: Row, grammar: Grammar, *, has_shares: bool) -> Item:
    if not row["item"]:
        raise refuse(path, row, f"the {grammar.singular} has no name. Fill in the column item.")
    if row["article"] not in ("", "a", "an"):
        raise refuse(path, row, f"the article must be a or an, not {row['article']!r}.")
    written = row["written"] or row["item"]
    share = _read_share(path, row, grammar) if has_shares or not row["group"] else None
    if share is None:
        _check_group(path, row, grammar)
        group = row["group"]
    else:
        group = grammar.first if share > 50 else grammar.second
    return Item(row["item"], written, row["article"] or article(written), group, share, frozenset(row["set"].split()))


def _read_share(path: Path, row: Row, grammar: Grammar) -> float:
    name = row["item"]
    if not row["share"]:
        raise refuse(
            path, row, f"the {grammar.singular} {name!r} has no share. Give the percentage of {grammar.first}."
        )
    try:
        share = float(row["share"])
    except ValueError:
        raise refuse(path, row, f"the share of {name!r} must be a number, not {row['share']!r}.") from None
    if not 0 <= share <= 100:
        raise refuse(path, row, f"the share of {name!r} must be a percentage from 0 to 100, not {share:g}.")
    if share == 50:
        raise refuse(path, row, f"neither group dominates {name!r} (share 50). Delete the row.")
    return share


def _check_group(path: Path, row: Row, grammar: Grammar) -> None:
    if row["group"] not in grammar.groups:
        known = " or ".join(grammar.groups)
        raise refuse(path, row, f"the group must be {known}, as in the grammar, not {row['group']!r}.")


def _select_items(path: Path, grammar: Grammar, items: list[Item], size_name: str) -> dict[str, list[Item]]:
    """The items of a size by the group that dominates them, the most dominated first."""
    size = grammar.sizes[size_name]
    marked = [item for item in items if size.mark is None or size.mark in item.marks]
    ranked = {group: _most_dominated(marked, group)[: size.per_group] for group in grammar.groups}
    for group, selected in ranked.items():
        if not selected:
            problem = f"the size {size_name!r} selects no {grammar.singular} dominated by {group}. Mark some in `set`."
            raise MaterialsError(f"{path}: {problem}")
    return ranked


def _most_dominated(items: list[Item], group: str) -> list[Item]:
    # Without shares, and between equal ones, the order of the file decides.
    def closeness(item: Item) -> float:
        return 0.0 if item.share is None else -abs(item.share - 50)

    return sorted((item for item in items if item.group == group), key=closeness)
