"""Settings of every method, of any kind and size: refused before a model is asked, or good to the end of a run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.methods import get_method
from tacit.models import Model
from tacit.probes import load_probe, probe_names
from tacit.runs import run
from tacit.runs.plan import prepare
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import json_like, odd_numbers, odd_text
from tests.runs.making import make_probe

pytestmark = pytest.mark.usefixtures("playground")

FIELDS = {name: sorted(get_method(load_probe(name).method).settings.model_fields) for name in probe_names()}


@st.composite
def chosen(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A probe, and values for some of its settings: as the command line gives them, as text, or as Python does."""
    probe = draw(st.sampled_from(sorted(FIELDS)))
    names = st.one_of(st.sampled_from(FIELDS[probe]), odd_text)
    values = st.one_of(odd_numbers.map(str), odd_numbers, odd_text, json_like)
    return probe, draw(st.dictionaries(names, values, min_size=1, max_size=3))


@given(chosen())
@fuzzed(quick=60, share=0.14)
def test_any_setting_of_any_probe_is_taken_or_refused(case: tuple[str, dict[str, Any]]) -> None:
    assert_taken_or_refused(lambda: prepare(*case, None), case)


@given(
    st.dictionaries(
        st.sampled_from(sorted(set(FIELDS["temporal"]) - {"resamples"})),
        st.one_of(odd_numbers.map(str), odd_numbers, odd_text),
        max_size=2,
    )
)
@fuzzed(quick=6, share=0.02)
def test_a_setting_that_is_taken_is_good_to_the_end(tiny: Callable[[str], Model], given_: dict[str, Any]) -> None:
    probe, out = Path("probe/old-or-new.yaml"), Path("run")
    if not probe.exists():
        make_probe(probe.parent)
    shutil.rmtree(out, ignore_errors=True)
    assert_taken_or_refused(lambda: run(probe, tiny("bert"), out, {"resamples": 50, **given_}), given_)
