"""The executor that answers questions in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tacit.models.base import Answerer, Model
from tacit.questions import Answer, Question

__all__ = ["LocalExecutor"]


class LocalExecutor:
    """Lets the model itself answer."""

    def answer(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of each question and its answer, as soon as the answer is complete."""
        if isinstance(model, Model):
            return model.answer_as_completed(questions)
        return enumerate(model.answer(questions))
