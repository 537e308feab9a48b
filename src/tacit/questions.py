"""The questions that can be asked of a model, and the answers it gives: plain numbers and tokens, never a tensor."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from tacit.arguments import (
    MOST_CHARACTERS,
    require_count,
    require_flag,
    require_one_of,
    require_text,
    require_texts,
    wrong_argument,
)
from tacit.errors import ArgumentError, MaterialsError
from tacit.notebook import AnswerTable

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
    "has_blank",
    "split_blank",
    "without_blanks",
]

BLANK = "[MASK]"
_BLANKS = re.compile(r"\[MASK\]|___+")

LikelihoodMethod = Literal["aul", "aula", "pll", "pll-word", "causal"]

MOST_TOKENS = 10_000_000
"""More than any vocabulary has."""


@dataclass(frozen=True, slots=True)
class Role:
    """The part of a text that fills a named slot of its template.

    Attributes:
        name: The name of the slot.
        start: The first character of the part.
        end: The character after its last.
    """

    name: str
    start: int
    end: int

    def __post_init__(self) -> None:
        require_text("name", self.name)
        _require_span(self.start, self.end, least=0)


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill this blank: which tokens does the model find most likely?

    Attributes:
        text: A text with one blank, written `[MASK]` or `___`.
        top: How many tokens to return.
        context: Text before it, which may be cut in its middle if it is too long.
        pair: Give context and text to the model as two segments, if it has segments.
        shortlist: For a causal model and a blank inside a sentence: how many tokens, the most likely ones given the
            text before the blank, are compared by whole sentences.
    """

    text: str
    top: int = 5
    context: str = ""
    pair: bool = False
    shortlist: int = 200

    def __post_init__(self) -> None:
        require_count("top", self.top, 1, MOST_TOKENS)
        _require_blank_question(self)


@dataclass(frozen=True, slots=True)
class Choose:
    """How likely are these words in this blank?

    Attributes:
        text: A text with one blank, written `[MASK]` or `___`.
        words: The words.
        context: Text before it, which may be cut in its middle if it is too long.
        pair: Give context and text to the model as two segments, if it has segments.
        shortlist: For a causal model and a blank inside a sentence: how many tokens, the most likely ones given the
            text before the blank, the words are compared with.
    """

    text: str
    words: tuple[str, ...]
    context: str = ""
    pair: bool = False
    shortlist: int = 200

    def __post_init__(self) -> None:
        require_texts("words", self.words)
        if not self.words or not all(word.strip() for word in self.words):
            raise ArgumentError("`words` must be at least one word, and none of them empty.")
        # A list would have no hash, and two equal questions are asked once.
        object.__setattr__(self, "words", tuple(self.words))
        _require_blank_question(self)


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How likely is this sentence?

    Attributes:
        text: The sentence.
        method: How it is scored: "aul" and "aula" (all tokens visible, unweighted or weighted by attention), "pll" and
            "pll-word" (each token masked, alone or with the rest of its word), "causal" (each given those before).
        roles: Named parts of the text, whose tokens are marked in the answer.
        detail: Whether the answer includes the score of each token.
    """

    text: str
    method: LikelihoodMethod
    roles: tuple[Role, ...] = ()
    detail: bool = True

    def __post_init__(self) -> None:
        require_text("text", self.text)
        require_one_of("method", self.method, get_args(LikelihoodMethod))
        if not isinstance(self.roles, tuple) or not all(isinstance(role, Role) for role in self.roles):
            raise wrong_argument("roles", "a tuple of roles", self.roles)
        require_flag("detail", self.detail)


@dataclass(frozen=True, slots=True)
class Classify:
    """Which label does this text have?

    Attributes:
        text: The text, which is cut in its middle if it is too long.
        lead: A sentence before it, which is never cut.
    """

    text: str
    lead: str = ""

    def __post_init__(self) -> None:
        require_text("text", self.text)
        require_text("lead", self.lead)


@dataclass(frozen=True, slots=True)
class Represent:
    """Which vector does this part of a text have: the mean over its tokens in the last layer?

    Attributes:
        text: The whole text.
        start: The first character of the part.
        end: The character after its last.
    """

    text: str
    start: int
    end: int

    def __post_init__(self) -> None:
        require_text("text", self.text)
        _require_span(self.start, self.end, least=1)


Question: TypeAlias = Fill | Choose | Likelihood | Classify | Represent


@dataclass(frozen=True, slots=True)
class Filling:
    """One token that the model would put into the blank.

    Attributes:
        token: The token; one that continues the word before it starts with `##`, whatever the tokenizer writes.
        probability: Its probability.
        rank: 1 for the most likely token.
    """

    token: str
    probability: float
    rank: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the words that were asked about.

    Attributes:
        word: The word.
        probability: Its probability; None if the model cannot represent it.
        rank: One more than the number of tokens that are strictly more likely; None if the model cannot represent it,
            or if it is behind an endpoint and the word is not among the most likely tokens that the server tells.
        tokens: The tokens of the word in that place.
    """

    word: str
    probability: float | None
    rank: int | None
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenScore:
    """One token of a sentence.

    Attributes:
        token: The token.
        logprob: Its natural log-probability; None for a first token with nothing before it.
        role: The role it plays in the sentence, if any.
    """

    token: str
    logprob: float | None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """One label of a classifier.

    Attributes:
        label: The name of the label.
        probability: Its probability.
    """

    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class FillAnswer(AnswerTable):
    """The answer to `Fill`.

    Attributes:
        fillings: The most likely tokens, the most likely one first.
        scoring: How they were scored, such as "mask" or "next token".
        begin: The begin token that was put first, if any.
        cut: How many tokens of the context were left out because the text was too long.
    """

    fillings: tuple[Filling, ...]
    scoring: str
    begin: str | None = None
    cut: int = 0


