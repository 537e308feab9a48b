"""What a user may choose about a tuning."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PromptTuning"]


@dataclass(frozen=True)
class PromptTuning:
    """How to tune. The defaults are those of Gao et al. for 16 shots, except for the early stopping.

    Attributes:
        shots: How many reviews per class to train on; as many more are held out.
        prompt: The text after a review, with a blank.
        label_words: The word for positive and the word for negative reviews.
        rate: The learning rate.
        decay: The weight decay.
        batch: How many reviews per step.
        epochs: The largest number of epochs.
        patience: Stop after this many epochs without improvement.
        seed: Determines which reviews are drawn, their order, and the dropout.
    """

    shots: int = 16
    prompt: str = "It was [MASK]."
    label_words: tuple[str, str] = ("great", "terrible")
    rate: float = 1e-5
    decay: float = 0.01
    batch: int = 8
    epochs: int = 100
    patience: int = 10
    seed: int = 0
