"""Who races on which workload, and how many times as fast as whom Tacit means to be."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from math import log
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import tacit
from benchmarks.peers import CausalPeers, MaskedPeers
from benchmarks.racing import Contestant
from benchmarks.workloads import LABELS, REVIEW_LENGTHS, TARGETS, Shape, blanks, repeated, reviews, sentences
from tacit.models import Model
from tacit.questions import Answer, Choose, Fill, Likelihood, Question

__all__ = ["BATCHED", "CAUSAL", "MASKED", "MINICONS", "NAIVE", "TACIT", "UNBATCHED", "Workload", "ask_fresh"]

TACIT, NAIVE, MINICONS = "tacit", "naive loop", "minicons"
BATCHED, UNBATCHED = "pipeline batched", "pipeline unbatched"
LENGTHS = (10, 11, 12)
_BERT, _GPT2 = Shape(30_522), Shape(50_257)
_CLS_SEP = 2


@dataclass(frozen=True)
class Workload:
    """A race with its targets (peer: times as fast) and the GFLOP that one question cannot do without."""

    title: str
    contestants: list[Contestant]
    targets: dict[str, float]
    gflop: float


def ask_fresh(model: Model, questions: list[Question]) -> list[Answer]:
    """As a user asks: with a cache, which knows nothing yet."""
    with tempfile.TemporaryDirectory() as folder:
        return list(tacit.ask(model, questions, cache=Path(folder) / "answers.sqlite"))


def sentence_likelihood(model: Model, peers: MaskedPeers) -> Workload:
    """W1: no peer but the naive loop measures all tokens without masking any."""
    texts = sentences(96, tuple(length - _CLS_SEP for length in LENGTHS))
    few = texts[:9]
    racing = [
        _tacit(model, [Likelihood(text, "aul") for text in texts], lambda answer: answer.mean),
        Contestant(NAIVE, len(few), lambda: peers.naive_aul(few), list),
    ]
    gflop = sum(_BERT.body(n, n, n - _CLS_SEP) + _BERT.head(n - _CLS_SEP) for n in LENGTHS) / len(LENGTHS)
    return Workload("W1 sentence likelihood (AUL), 10-12 tokens", racing, {NAIVE: 3.0}, gflop)


def one_blank(model: Model, peers: MaskedPeers) -> Workload:
    """W2: all measure the same."""
    texts = blanks(128, 12 - _CLS_SEP)
    few, some = texts[:9], texts[:32]
    racing = [
        _tacit(model, [Fill(text) for text in texts], lambda answer: log(answer.fillings[0].probability)),
        Contestant(BATCHED, len(some), lambda: peers.pipeline(some, batch_size=32), _best),
        Contestant(UNBATCHED, len(few), lambda: peers.pipeline(few), _best),
        Contestant(MINICONS, len(some), lambda: peers.minicons_top(some, 32), _logs),
        Contestant(NAIVE, len(few), lambda: peers.naive_top(few), _logs),
    ]
    return Workload(
        "W2 one blank, 12 tokens, 5 likeliest",
        racing,
        {MINICONS: 1.5, BATCHED: 1.7},
        _BERT.body(12, 12, 1) + _BERT.head(1),
    )


def blanks_of_many_lengths(model: Model, peers: MaskedPeers) -> Workload:
    """W2m: as W2 with sentences as long and as short as they are in a probe; who pads pays for it."""
    texts = [text for length in range(6, 15) for text in blanks(16, length)]
    mixed = Random(3).sample(texts, len(texts))
    few = mixed[:32]
    racing = [
        _tacit(model, [Fill(text) for text in mixed], lambda answer: log(answer.fillings[0].probability)),
        Contestant(BATCHED, len(few), lambda: peers.pipeline(few, batch_size=32), _best),
        Contestant(MINICONS, len(few), lambda: peers.minicons_top(few, 32), _logs),
    ]
    gflop = fmean(_BERT.body(n, n, 1) + _BERT.head(1) for n in range(8, 17))
    return Workload("W2m one blank, 8-16 tokens, 5 likeliest", racing, {}, gflop)


def words_after_review(model: Model, peers: MaskedPeers) -> Workload:
    """W3: the words are single tokens, for the pipeline would silently score others by their first piece."""
    found = reviews(3)
    few = [f"{review} it was [MASK]" for review in found[: len(REVIEW_LENGTHS)]]
    asked: list[Question] = [Choose("it was [MASK]", TARGETS, context=review) for review in found]
    racing = [
        _tacit(model, asked, _mean_log_choice),
        Contestant(BATCHED, len(few), lambda: _targets(peers, few, batch_size=8), _mean_log_target),
        Contestant(UNBATCHED, len(few), lambda: _targets(peers, few), _mean_log_target),
        Contestant(MINICONS, len(few), lambda: peers.minicons_words(few, TARGETS, 8), _mean_logs),
        Contestant(NAIVE, len(few), lambda: peers.naive_words(few, TARGETS), _mean_logs),
    ]
    gflop = sum(_BERT.body(n, n, 1) + _BERT.head(1) for n in REVIEW_LENGTHS) / len(REVIEW_LENGTHS)
    title = "W3 blank after a review of 30-300 tokens, 1,200 words"
    return Workload(title, racing, {BATCHED: 2.0, UNBATCHED: 2.0}, gflop)


def pseudo_likelihood(model: Model, peers: MaskedPeers) -> Workload:
    """W5: each token masked in turn."""
    texts = sentences(12, (12 - _CLS_SEP,))
    racing = [
        _tacit(model, [Likelihood(text, "pll") for text in texts], lambda answer: answer.mean),
        Contestant(MINICONS, 4, lambda: peers.minicons_pll(texts[:4], 4), list),
        Contestant(NAIVE, 1, lambda: peers.naive_pll(texts[:1]), list),
    ]
    gflop = 10 * (_BERT.body(12, 12, 1) + _BERT.head(1))
    return Workload("W5 pseudo-log-likelihood, 12 tokens", racing, {MINICONS: 1.5}, gflop)


def causal_likelihood(model: Model, peers: CausalPeers) -> Workload:
    """G1: like us, minicons leaves out a first token that has nothing before it."""
    texts = sentences(96, LENGTHS)
    few, some = texts[:9], texts[:32]
    racing = [
        _tacit(model, [Likelihood(text, "causal") for text in texts], lambda answer: answer.mean),
        Contestant(MINICONS, len(some), lambda: peers.minicons_likelihood(some, 32), list),
        Contestant(NAIVE, len(few), lambda: peers.naive_likelihood(few), list),
    ]
    gflop = sum(_GPT2.body(n - 1, n // 2) + _GPT2.head(n - 1) for n in LENGTHS) / len(LENGTHS)
    return Workload("G1 GPT-2 sentence likelihood, 10-12 tokens", racing, {MINICONS: 1.4}, gflop)


def shared_prefix(model: Model, peers: CausalPeers) -> Workload:
    """G4: one review before 60 questions; a study has 3,600 to a review, which would hide its cost even better."""
    (review,) = sentences(1, (165,))
    ends = repeated(20)
    few = [f"{review} {end.removesuffix(' [MASK]')}" for end in ends[:3]]
    asked: list[Question] = [Choose(end, LABELS, context=review) for end in ends]
    racing = [
        _tacit(model, asked, _mean_log_choice),
        Contestant(NAIVE, len(few), lambda: peers.naive_words(few, LABELS), _mean_logs),
    ]
    gflop = sum(_GPT2.body(k + 2, 165 + k // 2) + _GPT2.head(1) for k in (5, 10, 15)) / 3
    gflop += _GPT2.body(165, 82) / len(asked)
    return Workload("W4 GPT-2, 60 questions after one review of 165 tokens", racing, {NAIVE: 8.0}, gflop)


MASKED: dict[str, Callable[[Model, MaskedPeers], Workload]] = {
    "W1": sentence_likelihood,
    "W2": one_blank,
    "W2m": blanks_of_many_lengths,
    "W3": words_after_review,
    "W5": pseudo_likelihood,
}
CAUSAL: dict[str, Callable[[Model, CausalPeers], Workload]] = {"G1": causal_likelihood, "W4": shared_prefix}


def _tacit(model: Model, questions: list[Any], number: Callable[[Any], float]) -> Contestant:
    return Contestant(
        TACIT, len(questions), lambda: ask_fresh(model, questions), lambda answers: [number(each) for each in answers]
    )


def _targets(peers: MaskedPeers, texts: list[str], **batching: int) -> Any:
    return peers.pipeline(texts, targets=list(TARGETS), top_k=len(TARGETS), **batching)


# PairedMeasure as logarithms: the probabilities themselves are so small that any two would agree.
def _best(found: list[list[dict[str, Any]]]) -> list[float]:
    return [log(fillings[0]["score"]) for fillings in found]


def _logs(found: list[float]) -> list[float]:
    return [log(each) for each in found]


def _mean_logs(found: list[list[float]]) -> list[float]:
    return [fmean(map(log, row)) for row in found]


def _mean_log_choice(answer: Any) -> float:
    return fmean(log(each.probability) for each in answer.choices)


def _mean_log_target(found: list[list[dict[str, Any]]]) -> list[float]:
    return _mean_logs([[each["score"] for each in row] for row in found])
