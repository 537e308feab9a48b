"""The same layers, computed sooner: weights laid out once for the processor, and activations in one pass."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from transformers.activations import GELUActivation, NewGELUActivation
from transformers.models.gpt2.modeling_gpt2 import GPT2MLP
from transformers.pytorch_utils import Conv1D

from tacit.models.hf.batches import TOKEN_BUDGET

__all__ = ["Product", "quicken"]

# A packed weight stands beside the plain one: a larger model keeps only its plain weights.
_MOST_PARAMETERS = 600_000_000
# NewGELUActivation is the usual approximation written out in eight steps.
_GELU = {GELUActivation: "none", NewGELUActivation: "tanh"}


class Product:
    """vectors @ weight.T + bias. In single precision on a processor, oneDNN gets the weight packed as it likes it best.

    Otherwise MKL packs it anew in every product, which costs most where vectors are few (benchmarks/README.md). The
    weight must not be changed afterwards, so copies share it.
    """

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None) -> None:
        self.weight, self.bias = weight.detach(), None if bias is None else bias.detach()
        self._packed: torch.Tensor | None = None

    def __call__(self, vectors: torch.Tensor) -> torch.Tensor:
        if self._packed is None:
            return functional.linear(vectors, self.weight, self.bias)
        made: torch.Tensor = torch.ops.mkldnn._linear_pointwise(vectors, self._packed, self.bias, "none", [], "")
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Product:
        return self

    def pack(self) -> None:
        """Lay the weight out for the processor, where that is possible."""
        if _can_be_packed(self.weight):
            self._packed = torch.ops.mkldnn._reorder_linear_weight(self.weight.contiguous(), TOKEN_BUDGET)

    def double(self) -> Product:
        """The same product in double precision."""
        return Product(self.weight.double(), None if self.bias is None else self.bias.double())


def quicken(model: Any, products: Iterable[Product]) -> None:
    """Put quicker layers in the place of a model's own, wherever they compute the same; the products are its head."""
    packed = sum(each.numel() for each in model.parameters()) <= _MOST_PARAMETERS
    for product in products if packed else ():
        product.pack()
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if type(child) in _GELU and _takes_a_product(parent, name):
                setattr(parent, name, _GeluInPlace(_GELU[type(child)]))
            elif packed and type(child) in (nn.Linear, Conv1D) and _can_be_packed(child.weight):
                setattr(parent, name, _PackedLayer(child))


class _GeluInPlace(nn.Module):
    """GELU without a second copy of the widest vectors of a layer, which would have to be fetched from the system."""

    def __init__(self, approximate: str) -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        changed: torch.Tensor = torch.ops.aten.gelu_(vectors, approximate=self.approximate)
        return changed


def _takes_a_product(parent: nn.Module, name: str) -> bool:
    """Is this activation known to be all that becomes of a linear layer's output, so that it may be overwritten?"""
    return name == "intermediate_act_fn" or (isinstance(parent, GPT2MLP) and name == "act")


class _PackedLayer(nn.Module):
    """A linear layer whose weight is packed; in another precision it is the plain layer that it was."""

    def __init__(self, plain: nn.Linear | Conv1D) -> None:
        super().__init__()
        self.is_transposed = isinstance(plain, Conv1D)
        self.weight, self.bias = plain.weight, plain.bias
        self._product = Product(self._upright(), self.bias)
        self._product.pack()

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        if vectors.dtype == torch.float32:
            return self._product(vectors)
        return functional.linear(vectors, self._upright(), self.bias)

    def _upright(self) -> torch.Tensor:
        return self.weight.t() if self.is_transposed else self.weight


def _can_be_packed(weight: torch.Tensor) -> bool:
    here = platform.machine() in {"x86_64", "AMD64"} and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return here and weight.device.type == "cpu" and weight.dtype == torch.float32
