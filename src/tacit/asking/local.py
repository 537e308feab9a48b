"""The executor that answers in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tacit.models.base import Model
from tacit.questions import Answer, Question

__all__ = ["LocalExecutor"]


class LocalExecutor:
    """Hands questions to the model itself."""

    def answer(self, model: Model, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Each answer with the place of its question, as soon as it is finished."""
        if isinstance(model, Model):
            return model.answer_as_completed(questions)
        # Whatever has a fingerprint and answers in order can be asked too, without extending Model.
        return enumerate(model.answer(questions))
