"""A probe on a model, ready to be asked further questions: the answers of a run, and the same with other materials."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from tacit.asking import ask
from tacit.errors import MaterialsError
from tacit.methods.base import KeyedQuestion, Settings, Tables, Validity, Verdict
from tacit.models import Model
from tacit.questions import Answer, Choose, ChooseAnswer, Question
from tacit.runs.answers import AnswersWriter
from tacit.runs.execute import CacheOption
from tacit.runs.plan import Prepared
from tacit.tables import read_yaml

__all__ = ["PARAPHRASES", "Subject", "piece_counts", "read_paraphrases"]

PARAPHRASES = "paraphrases.yaml"
_FEWEST_PARAPHRASES = 5


@dataclass(frozen=True)
class Subject:
    """One probe on one model.

    Attributes:
        prepared: The probe with its settings.
        model: The model.
        cache: Where answers are cached.
        progress: Whether to show rate and time left.
    """

    prepared: Prepared
    model: Model
    cache: CacheOption = "default"
    progress: bool = False

    @cached_property
    def answers(self) -> pl.DataFrame:
        """The answers to the probe itself."""
        return self.answers_with(self.prepared.materials, self.prepared.settings)

    @cached_property
    def tables(self) -> Tables:
        """The tables of the probe itself."""
        return self.measure(self.prepared.materials, self.prepared.settings, self.answers)

    @property
    def validity(self) -> Validity:
        """The positive control."""
        return self.prepared.method.validity(self.tables)

    @property
    def questions(self) -> int:
        """How many questions the probe asked."""
        return self.answers["question"].n_unique()

    def measure(self, materials: Any, settings: Settings, answers: pl.DataFrame) -> Tables:
        """The method's tables of any answers."""
        return self.prepared.method.measure(materials, settings, answers)

    def verdicts(self, materials: Any, settings: Settings, answers: pl.DataFrame) -> list[Verdict]:
        """What the method would claim of any answers, whether or not they pass its positive control."""
        return self.prepared.method.verdicts(self.measure(materials, settings, answers))

    def answers_with(self, materials: Any, settings: Settings) -> pl.DataFrame:
        """Ask the probe with these materials and settings, round by round, without keeping a run."""
        method, family = self.prepared.method, self.model.family
        with tempfile.TemporaryDirectory() as scratch:
            writer, answers = AnswersWriter(Path(scratch)), None
            while True:
                asked = list(method.next_questions(materials, settings, family, answers))
                if not asked:
                    return writer.so_far()
                self._write(asked, writer)
                answers = writer.so_far()

    def ask(self, questions: Iterable[Question]) -> list[Answer]:
        """Ask anything, in order."""
        title = f"{self.prepared.probe.name} · {self.model.name}" if self.progress else False
        listed = list(questions)
        return list(ask(self.model, listed, cache=self.cache, progress=title, total=len(listed)))

    def choose(self, questions: Iterable[Choose]) -> list[ChooseAnswer]:
        """Ask how likely words are at blanks."""
        return [answer for answer in self.ask(questions) if isinstance(answer, ChooseAnswer)]

    def pieces(self, text: str, words: Sequence[str]) -> list[float]:
        """Into how many pieces the model cuts each word where it stands in this text; NaN where it has no tokens."""
        (answer,) = self.choose([Choose(text, tuple(dict.fromkeys(words)))])
        return piece_counts(answer, words)

    def _write(self, asked: list[KeyedQuestion], writer: AnswersWriter) -> None:
        for keyed, answer in zip(asked, self.ask(keyed.question for keyed in asked), strict=True):
            writer.add(keyed, answer)


def piece_counts(answer: ChooseAnswer, words: Sequence[str]) -> list[float]:
    """Into how many pieces each word was cut, also where a word occurs twice; NaN where it has no tokens."""
    counts = {choice.word: float(len(choice.tokens)) or float("nan") for choice in answer.choices}
    return [counts[word] for word in words]


def read_paraphrases(prepared: Prepared) -> list[dict[str, str]]:
    """The paraphrases of the probe's template or prompt, from `paraphrases.yaml` in its folder; none without the file.

    Each has one text per form that the method asks (`base`, `causal`), or just `text`.
    """
    path = prepared.probe.folder / PARAPHRASES
    if not path.is_file():
        return []
    entries = read_yaml(path).get("paraphrases")
    if not isinstance(entries, list) or len(entries) < _FEWEST_PARAPHRASES:
        raise MaterialsError(f"{path} needs a list `paraphrases` with at least {_FEWEST_PARAPHRASES} entries.")
    texts = [entry if isinstance(entry, dict) else {"text": entry} for entry in entries]
    if not all(isinstance(value, str) for text in texts for value in text.values()):
        raise MaterialsError(f"{path}: every paraphrase must be text. Put it in quotes.")
    return texts
