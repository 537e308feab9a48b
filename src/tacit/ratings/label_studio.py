"""Ratings in the JSON of Label Studio: tasks with annotations, out and in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tacit.errors import MaterialsError
from tacit.ratings.online import OnlineAnswer, OnlineItem
from tacit.ratings.rating import Rating, token_key
from tacit.ratings.scale import Scale

__all__ = ["read_label_studio", "write_label_studio"]


def write_label_studio(items: Sequence[OnlineItem], answers: Iterable[OnlineAnswer]) -> str:
    """All items as tasks; each rater's answer is an annotation."""
    given: dict[int, list[OnlineAnswer]] = {}
    for answer in answers:
        given.setdefault(answer.item.number, []).append(answer)
    tasks = [
        {
            "id": item.number,
            "data": {"sentence": item.name, "text": item.text, "token": item.token, "options": list(item.options)},
            "annotations": [_annotation(answer) for answer in given.get(item.number, []) if answer.value is not None],
        }
        for item in items
    ]
    return json.dumps(tasks, ensure_ascii=False, indent=1)


def read_label_studio(text: str, texts: Mapping[str, str], scale: Scale) -> list[Rating]:
    """The ratings in an export of Label Studio, all or none.

    Args:
        text: The JSON.
        texts: Each sentence's text by its id.
        scale: The scale that every score must be on.
    """
    try:
        tasks = json.loads(text)
    except ValueError as error:
        raise MaterialsError(f"This is not JSON ({error}). Export from Label Studio as JSON.") from None
    if not isinstance(tasks, list):
        raise MaterialsError("This is not an export of Label Studio: a list of tasks is expected.")
    ratings = []
    for number, task in enumerate(tasks, start=1):
        try:
            ratings += list(_read_task(task, texts, scale))
        except (KeyError, TypeError, AttributeError, IndexError):
            raise MaterialsError(
                f"Task {number} lacks data (sentence, token) or results with choices. Nothing was imported."
            ) from None
        except ValueError as error:
            raise MaterialsError(f"Task {number}: {error} Nothing was imported.") from None
    return ratings


def _annotation(answer: OnlineAnswer) -> dict[str, Any]:
    result = {"from_name": "score", "to_name": "text", "type": "choices", "value": {"choices": [answer.value]}}
    comment = {"from_name": "comment", "to_name": "text", "type": "textarea", "value": {"text": [answer.comment]}}
    return {"completed_by": answer.rater, "result": [result, *([comment] if answer.comment else [])]}


def _read_task(task: dict[str, Any], texts: Mapping[str, str], scale: Scale) -> Iterable[Rating]:
    sentence, token = str(task["data"]["sentence"]), token_key(str(task["data"]["token"]))
    if sentence not in texts:
        raise ValueError(f"the probe has no sentence {sentence!r}.")
    for annotation in task["annotations"]:
        rater = annotation["completed_by"]
        name = str(rater["email"] if isinstance(rater, dict) else rater)
        chosen = [part["value"]["choices"][0] for part in annotation["result"] if part["type"] == "choices"]
        comments = [part["value"]["text"][0] for part in annotation["result"] if part["type"] == "textarea"]
        if chosen:
            yield Rating(sentence, token, scale.parse_score(str(chosen[0])), name, "", " ".join(map(str, comments)))
