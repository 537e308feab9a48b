"""Loading a model by name: a standard, a folder, a GGUF file, or a Hugging Face name. What is doubtful is refused."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from pickle import UnpicklingError
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import torch
import transformers
from huggingface_hub import constants, hf_hub_url, try_to_load_from_cache
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
)
from transformers.utils import cached_file

from tacit.errors import TacitError
from tacit.models.base import Family
from tacit.models.fetching import fetched_path, require_gguf
from tacit.models.fingerprint import fingerprint
from tacit.models.hf.causal import CausalModel
from tacit.models.hf.classifier import ClassifierModel
from tacit.models.hf.masked import MaskedModel
from tacit.models.hf.model import HFModel
from tacit.models.hf.network import CausalNetwork, ClassifierNetwork, Network, Seq2SeqNetwork
from tacit.models.hf.seq2seq import SENTINEL, DenoisingModel, SentinelModel
from tacit.models.hf.tokens import Tokens
from tacit.standards import standard_names, standard_path

__all__ = ["load"]

_CLASSES: dict[Family, Any] = {
    "masked": AutoModelForMaskedLM,
    "causal": AutoModelForCausalLM,
    "seq2seq": AutoModelForSeq2SeqLM,
    "classifier": AutoModelForSequenceClassification,
}
_ENDINGS: dict[str, Family] = {
    "ForMaskedLM": "masked",
    "ForPreTraining": "masked",
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
    "ForConditionalGeneration": "seq2seq",
    "ForSequenceClassification": "classifier",
}
_NETWORKS: dict[Family, type[Network]] = {
    "masked": Network,
    "causal": CausalNetwork,
    "seq2seq": Seq2SeqNetwork,
    "classifier": ClassifierNetwork,
}
_DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
# A buffer of zeros that old BART checkpoints leave out; nothing is learnt in it.
_HARMLESS = {"final_logits_bias"}
_PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")


def load(
    name: str | Path,
    *,
    device: str = "cpu",
    dtype: str = "float32",
    allow_pickle: bool = False,
    begin: bool | None = None,
) -> HFModel:
    """Load a model by name, ready to be asked.

    `begin` puts a causal model's begin token first (True) or leaves it out (False); None follows its tokenizer.
    `allow_pickle` admits weights that are not safetensors. Code that comes with a model is never run.
    """
    _check_options(device, dtype)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    transformers.utils.logging.disable_progress_bar()
    folder, gguf = _find(str(name))
    where = {"gguf_file": gguf} if gguf else {}
    config = _read("configuration", name, AutoConfig, folder, **where)
    family = _family(config, str(name))
    tokenizer = _read("tokenizer", name, AutoTokenizer, folder, **where)
    if not gguf:
        _refuse_pickle(folder, str(name), allow_pickle)
    options = {"dtype": _DTYPES[dtype], "use_safetensors": None if allow_pickle or gguf else True, **where}
    network_model = _weights(_CLASSES[family], folder, str(name), **options).to(device)
    kind = _kind(family, tokenizer, str(name))
    tokens = Tokens(tokenizer, _limit(config, tokenizer), begin)
    description = {
        "architecture": type(network_model).__name__,
        "parameters": sum(each.numel() for each in network_model.parameters()),
        "vocabulary": len(tokenizer),
        "dtype": dtype,
        "device": device,
        "begin": tokens.begin_name if family == "causal" else None,
    }
    network = _NETWORKS[family](_prepared(network_model))
    shown = str(name).rstrip("/")
    identity = fingerprint(_files(folder, gguf), dtype=dtype, begin=tokens.begin if family == "causal" else None)
    model: HFModel = kind(shown, tokens, network, identity, description)
    return model


def _check_options(device: str, dtype: str) -> None:
    if dtype not in _DTYPES:
        raise TacitError(f"There is no dtype {dtype!r}: take {', '.join(_DTYPES)}.")
    kind = device.partition(":")[0]
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if kind not in there:
        raise TacitError(f"There is no device {device!r}: take {', '.join(there)}.")
    if not there[kind]:
        raise TacitError(f"This machine has no {kind} device: take cpu.")


def _find(name: str) -> tuple[str, str | None]:
    """Where a model's files are: (folder or hub name, name of a GGUF file in it)."""
    if name in standard_names():
        return str(standard_path(name)), None
    if "/" not in name and fetched_path(name).is_dir():
        return str(fetched_path(name)), None
    given = Path(name).expanduser()
    if given.is_file():
        if given.suffix != ".gguf":
            raise TacitError(f"{name} is a file; give the model's folder, or a .gguf file.")
        require_gguf()
        return str(given.parent), given.name
    if given.is_dir():
        if not (given / "config.json").is_file():
            raise TacitError(f"The folder {name} holds no model: it has no config.json.")
        return str(given), None
    if name.startswith((".", "/", "~")):
        raise TacitError(f"There is no folder {name}.")
    return _find_on_hub(name), None


