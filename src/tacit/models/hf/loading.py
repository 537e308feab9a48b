"""Building a model from its files. A model that would give doubtful numbers is refused with one clear sentence."""

from __future__ import annotations

import logging
from pickle import UnpicklingError
from typing import Any

import torch
import transformers
from transformers import AutoConfig, AutoTokenizer

from tacit.errors import ModelError
from tacit.models.base import Family
from tacit.models.hf.families import AUTO_CLASSES, NETWORKS, family_of, input_limit, model_class
from tacit.models.hf.files import ModelFiles
from tacit.models.hf.finding import find_files
from tacit.models.hf.fingerprint import fingerprint
from tacit.models.hf.model import HFModel
from tacit.models.hf.tokens import Tokens

__all__ = ["load", "load_files"]

_DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
# A buffer of zeros that old BART checkpoints leave out; it holds nothing that was learned.
_OPTIONAL_WEIGHTS = {"final_logits_bias"}


def load(name: str, **options: Any) -> HFModel:
    """Load a standard, a fetched model, a folder or a Hugging Face name; the options are those of `tacit.load`."""
    return load_files(find_files(name), **options)


def load_files(
    files: ModelFiles,
    *,
    device: str = "cpu",
    dtype: str = "float32",
    allow_pickle: bool = False,
    begin: bool | None = None,
) -> HFModel:
    """Build the model that these files hold; the options are those of `tacit.load`."""
    _check_options(device, dtype)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    transformers.utils.logging.disable_progress_bar()
    config = _read("configuration", AutoConfig, files)
    family = family_of(config, files.name)
    tokenizer = _read("tokenizer", AutoTokenizer, files)
    kind = model_class(family, tokenizer, files.name)
    weights = _read_weights(family, files, dtype, allow_pickle).to(device)
    tokens = Tokens(tokenizer, input_limit(config, tokenizer), begin)
    description = {
        "architecture": type(weights).__name__,
        "parameters": sum(parameter.numel() for parameter in weights.parameters()),
        "vocabulary": len(tokenizer),
        "dtype": dtype,
        "device": device,
        "begin": tokens.begin_name if family == "causal" else None,
    }
    network = NETWORKS[family](weights)
    identity = fingerprint(files.paths(), dtype=dtype, begin=tokens.begin if family == "causal" else None)
    return kind(files.name.rstrip("/"), tokens, network, identity, description)


def _check_options(device: str, dtype: str) -> None:
    if dtype not in _DTYPES:
        raise ModelError(f"There is no dtype {dtype!r}. Choose one of {', '.join(_DTYPES)}.")
    kind = device.partition(":")[0]
    available = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if kind not in available:
        raise ModelError(f"There is no device {device!r}. Choose one of {', '.join(available)}.")
    if not available[kind]:
        raise ModelError(f"This machine has no {kind} device. Use cpu.")


def _read(part: str, auto_class: Any, files: ModelFiles) -> Any:
    try:
        return auto_class.from_pretrained(files.location, trust_remote_code=False, **files.arguments())
    except (OSError, ValueError, KeyError, ImportError) as error:
        if "trust_remote_code" in str(error) or "custom code" in str(error):
            raise ModelError(f"The model {files.name!r} needs code of its own, which Tacit never runs.") from None
        raise ModelError(f"The {part} of {files.name!r} cannot be read: {_first_line(error)}") from None


def _read_weights(family: Family, files: ModelFiles, dtype: str, allow_pickle: bool) -> Any:
    arguments = {"dtype": _DTYPES[dtype], **files.weight_arguments(allow_pickle)}
    try:
        model, info = AUTO_CLASSES[family].from_pretrained(
            files.location, trust_remote_code=False, output_loading_info=True, **arguments
        )
    except (OSError, ValueError, RuntimeError, ImportError, UnpicklingError) as error:
        raise ModelError(f"The weights of {files.name!r} cannot be loaded: {_first_line(error)}") from None
    missing = sorted(set(info["missing_keys"]) - _OPTIONAL_WEIGHTS)
    missing += sorted(str(key) for key in info["mismatched_keys"])
    if missing:
        raise ModelError(
            f"The model {files.name!r} has no weights for {missing[0]} ({len(missing)} missing), so part of it, most "
            "likely its language-model head, would be random. Load a checkpoint that was saved as "
            f"{type(model).__name__}."
        )
    return model


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
