"""The weights of a model in a form that can be trained; the engine's own copy has its head taken off."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import ModelError
from tacit.models.base import Family
from tacit.models.hf.files import ModelFiles
from tacit.models.hf.finding import find_files

if TYPE_CHECKING:
    import torch

__all__ = ["find_trainable", "load_classifier", "load_trainable", "logits_at"]


def find_trainable(name: str) -> ModelFiles:
    """Find the files of a model that can be trained; GGUF files are rejected, because their weights are quantized."""
    if Path(name).suffix == ".gguf":
        raise ModelError(f"{name} is quantized (GGUF) and cannot be trained. Give the folder of the full model.")
    return find_files(name)


def load_trainable(files: ModelFiles, family: Family, device: str) -> Any:
    """The transformers model in single precision; `load_files` must have accepted the files before."""
    from tacit.models.hf.loading import read_config  # noqa: PLC0415 - imports torch

    return _load(files, family, read_config(files), device)


def load_classifier(files: ModelFiles, tokenizer: Any, labels: Sequence[str], device: str) -> Any:
    """The model with a new head for these labels, whose weights are drawn with torch's current seed."""
    from tacit.models.hf.families import AUTO_CLASSES  # noqa: PLC0415 - imports torch
    from tacit.models.hf.loading import read_config  # noqa: PLC0415

    config = read_config(files)
    if type(config) not in AUTO_CLASSES["classifier"]._model_mapping:
        raise ModelError(f"{files.name} ({config.model_type}) cannot be made a classifier. Give another model.")
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: number for number, label in enumerate(labels)}
    config.problem_type = "single_label_classification"
    if config.pad_token_id is None:
        # A causal classifier looks for the last token that is not padding.
        config.pad_token_id = tokenizer.pad_token_id or tokenizer.eos_token_id or 0
    return _load(files, "classifier", config, device)


def _load(files: ModelFiles, family: Family, config: Any, device: str) -> Any:
    from tacit.models.hf.families import AUTO_CLASSES  # noqa: PLC0415 - imports torch

    model = AUTO_CLASSES[family].from_pretrained(
        files.location, config=config, use_safetensors=True, trust_remote_code=False, dtype="float32"
    )
    return model.to(device)


def logits_at(network: Any, read: torch.Tensor, **inputs: torch.Tensor) -> torch.Tensor:
    """The logits at the positions that are read (True in a matrix of texts by positions), one row per position.

    The vocabulary projection is the most expensive part of a small model, so it is computed nowhere else.
    """
    projection = network.get_output_embeddings()
    hook = projection.register_forward_pre_hook(lambda _, states: (states[0][read],))
    try:
        logits: torch.Tensor = network(**inputs).logits
    finally:
        hook.remove()
    return logits
