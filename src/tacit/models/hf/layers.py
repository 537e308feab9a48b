"""Faster versions of common layers: weights packed once for the processor, activations computed in place."""

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

__all__ = ["Product", "use_fast_layers"]

# A packed weight is kept in addition to the plain one, so larger models keep only their plain weights.
_MAX_PARAMETERS = 600_000_000
# NewGELUActivation is the common tanh approximation, written out in eight steps.
_GELU = {GELUActivation: "none", NewGELUActivation: "tanh"}


class Product:
    """vectors @ weight.T + bias, with the weight packed for oneDNN in single precision on a CPU.

    MKL would pack it again for each product, which costs most where vectors are few (benchmarks/README.md). The weight
    must not change afterwards, so copies share it.
    """

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None) -> None:
        self.weight, self.bias = weight.detach(), None if bias is None else bias.detach()
        self._packed: torch.Tensor | None = None

    def __call__(self, vectors: torch.Tensor) -> torch.Tensor:
        if self._packed is None:
            return functional.linear(vectors, self.weight, self.bias)
        result: torch.Tensor = torch.ops.mkldnn._linear_pointwise(vectors, self._packed, self.bias, "none", [], "")
        return result

    def __deepcopy__(self, memo: dict[int, Any]) -> Product:
        return self

    def pack(self) -> None:
        """Pack the weight for the processor, where that is possible."""
        if _can_be_packed(self.weight):
            self._packed = torch.ops.mkldnn._reorder_linear_weight(self.weight.contiguous(), TOKEN_BUDGET)

    def double(self) -> Product:
        """The same product in double precision."""
        return Product(self.weight.double(), None if self.bias is None else self.bias.double())


def use_fast_layers(model: Any, head: Iterable[Product]) -> None:
    """Replace a model's layers by faster ones that compute the same.

    Args:
        model: A transformers model, changed in place.
        head: The parts of its vocabulary projection, packed too.
    """
    packed = sum(parameter.numel() for parameter in model.parameters()) <= _MAX_PARAMETERS
    for product in head if packed else ():
        product.pack()
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if type(child) in _GELU and _follows_a_linear_layer(parent, name):
                setattr(parent, name, _GeluInPlace(_GELU[type(child)]))
            elif packed and type(child) in (nn.Linear, Conv1D) and _can_be_packed(child.weight):
                setattr(parent, name, _PackedLayer(child))


class _GeluInPlace(nn.Module):
    """GELU without a second copy of the widest vectors of a layer, for which memory would have to be allocated."""

    def __init__(self, approximate: str) -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = torch.ops.aten.gelu_(vectors, approximate=self.approximate)
        return result


def _follows_a_linear_layer(parent: nn.Module, name: str) -> bool:
    """Whether this activation is the only user of a linear layer's output, so that it may overwrite it."""
    return name == "intermediate_act_fn" or (isinstance(parent, GPT2MLP) and name == "act")


class _PackedLayer(nn.Module):
    """A linear layer with a packed weight; in any other precision it is the plain layer."""

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
    is_supported = platform.machine() in {"x86_64", "AMD64"} and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return is_supported and weight.device.type == "cpu" and weight.dtype == torch.float32
