"""Answers of a simulated model with a known stereotype: each seed draws other items from one population."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.counterknowledge.grammar import BASE, CONTROL
from tacit.methods.counterknowledge.materials import CounterknowledgeMaterials, Prompt
from tacit.methods.counterknowledge.questions import TOP, WHOLE
from tacit.methods.counterknowledge.settings import CounterknowledgeSettings

__all__ = ["Spread", "simulate_answers"]

Floats = npt.NDArray[np.float64]
_EXPECTED = {"raised": 1.0, "lowered": -1.0, "same": 0.0}
# The probabilities of words of neither group that compete with the verbalizer for the first ranks.
_FILLERS = np.geomspace(0.3, 0.005, 12)
_OF_A_GROUP = 0.03
_OVERALL_LEAN, _CONTROL_LEAN = -0.6, 1.5


@dataclass(frozen=True)
class Spread:
    """Standard deviations on the scale of log-odds, about those of the shipped standards and of a small BERT.

    Attributes:
        people: How much items differ in how likely the words of both groups are.
        lean: How much they differ in which group they favor.
        reaction: How much a kind of knowledge moves that, from item to item.
        background: How much it depends on the background that the knowledge names.
        shared: How far an item moves others, as a background, the way it is moved itself (a correlation).
        prompt: What is left for a single prompt.
    """

    people: float = 0.4
    lean: float = 0.4
    reaction: float = 0.3
    background: float = 0.4
    shared: float = 0.3
    prompt: float = 0.1


def simulate_answers(
    materials: CounterknowledgeMaterials,
    settings: CounterknowledgeSettings,
    seed: int,
    effect: float = 0.0,
    spread: Spread | None = None,
) -> pl.DataFrame:
    """The answers table of a simulated model.

    The model favors the words of the second group overall, and each kind of knowledge makes both groups likelier and
    moves the model's preference, for all items alike: none of this is a stereotype.

    Args:
        materials: The design: items, kinds and backgrounds. Without effect, it means nothing which group dominates.
        settings: How many words are looked at.
        seed: Draws items, backgrounds and all deviations.
        effect: By how much the log-odds of an item favor the group that dominates it. Knowledge that should raise or
            lower the stereotype moves them by as much again.
        spread: How much items, backgrounds and prompts deviate.
    """
    rng = np.random.default_rng(seed)
    prompts = [*materials.prompts(), *materials.control_prompts()]
    lean, level = _log_odds(materials, prompts, effect, spread or Spread(), rng)
    words, probabilities = _word_probabilities(materials, lean, level, rng)
    rows = [_fill_rows(words, probabilities, max(settings.tops))]
    if settings.whole != "off":
        rows.append(_choose_rows(words[: len(materials.words)], probabilities))
    answers = pl.concat(rows).join(_keys(prompts), on="prompt", maintain_order="left")
    # As asked: two questions per prompt, and one per control, at the widest reach.
    wanted = (pl.col("kind") != CONTROL) | (pl.col("asked") == (TOP if settings.whole == "off" else WHOLE))
    question = 2 * pl.col("prompt") + (pl.col("asked") == WHOLE).cast(pl.Int64)
    return answers.filter(wanted).with_columns(question=question).drop("prompt")


def _log_odds(
    materials: CounterknowledgeMaterials,
    prompts: list[Prompt],
    effect: float,
    spread: Spread,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """For each prompt the log-odds of the first group against the second, and the level of both."""
    names, kinds = [item.name for item in materials.items], [BASE, *(kind.name for kind in materials.grammar.kinds)]
    first = materials.grammar.first
    dominant = np.array([1.0 if item.group == first else -1.0 for item in materials.items])
    expected = np.array([0.0, *(_EXPECTED[kind.expected] for kind in materials.grammar.kinds)])
    asked = [prompt for prompt in prompts if prompt.kind != CONTROL]
    item, kind = (np.array(column) for column in _numbers(names, kinds, asked))
    other = np.array([names.index(prompt.background) if prompt.background else -1 for prompt in asked])
    size = (len(kinds), len(names))
    own, strange = rng.normal(size=size), rng.normal(size=size)
    named = spread.shared * own + np.sqrt(1 - spread.shared**2) * strange
    lean = rng.normal(0, spread.lean, len(names))[item] + effect * dominant[item] * (1 + expected[kind])
    lean += np.where(kind > 0, spread.reaction * own[kind, item], 0.0)
    lean += np.where(other >= 0, spread.background * named[kind, other], 0.0)
    # What a kind does to all items alike: it favors one group, and makes both likelier.
    lean += _OVERALL_LEAN + 0.2 * kind + rng.normal(0, spread.prompt, len(asked))
    level = rng.normal(0, spread.people, len(names))[item] + 0.1 * (kind % 3)
    controls = _control_signs(materials, prompts[len(asked) :])
    control_lean = _CONTROL_LEAN * controls + rng.normal(0, spread.lean, len(controls))
    return np.concatenate([lean, control_lean]), np.concatenate([level, np.zeros(len(controls))])


def _numbers(names: list[str], kinds: list[str], prompts: list[Prompt]) -> tuple[list[int], list[int]]:
    item, kind = {name: n for n, name in enumerate(names)}, {name: n for n, name in enumerate(kinds)}
    return [item[prompt.item] for prompt in prompts], [kind[prompt.kind] for prompt in prompts]


def _control_signs(materials: CounterknowledgeMaterials, prompts: list[Prompt]) -> Floats:
    controls, first = materials.grammar.controls, materials.grammar.first
    of_first = {pair[first] for pair in controls.facts} if controls else set()
    return np.array([1.0 if prompt.item in of_first else -1.0 for prompt in prompts])


def _word_probabilities(
    materials: CounterknowledgeMaterials, lean: Floats, level: Floats, rng: np.random.Generator
) -> tuple[list[str], Floats]:
    """The verbalizer and words of neither group, and the probability of each after every prompt."""
    words = list(materials.words)
    sign = np.array([1.0 if group == materials.grammar.first else -1.0 for group in materials.words.values()])
    # The words of a group differ in frequency, those of the two groups alike.
    frequency = np.array([1 / (1 + sum(sign[:place] == sign[place])) for place in range(len(words))])
    of_group = _OF_A_GROUP * frequency / frequency[sign > 0].sum()
    weights = of_group * np.exp(level[:, None] + sign * lean[:, None] / 2)
    fillers = _FILLERS * np.exp(rng.normal(0, 0.3, (len(lean), len(_FILLERS))))
    every = np.column_stack([weights, fillers])
    names = [*words, *(f"filler {number}" for number in range(len(_FILLERS)))]
    return names, every / every.sum(axis=1, keepdims=True)


def _fill_rows(words: list[str], probabilities: Floats, top: int) -> pl.DataFrame:
    order = np.argsort(-probabilities, axis=1)[:, :top]
    return _rows(TOP, order, np.take_along_axis(probabilities, order, axis=1), words)


def _choose_rows(words: list[str], probabilities: Floats) -> pl.DataFrame:
    order = np.broadcast_to(np.arange(len(words)), (len(probabilities), len(words)))
    return _rows(WHOLE, order, probabilities[:, : len(words)], words)


def _rows(asked: str, order: npt.NDArray[np.int64], probabilities: Floats, words: list[str]) -> pl.DataFrame:
    prompt, part = (axis.ravel() for axis in np.indices(order.shape))
    return pl.DataFrame(
        {
            "prompt": prompt,
            "part": part,
            "asked": pl.Series([asked]).new_from_index(0, order.size),
            "token": pl.Series(words).gather(order.ravel()),
            "probability": probabilities.ravel(),
            "rank": part + 1,
            "pieces": np.ones(order.size, dtype=np.int64),
        }
    )


def _keys(prompts: list[Prompt]) -> pl.DataFrame:
    columns = {name: [getattr(prompt, name) for prompt in prompts] for name in ("kind", "item", "background")}
    return pl.DataFrame({"prompt": range(len(prompts)), **columns}, schema_overrides={"prompt": pl.Int64})
