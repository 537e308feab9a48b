"""Running sequences through a network: only the positions that are read reach the head, and only numbers come out."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Sequence as Seq
from typing import Any

import torch
from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

from tacit.errors import ModelError
from tacit.models.hf.batches import TOKEN_BUDGET, equal_length_batches
from tacit.models.hf.head import Head, detach_projection
from tacit.models.hf.layers import use_fast_layers
from tacit.models.hf.readers import read_spans, read_targets, read_top, read_wanted, require_finite
from tacit.models.hf.sequences import Labels, Reading, Sequence, Span, Targets, Top, Values, Wanted

__all__ = ["CausalNetwork", "ClassifierNetwork", "Network", "Seq2SeqNetwork"]

_BERT_LIKE = {"bert", "camembert", "electra", "roberta", "xlm-roberta"}


class Network:
    """A transformers model without its head. This class runs masked models and is the base of the other families.

    Attributes:
        model: The transformers model.
        head: Its vocabulary projection.
        budget: How many tokens a batch may hold; halved when memory runs out.
        device: Where it computes.
    """

    def __init__(self, model: Any, budget: int = TOKEN_BUDGET) -> None:
        self.model = model.eval()
        self.budget = budget
        self.device = model.device
        self._wanted_positions: tuple[torch.Tensor, torch.Tensor] | None = None
        with torch.inference_mode():
            self.head = self._detach_head()
            use_fast_layers(self.model, self.head.parts)
        last_output = _last_attention_output(model)
        if last_output is None:
            self._body().register_forward_hook(self._keep_wanted_vectors)
        else:
            last_output.register_forward_pre_hook(self._keep_wanted_inputs)

    def run(self, sequences: Seq[Sequence]) -> Iterator[tuple[int, Reading]]:
        """Run sequences, and yield the index and the reading of each as soon as its batch is done."""
        for batch in equal_length_batches(sequences, self.budget):
            yield from zip(batch, self._run_within_memory([sequences[i] for i in batch]), strict=True)

    def _run_within_memory(self, batch: list[Sequence]) -> list[Reading]:
        try:
            with torch.inference_mode():
                return self._run_batch(batch)
        except IndexError:
            raise ModelError(
                "A text contains a token that this model has no vector for, most likely a special token that was added "
                "to its tokenizer. Leave it out of the text."
            ) from None
        except RuntimeError as error:
            if not _is_out_of_memory(error):
                raise
        if len(batch) == 1:
            raise ModelError(f"One sequence of {len(batch[0].ids)} tokens does not fit into memory. Shorten the text.")
        self.budget = max(1, self.budget // 2)
        half = len(batch) // 2
        return self._run_within_memory(batch[:half]) + self._run_within_memory(batch[half:])

    def _run_batch(self, batch: list[Sequence]) -> list[Reading]:
        if isinstance(batch[0].read, Span):
            return read_spans(self._last_layer(batch), batch)
        with_attention = isinstance(batch[0].read, Targets) and batch[0].read.attended
        attention = self._attention(batch) if with_attention else None
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
        """The vectors at the positions that are read, one per matrix row, ready for the head."""
        rows = [row for row, sequence in enumerate(batch) for _ in _positions(sequence)]
        columns = [position - offset for sequence in batch for position in _positions(sequence)]
        self._wanted_positions = (torch.tensor(rows, device=self.device), torch.tensor(columns, device=self.device))
        try:
            logits: torch.Tensor = self.model(**inputs).logits
        finally:
            self._wanted_positions = None
        return logits[0]

    def _keep_wanted_inputs(self, _module: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        if self._wanted_positions is None:
            return inputs
        return tuple(self._wanted(vectors) for vectors in inputs)

    def _keep_wanted_vectors(self, _module: Any, _inputs: Any, output: Any) -> Any:
        if self._wanted_positions is None:
            return output
        output.last_hidden_state = self._wanted(output.last_hidden_state)
        return output

    def _wanted(self, vectors: torch.Tensor) -> torch.Tensor:
        assert self._wanted_positions is not None
        # A model that is spread over devices ends on another one than it begins.
        rows, columns = (positions.to(vectors.device) for positions in self._wanted_positions)
        return vectors[rows, columns][None]

    def _inputs(self, batch: list[Sequence]) -> dict[str, Any]:
        inputs = {"input_ids": torch.tensor([sequence.ids for sequence in batch], device=self.device)}
        if batch[0].types:
            inputs["token_type_ids"] = torch.tensor([sequence.types for sequence in batch], device=self.device)
        return inputs

    def _last_layer(self, batch: list[Sequence]) -> torch.Tensor:
        hidden: torch.Tensor = self._body()(**self._inputs(batch)).last_hidden_state
        return hidden

    def _attention(self, batch: list[Sequence]) -> torch.Tensor:
        """The mean attention that each position receives, over layers, heads and attending positions."""
        implementation = self.model.config._attn_implementation
        self.model.set_attn_implementation("eager")
        try:
            attentions = self._attention_body()(**self._inputs(batch), output_attentions=True).attentions
        finally:
            self.model.set_attn_implementation(implementation)
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
        """Run sequences, those with a common prefix together."""
        shared: dict[tuple[int, ...], list[int]] = defaultdict(list)
        alone: list[int] = []
        for index, sequence in enumerate(sequences):
            (shared[sequence.ids[: sequence.prefix]] if sequence.prefix > 1 else alone).append(index)
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
        # Each row carries a copy of the prefix's keys and values, so the budget counts the whole length.
        for batch in equal_length_batches([sequences[i] for i in members], max(self.budget, 4 * TOKEN_BUDGET)):
            rows = [sequences[members[i]] for i in batch]
            yield from zip([members[i] for i in batch], self._run_rows_after(past, len(prefix), rows), strict=True)

    @torch.inference_mode()
    def _run_rows_after(self, past: Any, length: int, rows: list[Sequence]) -> list[Reading]:
        cache = copy.deepcopy(past)
        for layer in cache.layers:
            _repeat(layer, len(rows))
        ids = torch.tensor([row.ids[length:] for row in rows], device=self.device)
        inputs = {"input_ids": ids, "past_key_values": cache, "use_cache": True}
        return self._read(self._vectors(inputs, rows, offset=length), rows)


class Seq2SeqNetwork(Network):
    """An encoder with a decoder; readings are taken in the decoder."""

    def _inputs(self, batch: list[Sequence]) -> dict[str, Any]:
        inputs: dict[str, Any] = {"input_ids": torch.tensor([sequence.ids for sequence in batch], device=self.device)}
        if batch[0].decoder:
            inputs["decoder_input_ids"] = torch.tensor([sequence.decoder for sequence in batch], device=self.device)
            inputs["use_cache"] = False
        return inputs

    def _last_layer(self, batch: list[Sequence]) -> torch.Tensor:
        ids = torch.tensor([sequence.ids for sequence in batch], device=self.device)
        hidden: torch.Tensor = self.model.get_encoder()(input_ids=ids).last_hidden_state
        return hidden

    def _attention(self, batch: list[Sequence]) -> torch.Tensor:
        return super()._attention([Sequence(sequence.ids, sequence.read) for sequence in batch])

    def _attention_body(self) -> Any:
        return self.model.get_encoder()

    def _body(self) -> Any:
        # T5 keeps its decoder beside the encoder; BART keeps both inside one model whose output is the decoder's.
        return getattr(self.model, "decoder", self.model.base_model)


class ClassifierNetwork(Network):
    """A text classifier."""

    def __init__(self, model: Any, budget: int = TOKEN_BUDGET) -> None:
        if model.config.pad_token_id is None:
            # Causal classifiers look for the last token that is not padding; batches of equal length have none.
            model.config.pad_token_id = -1
        super().__init__(model, budget)

    def _run_batch(self, batch: list[Sequence]) -> list[Reading]:
        if not isinstance(batch[0].read, Labels):
            return super()._run_batch(batch)
        logits = self.model(**self._inputs(batch)).logits.float()
        require_finite(logits)
        return [Values(row) for row in torch.softmax(logits, -1).tolist()]

    def _detach_head(self) -> Head:
        return Head()


def _last_attention_output(model: Any) -> Any:
    """The layer after the last attention, if known: from there on positions are independent, and few are needed."""
    if model.config.model_type in _BERT_LIKE:
        return model.base_model.encoder.layer[-1].attention.output
    return None


def _repeat(layer: Any, rows: int) -> None:
    """Give each row the prefix's keys and values, as a view where possible: appending to them copies them anyway."""
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


def _is_out_of_memory(error: RuntimeError) -> bool:
    return isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error)
