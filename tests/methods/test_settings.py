"""Every setting of every method has a range, and what is outside it is refused before a model is loaded."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.errors import MaterialsError
from tacit.methods import get_method, method_names
from tacit.probes import load_probe, probe_names
from tacit.runs.plan import prepare

PROBE_OF = {load_probe(name).method: name for name in probe_names()}
FIELDS = [(method, name) for method in method_names() for name in get_method(method).settings.model_fields]


@pytest.mark.parametrize(
    ("probe", "setting", "value"),
    [
        ("temporal", "seed", "-1"),
        ("temporal", "seed", str(2**32)),
        ("temporal", "confidence", "1.5"),
        ("temporal", "confidence", "nan"),
        ("temporal", "top", str(10**20)),
        ("temporal", "resamples", str(10**20)),
        ("temporal", "resamples", "1"),
        ("temporal", "shortlist", "0"),
        ("regional", "studies", "-1"),
        ("regional", "cities", "-1"),
        ("regional", "countries", "1.5"),
        ("intensifier", "language", "nan"),
        ("stereotype", "tops", "3,0"),
        ("stereotype", "tops", str(10**20)),
        ("sentiment-shift", "repeats", "5,5"),
        ("sentiment-shift", "repeats", str(10**20)),
        ("sentiment-shift", "margin", "inf"),
        ("sentiment-shift", "words", "-1"),
        ("sentiment-association", "thresholds", "nan"),
        ("sentiment-association", "false_discoveries", "0"),
        ("sentiment-association", "reviews_per_class", "1"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(probe: str, setting: str, value: str) -> None:
    with pytest.raises(
        MaterialsError, match=rf"The setting {setting}[\w. -]* of the probe {probe} is wrong: "
    ) as refused:
        prepare(probe, {setting: value}, None)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("probe", "setting", "value", "sentence"),
    [
        ("temporal", "seed", "abc", "seed must be a whole number, not 'abc'."),
        ("temporal", "seed", "-1", "seed must be 0 or more, not '-1'."),
        ("temporal", "seed", str(2**32), "seed must be less than 4,294,967,296, not '4294967296'."),
        ("temporal", "confidence", "1.5", "confidence must be less than 1, not '1.5'."),
        ("temporal", "confidence", "high", "confidence must be a number, not 'high'."),
        ("temporal", "mode", "modern", "mode must be 'corrected' or 'as-published', not 'modern'."),
        ("regional", "represent", "perhaps", "represent must be true or false, not 'perhaps'."),
        ("regional", "cities", "-1", "cities must be 0 or more or 'all', not '-1'."),
        ("sentiment-shift", "repeats", "5,x", "value 2 of repeats must be a whole number, not 'x'."),
    ],
)
def test_a_wrong_value_is_refused_in_plain_words(probe: str, setting: str, value: str, sentence: str) -> None:
    with pytest.raises(MaterialsError) as refused:
        prepare(probe, {setting: value}, None)
    assert str(refused.value) == f"The setting {setting} of the probe {probe} is wrong: {sentence}"


@pytest.mark.parametrize("method", method_names())
def test_every_setting_has_a_meaning(method: str) -> None:
    described = get_method(method).settings.describe()
    assert [name for name, (meaning, _) in described.items() if not meaning] == []


@pytest.mark.parametrize(("method", "name"), FIELDS)
def test_no_number_is_without_bounds(method: str, name: str) -> None:
    kind = get_method(method).settings
    unbounded = [
        value for value in (10**30, -(10**30), float("nan"), float("inf")) if _is_taken_as_number(kind, name, value)
    ]
    assert unbounded == []


def _is_taken_as_number(kind: Any, name: str, value: float) -> bool:
    """Whether a setting holds this number, alone or in a list."""
    for given in (value, [value], str(value)):
        try:
            taken = getattr(kind(**{name: given}), name)
        except ValueError:
            continue
        if isinstance(taken, int | float) or (
            isinstance(taken, tuple) and any(isinstance(t, int | float) for t in taken)
        ):
            return True
    return False
