"""The questions that can be asked of a model, and the answers it gives: plain numbers and tokens, never a tensor."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tacit.errors import TacitError

__all__ = [
    "BLANK",
    "Answer",
    "Choice",
    "Choose",
    "ChooseAnswer",
    "Classify",
    "ClassifyAnswer",
    "Fill",
    "FillAnswer",
    "Filling",
    "Label",
    "Likelihood",
    "LikelihoodAnswer",
    "LikelihoodMethod",
    "Question",
    "Represent",
    "RepresentAnswer",
    "Role",
    "TokenScore",
    "compose",
    "split_blank",
]

BLANK = "[MASK]"
_BLANKS = re.compile(r"\[MASK\]|___+")

LikelihoodMethod = Literal["aul", "aula", "pll", "pll-word", "causal"]


@dataclass(frozen=True, slots=True)
class Role:
    """The part of a text, from `start` to `end` in characters, that fills a named slot of its template."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill this blank: which tokens does the model find likeliest?

    `context` stands before the text, may be cut in its middle when it is too long, and is shared between questions;
    `pair` gives context and text to the model as two segments, where it knows such. `shortlist` is how many
    candidates a causal model takes from the left of a blank inside a sentence before it weighs whole sentences.
    """

    text: str
    top: int = 5
    context: str = ""
    pair: bool = False
    shortlist: int = 200


@dataclass(frozen=True, slots=True)
class Choose:
    """How likely are these words in this blank?"""

    text: str
    words: tuple[str, ...]
    context: str = ""
    pair: bool = False
    shortlist: int = 200


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How likely is this sentence? `roles` name parts of the text; `detail` keeps the score of each token."""

    text: str
    method: LikelihoodMethod
    roles: tuple[Role, ...] = ()
    detail: bool = True


@dataclass(frozen=True, slots=True)
class Classify:
    """Which label has this text? `lead` is put before it and never cut; a text that is too long loses its middle."""

    text: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Represent:
    """Which vector has the part of the text from `start` to `end` (in characters)? Mean over its tokens, last layer."""

    text: str
    start: int
    end: int


Question: TypeAlias = Fill | Choose | Likelihood | Classify | Represent


@dataclass(frozen=True, slots=True)
class Filling:
    """One token that the model would put into the blank; rank 1 is the likeliest.

    A token that continues the word before it is written with `##`, whatever the tokenizer's own sign.
    """

    token: str
    probability: float
    rank: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the words that was asked about. A word the model cannot represent has no probability and no rank."""

    word: str
    probability: float | None
    rank: int | None
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenScore:
    """One token of a sentence; a first token with nothing before it has no log-probability."""

    token: str
    logprob: float | None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """One label of a classifier."""

    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class FillAnswer:
    """The answer to `Fill`.

    Attributes:
        fillings: The most probable tokens, the first one the likeliest.
        scoring: How they were scored: "mask", "next token" ...
        begin: The begin token that stood first, if any.
        cut: How many tokens of the context were cut because the text was too long.
    """

    fillings: tuple[Filling, ...]
    scoring: str
    begin: str | None = None
    cut: int = 0


@dataclass(frozen=True, slots=True)
class ChooseAnswer:
    """The answer to `Choose`: one choice a word, in the order asked."""

    choices: tuple[Choice, ...]
    scoring: str
    begin: str | None = None
    cut: int = 0


@dataclass(frozen=True, slots=True)
class LikelihoodAnswer:
    """The answer to `Likelihood`: log-probabilities (natural), their mean and total over the `count` scored tokens."""

    total: float
    mean: float
    count: int
    scoring: str
    begin: str | None = None
    tokens: tuple[TokenScore, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class ClassifyAnswer:
    """The answer to `Classify`: every label of the classifier, in its own order."""

    labels: tuple[Label, ...]
    scoring: str = "classifier"
    cut: int = 0


@dataclass(frozen=True, slots=True)
class RepresentAnswer:
    """The answer to `Represent`."""

    vector: tuple[float, ...]
    tokens: tuple[str, ...]
    scoring: str = "mean of the last layer"


Answer: TypeAlias = FillAnswer | ChooseAnswer | LikelihoodAnswer | ClassifyAnswer | RepresentAnswer


def split_blank(text: str) -> tuple[str, str]:
    """Split a text at its one blank, `[MASK]` or `___`."""
    blanks = list(_BLANKS.finditer(text))
    if len(blanks) != 1:
        found = "no blank" if not blanks else f"{len(blanks)} blanks"
        raise TacitError(f"The text {_quoted(text)} has {found}: write exactly one, as {BLANK} or ___.")
    return text[: blanks[0].start()], text[blanks[0].end() :]


def compose(template: str, **slots: str) -> tuple[str, tuple[Role, ...]]:
    """Fill a template's named slots, and tell where each ended up: ("People in France are bald.", roles)."""
    text, roles = "", []
    for literal, slot in _parts(template):
        text += literal
        if slot is None:
            continue
        if slot not in slots:
            raise TacitError(f"The template {_quoted(template)} names a slot {{{slot}}} that nothing fills.")
        roles.append(Role(slot, len(text), len(text) + len(slots[slot])))
        text += slots[slot]
    return text, tuple(roles)


def _parts(template: str) -> list[tuple[str, str | None]]:
    pieces = re.split(r"\{(\w+)\}", template)
    slots: list[str | None] = [*pieces[1::2], None]
    return list(zip(pieces[0::2], slots, strict=True))


def _quoted(text: str, width: int = 80) -> str:
    return repr(text if len(text) <= width else text[: width - 1] + "…")
