"""Text classifiers: they answer which label a text has, and nothing else but vectors."""

from __future__ import annotations

from typing import ClassVar

from tacit.models.model import Family, Model, family_refuses
from tacit.models.sequences import Conversation, Labels, Sequence, Spanned
from tacit.questions import Choose, Classified, Classify, Fill, Label, Likelihood

__all__ = ["ClassifierModel"]


class ClassifierModel(Model):
    """A sequence classifier with one label a text."""

    family: ClassVar[Family] = "classifier"

    def _classify(self, question: Classify) -> Conversation:
        text = self.tokens.led(question.lead, question.text)
        (reading,) = yield [Sequence(text.ids, Labels(), text.types)]
        assert isinstance(reading, Spanned)
        names = self.network.model.config.id2label
        labels = tuple(Label(str(names[index]), value) for index, value in enumerate(reading.values))
        return Classified(labels, cut=text.cut)

    def _fill(self, question: Fill) -> Conversation:
        raise family_refuses(self, "fills no blanks; it only gives labels")

    def _choose(self, question: Choose) -> Conversation:
        raise family_refuses(self, "fills no blanks; it only gives labels")

    def _weigh(self, question: Likelihood) -> Conversation:
        raise family_refuses(self, "says nothing of how likely a sentence is")
