"""What a model is, wherever it runs: a name, a family, a fingerprint, and answers to questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol

from tacit.arguments import require_one_of, require_texts
from tacit.errors import ModelError
from tacit.models.checks import Check
from tacit.questions import (
    Answer,
    Choice,
    Choose,
    ChooseAnswer,
    Classify,
    ClassifyAnswer,
    Fill,
    FillAnswer,
    Filling,
    Label,
    Likelihood,
    LikelihoodAnswer,
    LikelihoodMethod,
    Question,
    Represent,
    RepresentAnswer,
)

__all__ = ["Answerer", "Family", "Model"]

Family = Literal["masked", "causal", "seq2seq", "classifier"]


class Answerer(Protocol):
    """The least that `tacit.ask` needs. A class that extends `Model` has it, and the conveniences too."""

    name: str
    family: Family
    fingerprint: str

    def describe(self) -> dict[str, Any]:
        """What a reader needs to know about this model; stored with its results."""

    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """Answer each question, in the order given."""


class Model(ABC):
    """A pre-trained language model that answers questions.

    To add a kind of model, set the attributes and implement `describe` and `answer`; the rest is written here once.

    Attributes:
        name: What the user calls it.
        family: How it reads a sentence: masked, causal, seq2seq or classifier.
        fingerprint: Must change whenever the same question could get a different answer; answers are cached under it.
        likelihoods: The methods by which it can score a sentence, the most natural one first.
        noise_floor: How far two answers to the same question may differ, in log-probability; 0 for all but servers.
    """

    name: str
    family: Family
    fingerprint: str
    likelihoods: tuple[LikelihoodMethod, ...] = ()
    noise_floor: float = 0.0

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """What a reader needs to know about this model; stored with its results."""

    @abstractmethod
    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """Answer each question, in the order given."""

    def answer_as_completed(self, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Answer questions in any order.

        `tacit.ask` stores answers as they arrive, so a model that completes them out of order should override this.

        Yields:
            The index of a question and its answer.
        """
        return enumerate(self.answer(questions))

    def self_checks(self) -> Iterable[Check]:
        """Checks of this kind of model that `tacit doctor` shows after those that every model undergoes."""
        return ()

    def fill(self, text: str, top: int = 5, context: str = "") -> list[Filling]:
        """The most probable tokens for the blank of a text.

        Args:
            text: A text with one blank, written `[MASK]` or `___`.
            top: How many tokens to return.
            context: Text to put before it.

        Returns:
            The tokens with their probabilities, the most probable first.
        """
        answer = self._answer_one(Fill(text, top, context))
        assert isinstance(answer, FillAnswer)
        return list(answer.fillings)

    def choose(self, text: str, words: Sequence[str], context: str = "") -> list[Choice]:
        """The probability of given words in the blank of a text.

        Args:
            text: A text with one blank, written `[MASK]` or `___`.
            words: The words.
            context: Text to put before it.

        Returns:
            One choice per word, in the order given.
        """
        require_texts("words", words)
        answer = self._answer_one(Choose(text, tuple(words), context))
        assert isinstance(answer, ChooseAnswer)
        return list(answer.choices)

    def likelihood(
        self, texts: Sequence[str], method: LikelihoodMethod | None = None, reduce: Literal["mean", "total"] = "mean"
    ) -> list[float]:
        """The log-likelihood of each text.

        Args:
            texts: One text or several.
            method: One of `likelihoods`; by default the first of them.
            reduce: Whether to return the mean over the tokens of a text or their total.

        Returns:
            One number per text, in the order given.
        """
        require_one_of("reduce", reduce, ("mean", "total"))
        chosen = self.natural_likelihood if method is None else method
        questions = [Likelihood(text, chosen, detail=False) for text in _as_list(texts)]
        answers = [answer for answer in self.answer(questions) if isinstance(answer, LikelihoodAnswer)]
        return [answer.mean if reduce == "mean" else answer.total for answer in answers]

    def classify(self, texts: Sequence[str]) -> list[list[Label]]:
        """The probability of each label, for each text (one or several)."""
        answers = self.answer([Classify(text) for text in _as_list(texts)])
        return [list(answer.labels) for answer in answers if isinstance(answer, ClassifyAnswer)]

    def represent(self, text: str, start: int, end: int) -> list[float]:
        """The mean vector, in the last layer, of the part of a text from character `start` to `end`."""
        answer = self._answer_one(Represent(text, start, end))
        assert isinstance(answer, RepresentAnswer)
        return list(answer.vector)

    @property
    def natural_likelihood(self) -> LikelihoodMethod:
        """The method of scoring a sentence that suits this model best."""
        if not self.likelihoods:
            raise self.refuse("cannot score sentences")
        return self.likelihoods[0]

    def refuse(self, reason: str) -> ModelError:
        """The error for a question that this model cannot answer: `raise model.refuse("gives no labels")`."""
        return ModelError(f"The {self.family} model {self.name!r} {reason}.")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} ({self.family}, {self.fingerprint[:12]})>"

    def _answer_one(self, question: Question) -> Answer:
        (answer,) = self.answer([question])
        return answer


def _as_list(texts: Sequence[str]) -> Sequence[str]:
    """One text or several, as a list."""
    if isinstance(texts, str):
        return [texts]
    require_texts("texts", texts)
    return texts
