"""Running many conversations at once, so that the sequences of many questions share batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass

from tacit.models.hf.sequences import Conversation, Reading, Runner, Sequence
from tacit.questions import Answer, Question

__all__ = ["run_conversations"]


@dataclass(slots=True)
class _Waiting:
    """A conversation that waits for the readings of its sequences."""

    conversation: Conversation
    readings: list[Reading | None]
    missing: int


def run_conversations(
    network: Runner, start: Callable[[Question], Conversation], questions: Seq[Question]
) -> Iterator[tuple[int, Answer]]:
    """Answer questions by running their conversations together.

    Args:
        network: Runs the sequences.
        start: Starts the conversation that answers a question.
        questions: The questions.

    Yields:
        The index of a question and its answer, as soon as the answer is complete.
    """
    waiting: dict[int, _Waiting] = {}
    pending: list[tuple[int, Seq[Sequence]]] = []
    for index, question in enumerate(questions):
        conversation = start(question)
        waiting[index] = _Waiting(conversation, [], 0)
        pending.append((index, next(conversation)))
    while pending:
        slots, sequences = _queue(waiting, pending)
        pending = []
        for position, reading in network.run(sequences):
            index, slot = slots[position]
            state = waiting[index]
            state.readings[slot] = reading
            state.missing -= 1
            if state.missing == 0:
                answer = _resume(index, state, pending)
                if answer is not None:
                    del waiting[index]
                    yield index, answer


def _queue(
    waiting: dict[int, _Waiting], pending: list[tuple[int, Seq[Sequence]]]
) -> tuple[list[tuple[int, int]], list[Sequence]]:
    """All pending sequences in one list, with the question and the slot that the reading of each belongs to."""
    slots: list[tuple[int, int]] = []
    sequences: list[Sequence] = []
    for index, requested in pending:
        waiting[index].readings = [None] * len(requested)
        waiting[index].missing = len(requested)
        slots += [(index, slot) for slot in range(len(requested))]
        sequences += requested
    return slots, sequences


def _resume(index: int, state: _Waiting, pending: list[tuple[int, Seq[Sequence]]]) -> Answer | None:
    """Give a conversation its readings: the answer if it is complete, otherwise None and more pending sequences."""
    try:
        requested = state.conversation.send([reading for reading in state.readings if reading is not None])
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    pending.append((index, requested))
    return None
