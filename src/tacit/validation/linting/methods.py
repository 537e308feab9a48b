"""The rules of each method: which of its materials are pairs, rivals, groups and items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tacit.methods.counterknowledge.grammar import names_background
from tacit.methods.counterknowledge.materials import CounterknowledgeShape
from tacit.methods.sentiment.materials import SentimentShape
from tacit.probes import Probe
from tacit.questions import BLANK
from tacit.runs.plan import Prepared
from tacit.tables import LINE, Row, read_table, yaml_lines
from tacit.validation.linting.findings import (
    GRAMMAR,
    LENGTH,
    NO_GROUP,
    PIECES,
    PRESENT,
    TWO_DIFFERENCES,
    Finding,
    article_decides,
    differ_in_number,
    differing_words,
    duplicates,
    is_plural,
    present_in,
)

__all__ = ["CountPieces", "Lint", "lint_of"]

CountPieces = Callable[[str, Sequence[str]], list[float]]
"""Into how many pieces a model cuts each word where it stands in a text."""
Lint = Callable[[Prepared, CountPieces], Iterator[Finding]]

_UNEVEN = 0.2
_LONG = 2.0
_EXPECTED = ("raised", "lowered")


def lint_of(method: str) -> Lint | None:
    """The rules of a method; None where there are none."""
    return {
        "valence": _valence,
        "contrast": _contrast,
        "counterknowledge": _counterknowledge,
        "association": _sentiment,
        "shift": _sentiment,
        "hierarchy": _hierarchy,
    }.get(method)


def _valence(prepared: Prepared, pieces: CountPieces) -> Iterator[Finding]:
    probe = prepared.probe
    if isinstance(probe.materials.get("sentences"), list):
        lines = yaml_lines(probe.source)
        path = probe.source
        rows = [
            {**{name: str(value) for name, value in entry.items()}, LINE: str(lines["materials", "sentences", str(i)])}
            for i, entry in enumerate(probe.materials["sentences"])
        ]
    else:
        path = probe.path("sentences")
        rows = read_table(path, ["text", "group"], ["original"])
    yield from duplicates(path, rows, "text")
    for row in rows:
        if not row["group"]:
            yield _at(path, row, NO_GROUP, "the sentence belongs to no group. Fill in the column group.")
        original = row.get("original", "")
        if original and present_in(row["text"], [original]) and len(original) > 3:
            yield _at(path, row, PRESENT, f'"{original}" stands in the sentence beside its blank, which gives it away.')
        if original and (count := pieces(row["text"], [original])[0]) > 1:
            yield _at(
                path, row, PIECES, f'"{original}" is {count:.0f} pieces, so that one blank cannot be filled with it.'
            )


def _contrast(prepared: Prepared, pieces: CountPieces) -> Iterator[Finding]:
    probe, materials = prepared.probe, prepared.materials
    path, words_path = probe.path("sentences"), probe.path("words")
    rows = read_table(path, ["id", "text", materials.noun])
    yield from duplicates(path, rows, "text")
    for row in rows:
        word = materials.words[row[materials.noun]]
        both = [*word.forms, *word.rivals]
        for found in present_in(row["text"], both):
            yield _at(path, row, PRESENT, f'"{found}" stands in the sentence beside its blank. Reword it.')
        if decided := article_decides(row["text"], both):
            yield _at(path, row, GRAMMAR, decided)
    text = rows[0]["text"]
    for row in read_table(words_path, [materials.noun]):
        word = materials.words[row[materials.noun]]
        pair = (word.name, word.rivals[0])
        yield from _unequal(words_path, row, pair, pieces(text, pair))


def _unequal(path: Path, row: Row, pair: tuple[str, str], counts: list[float]) -> Iterator[Finding]:
    """A word and its rival that a model does not see as equally long."""
    (word, rival), (own, other) = pair, counts
    if own != other:
        yield _at(path, row, PIECES, f'"{word}" is {own:.0f} pieces and "{rival}" {other:.0f}: the longer one loses.')
    if differ_in_number(word, rival):
        yield _at(path, row, GRAMMAR, f'"{word}" and "{rival}" differ in number, so that the verb decides.')


def _counterknowledge(prepared: Prepared, pieces: CountPieces) -> Iterator[Finding]:
    probe, grammar = prepared.probe, prepared.materials.grammar
    shape = probe.parse(CounterknowledgeShape)
    yield from _grammar(probe.file(shape.grammar), grammar)
    path = probe.file(shape.words)
    rows = read_table(path, ["word", "group"])
    yield from duplicates(path, rows, "word")
    for row in rows:
        if present_in(grammar.base, [row["word"]]):
            yield _at(path, row, PRESENT, f'"{row["word"]}" stands in the base sentence itself. Reword that sentence.')
    counts = pieces(
        grammar.base.replace("{a_item}", "a nurse").replace("{item}", "nurse"), [row["word"] for row in rows]
    )
    yield from _groups(path, rows, grammar, counts)
    items = probe.file(shape.items)
    yield from duplicates(items, read_table(items, ["item"]), "item")


def _groups(path: Path, rows: list[Row], grammar: Any, counts: list[float]) -> Iterator[Finding]:
    """The words of two groups, which must be alike in number and pieces."""
    for row, count in zip(rows, counts, strict=True):
        if count > 1:
            yield _at(
                path, row, PIECES, f'"{row["word"]}" is {count:.0f} pieces, so that by default it is not counted.'
            )
    kinds = {
        (GRAMMAR, "plural, which a verb in the singular rules out"): [is_plural(row["word"]) for row in rows],
        (PIECES, "one piece"): [count == 1 for count in counts],
    }
    for (rule, what), holds in kinds.items():
        shares = [
            sum(one for one, row in zip(holds, rows, strict=True) if row["group"] == group)
            / max(1, sum(row["group"] == group for row in rows))
            for group in grammar.groups
        ]
        if abs(shares[0] - shares[1]) > _UNEVEN:
            of = " and ".join(
                f"{share:.0%} of the {group} words" for share, group in zip(shares, grammar.groups, strict=True)
            )
            yield Finding(path, 1, rule, f"{of} are {what}. Choose words in pairs.")


def _grammar(path: Path, grammar: Any) -> Iterator[Finding]:
    lines = yaml_lines(path)
    for number, kind in enumerate(grammar.kinds):
        names = any(f"{side}_" in kind.knowledge for side in ("dominant", "opposite"))
        if kind.expected in _EXPECTED and not names:
            about = "another item" if names_background(kind.knowledge) else "the item"
            problem = f'"{kind.name}" is expected to change the stereotype, but names no group, only {about}.'
            yield Finding(path, lines["kinds", str(number)], NO_GROUP, problem)
    for number, pair in enumerate(grammar.controls.facts if grammar.controls else ()):
        first, second = pair[grammar.first], pair[grammar.second]
        if (count := differing_words(first, second)) > 1:
            line = lines["controls", "facts", str(number)]
            problem = f'"{first}" and "{second}" differ in {count} words, so that it is open which of them counts.'
            yield Finding(path, line, TWO_DIFFERENCES, problem)


def _sentiment(prepared: Prepared, pieces: CountPieces) -> Iterator[Finding]:
    shape = prepared.probe.parse(SentimentShape)
    reviews, lexicon = (prepared.probe.file(name) for name in (shape.reviews, shape.lexicon))
    texts = read_table(reviews, ["text", "label"])
    yield from duplicates(reviews, texts, "text")
    lengths = {
        label: [len(row["text"]) for row in texts if row["label"] == label] for label in {row["label"] for row in texts}
    }
    means = {label: sum(values) / len(values) for label, values in sorted(lengths.items())}
    if max(means.values()) > _LONG * min(means.values()):
        shown = ", ".join(f"{label} {mean:.0f}" for label, mean in means.items())
        yield Finding(reviews, 1, LENGTH, f"reviews of one class are twice as long (mean characters: {shown}).")
    words = read_table(lexicon, ["word", "polarity"])
    yield from duplicates(lexicon, words, "word")
    counts = pieces(f"It was {BLANK}.", [row["word"] for row in words])
    for row, count in zip(words, counts, strict=True):
        if count > 1:
            problem = (
                f'"{row["word"]}" is {count:.0f} pieces, so that its probability is no match for that of one piece.'
            )
            yield _at(lexicon, row, PIECES, problem)


def _hierarchy(prepared: Prepared, pieces: CountPieces) -> Iterator[Finding]:
    probe, materials = prepared.probe, prepared.materials
    path = probe.path("words")
    rows = read_table(path, ["topic", "word"])
    text = materials.templates[0].replace("{region}", "France").replace("{description}", BLANK)
    words = [row["word"] for row in rows]
    for row, count in zip(rows, pieces(text, words), strict=True):
        if count > 1:
            yield _at(
                path, row, PIECES, f'"{row["word"]}" is {count:.0f} pieces; words of one piece weigh differently.'
            )
    yield from _names(probe, prepared, pieces)


def _names(probe: Probe, prepared: Prepared, pieces: CountPieces) -> Iterator[Finding]:
    """Sibling regions whose names are far from equally long."""
    tree, path = prepared.materials.tree, probe.path("tree")
    upper = [tree.regions[i] for i in range(len(tree)) if tree.depths[i] <= tree.depth_below_top]
    counts = pieces(f"People in {BLANK} are kind.", [region.name for region in upper])
    of_parent: dict[str, list[float]] = {}
    for region, count in zip(upper, counts, strict=True):
        of_parent.setdefault(region.parent, []).append(count)
    for region, count in zip(upper, counts, strict=True):
        siblings = sorted(of_parent[region.parent])
        usual = siblings[len(siblings) // 2]
        if count > _LONG * usual:
            problem = f'"{region.name}" is {count:.0f} pieces, its siblings {usual:.0f}: it stands apart by spelling.'
            yield Finding(path, region.line, PIECES, problem)


def _at(path: Path, row: Row, rule: str, problem: str) -> Finding:
    return Finding(path, int(row[LINE]), rule, problem)
