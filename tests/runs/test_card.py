"""The block for a model card: short, rounded, with a name that is not a path."""

from __future__ import annotations

from ruamel.yaml import YAML

from tacit.runs import Run, card
from tacit.runs.card import MOST_MEASURES


def _metadata(text: str) -> dict[str, object]:
    found: dict[str, object] = YAML(typ="safe").load(text.split("---\n")[1])["model-index"][0]
    return found


def test_the_model_is_named_without_its_folders(two_runs: tuple[Run, Run]) -> None:
    assert "/" in two_runs[0].record.model.name
    assert "/" not in str(_metadata(card([two_runs[0]]))["name"])
    assert _metadata(card([two_runs[0]], "ours-v2"))["name"] == "ours-v2"


def test_it_has_few_measures_with_few_digits(two_runs: tuple[Run, Run]) -> None:
    (result,) = _metadata(card([two_runs[0]]))["results"]  # type: ignore[misc, attr-defined]
    assert 1 <= len(result["metrics"]) <= MOST_MEASURES
    for metric in result["metrics"]:
        assert float(f"{metric['value']:.4g}") == metric["value"]


def test_limits_come_once_under_their_heading(two_runs: tuple[Run, Run]) -> None:
    text = card([two_runs[0]])
    assert text.count("### Limits") == 1
    assert text.count("It shows nothing about people.") == 1