@dataclass(frozen=True, slots=True)
class ChooseAnswer(AnswerTable):
    """The answer to `Choose`.

    Attributes:
        choices: One choice per word, in the order asked.
        scoring: How they were scored, such as "mask" or "next token".
        begin: The begin token that was put first, if any.
        cut: How many tokens of the context were left out because the text was too long.
    """

    choices: tuple[Choice, ...]
    scoring: str
    begin: str | None = None
    cut: int = 0


@dataclass(frozen=True, slots=True)
class LikelihoodAnswer(AnswerTable):
    """The answer to `Likelihood`.

    Attributes:
        total: The sum of the natural log-probabilities of the scored tokens.
        mean: Their mean.
        count: How many tokens were scored.
        scoring: The method by which they were scored.
        begin: The begin token that was put first, if any.
        tokens: The score of each token, if the question asked for detail.
    """

    total: float
    mean: float
    count: int
    scoring: str
    begin: str | None = None
    tokens: tuple[TokenScore, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class ClassifyAnswer(AnswerTable):
    """The answer to `Classify`.

    Attributes:
        labels: All labels of the classifier, in its own order.
        scoring: How they were scored.
        cut: How many tokens of the text were left out because it was too long.
    """

    labels: tuple[Label, ...]
    scoring: str = "classifier"
    cut: int = 0


@dataclass(frozen=True, slots=True)
class RepresentAnswer(AnswerTable):
    """The answer to `Represent`.

    Attributes:
        vector: The vector.
        tokens: The tokens whose vectors were averaged.
        scoring: How the vector was computed.
    """

    vector: tuple[float, ...]
    tokens: tuple[str, ...]
    scoring: str = "mean of the last layer"


Answer: TypeAlias = FillAnswer | ChooseAnswer | LikelihoodAnswer | ClassifyAnswer | RepresentAnswer


def has_blank(text: str) -> bool:
    """Whether a text has a blank, written `[MASK]` or `___`."""
    return _BLANKS.search(text) is not None


def split_blank(text: str) -> tuple[str, str]:
    """Split a text at its only blank, `[MASK]` or `___`, into what comes before and after it."""
    blanks = list(_BLANKS.finditer(text))
    if len(blanks) != 1:
        count = "no blank" if not blanks else f"{len(blanks)} blanks"
        raise MaterialsError(f"The text {_quoted(text)} has {count}. Write exactly one, as {BLANK} or ___.")
    return text[: blanks[0].start()], text[blanks[0].end() :]


def without_blanks(text: str) -> str:
    """The text with its blanks taken out, so that it can stand beside one that has a blank."""
    return _BLANKS.sub("", text)


def compose(template: str, **slots: str) -> tuple[str, tuple[Role, ...]]:
    """Fill the named slots of a template.

    Args:
        template: A text with slots, such as "People in {region} are {adjective}."
        **slots: The text for each slot.

    Returns:
        The text, and where each slot ended up in it.
    """
    text, roles = "", []
    for literal, slot in _parts(template):
        text += literal
        if slot is None:
            continue
        if slot not in slots:
            raise MaterialsError(f"The template {_quoted(template)} has a slot {{{slot}}} without a value.")
        roles.append(Role(slot, len(text), len(text) + len(slots[slot])))
        text += slots[slot]
    return text, tuple(roles)


def _require_blank_question(question: Fill | Choose) -> None:
    require_text("text", question.text)
    require_text("context", question.context)
    require_flag("pair", question.pair)
    require_count("shortlist", question.shortlist, 1, MOST_TOKENS)


def _require_span(start: int, end: int, least: int) -> None:
    """Refuse a part of a text that has fewer characters than `least`."""
    require_count("start", start, 0, MOST_CHARACTERS)
    require_count("end", end, start + least, MOST_CHARACTERS)


def _parts(template: str) -> list[tuple[str, str | None]]:
    pieces = re.split(r"\{(\w+)\}", template)
    slots: list[str | None] = [*pieces[1::2], None]
    return list(zip(pieces[0::2], slots, strict=True))


def _quoted(text: str, width: int = 80) -> str:
    return repr(text if len(text) <= width else text[: width - 1] + "…")
