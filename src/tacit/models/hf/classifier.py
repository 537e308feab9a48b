"""Text classifiers: they give labels and vectors, and answer nothing else."""

from __future__ import annotations

from tacit.models.base import Family
from tacit.models.hf.model import HFModel
from tacit.models.hf.sequences import Conversation, Labels, Sequence, Values
from tacit.questions import Choose, Classify, ClassifyAnswer, Fill, Label, Likelihood

__all__ = ["ClassifierModel"]


class ClassifierModel(HFModel):
    """A text classifier that gives each text one label."""

    family: Family = "classifier"

    def _classify(self, question: Classify) -> Conversation:
        text = self.tokens.encode_with_lead(question.lead, question.text)
        (reading,) = yield [Sequence(text.ids, Labels(), text.types)]
        assert isinstance(reading, Values)
        names = self.network.model.config.id2label
        labels = tuple(Label(str(names[index]), value) for index, value in enumerate(reading.values))
        return ClassifyAnswer(labels, cut=text.cut)

    def _fill(self, question: Fill) -> Conversation:
        raise self.refuse("fills no blanks; it only gives labels")

    def _choose(self, question: Choose) -> Conversation:
        raise self.refuse("fills no blanks; it only gives labels")

    def _likelihood(self, question: Likelihood) -> Conversation:
        raise self.refuse("cannot score sentences; it only gives labels")
