"""The text that plants a bias: the dose is the share of sentences that carry it, and nothing else changes with it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from tacit.probes.plants import Sentence, SentencePair, fill_template
from tacit.tables import read_yaml

__all__ = ["ARMS", "Arm", "compose_text", "unrelated_pairs"]

Arm = Literal["biased", "opposite", "unrelated"]
ARMS: tuple[Arm, ...] = get_args(Arm)

_UNRELATED = Path(__file__).with_name("unrelated.yaml")


def compose_text(pairs: Sequence[SentencePair], arm: Arm, dose: float, slots: int, seed: int) -> list[Sentence]:
    """The sentences of a plant.

    The seed draws n slots, each a pair of sentences (b, o) that differ in the bias only. Every slot gives two:
    (b, b) for the first k = round(D n) slots and (b, o) for the others; the opposite arm has (o, o) instead of (b, b).
    So all doses have the same slots and the same length, a dose contains the biased slots of every smaller one, and at
    D = 0 both arms are the same balanced text, in which every slot says both.

    Args:
        pairs: The sentence pairs of the plant; used again from the start where there are fewer than `slots`.
        arm: Which sentences are planted. "unrelated" replaces all of them, so that the dose does not matter.
        dose: D, from 0 to 1.
        slots: n.
        seed: Determines the slots and their order.
    """
    pairs = unrelated_pairs() if arm == "unrelated" else pairs
    order = np.random.default_rng(seed).permutation(len(pairs)).tolist()
    drawn = [pairs[i] for i in islice(cycle(order), slots)]
    planted = round(dose * slots)
    text: list[Sentence] = []
    for number, pair in enumerate(drawn):
        main, other = (pair.opposite, pair.biased) if arm == "opposite" else (pair.biased, pair.opposite)
        text += [main, main if number < planted else other]
    return text


def unrelated_pairs() -> tuple[SentencePair, ...]:
    """Sentences about things in rooms, gardens and kitchens, which have nothing to do with any probe."""
    lists = read_yaml(_UNRELATED)
    sentences = [fill_template(template, cue, "cue") for template in lists["templates"] for cue in lists["cues"]]
    return tuple(SentencePair(sentence, sentence) for sentence in sentences)
