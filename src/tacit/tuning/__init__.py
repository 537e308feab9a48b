"""Tuning: train a model a little, so that the probes can be run before and after."""

from __future__ import annotations

from tacit.tuning.examples import TuningExample, draw_shots
from tacit.tuning.prompting import PromptTuning, TunedModel, tune_prompt

__all__ = ["PromptTuning", "TunedModel", "TuningExample", "draw_shots", "tune_prompt"]
