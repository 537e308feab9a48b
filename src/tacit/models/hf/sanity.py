"""Is there anything to ask? Checks of a loaded model, run once and remembered by its fingerprint."""

from __future__ import annotations

import json
from collections.abc import Sequence as Seq
from dataclasses import replace

import numpy as np
import torch

from tacit.errors import ModelError
from tacit.models.checks import SAMPLE_TEXTS, Check
from tacit.models.hf.model import HFModel
from tacit.models.hf.network import Network
from tacit.models.hf.sequences import Sequence, Targets, TokenLogprobs, Wanted
from tacit.questions import Classify, Likelihood, LikelihoodMethod
from tacit.storage import cache_folder, write_atomic

__all__ = ["failed_checks", "prediction_check", "vocabulary_check"]

# Vocabularies are padded to a round number, but by far less than half.
_MIN_KNOWN_SHARE = 0.5
# Also sentences in other languages: a model that never saw English still knows one of them, or at least punctuation.
_TEXTS = (
    *SAMPLE_TEXTS,
    "Der Mann ging in das Haus und setzte sich.",
    "La mujer vive en la casa de su madre.",
    "中国的冬天很冷,夏天很热。",
    "Он сказал, что не будет дома.",
)
# A text that a tokenizer cuts into letters or bytes takes long and says little.
_MAX_TOKENS = 32
_MIN_TOKENS = 20
_PERMUTATIONS = 1_999
# One random model in a thousand passes; a trained one fails only if it predicts no better than chance in all languages.
_MAX_P = 0.001


def failed_checks(model: HFModel) -> list[Check]:
    """The checks that a loaded model fails, run once per fingerprint; damage that no user may override is an error."""
    known = _read_results()
    if model.fingerprint not in known:
        _check_ids(model)
        checks = [vocabulary_check(model)]
        if model.family == "classifier":
            list(model.answer([Classify(SAMPLE_TEXTS[0])]))  # a classifier that cannot be run is noticed here
        else:
            checks.append(prediction_check(model))
        known[model.fingerprint] = {check.name: check.detail for check in checks if not check.passed}
        _write_results(known)
    return [Check(name, False, detail) for name, detail in known[model.fingerprint].items()]


def _check_ids(model: HFModel) -> None:
    """Reject a tokenizer whose tokens the model has no vectors for.

    Tokens that were added later and never occur in a plain text (padding, mostly) are no problem.
    """
    tokenizer = model.tokens.tokenizer
    rows = _embedding_rows(model)
    added = set(tokenizer.get_added_vocab().values())
    ids = [token for token in tokenizer.get_vocab().values() if token not in added]
    ids += [*tokenizer("a")["input_ids"], *tokenizer("a", "b")["input_ids"]]
    if model.family == "masked":
        ids.append(tokenizer.mask_token_id)
    largest = max(ids, default=0)
    if largest >= rows:
        raise ModelError(
            f"The tokenizer of {model.name!r} does not belong to its weights: it has a token number {largest:,}, but "
            f"the model has vectors for {rows:,} tokens only. Use the tokenizer that it was trained with."
        )


def vocabulary_check(model: HFModel) -> Check:
    """Whether the tokenizer knows most of the tokens that the model has vectors for."""
    known, rows = len(model.tokens.tokenizer.get_vocab()), _embedding_rows(model)
    detail = f"the tokenizer knows {known:,} of the model's {rows:,} tokens"
    return Check("the tokenizer fits the model", known >= _MIN_KNOWN_SHARE * rows, detail)


def prediction_check(model: HFModel) -> Check:
    """Whether the model predicts the tokens of a text better in their own place than elsewhere in the text.

    A head that was never trained does not, in any language: exchanging the tokens of a text changes nothing for it.
    """
    tables = [table for text in _TEXTS if len(table := _prediction_table(model, text))]
    name, count = "the model predicts text", sum(map(len, tables))
    if count < _MIN_TOKENS:
        return Check(name, True, f"not tested: the tokenizer knows only {count} tokens of our texts")
    if not all(np.isfinite(table).all() for table in tables):
        raise ModelError(
            f"The model {model.name!r} gives probabilities that are not finite. Load it with dtype=float32."
        )
    rng = np.random.default_rng(0)
    actual = sum(float(np.trace(table)) for table in tables)
    shuffled = np.array(
        [sum(float(table[np.arange(len(table)), rng.permutation(len(table))].sum()) for table in tables)
         for _ in range(_PERMUTATIONS)]
    )  # fmt: skip
    p = (1 + int((shuffled >= actual).sum())) / (1 + _PERMUTATIONS)
    gain = (actual - float(shuffled.mean())) / count
    detail = (
        f"tokens are {np.exp(gain):.1f} times as likely in their own place as elsewhere in their text (p = {p:.4f})"
    )
    return Check(name, p <= _MAX_P, detail)


def _prediction_table(model: HFModel, text: str) -> np.ndarray:
    """log P of each token of a text (columns) at the place of each token (rows)."""
    if len(model.tokens.tokenizer(text)["input_ids"]) > min(_MAX_TOKENS, model.tokens.limit or _MAX_TOKENS):
        return np.zeros((0, 0))
    method: LikelihoodMethod = "causal" if model.family == "causal" else "pll"
    sequences: Seq[Sequence] = next(model.conversation(Likelihood(text, method)))
    if method == "causal":
        return _causal_table(model.network, sequences[0])
    places: list[tuple[Sequence, int, int]] = []
    for sequence in sequences:
        assert isinstance(sequence.read, Targets)
        places += [(sequence, *pair) for pair in zip(sequence.read.positions, sequence.read.ids, strict=True)]
    # A token that the tokenizer does not know says nothing about the model.
    places = [place for place in places if place[2] != model.tokens.unknown]
    ids = tuple(token for _, _, token in places)
    requests = [replace(sequence, read=Wanted(position, ids), prefix=0) for sequence, position, _ in places]
    table = np.zeros((len(ids), len(ids)))
    for row, reading in model.network.run(requests):
        assert isinstance(reading, TokenLogprobs)
        table[row] = reading.logprobs
    return table


@torch.inference_mode()
def _causal_table(network: Network, sequence: Sequence) -> np.ndarray:
    """The same for a causal model, which predicts all tokens of a text in one pass."""
    assert isinstance(sequence.read, Targets)
    vectors = network.model(input_ids=torch.tensor([sequence.ids], device=network.device)).logits[0]
    logprobs = torch.log_softmax(network.head.logits(vectors[list(sequence.read.positions)]), -1)
    return logprobs[:, list(sequence.read.ids)].double().cpu().numpy()


def _embedding_rows(model: HFModel) -> int:
    return int(model.network.model.get_input_embeddings().weight.shape[0])


def _read_results() -> dict[str, dict[str, str]]:
    try:
        results = json.loads((cache_folder() / "checks.json").read_text(encoding="utf-8"))
        return {str(key): {str(k): str(v) for k, v in failed.items()} for key, failed in results.items()}
    except (OSError, ValueError, AttributeError):
        return {}  # the checks are run again


def _write_results(results: dict[str, dict[str, str]]) -> None:
    try:
        write_atomic(cache_folder() / "checks.json", json.dumps(results).encode())
    except OSError:
        return  # a read-only cache folder only costs time
