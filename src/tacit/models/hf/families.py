"""What differs between the families of models: which classes read, run and question them, and how much they take."""

from __future__ import annotations

from typing import Any

from transformers import (
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
)

from tacit.errors import ModelError
from tacit.models.base import Family
from tacit.models.hf.causal import CausalModel
from tacit.models.hf.classifier import ClassifierModel
from tacit.models.hf.masked import MaskedModel
from tacit.models.hf.model import HFModel
from tacit.models.hf.network import CausalNetwork, ClassifierNetwork, Network, Seq2SeqNetwork
from tacit.models.hf.seq2seq import SENTINEL, DenoisingModel, SentinelModel

__all__ = ["AUTO_CLASSES", "NETWORKS", "family_of", "input_limit", "model_class"]

AUTO_CLASSES: dict[Family, Any] = {
    "masked": AutoModelForMaskedLM,
    "causal": AutoModelForCausalLM,
    "seq2seq": AutoModelForSeq2SeqLM,
    "classifier": AutoModelForSequenceClassification,
}
NETWORKS: dict[Family, type[Network]] = {
    "masked": Network,
    "causal": CausalNetwork,
    "seq2seq": Seq2SeqNetwork,
    "classifier": ClassifierNetwork,
}
# How the name of an architecture ends, as configurations give it.
_ENDINGS: dict[str, Family] = {
    "ForMaskedLM": "masked",
    "ForPreTraining": "masked",
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
    "ForConditionalGeneration": "seq2seq",
    "ForSequenceClassification": "classifier",
}
_ROBERTA_LIKE = {"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "longformer"}


def family_of(config: Any, name: str) -> Family:
    """The family of a model, from its configuration."""
    for architecture in config.architectures or ():
        for ending, family in _ENDINGS.items():
            if architecture.endswith(ending):
                return "seq2seq" if config.is_encoder_decoder and family != "classifier" else family
    for family, auto_class in AUTO_CLASSES.items():
        if family != "classifier" and type(config) in auto_class._model_mapping:
            return "seq2seq" if config.is_encoder_decoder else family
    raise ModelError(
        f"The model {name!r} ({config.model_type}) is neither a masked, causal or sequence-to-sequence language model "
        "nor a text classifier, so there is nothing to ask it."
    )


def model_class(family: Family, tokenizer: Any, name: str) -> type[HFModel]:
    """The class that questions a model of this family; the tokenizer must have a way to mark a blank."""
    if family == "causal":
        return CausalModel
    if family == "classifier":
        return ClassifierModel
    if family == "masked":
        if tokenizer.mask_token is None:
            raise ModelError(
                f"The tokenizer of the masked model {name!r} has no mask token, so it cannot mark a blank."
            )
        return MaskedModel
    if tokenizer.mask_token is not None:
        return DenoisingModel
    if SENTINEL in tokenizer.get_vocab():
        return SentinelModel
    raise ModelError(
        f"The tokenizer of {name!r} has neither a mask token nor {SENTINEL}, so it has no way to mark a blank."
    )


def input_limit(config: Any, tokenizer: Any) -> int | None:
    """The largest number of tokens a model takes: the smaller of what its positions and its tokenizer allow."""
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
    if config.model_type in _ROBERTA_LIKE:
        # These models number positions from the padding token's id onwards.
        positions -= config.pad_token_id + 1
    limits = [limit for limit in (positions, tokenizer.model_max_length) if limit and 0 < limit < 10**6]
    return min(limits) if limits else None
