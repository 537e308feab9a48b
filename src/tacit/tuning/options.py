"""What a user may choose about a tuning."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Protocol

from tacit.arguments import (
    LARGEST_SEED,
    require_count,
    require_flag,
    require_number,
    require_text,
    require_texts,
    wrong_argument,
)

__all__ = ["ClassifierTuning", "PromptTuning", "TrainingOptions"]


class TrainingOptions(Protocol):
    """What the training needs to know of any tuning; the words are those of `PromptTuning`."""

    @property
    def rate(self) -> float: ...
    @property
    def decay(self) -> float: ...
    @property
    def batch(self) -> int: ...
    @property
    def epochs(self) -> int: ...
    @property
    def patience(self) -> int: ...
    @property
    def seed(self) -> int: ...


@dataclass(frozen=True)
class PromptTuning:
    """How to tune. The defaults are those of Gao et al. for 16 shots, except for the early stopping.

    Attributes:
        shots: How many reviews per class to train on.
        held_out: How many more per class decide when to stop; by default as many as `shots`.
        demonstrations: Show a positive and a negative training review with their label words beside each review.
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
    held_out: int | None = None
    demonstrations: bool = False

    def __post_init__(self) -> None:
        require_count("shots", self.shots, 1, 1_000_000)
        require_text("prompt", self.prompt)
        require_texts("label_words", self.label_words)
        if len(self.label_words) != 2 or self.label_words[0] == self.label_words[1] or not all(self.label_words):
            raise wrong_argument("label_words", "two different words, such as ('great', 'terrible')", self.label_words)
        _check_training(self)
        if self.held_out is not None:
            require_count("held_out", self.held_out, 1, 1_000_000)
        require_flag("demonstrations", self.demonstrations)
        if self.demonstrations and self.shots < 2:
            raise wrong_argument("shots", "at least 2 with demonstrations, because a review never shows itself", 1)

    def recipe(self) -> dict[str, object]:
        """The options as JSON values, which decide whether a folder holds this tuning.

        Options that came later are named only where they are used, so that an older folder is still recognized.
        """
        later: dict[str, object] = {"held_out": None, "demonstrations": False}
        return {name: value for name, value in asdict(self).items() if name not in later or value != later[name]}


@dataclass(frozen=True)
class ClassifierTuning:
    """How to train a classifier. The defaults are the usual ones for BERT; small models need a larger rate.

    Attributes:
        texts: The largest number of texts, drawn at random where there are more.
        held_out: The share of each label's texts that is held out, to decide when to stop and which epoch is kept.
        rate: The learning rate.
        decay: The weight decay.
        batch: How many texts per step.
        epochs: The largest number of epochs.
        patience: Stop after this many epochs without improvement.
        seed: Determines which texts are held out, their order, the first weights of the head, and the dropout.
    """

    texts: int = 20_000
    held_out: float = 0.2
    rate: float = 2e-5
    decay: float = 0.01
    batch: int = 16
    epochs: int = 10
    patience: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        require_count("texts", self.texts, 1, 10_000_000)
        require_number("held_out", self.held_out, 0, 1)
        _check_training(self)


def _check_training(options: TrainingOptions) -> None:
    require_number("rate", options.rate, -1e-300, 100)
    require_number("decay", options.decay, -1e-300, 100)
    require_count("batch", options.batch, 1, 1_000_000)
    require_count("epochs", options.epochs, 1, 1_000_000)
    require_count("patience", options.patience, 1, 1_000_000)
    require_count("seed", options.seed, 0, LARGEST_SEED)
