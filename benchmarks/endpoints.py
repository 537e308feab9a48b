"""How far the log-probabilities of a served model are from those of the local engine on the same weights.

    python -m benchmarks.endpoints llama+http://127.0.0.1:8080 FOLDER

The local model may be anything that `tacit.load` takes. Prints the largest difference and the server's noise floor.
"""

from __future__ import annotations

import argparse
import math
from time import perf_counter

import tacit
from tacit.models import Model
from tacit.models.endpoints.model import EndpointModel
from tacit.questions import Choose, ChooseAnswer, Likelihood, LikelihoodAnswer, Question

SENTENCES = [
    "People in France are bald.",
    "The pizza was great.",
    "Why wilt thou be offended by that? Café für 中国.",
    "The king said that he would come to the city before the winter, but nobody believed him.",
]
WORDS = ("great", "terrible", "house", "unbelievable", "naïve")
QUESTIONS: list[Question] = [
    *(Likelihood(sentence, "causal") for sentence in SENTENCES),
    Choose("It was [MASK]", WORDS),
    Choose("It was [MASK]", WORDS, context=SENTENCES[-1]),
]


def main() -> None:
    """Ask both, and print the largest difference."""
    parser = argparse.ArgumentParser()
    parser.add_argument("served")
    parser.add_argument("local")
    options = parser.parse_args()
    served, local = tacit.load(options.served), tacit.load(options.local)
    assert isinstance(served, EndpointModel)
    began = perf_counter()
    ours = _logprobs(served)
    seconds = perf_counter() - began
    largest = max(abs(a - b) for a, b in zip(ours, _logprobs(local), strict=True))
    print(f"{len(ours)} log-probabilities in {seconds:.1f} s")
    print(f"largest difference to the local engine: {largest:.1e}; noise floor: {served.noise_floor:.1e}")


def _logprobs(model: Model) -> list[float]:
    """Every log-probability of the answers."""
    numbers: list[float] = []
    for answer in model.answer(QUESTIONS):
        if isinstance(answer, LikelihoodAnswer):
            numbers += [token.logprob for token in answer.tokens or () if token.logprob is not None]
        elif isinstance(answer, ChooseAnswer):
            numbers += [math.log(choice.probability) for choice in answer.choices if choice.probability]
    return numbers


if __name__ == "__main__":
    main()
