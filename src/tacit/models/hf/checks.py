"""Checks of the torch engine: padding, precision, words and special tokens."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from collections.abc import Sequence as Seq

import torch

from tacit.models.base import Family
from tacit.models.checks import SAMPLE_TEXTS, Check, compare_numbers
from tacit.models.hf.network import Network
from tacit.models.hf.sequences import Pieces, Sequence, TargetLogprobs, Targets
from tacit.models.hf.tokens import Tokens

__all__ = ["engine_checks"]

# A copy of a larger model in double precision would take too much memory.
_MAX_PARAMETERS = 400_000_000


def engine_checks(family: Family, tokens: Tokens, network: Network) -> Iterator[Check]:
    """Run the checks that make sense for this family."""
    rows = [tokens.encode_whole(text).ids for text in SAMPLE_TEXTS]
    if family in {"masked", "causal"}:
        yield _padding(rows, network, tokens.tokenizer.pad_token_id or 0)
        yield _precision(rows, network)
    if family != "classifier":
        yield _word_after_space(tokens)
    if family == "causal":
        yield Check("begin token", True, f"{tokens.begin_name or 'none'}: the fills below show what it does")
    elif family != "classifier":
        yield _special_tokens(tokens)


@torch.inference_mode()
def _padding(rows: Seq[Pieces], network: Network, pad: int) -> Check:
    """Compare one padded batch, run straight through the network, with batches of equal length."""
    longest = max(map(len, rows))
    ids = torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows], device=network.device)
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=network.device)
    vectors = network.model(input_ids=ids, attention_mask=mask).logits
    padded = [network.head.logprobs_of(vectors[k, : len(row)], ids[k, : len(row)]) for k, row in enumerate(rows)]
    return compare_numbers(
        "padding changes nothing", [logprobs.exp().tolist() for logprobs in padded], _probabilities(rows, network)
    )


def _precision(rows: Seq[Pieces], network: Network) -> Check:
    """Compare the precision that the model was loaded in with double precision."""
    name = "single precision is enough"
    if sum(parameter.numel() for parameter in network.model.parameters()) > _MAX_PARAMETERS:
        return Check(name, True, "skipped: the model is too large to hold twice")
    model = copy.deepcopy(network.model).double()
    head = network.head.double()
    exact: list[list[float]] = []
    with torch.inference_mode():
        for row in rows:
            ids = torch.tensor([row], device=network.device)
            exact.append(head.logprobs_of(model(input_ids=ids).logits[0], ids[0]).exp().tolist())
    return compare_numbers(name, _probabilities(rows, network), exact)


def _probabilities(rows: Seq[Pieces], network: Network) -> list[list[float]]:
    """The probability of each token of each row, computed as for a question."""
    sequences = [Sequence(row, Targets(tuple(range(len(row))), row)) for row in rows]
    readings = [reading for _, reading in sorted(network.run(sequences), key=lambda pair: pair[0])]
    logprobs = [reading.logprobs for reading in readings if isinstance(reading, TargetLogprobs)]
    return [[math.exp(value) for value in row] for row in logprobs]


def _word_after_space(tokens: Tokens) -> Check:
    pieces = tokens.pieces("great", " ")
    spelling = "".join(tokens.names(pieces)).replace("##", "") if pieces else "nothing"
    return Check("a word after a space is itself", spelling.lower() == "great", f"great -> {spelling}")


def _special_tokens(tokens: Tokens) -> Check:
    text = tokens.encode_whole(SAMPLE_TEXTS[0])
    added = [token for position, token in enumerate(text.ids) if position not in text.own]
    names = " ".join(tokens.tokenizer.convert_ids_to_tokens(added)) or "none"
    blank = tokens.tokenizer.mask_token or "<extra_id_0>"
    is_known = tokens.tokenizer.convert_tokens_to_ids(blank) != tokens.unknown
    return Check("special tokens", is_known, f"around a text: {names}; the blank: {blank}")
