"""Reading items and words of a stereotype, choosing a size, and expanding the grammar into prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import TacitError
from tacit.methods.counterknowledge.grammar import (
    BASE,
    Grammar,
    Item,
    article,
    fill_slots,
    names_background,
    read_grammar,
)
from tacit.probes.loading import FileName, MaterialsShape, Probe
from tacit.tables import Row, read_csv, refuse, require_unique

__all__ = ["CounterknowledgeShape", "Prompt", "Stereotype", "read_stereotype"]


class CounterknowledgeShape(MaterialsShape):
    """What a probe's YAML says under `materials`."""

    items: FileName
    words: FileName
    grammar: FileName


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: the knowledge that stands first (none for the base), and two forms of the sentence with the blank."""

    kind: str
    item: str
    background: str
    knowledge: str
    base: str
    causal: str


@dataclass(frozen=True, slots=True)
class Stereotype:
    """The materials: a grammar, the items of the chosen size, backgrounds by group, and the group of each word."""

    grammar: Grammar
    items: tuple[Item, ...]
    backgrounds: dict[str, tuple[Item, ...]]
    words: dict[str, str]

    def prompts(self) -> Iterator[Prompt]:
        """All prompts, item by item, the base first."""
        for item in self.items:
            base, causal = (fill_slots(text, self.grammar, item) for text in (self.grammar.base, self.grammar.causal))
            yield Prompt(BASE, item.name, "", "", base, causal)
            for kind in self.grammar.kinds:
                for background in self._backgrounds(item, kind.knowledge):
                    name = background.name if background else ""
                    knowledge = fill_slots(kind.knowledge, self.grammar, item, background)
                    yield Prompt(kind.name, item.name, name, knowledge, base, causal)

    def group_of(self, token: str) -> str | None:
        """The group of a word, whatever its case; None for a word that is neither."""
        return self.words.get(token.lower())

    def _backgrounds(self, item: Item, knowledge: str) -> Sequence[Item | None]:
        return self.backgrounds[self.grammar.other(item.group)] if names_background(knowledge) else [None]


def read_stereotype(probe: Probe, size: str) -> Stereotype:
    """Read and check all three files, and keep what the size asks for."""
    grammar = read_grammar(probe.path("grammar"))
    words = _read_words(probe.path("words"), grammar)
    items = _read_items(probe.path("items"), grammar)
    chosen, backgrounds = _choose(probe, grammar, items, size)
    return Stereotype(grammar, chosen, backgrounds, words)


def _read_words(path: Path, grammar: Grammar) -> dict[str, str]:
    rows = read_csv(path, ["word", "group"], optional=["reason"])
    words: dict[str, tuple[str, str]] = {}
    for row in rows:
        _check_group(path, row, grammar)
        word, group = row["word"].lower(), row["group"]
        if not word:
            raise refuse(path, row, "the word is empty.")
        before, line = words.get(word, (group, ""))
        if before != group:
            raise refuse(
                path, row, f"{row['word']!r} is {group} here and {before} on line {line}; a word has one group."
            )
        if line:
            raise refuse(path, row, f"the word {row['word']!r} stands on line {line} already; keep one.")
        words[word] = (group, row["line"])
    found = {word: group for word, (group, _) in words.items()}
    absent = next((group for group in grammar.groups if group not in found.values()), None)
    if absent is not None:
        raise TacitError(f"{path}: no word is {absent}; both groups need some.")
    return found


def _read_items(path: Path, grammar: Grammar) -> list[Item]:
    rows = read_csv(path, ["item"], optional=["share", "group", "written", "article", "set"])
    require_unique(path, rows, "item")
    by_share = any(row["share"] for row in rows)
    items = [_item(path, row, grammar, by_share) for row in rows]
    for group in grammar.groups:
        if all(item.group != group for item in items):
            raise TacitError(f"{path}: no {grammar.one} is dominated by {group}; both groups need some.")
    return items


def _item(path: Path, row: Row, grammar: Grammar, by_share: bool) -> Item:
    if not row["item"]:
        raise refuse(path, row, f"the {grammar.one} has no name.")
    if row["article"] not in ("", "a", "an"):
        raise refuse(path, row, f"the article must be a or an, not {row['article']!r}.")
    written = row["written"] or row["item"]
    share = _share(path, row, grammar) if by_share or not row["group"] else None
    if share is None:
        _check_group(path, row, grammar)
        group = row["group"]
    else:
        group = grammar.first if share > 50 else grammar.second
    return Item(row["item"], written, row["article"] or article(written), group, share, frozenset(row["set"].split()))


def _share(path: Path, row: Row, grammar: Grammar) -> float:
    if not row["share"]:
        raise refuse(path, row, f"the {grammar.one} {row['item']!r} has no share; give the percent of {grammar.first}.")
    try:
        share = float(row["share"])
    except ValueError:
        raise refuse(path, row, f"the share of {row['item']!r} must be a number, not {row['share']!r}.") from None
    if not 0 <= share <= 100:
        raise refuse(path, row, f"the share of {row['item']!r} must be a percentage from 0 to 100, not {share:g}.")
    if share == 50:
        raise refuse(path, row, f"neither group dominates {row['item']!r} (share 50); leave it out.")
    return share


def _check_group(path: Path, row: Row, grammar: Grammar) -> None:
    if row["group"] not in grammar.groups:
        shown = " or ".join(grammar.groups)
        raise refuse(path, row, f"the group must be {shown}, as in the grammar, not {row['group']!r}.")


def _choose(
    probe: Probe, grammar: Grammar, items: list[Item], name: str
) -> tuple[tuple[Item, ...], dict[str, tuple[Item, ...]]]:
    if name not in grammar.sizes:
        raise TacitError(f"{probe.path('grammar')}: there is no size {name!r}; there are {', '.join(grammar.sizes)}.")
    size = grammar.sizes[name]
    marked = [item for item in items if size.set is None or size.set in item.marks]
    ranked = {group: _most_dominated(marked, group)[: size.each] for group in grammar.groups}
    empty = next((group for group, kept in ranked.items() if not kept), None)
    if empty is not None:
        raise TacitError(f"{probe.path('items')}: the size {name!r} keeps no {grammar.one} dominated by {empty}.")
    kept = {item.name for group in ranked.values() for item in group}
    backgrounds = {group: tuple(found[: size.backgrounds]) for group, found in ranked.items()}
    return tuple(item for item in items if item.name in kept), backgrounds


def _most_dominated(items: list[Item], group: str) -> list[Item]:
    # Without shares, or between equal ones, the order of the file decides.
    def distance(item: Item) -> float:
        return 0.0 if item.share is None else -abs(item.share - 50)

    return sorted((item for item in items if item.group == group), key=distance)
