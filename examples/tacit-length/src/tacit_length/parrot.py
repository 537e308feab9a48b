"""A kind of model that loads no weights: it finds a word the more probable, the longer it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from tacit.models import Family, Model
from tacit.questions import Answer, Choice, Choose, ChooseAnswer, Question


class Parrot(Model):
    """All that a new kind of model needs: a name, a family, a fingerprint, `describe` and `answer`."""

    family: ClassVar[Family] = "masked"

    def __init__(self, name: str) -> None:
        self.name = name
        self.fingerprint = hashlib.sha256(f"parrot 1 {name}".encode()).hexdigest()[:32]

    def describe(self) -> dict[str, Any]:
        """What is kept in `run.json`."""
        return {"name": self.name, "family": self.family, "fingerprint": self.fingerprint}

    def answer(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """One answer per question, in order."""
        for question in questions:
            if not isinstance(question, Choose):
                raise self.refuse("only chooses between words")
            total = sum(map(len, question.words))
            ranked = sorted(question.words, key=len, reverse=True)
            yield ChooseAnswer(
                tuple(Choice(word, len(word) / total, ranked.index(word) + 1, (word,)) for word in question.words),
                "length of the word",
            )


class _Loader:
    """Loads every name that starts with `parrot+`."""

    def accepts(self, path: Path) -> bool:
        """No file or folder is a parrot."""
        return False

    def load(self, name: str, **options: Any) -> Model:
        """The parrot of that name; a model without weights has no use for the options."""
        return Parrot(f"parrot+{name}")


LOADER = _Loader()
