"""The numbers of the training recipe: everything that, with the texts and the vocabulary, fixes the weights."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SERIES", "SERIES_SHARES", "STANDARDS", "VOCABULARY_SIZE", "Recipe", "learning_rate"]

VOCABULARY_SIZE = 12_000


@dataclass(frozen=True)
class Recipe:
    """A BERT of this shape, trained for so many steps on batches of about so many tokens."""

    steps: int
    hidden: int = 256
    layers: int = 3
    heads: int = 4
    length: int = 128
    batch_tokens: int = 1_536
    mask_share: float = 0.3
    peak_rate: float = 1e-3
    warm_up: int = 300
    decay_steps: int = 5_000
    weight_decay: float = 0.01
    clip: float = 1.0
    vector_spread: float = 0.03
    half: bool = True
    """Whether products are computed in bfloat16 (weights stay in 32 bits), two to three times faster with AVX-512."""
    seed: int = 1611


STANDARDS = {"early-modern": Recipe(steps=10_000), "modern": Recipe(steps=10_000)}
SERIES_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
SERIES = Recipe(steps=600, hidden=128, layers=2, heads=2, batch_tokens=384, warm_up=200, decay_steps=200, half=False)


def learning_rate(step: int, recipe: Recipe) -> float:
    """Rise linearly, stay at the peak, fall linearly to zero over the last `decay_steps`.

    Until the fall begins the rate does not depend on the number of steps, so a run may be prolonged from its checkpoint
    and still be the run that the longer recipe describes.
    """
    rise = (step + 1) / recipe.warm_up
    fall = (recipe.steps - step) / recipe.decay_steps
    return recipe.peak_rate * max(0.0, min(1.0, rise, fall))
