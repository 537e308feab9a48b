"""Rules of a gate, damaged or odd: read and evaluated, or refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.gates import Rule, read_rules
from tacit.gates.evaluate import evaluate
from tacit.runs import Run, run
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import byte_damage, json_like, odd_numbers, odd_text

pytestmark = pytest.mark.usefixtures("playground")

GOOD = {"probe": "temporal", "measure": "beta", "group": "Modern", "at-most": 1}
WRITTEN = b"cannot-tell: pass\nrules:\n  - {probe: temporal, measure: beta, group: Modern, at-most: 0.5}\n"
VALUES = st.one_of(odd_numbers, odd_text, json_like)
KEYS = sorted(field.alias or name for name, field in Rule.model_fields.items())


@cache
def _run(folder: Path) -> Run:
    return run("temporal", "modern", folder / "run")


def _hold(content: bytes, folder: Path) -> None:
    path = Path("rules.yaml")
    path.write_bytes(content)
    rules = read_rules(path)
    for rule in rules.rules:
        evaluate(rules, rule, _run(folder))


@given(
    st.dictionaries(st.one_of(st.sampled_from(KEYS), odd_text), st.one_of(odd_numbers, odd_text, json_like), max_size=3)
)
@fuzzed(quick=80, share=0.02)
def test_any_value_of_any_key_is_taken_or_refused(
    tmp_path_factory: pytest.TempPathFactory, odd: dict[str, Any]
) -> None:
    # JSON is YAML, and holds whatever a person could write.
    content = json.dumps({"rules": [{**GOOD, **odd}]}, default=str).encode()
    assert_taken_or_refused(lambda: _hold(content, tmp_path_factory.getbasetemp()), odd)


@given(byte_damage())
@fuzzed(quick=60, share=0.02)
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, damage: Callable[[bytes], bytes]
) -> None:
    content = damage(
        b"cannot-tell: pass\nrules:\n  - probe: temporal\n    measure: beta\n    group: Modern\n    at-most: 0.5\n"
    )
    assert_taken_or_refused(lambda: _hold(content, tmp_path_factory.getbasetemp()), content)
