"""Running sequences through a network: only the positions asked for reach the head, and only numbers come out."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Sequence as Seq
from typing import Any

import torch
from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

from tacit.errors import TacitError
from tacit.models.hf.batches import TOKEN_BUDGET, equal_length_batches
from tacit.models.hf.head import Head, detach_projection
from tacit.models.hf.layers import quicken
from tacit.models.hf.readers import read_spans, read_targets, read_top, read_wanted
from tacit.models.hf.sequences import Labels, Reading, Sequence, Span, Targets, Top, Values, Wanted

__all__ = ["CausalNetwork", "ClassifierNetwork", "Network", "Seq2SeqNetwork"]

_LIKE_BERT = {"bert", "camembert", "electra", "roberta", "xlm-roberta"}


class Network:
    """A masked language model, and the ground of the other kinds."""

    def __init__(self, model: Any, budget: int = TOKEN_BUDGET) -> None:
        self.model = model.eval()
        self.budget = budget
        self.device = model.device
        self._wanted_positions: tuple[torch.Tensor, torch.Tensor] | None = None
        with torch.inference_mode():
            self.head = self._detach_head()
            quicken(self.model, self.head.parts)
        mixed = _end_of_mixing(model)
        if mixed is None:
            self._body().register_forward_hook(self._keep_wanted_vectors)
        else:
            mixed.register_forward_pre_hook(self._keep_wanted_inputs)

    def run(self, sequences: Seq[Sequence]) -> Iterator[tuple[int, Reading]]:
        """What is read off each sequence, with its index, as soon as its batch is done."""
        for batch in equal_length_batches(sequences, self.budget):
            yield from zip(batch, self._run_within_memory([sequences[i] for i in batch]), strict=True)

    def _run_within_memory(self, batch: list[Sequence]) -> list[Reading]:
        try:
            with torch.inference_mode():
                return self._run_batch(batch)
        except RuntimeError as error:
            if not _is_lack_of_memory(error):
                raise
        if len(batch) == 1:
            raise TacitError(f"One sequence of {len(batch[0].ids)} tokens does not fit into memory.")
        self.budget = max(1, self.budget // 2)
        half = len(batch) // 2
        return self._run_within_memory(batch[:half]) + self._run_within_memory(batch[half:])

    def _run_batch(self, batch: list[Sequence]) -> list[Reading]:
        if isinstance(batch[0].read, Span):
            return read_spans(self._last_layer(batch), batch)
        attended = isinstance(batch[0].read, Targets) and batch[0].read.attended
        attention = self._attention(batch) if attended else None
        return self._read(self._vectors(self._inputs(batch), batch), batch, attention)

    def _read(
        self, vectors: torch.Tensor, batch: list[Sequence], attention: torch.Tensor | None = None
    ) -> list[Reading]:
        first = batch[0].read
        if isinstance(first, Top):
            return read_top(self.head, vectors, batch)
        if isinstance(first, Wanted):
            return read_wanted(self.head, vectors, batch)
        return read_targets(self.head, vectors, batch, attention)

    def _vectors(self, inputs: dict[str, Any], batch: list[Sequence], offset: int = 0) -> torch.Tensor:
        """The vectors at the wanted positions of all rows, one below the other, ready for the head."""
        rows = [row for row, each in enumerate(batch) for _ in _positions(each)]
        columns = [position - offset for each in batch for position in _positions(each)]
        self._wanted_positions = (torch.tensor(rows, device=self.device), torch.tensor(columns, device=self.device))
        try:
            logits: torch.Tensor = self.model(**inputs).logits
        finally:
            self._wanted_positions = None
        return logits[0]

    def _keep_wanted_inputs(self, _module: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        if self._wanted_positions is None:
            return inputs
        return tuple(each[self._wanted_positions][None] for each in inputs)

    def _keep_wanted_vectors(self, _module: Any, _inputs: Any, output: Any) -> Any:
        if self._wanted_positions is None:
            return output
        output.last_hidden_state = output.last_hidden_state[self._wanted_positions][None]
        return output

    def _inputs(self, batch: list[Sequence]) -> dict[str, Any]:
        inputs = {"input_ids": torch.tensor([each.ids for each in batch], device=self.device)}
        if batch[0].types:
            inputs["token_type_ids"] = torch.tensor([each.types for each in batch], device=self.device)
        return inputs

    def _last_layer(self, batch: list[Sequence]) -> torch.Tensor:
        hidden: torch.Tensor = self._body()(**self._inputs(batch)).last_hidden_state
        return hidden

    def _attention(self, batch: list[Sequence]) -> torch.Tensor:
        """Mean attention that each position receives: over layers, heads and the positions that attend."""
        usual = self.model.config._attn_implementation
        self.model.set_attn_implementation("eager")
        try:
            attentions = self._attention_body()(**self._inputs(batch), output_attentions=True).attentions
        finally:
            self.model.set_attn_implementation(usual)
        received: torch.Tensor = torch.stack(attentions).mean(dim=(0, 2, 3))
        return received

    def _attention_body(self) -> Any:
        return self._body()

    def _body(self) -> Any:
        return self.model.base_model

    def _detach_head(self) -> Head:
        return detach_projection(self.model)


class CausalNetwork(Network):
    """A causal language model: sequences that share a prefix share its keys and values."""

    def run(self, sequences: Seq[Sequence]) -> Iterator[tuple[int, Reading]]:
        shared: dict[tuple[int, ...], list[int]] = defaultdict(list)
        alone: list[int] = []
        for index, each in enumerate(sequences):
            (shared[each.ids[: each.prefix]] if each.prefix > 1 else alone).append(index)
        for prefix in [prefix for prefix, members in shared.items() if len(members) == 1]:
            alone += shared.pop(prefix)
        for index, reading in super().run([sequences[i] for i in alone]):
            yield alone[index], reading
        for prefix, members in shared.items():
            yield from self._run_after(prefix, members, sequences)

    def _run_after(
        self, prefix: tuple[int, ...], members: list[int], sequences: Seq[Sequence]
    ) -> Iterator[tuple[int, Reading]]:
        with torch.inference_mode():
            ids = torch.tensor([prefix], device=self.device)
            past = self._body()(input_ids=ids, use_cache=True).past_key_values
        # Every row carries a copy of the prefix's keys and values, so the budget counts the whole length.
        for batch in equal_length_batches([sequences[i] for i in members], max(self.budget, 4 * TOKEN_BUDGET)):
            rows = [sequences[members[i]] for i in batch]
            yield from zip([members[i] for i in batch], self._run_rows_after(past, len(prefix), rows), strict=True)

    @torch.inference_mode()
    def _run_rows_after(self, past: Any, length: int, rows: list[Sequence]) -> list[Reading]:
        own = copy.deepcopy(past)
        for layer in own.layers:
            _repeat(layer, len(rows))
        ids = torch.tensor([row.ids[length:] for row in rows], device=self.device)
        inputs = {"input_ids": ids, "past_key_values": own, "use_cache": True}
        return self._read(self._vectors(inputs, rows, offset=length), rows)


class Seq2SeqNetwork(Network):
    """An encoder with a decoder; what is read stands in the decoder."""

    def _inputs(self, batch: list[Sequence]) -> dict[str, Any]:
        inputs: dict[str, Any] = {"input_ids": torch.tensor([each.ids for each in batch], device=self.device)}
        if batch[0].decoder:
            inputs["decoder_input_ids"] = torch.tensor([each.decoder for each in batch], device=self.device)
            inputs["use_cache"] = False
        return inputs

    def _last_layer(self, batch: list[Sequence]) -> torch.Tensor:
        ids = torch.tensor([each.ids for each in batch], device=self.device)
        hidden: torch.Tensor = self.model.get_encoder()(input_ids=ids).last_hidden_state
        return hidden

    def _attention(self, batch: list[Sequence]) -> torch.Tensor:
        return super()._attention([Sequence(each.ids, each.read) for each in batch])

    def _attention_body(self) -> Any:
        return self.model.get_encoder()

    def _body(self) -> Any:
        # T5 keeps its decoder beside the encoder, BART keeps both inside one model whose output is the decoder's.
        return self.model.decoder if hasattr(self.model, "decoder") else self.model.base_model


class ClassifierNetwork(Network):
    """A text classifier."""

    def _run_batch(self, batch: list[Sequence]) -> list[Reading]:
        if not isinstance(batch[0].read, Labels):
            return super()._run_batch(batch)
        logits = self.model(**self._inputs(batch)).logits.float()
        return [Values(row) for row in torch.softmax(logits, -1).tolist()]

    def _detach_head(self) -> Head:
        return Head()


def _end_of_mixing(model: Any) -> Any:
    """What follows the last attention, if known: from there on each position is alone, and only the wanted ones go."""
    if model.config.model_type in _LIKE_BERT:
        return model.base_model.encoder.layer[-1].attention.output
    return None


def _repeat(layer: Any, rows: int) -> None:
    """Give every row the prefix's keys and values, where possible as a view: appending to them copies them anyway."""
    if type(layer) in {DynamicLayer, DynamicSlidingWindowLayer}:
        layer.keys = layer.keys.expand(rows, -1, -1, -1)
        layer.values = layer.values.expand(rows, -1, -1, -1)
    else:
        layer.batch_repeat_interleave(rows)


def _positions(sequence: Sequence) -> tuple[int, ...]:
    read = sequence.read
    if isinstance(read, Top | Wanted):
        return (read.position,)
    return read.positions if isinstance(read, Targets) else ()


def _is_lack_of_memory(error: RuntimeError) -> bool:
    return isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error)
