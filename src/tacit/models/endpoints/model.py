"""A causal model behind an endpoint: the conversations of the local engine, with a server instead of a network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from typing import Any

from tacit.models.checks import Check
from tacit.models.endpoints.handshake import check_alignment, check_sense, score_row, sentence_rows
from tacit.models.endpoints.identity import Identity
from tacit.models.endpoints.network import EndpointNetwork
from tacit.models.endpoints.noise import noise_floor
from tacit.models.endpoints.tokenizer import ServerTokenizer
from tacit.models.hf.causal import CausalConversations
from tacit.models.hf.sequences import Conversation
from tacit.models.hf.tokens import Tokens, anchor, left_of_blank
from tacit.questions import Answer, Choose, Fill, Likelihood, Question, Represent, split_blank

__all__ = ["EndpointModel", "texts_of"]


class EndpointModel(CausalConversations):
    """A model of a server. Its answers vary by a noise floor, and nothing but its answers tells which model it is."""

    def __init__(
        self,
        name: str,
        tokens: Tokens,
        network: EndpointNetwork,
        identity: Identity,
        description: dict[str, Any],
    ) -> None:
        super().__init__(name, tokens, network, identity.fingerprint, description)
        self.endpoint = network
        self.noise_floor = identity.noise_floor

    def answer_as_completed(self, questions: Seq[Question]) -> Iterator[tuple[int, Answer]]:
        """Yield the index of each question and its answer, as soon as the answer is complete."""
        tokenizer = self.tokens.tokenizer
        if isinstance(tokenizer, ServerTokenizer):
            # A text at a time would wait for the server as often as there are texts.
            texts = [text for question in questions for text in texts_of(question)]
            tokenizer.prefetch(texts, self.endpoint.concurrency)
        return super().answer_as_completed(questions)

    def self_checks(self) -> Iterable[Check]:
        """The handshake again, and the noise floor as it is now."""
        dialect, rows = self.endpoint.dialect, sentence_rows(self.tokens)
        difference = check_alignment(dialect, rows)
        yield Check("scores are aligned", True, f"next token and echo differ by at most {difference:.1e}")
        answers = [score_row(dialect, row) for row in rows]
        now = noise_floor(dialect, rows, answers, self.endpoint.concurrency)
        detail = f"answers to the same question differ by up to {now:.1e} nats ({self.noise_floor:.1e} when first met)"
        yield Check("noise floor", True, detail)
        yield check_sense(dialect, self.tokens, answers)
        yield Check("unpinned", True, "the weights cannot be checked; the fingerprint is that of ten answers")
        yield Check("begin token", True, f"{self.tokens.begin_name or 'none'}: the fills below show what it does")
        yield Check("ranks", True, f"known among the {self.endpoint.ranked} most likely tokens")

    def _represent(self, question: Represent) -> Conversation:
        raise self.refuse("gives no vectors, because it is behind an endpoint")


def texts_of(question: Question) -> list[str]:
    """The texts whose tokens the answer to a question needs."""
    if isinstance(question, Likelihood):
        return [question.text]
    if not isinstance(question, Fill | Choose):
        return []
    left, right = left_of_blank(question), split_blank(question.text)[1]
    words = question.words if isinstance(question, Choose) else ()
    return [left.rstrip(), f"a{right.rstrip()}", *(anchor(left) + word for word in words)]
