"""Leading many conversations with a network at once, so that the sequences of many questions share batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass

from tacit.models.hf.network import Network
from tacit.models.hf.sequences import Conversation, Reading, Sequence
from tacit.questions import Answer, Question

__all__ = ["converse"]


@dataclass(slots=True)
class _Waiting:
    """A conversation that waits for what is read off its sequences."""

    conversation: Conversation
    readings: list[Reading | None]
    missing: int


def converse(
    network: Network, start: Callable[[Question], Conversation], questions: Seq[Question]
) -> Iterator[tuple[int, Answer]]:
    """Each answer with the place of its question, as soon as it is finished.

    Args:
        network: What the sequences go through.
        start: Opens the conversation that ends in the answer to a question.
        questions: What is asked.
    """
    waiting: dict[int, _Waiting] = {}
    pending: list[tuple[int, Seq[Sequence]]] = []
    for index, question in enumerate(questions):
        conversation = start(question)
        waiting[index] = _Waiting(conversation, [], 0)
        pending.append((index, next(conversation)))
    while pending:
        places, sequences = _lay_out(waiting, pending)
        pending = []
        for position, reading in network.run(sequences):
            index, slot = places[position]
            talk = waiting[index]
            talk.readings[slot] = reading
            talk.missing -= 1
            if talk.missing == 0:
                answer = _resume(index, talk, pending)
                if answer is not None:
                    del waiting[index]
                    yield index, answer


def _lay_out(
    waiting: dict[int, _Waiting], pending: list[tuple[int, Seq[Sequence]]]
) -> tuple[list[tuple[int, int]], list[Sequence]]:
    places: list[tuple[int, int]] = []
    sequences: list[Sequence] = []
    for index, wanted in pending:
        waiting[index].readings = [None] * len(wanted)
        waiting[index].missing = len(wanted)
        places += [(index, slot) for slot in range(len(wanted))]
        sequences += wanted
    return places, sequences


def _resume(index: int, talk: _Waiting, pending: list[tuple[int, Seq[Sequence]]]) -> Answer | None:
    try:
        wanted = talk.conversation.send([reading for reading in talk.readings if reading is not None])
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    pending.append((index, wanted))
    return None
