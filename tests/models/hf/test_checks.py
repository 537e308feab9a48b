"""The checks of the torch engine fail where the engine is wrong."""

from __future__ import annotations

from collections.abc import Callable

import torch

from tacit.models import Check, Model


def checks_of(model: Model) -> dict[str, Check]:
    return {check.name: check for check in model.self_checks()}


def test_a_masked_model_is_checked_for_padding_precision_words_and_special_tokens(
    tiny: Callable[[str], Model],
) -> None:
    checks = checks_of(tiny("bert"))
    assert not checks["the model predicts text"].passed
    del checks["the model predicts text"]
    assert list(checks) == [
        "the tokenizer fits the model",
        "padding changes nothing",
        "single precision is enough",
        "a word after a space is itself",
        "special tokens",
    ]
    assert all(check.passed for check in checks.values())
    assert checks["special tokens"].detail == "around a text: [CLS] [SEP]; the blank: [MASK]"
    assert torch.is_inference_mode_enabled() is False


def test_the_begin_token_of_a_causal_model_is_shown(tiny: Callable[[str], Model]) -> None:
    assert checks_of(tiny("llama"))["begin token"].detail.startswith("<s>: ")
    assert checks_of(tiny("gpt2"))["begin token"].detail.startswith("none: ")


def test_a_model_that_sees_its_padding_is_noticed(tiny: Callable[[str], Model]) -> None:
    model = tiny("bert")
    layer = model.network.model.bert.encoder.layer[0].output.dense
    # Adding the mean over positions lets padding leak into the others.
    handle = layer.register_forward_hook(lambda _m, _i, out: out + out.mean(1, keepdim=True))
    try:
        checks = checks_of(model)
    finally:
        handle.remove()
    assert not checks["padding changes nothing"].passed


def test_lost_precision_is_noticed(tiny: Callable[[str], Model]) -> None:
    model = tiny("bert")
    layer = model.network.model.bert.encoder.layer[0].output.dense
    # Coarse steps in single precision only, as a layer would give that computes in too few bits.
    handle = layer.register_forward_hook(
        lambda _m, _i, out: out.mul(8).round().div(8) if out.dtype.itemsize == 4 else out
    )
    try:
        checks = checks_of(model)
    finally:
        handle.remove()
    assert not checks["single precision is enough"].passed


def test_a_classifier_is_checked_for_its_tokenizer_only(tiny: Callable[[str], Model]) -> None:
    assert list(checks_of(tiny("classifier"))) == ["the tokenizer fits the model"]
