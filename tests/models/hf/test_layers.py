"""Fast layers compute what the plain ones do."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

from tacit.models.hf.layers import Product, use_fast_layers

_IDS = torch.arange(6, 18).reshape(2, 6)


@pytest.mark.parametrize("rows", [(1,), (7,), (3, 5)])
@pytest.mark.parametrize("with_bias", [True, False])
def test_a_packed_product_is_the_product(rows: tuple[int, ...], with_bias: bool) -> None:
    torch.manual_seed(0)
    weight, vectors = torch.randn(50, 40), torch.randn(*rows, 40)
    bias = torch.randn(50) if with_bias else None
    product = Product(weight, bias)
    product.pack()
    exact = vectors.double() @ weight.double().T + (0 if bias is None else bias.double())
    with torch.inference_mode():
        assert torch.allclose(product(vectors).double(), exact, atol=1e-5)
        assert torch.equal(product.double()(vectors.double()), Product(weight, bias).double()(vectors.double()))


@pytest.mark.parametrize(("kind", "auto"), [("bert", AutoModelForMaskedLM), ("gpt2", AutoModelForCausalLM)])
def test_a_model_with_fast_layers_computes_what_the_plain_one_does(
    kind: str, auto: Any, tiny_folder: Callable[[str], Path]
) -> None:
    plain = auto.from_pretrained(tiny_folder(kind)).eval()
    fast = copy.deepcopy(plain)
    use_fast_layers(fast, [])
    replaced = {type(module).__name__ for module in fast.modules()} - {
        type(module).__name__ for module in plain.modules()
    }
    assert "_GeluInPlace" in replaced
    with torch.inference_mode():
        assert torch.allclose(fast(_IDS).logits, plain(_IDS).logits, atol=1e-5)
        twin = copy.deepcopy(fast).double()
        assert torch.allclose(twin(_IDS).logits, copy.deepcopy(plain).double()(_IDS).logits, atol=1e-12)


def test_a_weight_that_is_not_in_single_precision_stays_plain() -> None:
    weight, vectors = torch.randn(8, 4, dtype=torch.bfloat16), torch.randn(3, 4, dtype=torch.bfloat16)
    product = Product(weight, None)
    product.pack()
    assert torch.equal(product(vectors), vectors @ weight.T)
