"""Classifiers give labels, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tacit import Classify, TacitError, ask
from tacit.models import Model
from tacit.questions import ClassifyAnswer
from tests.models.hf.reference import Reference

TEXTS = ["It was great.", "The service was terrible, and the pizza was terrible.", "He is exhausted."]


@pytest.mark.parametrize("kind", ["classifier", "causal-classifier"])
def test_labels_are_those_of_one_text_at_a_time(
    kind: str, tiny: Callable[[str], Model], tiny_folder: Callable[[str], Path]
) -> None:
    reference = Reference(tiny_folder(kind), "classifier")
    for text, labels in zip(TEXTS, tiny(kind).classify(TEXTS), strict=True):
        ids = torch.tensor([reference.tokenizer(text)["input_ids"]])
        with torch.no_grad():
            expected = torch.softmax(reference.model(input_ids=ids).logits[0], -1).tolist()
        assert [label.probability for label in labels] == pytest.approx(expected, abs=1e-5)
        assert [label.label for label in labels] == list(reference.model.config.id2label.values())


def test_a_long_text_loses_its_middle_but_never_its_lead(tiny: Callable[[str], Model]) -> None:
    long = "the pizza was great " * 40
    (cut,) = ask(tiny("classifier"), [Classify(long, lead="People in France are kind.")], cache=None)
    (whole,) = ask(tiny("classifier"), [Classify(TEXTS[0], lead="People in France are kind.")], cache=None)
    assert isinstance(cut, ClassifyAnswer)
    assert isinstance(whole, ClassifyAnswer)
    assert cut.cut > 0
    assert whole.cut == 0


def test_a_classifier_fills_no_blanks(tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match=r"classifier model .* fills no blanks"):
        tiny("classifier").fill("It was [MASK].")


def test_a_language_model_gives_no_labels(tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match="gives no labels"):
        tiny("bert").classify(["It was great."])
