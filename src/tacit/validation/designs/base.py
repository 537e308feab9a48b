"""What the checks need to know about a method: its units, its parts, and what may be shuffled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.methods.base import Settings
from tacit.validation.checks import NotApplicable
from tacit.validation.confounds import Confounded
from tacit.validation.invented import Invented
from tacit.validation.placebo import Placebo
from tacit.validation.power import Effect
from tacit.validation.reliability import Halves
from tacit.validation.scorers import Scored
from tacit.validation.subject import Subject
from tacit.validation.templates import Paraphrased
from tacit.validation.words import LeaveOneOut

__all__ = ["Design", "Floats"]

Floats = npt.NDArray[np.float64]

_NOTHING_NAMED = NotApplicable("the probe asks about no names")
_FEW_RESAMPLES = 200


@dataclass(frozen=True)
class Design(ABC):
    """A probe on a model, as the checks see it; a check that a method does not fill in is not applicable to it."""

    subject: Subject

    @property
    def materials(self) -> Any:
        """The materials of the probe."""
        return self.subject.prepared.materials

    @property
    def settings(self) -> Any:
        """The settings of the probe."""
        return self.subject.prepared.settings

    @property
    def quick(self) -> Any:
        """The settings with few resamples, for verdicts that do not depend on their number."""
        settings: Settings = self.settings
        return settings.model_copy(update={"resamples": _FEW_RESAMPLES})

    @abstractmethod
    def placebo(self) -> Placebo | NotApplicable:
        """Data sets in which there is nothing to find."""

    @abstractmethod
    def effect(self) -> Effect | NotApplicable:
        """What the probe is meant to see."""

    @abstractmethod
    def words(self) -> Sequence[LeaveOneOut] | NotApplicable:
        """The result without each word."""

    @abstractmethod
    def confounds(self) -> Confounded | NotApplicable:
        """Scores of units, and what should not explain them."""

    def halves(self) -> Halves | NotApplicable:
        """Scores from halves of the questions."""
        return NotApplicable("each unit is asked once, so that one model's scores cannot be split")

    def item_scores(self) -> tuple[str, Floats] | None:
        """What the items are called, and the score of each, where reliability can only be judged over models."""
        return None

    def templates(self) -> Paraphrased | NotApplicable:
        """Scores under paraphrases."""
        return NotApplicable("its sentences follow no template")

    def scorers(self) -> Scored | NotApplicable:
        """Scores by other scorers."""
        return NotApplicable("it reads what a model says at a blank, and no score of a whole sentence says that")

    def invented(self) -> Invented | NotApplicable:
        """The measure for invented names."""
        return _NOTHING_NAMED
