"""Train a standard: a plain BERT for masked words, one thread, stopped and continued at will with the same result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from training.batches import batches, blanked
from training.neighbours import look_at_neighbours
from training.recipe import Recipe, learning_rate
from training.vectors import log_frequencies, starting_vectors

__all__ = ["export", "held_out_loss", "new_model", "train"]

CHECKPOINT_SECONDS = 120
EXAMINE_EVERY = 500
EXAMINED_BATCHES = 40


def train(
    sequences: Sequence[Sequence[int]],
    held_out: Sequence[Sequence[int]],
    recipe: Recipe,
    vocabulary: int,
    checkpoint: Path,
    *,
    report: Callable[[str], None] = print,
    until: int | None = None,
) -> Any:
    """Train to the recipe's last step (or stop at step `until`), from the checkpoint if there is one."""
    torch.set_num_threads(1)
    model = new_model(recipe, vocabulary)
    optimiser = _optimiser(model, recipe)
    step = _resume(model, optimiser, checkpoint)
    if step == 0:
        _start(model, sequences, recipe)
    saved = time.monotonic()
    last = min(recipe.steps, until or recipe.steps)
    for batch in islice(batches(sequences, recipe.batch_tokens, recipe.seed, step), last - step):
        loss = _one_step(model, optimiser, batch, step, recipe)
        step += 1
        if step % EXAMINE_EVERY == 0 or step == last:
            report(f"step {step} loss {loss:.3f} held-out {held_out_loss(model, held_out, recipe):.3f}")
        if step == last or time.monotonic() - saved > CHECKPOINT_SECONDS:
            _save(model, optimiser, step, checkpoint)
            saved = time.monotonic()
    return model


def new_model(recipe: Recipe, vocabulary: int) -> Any:
    """An untrained model of the recipe's shape."""
    from transformers import BertConfig, BertForMaskedLM  # noqa: PLC0415

    torch.manual_seed(recipe.seed)
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=recipe.hidden,
        num_hidden_layers=recipe.layers,
        num_attention_heads=recipe.heads,
        intermediate_size=4 * recipe.hidden,
        max_position_embeddings=recipe.length,
        type_vocab_size=2,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return BertForMaskedLM(config).train()


def held_out_loss(model: Any, held_out: Sequence[Sequence[int]], recipe: Recipe) -> float:
    """Mean loss at 15 % of the tokens of some held-out batches, the same ones every time."""
    generator = torch.Generator().manual_seed(recipe.seed)
    losses, count = 0.0, 0
    with torch.no_grad():
        for batch in islice(batches(held_out, recipe.batch_tokens, recipe.seed), EXAMINED_BATCHES):
            shown, hidden = blanked(batch, 0.15, model.config.vocab_size, generator)
            losses += float(_loss(model, shown, hidden, batch, "sum"))
            count += int(hidden.sum())
    return losses / max(count, 1)


def export(model: Any, folder: Path) -> None:
    """config.json and half-precision model.safetensors, as any version of transformers loads them."""
    _read_segments_alike(model)
    model.half().save_pretrained(folder)
    model.float()
    # Half precision is for keeping, not for computing: whoever loads the folder gets 32 bits.
    model.config.dtype = torch.float32
    model.config.save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)


def _read_segments_alike(model: Any) -> None:
    """Read a second segment like the first: training never shows one, and its vector would stay random."""
    kinds = model.bert.embeddings.token_type_embeddings.weight
    with torch.no_grad():
        kinds[1] = kinds[0]


def _start(model: Any, sequences: Sequence[Sequence[int]], recipe: Recipe) -> None:
    vocabulary, words = model.config.vocab_size, model.bert.embeddings.word_embeddings.weight
    width = recipe.hidden - recipe.hidden // recipe.heads
    vectors = starting_vectors(sequences, vocabulary, width, recipe.vector_spread, recipe.seed)
    with torch.no_grad():
        words.normal_(0, 0.002)
        words[:, :width] = torch.from_numpy(vectors)
        model.cls.predictions.bias.copy_(torch.from_numpy(log_frequencies(sequences, vocabulary)))
    look_at_neighbours(model, recipe.vector_spread)


def _one_step(model: Any, optimiser: torch.optim.Optimizer, batch: torch.Tensor, step: int, recipe: Recipe) -> float:
    for group in optimiser.param_groups:
        group["lr"] = learning_rate(step, recipe)
    # A generator of its own for every step: a continued run needs no saved state to hide the same words.
    generator = torch.Generator().manual_seed(recipe.seed * 1_000_003 + step)
    shown, hidden = blanked(batch, recipe.mask_share, model.config.vocab_size, generator)
    if not hidden.any():
        return 0.0
    optimiser.zero_grad(set_to_none=True)
    with torch.autocast("cpu", torch.bfloat16, enabled=recipe.half):
        loss = _loss(model, shown, hidden, batch, "mean")
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    optimiser.step()
    return float(loss.detach())


def _loss(model: Any, shown: torch.Tensor, hidden: torch.Tensor, batch: torch.Tensor, reduction: str) -> torch.Tensor:
    # The output layer is the dearest part of so small a model: compute it only where a word is hidden.
    states = model.bert(shown).last_hidden_state[hidden]
    return functional.cross_entropy(model.cls(states), batch[hidden], reduction=reduction)


def _optimiser(model: Any, recipe: Recipe) -> torch.optim.Optimizer:
    matrices = [parameter for parameter in model.parameters() if parameter.dim() > 1]
    others = [parameter for parameter in model.parameters() if parameter.dim() <= 1]
    groups = [{"params": matrices, "weight_decay": recipe.weight_decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=recipe.peak_rate, betas=(0.9, 0.98), eps=1e-6, fused=True)


def _save(model: Any, optimiser: torch.optim.Optimizer, step: int, checkpoint: Path) -> None:
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    unfinished = checkpoint.with_suffix(".unfinished")
    torch.save({"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step}, unfinished)
    unfinished.replace(checkpoint)


def _resume(model: Any, optimiser: torch.optim.Optimizer, checkpoint: Path) -> int:
    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])
