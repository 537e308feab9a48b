"""Tuning: train a model a little, so that the probes can be run before and after."""

from __future__ import annotations

from tacit.tuning.classifying import TunedClassifier, tune_classifier
from tacit.tuning.examples import TuningExample, draw_shots
from tacit.tuning.folder import Epoch
from tacit.tuning.options import ClassifierTuning, PromptTuning
from tacit.tuning.planting import PlantedModel, Planting, tune_plant
from tacit.tuning.prompting import TunedModel, tune_prompt, tune_prompt_seeds

__all__ = [
    "ClassifierTuning",
    "Epoch",
    "PlantedModel",
    "Planting",
    "PromptTuning",
    "TunedClassifier",
    "TunedModel",
    "TuningExample",
    "draw_shots",
    "tune_classifier",
    "tune_plant",
    "tune_prompt",
    "tune_prompt_seeds",
]
