"""Reviews as what a model is trained on: the tokens before and around the blank, and which label word belongs there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import TacitError
from tacit.methods.sentiment.materials import Review, read_reviews
from tacit.methods.sentiment.questions import prompt_for
from tacit.models.hf.model import HFModel
from tacit.questions import Choose, split_blank

__all__ = ["TuningExample", "draw_shots", "encode", "label_tokens"]


@dataclass(frozen=True)
class TuningExample:
    """The tokens of a review with the prompt, where to read the blank, and 0 (first label word) or 1 (second)."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    blank: int
    label: int


def draw_shots(path: Path, shots: int, seed: int) -> tuple[list[Review], list[Review]]:
    """`shots` reviews a class to train on, and as many others to hold out."""
    reviews = read_reviews(path)
    rng = np.random.default_rng(seed)
    train: list[Review] = []
    held_out: list[Review] = []
    for side, name in ((True, "positive"), (False, "negative")):
        members = [review for review in reviews if review.positive is side]
        if len(members) < 2 * shots:
            raise TacitError(
                f"{path} has {len(members)} {name} reviews; {shots} to train on and {shots} to hold out are needed: "
                "give more reviews or fewer --shots."
            )
        drawn = [members[i] for i in rng.permutation(len(members))[: 2 * shots]]
        train += drawn[:shots]
        held_out += drawn[shots:]
    return train, held_out


def label_tokens(model: HFModel, prompt: str, label_words: tuple[str, str]) -> tuple[int, int]:
    """The one token of each label word in the blank."""
    left, _ = split_blank(prompt)
    found = []
    for word in label_words:
        pieces = model.tokens.pieces(word, left)
        if pieces is None or len(pieces) != 1:
            raise TacitError(
                f"The label word {word!r} is not one token of {model.name}: choose another pair with --label-words."
            )
        found.append(pieces[0])
    return found[0], found[1]


def encode(model: HFModel, reviews: Sequence[Review], prompt: str, label_words: tuple[str, str]) -> list[TuningExample]:
    """The reviews as the model is asked them by the probes."""
    text = prompt_for(prompt, model.family)
    examples = []
    for review in reviews:
        question = Choose(text, label_words, context=review.text)
        read = _read(model, question)
        place = read.blank if model.family == "masked" else len(read.ids) - 1
        examples.append(TuningExample(read.ids, read.types, place, 0 if review.positive else 1))
    return examples


def _read(model: HFModel, question: Choose) -> Any:
    if model.family == "masked":
        return model.tokens.blanked(question, str(model.tokens.tokenizer.mask_token))
    if split_blank(question.text)[1]:
        raise TacitError(f"The prompt {question.text!r} must end with its blank for the causal model {model.name}.")
    return model.tokens.open_ended(question, 1)
