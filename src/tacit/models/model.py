"""What every model can be asked, whatever its family."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence as Seq
from typing import Any, ClassVar, Literal

from tacit.errors import TacitError
from tacit.models.network import Network
from tacit.models.sequences import Conversation, Sequence, Span, Spanned
from tacit.models.tokens import Tokens
from tacit.questions import (
    Answer,
    Choice,
    Choose,
    Chosen,
    Classified,
    Classify,
    Fill,
    Filled,
    Filling,
    Label,
    Likelihood,
    LikelihoodMethod,
    Question,
    Represent,
    Represented,
    TokenScore,
    Weighed,
)

__all__ = ["Model", "family_refuses", "weigh"]

Family = Literal["masked", "causal", "seq2seq", "classifier"]


class Model(ABC):
    """A pre-trained language model. Its family says how each kind of question is answered."""

    family: ClassVar[Family]
    likelihoods: ClassVar[tuple[LikelihoodMethod, ...]] = ()

    def __init__(
        self, name: str, tokens: Tokens, network: Network, fingerprint: str, description: dict[str, Any]
    ) -> None:
        self.name = name
        self.tokens = tokens
        self.network = network
        self.fingerprint = fingerprint
        self._description = description

    def fill(self, text: str, top: int = 5, context: str = "") -> list[Filling]:
        """The likeliest tokens for the blank, likeliest first."""
        answer = self._one(Fill(text, top, context))
        assert isinstance(answer, Filled)
        return list(answer.fillings)

    def choose(self, text: str, words: Seq[str], context: str = "") -> list[Choice]:
        """How likely each of these words is in the blank, in the order given."""
        answer = self._one(Choose(text, tuple(words), context))
        assert isinstance(answer, Chosen)
        return list(answer.choices)

    def likelihood(
        self, texts: Seq[str], method: LikelihoodMethod | None = None, reduce: Literal["mean", "total"] = "mean"
    ) -> list[float]:
        """The log-likelihood of each text: the mean over its tokens, or their total."""
        chosen = method or self.natural_likelihood
        answers = self._ask([Likelihood(text, chosen, detail=False) for text in _texts(texts)])
        return [getattr(answer, reduce) for answer in answers]

    def classify(self, texts: Seq[str]) -> list[list[Label]]:
        """The probability of each label for each text."""
        answers = self._ask([Classify(text) for text in _texts(texts)])
        return [list(answer.labels) for answer in answers if isinstance(answer, Classified)]

    def represent(self, text: str, start: int, end: int) -> list[float]:
        """The mean vector, in the last layer, of the part of the text from `start` to `end` (in characters)."""
        answer = self._one(Represent(text, start, end))
        assert isinstance(answer, Represented)
        return list(answer.vector)

    @property
    def natural_likelihood(self) -> LikelihoodMethod:
        """The way of weighing a sentence that suits this family."""
        if not self.likelihoods:
            raise family_refuses(self, "says nothing of how likely a sentence is")
        return self.likelihoods[0]

    def describe(self) -> dict[str, Any]:
        """What a reader needs to know of this model, kept beside its results."""
        return {"name": self.name, "family": self.family, "fingerprint": self.fingerprint, **self._description}

    def answer(self, question: Question) -> Conversation:
        """The conversation that ends in the answer to a question."""
        if isinstance(question, Fill):
            _check_count(question.top, "top")
            return self._fill(question)
        if isinstance(question, Choose):
            _check_words(question.words)
            return self._choose(question)
        if isinstance(question, Likelihood):
            if question.method not in self.likelihoods:
                known = ", ".join(self.likelihoods) or "none"
                raise family_refuses(self, f"has no likelihood {question.method!r}; it has {known}")
            return self._weigh(question)
        if isinstance(question, Classify):
            return self._classify(question)
        return self._represent(question)

    @abstractmethod
    def _fill(self, question: Fill) -> Conversation: ...

    @abstractmethod
    def _choose(self, question: Choose) -> Conversation: ...

    @abstractmethod
    def _weigh(self, question: Likelihood) -> Conversation: ...

    def _classify(self, question: Classify) -> Conversation:
        raise family_refuses(self, "gives no labels; take a sequence classifier")

    def _represent(self, question: Represent) -> Conversation:
        text = self.tokens.unblanked(question.text)
        inside = [k for k, (start, end) in enumerate(text.spans) if end > question.start and start < question.end]
        if not inside:
            raise TacitError(f"No token of {question.text!r} stands between {question.start} and {question.end}.")
        positions = tuple(text.own[k] for k in inside)
        (reading,) = yield [Sequence(text.ids, Span(positions), text.types)]
        assert isinstance(reading, Spanned)
        return Represented(tuple(reading.values), self.tokens.names(tuple(text.ids[p] for p in positions)))

    def _one(self, question: Question) -> Answer:
        return self._ask([question])[0]

    def _ask(self, questions: Seq[Question]) -> list[Answer]:
        from tacit.asking import ask  # noqa: PLC0415 - asking knows models; models ask only for convenience

        return list(ask(self, questions, cache=None))


def family_refuses(model: Model, reason: str) -> TacitError:
    """The error for a question that a family cannot answer."""
    return TacitError(f"The {model.family} model {model.name!r} {reason}.")


def weigh(
    names: tuple[str, ...],
    logprobs: Seq[float | None],
    roles: tuple[str | None, ...],
    question: Likelihood,
    begin: str | None = None,
) -> Weighed:
    """The answer to a likelihood question from the log-probabilities of its tokens."""
    scored = [value for value in logprobs if value is not None]
    if not scored:
        raise TacitError(
            f"The text {question.text!r} is one token with nothing before it, so it has no likelihood: "
            "load the model with begin=True (--begin) to put a begin token first."
        )
    total = sum(scored)
    parts = zip(names, logprobs, roles, strict=True)
    tokens = tuple(TokenScore(*part) for part in parts) if question.detail else ()
    return Weighed(total, total / len(scored), len(scored), question.method, begin, tokens)


def _check_count(count: int, name: str) -> None:
    if count < 1:
        raise TacitError(f"{name} must be at least 1, not {count}.")


def _check_words(words: tuple[str, ...]) -> None:
    if not words:
        raise TacitError("No words were given to choose from.")
    empty = [word for word in words if not word.strip()]
    if empty:
        raise TacitError("One of the words to choose from is empty.")


def _texts(texts: Seq[str]) -> Seq[str]:
    return [texts] if isinstance(texts, str) else texts
