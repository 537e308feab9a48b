"""Models that answer each question by a conversation. A family, a subclass, knows how to lead it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from typing import TYPE_CHECKING, Any

from tacit.errors import ModelError
from tacit.models.base import Model
from tacit.models.checks import Check
from tacit.models.hf.scheduler import run_conversations
from tacit.models.hf.sequences import Conversation, Runner, Sequence, Span, Values
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

if TYPE_CHECKING:
    from tacit.models.hf.network import Network

__all__ = ["ConversationModel", "HFModel", "sentence_answer"]


class ConversationModel(Model):
    """A tokenizer, what runs sequences of its tokens, and one conversation per question.

    Attributes:
        tokens: Turns texts into tokens and back.
        runner: Runs sequences of tokens.
    """

    def __init__(
        self, name: str, tokens: Tokens, runner: Runner, fingerprint: str, description: dict[str, Any]
    ) -> None:
        self.name = name
        self.tokens = tokens
        self.runner = runner
        self.fingerprint = fingerprint
        self._description = description

    def describe(self) -> dict[str, Any]:
        """Name, family, fingerprint, and what the loader knows: size, precision, begin token and the like."""
        return {"name": self.name, "family": self.family, "fingerprint": self.fingerprint, **self._description}

    def answer(self, questions: Seq[Question]) -> Iterator[Answer]:
        """Answer each question, in the order given; all of them share batches."""
        answers = dict(self.answer_as_completed(questions))
        return (answers[index] for index in range(len(questions)))

    def answer_as_completed(self, questions: Seq[Question]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of each question and its answer, as soon as the answer is complete."""
        return run_conversations(self.runner, self.conversation, questions)

    def conversation(self, question: Question) -> Conversation:
        """Start the conversation that ends in the answer to a question."""
        if isinstance(question, Fill):
            return self._fill(question)
        if isinstance(question, Choose):
            return self._choose(question)
        if isinstance(question, Likelihood):
            if question.method not in self.likelihoods:
                known = ", ".join(self.likelihoods) or "none"
                raise self.refuse(f"has no likelihood {question.method!r}; it has {known}")
            return self._likelihood(question)
        if isinstance(question, Classify):
            return self._classify(question)
        return self._represent(question)

    @abstractmethod
    def _fill(self, question: Fill) -> Conversation: ...

    @abstractmethod
    def _choose(self, question: Choose) -> Conversation: ...

    @abstractmethod
    def _likelihood(self, question: Likelihood) -> Conversation: ...

    def _classify(self, question: Classify) -> Conversation:
        raise self.refuse("gives no labels; use a text classifier")

    def _represent(self, question: Represent) -> Conversation:
        text = self.tokens.encode_whole(question.text)
        spans = zip(text.own, text.spans, strict=True)
        positions = tuple(place for place, (start, end) in spans if end > question.start and start < question.end)
        if not positions:
            raise ModelError(
                f"No token of {question.text!r} is between the characters {question.start} and {question.end}."
            )
        (reading,) = yield [Sequence(text.ids, Span(positions), text.types)]
        assert isinstance(reading, Values)
        return RepresentAnswer(tuple(reading.values), self.tokens.names(tuple(text.ids[p] for p in positions)))


class HFModel(ConversationModel):
    """A transformers model in this process.

    Attributes:
        network: Its network.
    """

    def __init__(
        self, name: str, tokens: Tokens, network: Network, fingerprint: str, description: dict[str, Any]
    ) -> None:
        super().__init__(name, tokens, network, fingerprint, description)
        self.network = network

    def self_checks(self) -> Iterable[Check]:
        """Whether the model predicts text, then padding, precision, word boundaries and special tokens."""
        from tacit.models.hf.checks import engine_checks  # noqa: PLC0415 - imports torch
        from tacit.models.hf.sanity import prediction_check, vocabulary_check  # noqa: PLC0415 - they ask this class

        yield vocabulary_check(self)
        if self.family != "classifier":
            yield prediction_check(self)
        yield from engine_checks(self.family, self.tokens, self.network)


def sentence_answer(
    names: tuple[str, ...],
    logprobs: Seq[float | None],
    roles: tuple[str | None, ...],
    question: Likelihood,
    begin: str | None = None,
) -> LikelihoodAnswer:
    """Build the answer to a likelihood question.

    Args:
        names: The tokens of the sentence, as a reader knows them.
        logprobs: The log-probability of each; None for a first token with nothing before it.
        roles: The role of each, if any.
        question: The question.
        begin: The begin token that was put first, if any.
    """
    scored = [value for value in logprobs if value is not None]
    if not scored:
        raise ModelError(
            f"The text {question.text!r} is one token with nothing before it, so it has no likelihood. "
            "Load the model with begin=True (--begin) to put a begin token first."
        )
    total = sum(scored)
    parts = zip(names, logprobs, roles, strict=True)
    tokens = tuple(TokenScore(*part) for part in parts) if question.detail else ()
    return LikelihoodAnswer(total, total / len(scored), len(scored), question.method, begin, tokens)
