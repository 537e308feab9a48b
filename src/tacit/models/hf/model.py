"""A transformers model in this process: its family says how each kind of question is answered."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from collections.abc import Sequence as Seq
from typing import Any

from tacit.errors import ModelError
from tacit.models.base import Model
from tacit.models.hf.network import Network
from tacit.models.hf.scheduler import converse
from tacit.models.hf.sequences import Conversation, Sequence, Span, Values
from tacit.models.hf.tokens import Tokens
from tacit.questions import (
    Answer,
    Choose,
    Classify,
    Fill,
    Likelihood,
    LikelihoodAnswer,
    Question,
    Represent,
    RepresentAnswer,
    TokenScore,
)

__all__ = ["HFModel", "sentence_answer"]


class HFModel(Model):
    """Tokens, a network, and one conversation for each question."""

    def __init__(
        self, name: str, tokens: Tokens, network: Network, fingerprint: str, description: dict[str, Any]
    ) -> None:
        self.name = name
        self.tokens = tokens
        self.network = network
        self.fingerprint = fingerprint
        self._description = description

    def describe(self) -> dict[str, Any]:
        """What a reader needs to know about this model, kept with its results."""
        return {"name": self.name, "family": self.family, "fingerprint": self.fingerprint, **self._description}

    def answer(self, questions: Seq[Question]) -> Iterator[Answer]:
        """Answer each question, in the order given; all of them share batches."""
        answers = dict(self.answer_as_completed(questions))
        return (answers[index] for index in range(len(questions)))

    def answer_as_completed(self, questions: Seq[Question]) -> Iterator[tuple[int, Answer]]:
        """Each answer with the place of its question, as soon as it is finished."""
        return converse(self.network, self.conversation, questions)

    def conversation(self, question: Question) -> Conversation:
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
                raise self.refuse(f"has no likelihood {question.method!r}; it has {known}")
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
        raise self.refuse("gives no labels; take a sequence classifier")

    def _represent(self, question: Represent) -> Conversation:
        text = self.tokens.unblanked(question.text)
        inside = [k for k, (start, end) in enumerate(text.spans) if end > question.start and start < question.end]
        if not inside:
            raise ModelError(f"No token of {question.text!r} stands between {question.start} and {question.end}.")
        positions = tuple(text.own[k] for k in inside)
        (reading,) = yield [Sequence(text.ids, Span(positions), text.types)]
        assert isinstance(reading, Values)
        return RepresentAnswer(tuple(reading.values), self.tokens.names(tuple(text.ids[p] for p in positions)))


def sentence_answer(
    names: tuple[str, ...],
    logprobs: Seq[float | None],
    roles: tuple[str | None, ...],
    question: Likelihood,
    begin: str | None = None,
) -> LikelihoodAnswer:
    """The answer to a likelihood question from the log-probabilities of its tokens."""
    scored = [value for value in logprobs if value is not None]
    if not scored:
        raise ModelError(
            f"The text {question.text!r} is one token with nothing before it, so it has no likelihood: "
            "load the model with begin=True (--begin) to put a begin token first."
        )
    total = sum(scored)
    parts = zip(names, logprobs, roles, strict=True)
    tokens = tuple(TokenScore(*part) for part in parts) if question.detail else ()
    return LikelihoodAnswer(total, total / len(scored), len(scored), question.method, begin, tokens)


def _check_count(count: int, name: str) -> None:
    if count < 1:
        raise ModelError(f"{name} must be at least 1, not {count}.")


def _check_words(words: tuple[str, ...]) -> None:
    if not words:
        raise ModelError("No words were given to choose from.")
    empty = [word for word in words if not word.strip()]
    if empty:
        raise ModelError("One of the words to choose from is empty.")