def _find_on_hub(name: str) -> str:
    try:
        _knock_at_hub(name)
        cached_file(name, "config.json")
    except (OSError, ValueError) as error:
        known = ", ".join(standard_names())
        hub = "cannot be reached" if isinstance(error, URLError | TimeoutError) else "does not have it"
        raise TacitError(
            f"There is no model {name!r}: it is no standard ({known}), no folder here, and the Hugging Face hub {hub}."
        ) from None
    return name


def _knock_at_hub(name: str) -> None:
    """Knock once for a model that is not here yet: the hub's own library would go on knocking for half a minute."""
    if constants.HF_HUB_OFFLINE or isinstance(try_to_load_from_cache(name, "config.json"), str):
        return
    with suppress(HTTPError):  # Somebody is at home; the hub's library says what is wrong.
        urlopen(Request(hf_hub_url(name, "config.json"), method="HEAD"), timeout=10).close()


def _read(what: str, name: str | Path, kind: Any, folder: str, **where: Any) -> Any:
    try:
        return kind.from_pretrained(folder, trust_remote_code=False, **where)
    except (OSError, ValueError, KeyError, ImportError) as error:
        if "trust_remote_code" in str(error) or "custom code" in str(error):
            raise TacitError(f"The model {str(name)!r} needs code of its own, which Tacit never runs.") from None
        raise TacitError(f"The {what} of {str(name)!r} cannot be read: {_first_line(error)}") from None


def _family(config: Any, name: str) -> Family:
    for architecture in config.architectures or ():
        for ending, family in _ENDINGS.items():
            if architecture.endswith(ending):
                return "seq2seq" if config.is_encoder_decoder and family != "classifier" else family
    for family, auto in _CLASSES.items():
        if family != "classifier" and type(config) in auto._model_mapping:
            return "seq2seq" if config.is_encoder_decoder else family
    raise TacitError(
        f"The model {name!r} ({config.model_type}) is no masked, causal or sequence-to-sequence language model and no "
        "text classifier, so there is nothing to ask it."
    )


def _refuse_pickle(folder: str, name: str, allowed: bool) -> None:
    here = [file for file in (*_WEIGHTS, *_PICKLES) if _there(folder, file)]
    if not here:
        raise TacitError(f"The model {name!r} has no weights (model.safetensors).")
    if not allowed and not any(file in _WEIGHTS for file in here):
        raise TacitError(
            f"The weights of {name!r} are pickled ({here[0]}), which can run code when opened: convert them to "
            "safetensors, or pass --allow-pickle if you trust their maker."
        )


def _there(folder: str, file: str) -> bool:
    return cached_file(folder, file, _raise_exceptions_for_missing_entries=False) is not None


def _weights(auto: Any, folder: str, name: str, **options: Any) -> Any:
    try:
        model, told = auto.from_pretrained(folder, trust_remote_code=False, output_loading_info=True, **options)
    except (OSError, ValueError, RuntimeError, ImportError, UnpicklingError) as error:
        raise TacitError(f"The weights of {name!r} cannot be loaded: {_first_line(error)}") from None
    new = sorted(set(told["missing_keys"]) - _HARMLESS) + sorted(str(key) for key in told["mismatched_keys"])
    if new:
        raise TacitError(
            f"The model {name!r} has no weights for {new[0]} ({len(new)} missing), so part of it, most likely its "
            f"language-model head, would be random: load a checkpoint that was saved as {type(model).__name__}."
        )
    return model


def _kind(family: Family, tokenizer: Any, name: str) -> Any:
    if family == "masked" and tokenizer.mask_token is None:
        raise TacitError(f"The tokenizer of the masked model {name!r} has no mask token.")
    if family != "seq2seq":
        return {"masked": MaskedModel, "causal": CausalModel, "classifier": ClassifierModel}[family]
    if tokenizer.mask_token is not None:
        return DenoisingModel
    if SENTINEL in tokenizer.get_vocab():
        return SentinelModel
    raise TacitError(
        f"The tokenizer of {name!r} has neither a mask token nor {SENTINEL}: it has no way to see a blank."
    )


def _limit(config: Any, tokenizer: Any) -> int | None:
    """The greatest number of tokens: the smaller of what the positions and the tokenizer allow."""
    places = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
    if config.model_type in {"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "longformer"}:
        # These count positions from the padding token's number on.
        places -= config.pad_token_id + 1
    limits = [limit for limit in (places, tokenizer.model_max_length) if limit and 0 < limit < 10**6]
    return min(limits) if limits else None


def _prepared(model: Any) -> Any:
    if model.config.pad_token_id is None and hasattr(model, "num_labels"):
        # Causal classifiers look for the last token that is no padding; batches of equal length have none.
        model.config.pad_token_id = -1
    return model


def _files(folder: str, gguf: str | None) -> list[Path]:
    if gguf:
        return [Path(folder) / gguf]
    local = Path(folder)
    if not local.is_dir():
        local = Path(str(cached_file(folder, "config.json"))).parent
    return [file for file in local.iterdir() if file.is_file()]


def _first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return text[0] if text else type(error).__name__
