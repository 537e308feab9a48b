"""Before any training, each head of the first layer looks at the neighbour that it was given."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from training.neighbours import OFFSETS, look_at_neighbours, position_vectors, shift
from training.recipe import Recipe
from training.train import new_model


@given(st.integers(5, 50), st.integers(-4, 4))
def test_a_shift_turns_a_position_into_another(position: int, offset: int) -> None:
    vectors = position_vectors(60, 16)
    assert torch.allclose(shift(offset, 16) @ vectors[position], vectors[position + offset], atol=1e-4)


def test_positions_are_told_apart() -> None:
    products = position_vectors(20, 64) @ position_vectors(20, 64).T
    assert torch.allclose(products, 64 * torch.eye(20), atol=1e-3)


@pytest.mark.parametrize("head", range(4))
def test_a_head_starts_by_looking_at_its_neighbour(head: int) -> None:
    model = new_model(Recipe(steps=1), 50).eval()
    look_at_neighbours(model, 0.03)
    model.set_attn_implementation("eager")
    with torch.no_grad():
        words = model.bert.embeddings.word_embeddings.weight
        words[:, -64:] = 0
        words[:, :-64].normal_(0, 0.03)
        seen = model.bert(torch.arange(5, 25)[None], output_attentions=True).attentions[0][0, head]
    inside = range(2, 18)
    assert [int(seen[i].argmax()) - i for i in inside] == [OFFSETS[head]] * len(inside)
