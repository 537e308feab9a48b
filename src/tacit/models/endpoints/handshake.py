"""Before the first question: does this server score what it is given, and does its model know language?"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence as Seq
from statistics import mean, stdev

from tacit.errors import ModelError
from tacit.models.checks import SAMPLE_TEXTS, Check
from tacit.models.endpoints.dialect import Dialect
from tacit.models.endpoints.loop import run
from tacit.models.hf.sequences import Pieces
from tacit.models.hf.tokens import Tokens

__all__ = [
    "SENTENCES",
    "check_alignment",
    "check_sense",
    "check_tokenizer",
    "count_ranked",
    "score_row",
    "sentence_rows",
]

# The sentences by which a server is known: the same ten for its noise floor and its fingerprint.
SENTENCES = (
    *SAMPLE_TEXTS,
    "Why wilt thou be offended by that?",
    "In 1984, about 60% of them lived in 12 cities.",
    "Der Mann ging in das Haus und setzte sich.",
    "La mujer vive en la casa de su madre.",
)
# The more of the most likely tokens a server tells, the more ranks are known; the first is also the usual shortlist.
_COUNTS = (200, 20, 5, 1)
# A score at the wrong position is wrong by nats; rounding, even in quantized models, by less than this.
_TOLERANCE = 0.5
# Of ten differences; one untrained model in a hundred gets there by chance.
_MIN_T = 3.0


def sentence_rows(tokens: Tokens, texts: Seq[str] = SENTENCES) -> list[Pieces]:
    """Texts as tokens, each with what comes first in every question."""
    rows: list[Pieces] = []
    for text in texts:
        encoded = tokens.encode_whole(text)
        rows.append((*tokens.begin, *(encoded.ids[position] for position in encoded.own)))
    return rows


def score_row(dialect: Dialect, row: Pieces) -> list[float]:
    """log P of each token of a row but the first."""
    return run(dialect.score(row, 1))


def check_tokenizer(dialect: Dialect, tokens: Tokens) -> None:
    """Refuse a local tokenizer that gives other tokens than the server's own."""
    for text in SENTENCES:
        theirs = run(dialect.ids_of(text))
        ours = tokens.tokenizer(text, add_special_tokens=False)["input_ids"]
        if theirs is not None and list(ours) != theirs:
            raise ModelError(
                f"The tokenizer {dialect.address.tokenizer} is not that of the server at {dialect.address.name}: it "
                f"makes {len(ours)} tokens of {text!r}, and the server {len(theirs)} others. Name the tokenizer of the "
                "model that is served."
            )


def count_ranked(dialect: Dialect, row: Pieces) -> int:
    """How many of the most likely tokens the server tells."""
    for count in _COUNTS[:-1]:
        try:
            run(dialect.top(row, count))
        except ModelError:
            continue
        return count
    run(dialect.top(row, _COUNTS[-1]))
    return _COUNTS[-1]


def check_alignment(dialect: Dialect, rows: Seq[Pieces]) -> float:
    """Refuse a server that scores a token of a text otherwise than the same token as the next one.

    Returns:
        The largest difference between the two, which belongs to the server's noise.
    """
    largest = 0.0
    for row in rows[:4]:
        middle = len(row) // 2
        before, after = row[:middle], row[middle + 1 :]
        top = run(dialect.top(before, 1))
        for continued in ((*before, top.ids[0]), (*before, top.ids[0], *after)):
            (score, *_) = run(dialect.score(continued, middle))
            difference = abs(score - top.logprobs[0])
            if difference > _TOLERANCE:
                raise dialect.unusable(
                    f"its scores are misaligned: the likeliest next token has the log-probability "
                    f"{top.logprobs[0]:.2f}, but {score:.2f} as part of a text"
                )
            largest = max(largest, difference)
    return largest


def check_sense(dialect: Dialect, tokens: Tokens, answers: Seq[Seq[float]]) -> Check:
    """Whether sentences are likelier than their own words in random order, as they are for every trained model.

    Args:
        dialect: Speaks to the server.
        tokens: Its tokenizer.
        answers: The log-probabilities of the tokens of the fixed sentences.
    """
    scrambles = sentence_rows(tokens, [_scramble(text) for text in SENTENCES])
    # Per token, because other spaces and capitals make other numbers of tokens.
    gains = [mean(answer) - mean(score_row(dialect, row)) for answer, row in zip(answers, scrambles, strict=True)]
    t = mean(gains) / max(stdev(gains) / math.sqrt(len(gains)), 1e-9)
    detail = (
        f"a token of a sentence is {mean(gains):.1f} nats more likely than among the same words in random order "
        f"(t = {t:.1f})"
    )
    return Check("the model knows language", t >= _MIN_T, detail)


def _scramble(text: str) -> str:
    words = text[:-1].split()
    random.Random(1).shuffle(words)
    return " ".join(words) + text[-1]
