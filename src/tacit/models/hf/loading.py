"""Building a model from its files. A model that would give doubtful numbers is refused with one clear sentence."""

from __future__ import annotations

import copy
import logging
import os
from typing import Any

import torch
import transformers
from transformers import AutoConfig, AutoTokenizer

from tacit.errors import ModelError
from tacit.models.base import Family
from tacit.models.explaining import explained
from tacit.models.hf.families import AUTO_CLASSES, NETWORKS, family_of, input_limit, model_class
from tacit.models.hf.files import ModelFiles
from tacit.models.hf.finding import find_files
from tacit.models.hf.fingerprint import fingerprint
from tacit.models.hf.model import HFModel
from tacit.models.hf.placement import check_device, device_names, place
from tacit.models.hf.sanity import failed_checks
from tacit.models.hf.sizes import check_size
from tacit.models.hf.tokens import Tokens
from tacit.models.threads import apply_threads

__all__ = ["load", "load_files", "read_config"]

_LOGGER = logging.getLogger(__name__)
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
    force: bool = False,
    rehash: bool = False,
) -> HFModel:
    """Build the model that these files hold and check that it can be asked; the options are those of `tacit.load`."""
    _check_options(device, dtype)
    apply_threads()
    is_spoken = logging.getLogger("tacit").isEnabledFor(logging.DEBUG)
    logging.getLogger("transformers").setLevel(logging.INFO if is_spoken else logging.ERROR)
    transformers.utils.logging.disable_progress_bar()
    files.check()
    config = read_config(files)
    family = family_of(config, files.name)
    tokenizer = _read("tokenizer", AutoTokenizer, files)
    kind = model_class(family, tokenizer, files.name)
    weights = _read_weights(family, config, files, dtype, allow_pickle, device=device)
    parameters = sum(parameter.numel() for parameter in weights.parameters())
    with explained(f"The model {files.name!r} cannot be run"):
        tokens = Tokens(tokenizer, input_limit(config, tokenizer), files.begin() if begin is None else begin)
        network = NETWORKS[family](weights)
    description = {
        "architecture": type(weights).__name__,
        "parameters": parameters,
        "vocabulary": len(tokenizer),
        "dtype": dtype,
        "device": device_names(weights),
        **_quantization(config),
        **files.tuned_from(),
        "begin": tokens.begin_name if family == "causal" else None,
    }
    if _LOGGER.isEnabledFor(logging.INFO):
        names = sorted(path.name for path in files.paths())
        _LOGGER.info("%s: files in %s: %s", files.name, files.location, ", ".join(names))
    begin_ids = tokens.begin if family == "causal" else None
    identity = fingerprint(files.paths(), rehash=rehash, dtype=dtype, begin=begin_ids)
    model = kind(files.name.rstrip("/"), tokens, network, identity, description)
    _require_sound(model, description, force)
    return model


def read_config(files: ModelFiles) -> Any:
    """The configuration, without its choice of the code that computes it: transformers would fetch kernels by name."""
    config = _read("configuration", AutoConfig, files)
    config._attn_implementation = None
    config._experts_implementation = None
    return config


def _require_sound(model: HFModel, description: dict[str, Any], force: bool) -> None:
    """Reject a model that fails a check, or record in its description that it was asked all the same."""
    with explained(f"The model {model.name!r} cannot be run"):
        failed = failed_checks(model)
    if failed and not (force or os.environ.get("TACIT_FORCE") == "1"):
        raise ModelError(
            f"The model {model.name!r} cannot be interpreted: {failed[0].detail}. Check its files; --force "
            "(force=True) asks it all the same."
        )
    if failed:
        description["forced"] = {check.name: check.detail for check in failed}


def _check_options(device: str, dtype: str) -> None:
    if dtype not in _DTYPES:
        raise ModelError(f"There is no dtype {dtype!r}. Choose one of {', '.join(_DTYPES)}.")
    check_device(device)


def _quantization(config: Any) -> dict[str, str]:
    """How the weights are quantized, if they are; config.json, which says so too, is part of the fingerprint."""
    settings = getattr(config, "quantization_config", None)
    if settings is None:
        return {}
    return {"quantization": str(settings.get("quant_method") if isinstance(settings, dict) else settings.quant_method)}


def _read(part: str, auto_class: Any, files: ModelFiles) -> Any:
    with explained(f"The {part} of {files.name!r} cannot be read", own_code=files.name):
        return auto_class.from_pretrained(files.location, trust_remote_code=False, **files.arguments())


def _read_weights(
    family: Family, config: Any, files: ModelFiles, dtype: str, allow_pickle: bool, *, device: str
) -> Any:
    arguments = {"dtype": _DTYPES[dtype], "config": config, **files.weight_arguments(allow_pickle)}
    weight_bytes, is_quantized = files.weight_bytes(), bool(_quantization(config))
    with explained(f"The configuration of {files.name!r} cannot be used", own_code=files.name):
        numbers = check_size(AUTO_CLASSES[family], copy.deepcopy(config), weight_bytes, files.name)
    placement = place(device, weight_bytes if is_quantized else numbers * _DTYPES[dtype].itemsize, is_quantized)
    arguments |= placement.arguments
    with explained(f"The weights of {files.name!r} cannot be loaded"):
        model, info = AUTO_CLASSES[family].from_pretrained(
            files.location, trust_remote_code=False, output_loading_info=True, **arguments
        )
    missing = sorted(set(info["missing_keys"]) - _OPTIONAL_WEIGHTS)
    missing += sorted(str(key) for key in info["mismatched_keys"])
    if missing:
        raise ModelError(
            f"The model {files.name!r} has no weights for {missing[0]} ({len(missing)} missing), so part of it, most "
            "likely its language-model head, would be random. Load a checkpoint that was saved as "
            f"{type(model).__name__}."
        )
    _require_finite_weights(model, files.name)
    with explained(f"The model {files.name!r} cannot be moved to {placement.device}"):
        return model if placement.device is None else model.to(placement.device)


def _require_finite_weights(model: Any, name: str) -> None:
    """Reject weights with NaN or infinity in them: a single one can turn every answer into the same."""
    for tensor, weights in model.named_parameters():
        if weights.is_meta or not weights.is_floating_point():
            continue  # kept elsewhere until they are needed, or quantized
        # A sum shows both and, unlike a test of each number, takes no memory.
        if not torch.isfinite(weights.detach().sum(dtype=torch.float64)):
            raise ModelError(f"The weights of {name!r} are damaged: {tensor} contains numbers that are not finite.")
