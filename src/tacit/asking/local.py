"""The executor that answers questions in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tacit.models.base import Answerer, Model
from tacit.questions import Answer, Question

__all__ = ["LocalExecutor"]


class LocalExecutor:
    """Lets the model itself answer, one window after the other."""

    ahead = 1
    title = "local"

    def load(self, name: str, **options: Any) -> Model:
        """Load a model into this process."""
        from tacit.models import load  # noqa: PLC0415 - torch takes seconds

        return load(name, **options)

    def start(self, model: Answerer, questions: Sequence[Question]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of each question and its answer, as soon as the answer is complete."""
        if isinstance(model, Model):
            return model.answer_as_completed(questions)
        return enumerate(model.answer(questions))
