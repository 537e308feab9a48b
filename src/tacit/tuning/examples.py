"""From reviews to training examples: the tokens with the blank, and which label word belongs there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacit.errors import MaterialsError, ModelError
from tacit.methods.sentiment.materials import Review, read_reviews
from tacit.methods.sentiment.questions import prompt_for
from tacit.models.hf.model import HFModel
from tacit.models.hf.tokens import BlankText
from tacit.questions import Choose, split_blank
from tacit.tuning.demonstrations import Demonstrations

__all__ = ["TuningExample", "draw_shots", "encode", "label_tokens", "require_tunable"]


@dataclass(frozen=True)
class TuningExample:
    """A text as tokens: a review with the prompt, or a text that is to be classified.

    Attributes:
        ids: The tokens.
        types: The segment of each token, for models that have segments.
        blank: The position where the word in the blank is predicted; 0 for a classifier, which has no blank.
        label: The number of the correct label word or label, from 0.
    """

    ids: tuple[int, ...]
    types: tuple[int, ...]
    blank: int
    label: int


def draw_shots(
    path: Path, shots: int, seed: int, held_out_shots: int | None = None
) -> tuple[list[Review], list[Review]]:
    """Draw reviews at random.

    Args:
        path: A file (CSV, JSONL or Parquet) with the columns text and label.
        shots: How many reviews per class.
        seed: Determines the draw.
        held_out_shots: How many different reviews per class to hold out; by default as many as `shots`.

    Returns:
        The reviews to train on, and those that are held out.
    """
    more = shots if held_out_shots is None else held_out_shots
    reviews = read_reviews(path)
    rng = np.random.default_rng(seed)
    training: list[Review] = []
    held_out: list[Review] = []
    for is_positive, name in ((True, "positive"), (False, "negative")):
        members = [review for review in reviews if review.positive is is_positive]
        if len(members) < shots + more:
            raise MaterialsError(
                f"{path} has {len(members)} {name} reviews, but {shots} to train on and {more} to hold out are "
                "needed. Give more reviews or fewer --shots."
            )
        drawn = [members[i] for i in rng.permutation(len(members))[: shots + more]]
        training += drawn[:shots]
        held_out += drawn[shots:]
    return training, held_out


def require_tunable(model: HFModel) -> None:
    """Reject families that prompt-based tuning does not know."""
    if model.family not in {"masked", "causal"}:
        raise ModelError(
            f"{model.name} is a {model.family} model, but only masked and causal models can be tuned with a prompt."
        )


def label_tokens(model: HFModel, prompt: str, label_words: tuple[str, str]) -> tuple[int, int]:
    """The token of each label word in the blank; a word that the tokenizer splits is an error."""
    left, _ = split_blank(prompt)
    tokens: list[int] = []
    for word in label_words:
        pieces = model.tokens.pieces(word, left)
        if pieces is None or len(pieces) != 1:
            raise ModelError(
                f"The label word {word!r} is not one token of {model.name}. Choose another pair with --label-words."
            )
        tokens.append(pieces[0])
    return tokens[0], tokens[1]


def encode(
    model: HFModel,
    reviews: Sequence[Review],
    prompt: str,
    label_words: tuple[str, str],
    shown: Sequence[Sequence[Review]] | None = None,
) -> list[TuningExample]:
    """The reviews as tokens, exactly as the probes present them to the model.

    Args:
        model: The model that reads them.
        reviews: The reviews.
        prompt: The text after a review, with a blank.
        label_words: The positive and the negative word.
        shown: The demonstrations of each review; by default there are none.
    """
    text = prompt_for(prompt, model.family)
    demonstrations = Demonstrations(model, prompt, label_words)
    examples: list[TuningExample] = []
    for number, review in enumerate(reviews):
        plain = Choose(text, label_words, context=review.text)
        encoded = _encode_blank(model, plain if shown is None else demonstrations.ask(review, shown[number]))
        blank = encoded.blank if model.family == "masked" else len(encoded.ids) - 1
        examples.append(TuningExample(encoded.ids, encoded.types, blank, 0 if review.positive else 1))
    return examples


def _encode_blank(model: HFModel, question: Choose) -> BlankText:
    if model.family == "masked":
        return model.tokens.encode_blank(question, str(model.tokens.tokenizer.mask_token))
    if split_blank(question.text)[1]:
        raise ModelError(f"The prompt {question.text!r} must end with its blank for the causal model {model.name}.")
    return model.tokens.encode_left(question, 1)
