"""What every model is, wherever it lives: a name, a fingerprint, and answers to questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from tacit.errors import ModelError
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

__all__ = ["Family", "Model"]

Family = Literal["masked", "causal", "seq2seq", "classifier"]


class Model(ABC):
    """A pre-trained language model that answers questions.

    A new kind of model implements `describe` and `answer`; everything else is written here once for all of them.

    Attributes:
        name: What the user calls it.
        family: How it reads a sentence: masked, causal, seq2seq or classifier.
        fingerprint: Changes whenever the same question could get another answer; answers are cached under it.
        likelihoods: The ways in which it can score a sentence, the most natural one first.
    """

    name: str
    family: ClassVar[Family]
    fingerprint: str
    likelihoods: ClassVar[tuple[LikelihoodMethod, ...]] = ()

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """What a reader needs to know about this model, kept with its results."""

    @abstractmethod
    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """Answer each question, in the order given."""

    def answer_as_completed(self, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Each answer with the place of its question, in whatever order they are finished.

        `tacit.ask` stores answers as they arrive, so a model that finishes them out of order should override this.
        """
        return enumerate(self.answer(questions))

    def fill(self, text: str, top: int = 5, context: str = "") -> list[Filling]:
        """The most probable tokens for the blank of a text.

        Args:
            text: A text with one blank, written `[MASK]` or `___`.
            top: How many tokens.
            context: Text to put before it.

        Returns:
            The tokens with their probabilities, the most probable one first.
        """
        answer = self._answer_one(Fill(text, top, context))
        assert isinstance(answer, FillAnswer)
        return list(answer.fillings)

    def choose(self, text: str, words: Sequence[str], context: str = "") -> list[Choice]:
        """The probability of each of these words in the blank of a text, in the order given."""
        if isinstance(words, str):
            raise ModelError(f"`words` is a list of words, not the text {words!r}: write [{words!r}].")
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
            reduce: The mean over the tokens of a text, or their total.
        """
        if reduce not in {"mean", "total"}:
            raise ModelError(f"`reduce` is 'mean' or 'total', not {reduce!r}.")
        questions = [Likelihood(text, method or self.natural_likelihood, detail=False) for text in _as_list(texts)]
        answers = [answer for answer in self.answer(questions) if isinstance(answer, LikelihoodAnswer)]
        return [answer.mean if reduce == "mean" else answer.total for answer in answers]

    def classify(self, texts: Sequence[str]) -> list[list[Label]]:
        """The probability of each label for each text."""
        answers = self.answer([Classify(text) for text in _as_list(texts)])
        return [list(answer.labels) for answer in answers if isinstance(answer, ClassifyAnswer)]

    def represent(self, text: str, start: int, end: int) -> list[float]:
        """The mean vector, in the last layer, of the part of the text from `start` to `end` (in characters)."""
        answer = self._answer_one(Represent(text, start, end))
        assert isinstance(answer, RepresentAnswer)
        return list(answer.vector)

    @property
    def natural_likelihood(self) -> LikelihoodMethod:
        """The way of scoring a sentence that suits this family."""
        if not self.likelihoods:
            raise self.refuse("cannot say how likely a sentence is")
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
    return [texts] if isinstance(texts, str) else texts
