"""Wrong arguments to everything that a Python program can call: an answer, or one error that names the argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit import statistics
from tacit.models import Model
from tacit.tuning import PromptTuning
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import json_like, odd_numbers, odd_text

pytestmark = pytest.mark.usefixtures("playground")

anything = st.one_of(
    odd_text,
    odd_numbers,
    st.none(),
    st.booleans(),
    st.binary(max_size=4),
    st.lists(odd_text, max_size=3),
    st.lists(odd_numbers, max_size=3),
    st.just(object()),
    st.just(Path("nowhere")),
    st.builds(np.array, st.lists(st.floats(), max_size=3)),
    st.builds(set),
    st.just(print),
    st.just(float),
    json_like,
)
texts = st.sampled_from(["It was [MASK].", "[MASK] was great.", "It was great."])
words = st.sampled_from([["great", "terrible"], ("great",), "great", ["great", "great"], [""], []])
methods = st.sampled_from(["pll", "aul", "aula", "pll-word", "causal", "__class__"])


@given(st.sampled_from(["bert", "gpt2", "classifier"]), st.data())
@fuzzed(quick=100, share=0.08)
def test_a_model_answers_or_names_the_argument(tiny: Callable[[str], Model], kind: str, data: st.DataObject) -> None:
    model = tiny(kind)
    name = data.draw(st.sampled_from(["fill", "choose", "likelihood", "classify", "represent"]))
    good: dict[str, list[Any]] = {
        "fill": [texts, st.integers(-1, 10), odd_text],
        "choose": [texts, words, odd_text],
        "likelihood": [
            st.lists(texts, max_size=2) | texts,
            methods | st.none(),
            st.sampled_from(["mean", "total", "x"]),
        ],
        "classify": [st.lists(texts, max_size=2) | texts],
        "represent": [texts, st.integers(-1, 5), st.integers(-1, 50)],
    }
    arguments = [data.draw(st.one_of(right, right, anything)) for right in good[name]]
    assert_taken_or_refused(lambda: getattr(model, name)(*arguments), (kind, name, arguments))


QUESTIONS: dict[Any, list[Any]] = {
    tacit.Fill: [texts, st.integers(1, 9), texts, st.booleans(), st.integers(1, 9)],
    tacit.Choose: [texts, words, texts, st.booleans(), st.integers(1, 9)],
    tacit.Likelihood: [texts, methods, st.just(()), st.booleans()],
    tacit.Classify: [texts, texts],
    tacit.Represent: [texts, st.integers(0, 3), st.integers(0, 9)],
}


@given(st.sampled_from(list(QUESTIONS)), st.data())
@fuzzed(quick=60, share=0.05)
def test_a_question_is_asked_or_names_the_argument(
    tiny: Callable[[str], Model], kind: Any, data: st.DataObject
) -> None:
    arguments = [data.draw(st.one_of(right, right, anything)) for right in QUESTIONS[kind]]
    assert_taken_or_refused(lambda: list(tacit.ask(tiny("bert"), [kind(*arguments)], cache=None)), (kind, arguments))


inside = anything.filter(lambda value: not (isinstance(value, str) and (value.startswith(("/", "~")) or ".." in value)))
maybe = st.one_of(st.none(), inside)
ENTRANCES: dict[str, list[Any]] = {
    "load": [inside],
    "run": [st.just("temporal") | inside, inside, maybe, maybe, maybe],
    "ask": [inside, inside],
    "compare": [inside],
    "report": [inside, inside, maybe],
    "open_run": [inside],
}


@given(st.sampled_from(sorted(ENTRANCES)), st.data())
@fuzzed(quick=60, share=0.05)
def test_every_entrance_names_the_argument(tiny: Callable[[str], Model], name: str, data: st.DataObject) -> None:
    arguments = [data.draw(strategy) for strategy in ENTRANCES[name]]
    if name == "ask" and data.draw(st.booleans()):
        arguments[0] = tiny("bert")
    assert_taken_or_refused(lambda: _exhaust(getattr(tacit, name)(*arguments)), (name, arguments))


def _exhaust(result: object) -> None:
    if isinstance(result, Iterator):
        list(result)


@given(st.dictionaries(st.sampled_from(["device", "dtype", "allow_pickle", "begin", "force", "rehash"]), anything))
@fuzzed(quick=20, share=0.01)
def test_the_options_of_load_are_named(tiny_folder: Callable[[str], Path], options: dict[str, Any]) -> None:
    assert_taken_or_refused(lambda: tacit.load(tiny_folder("bert"), **options), options)


NUMBERS = st.one_of(st.lists(st.floats(-5, 5), max_size=5), anything)
STATISTICS: dict[str, int] = {
    "bootstrap": 1, "bootstrap_many": 1, "paired_difference": 2, "permutation_test": 2, "sign_flip_test": 1,
    "correlation": 2, "holm": 1, "benjamini_hochberg": 1, "krippendorff_alpha": 1, "krippendorff_interval": 1,
    "share_interval": 1,
}  # fmt: skip


@given(st.sampled_from(sorted(STATISTICS)), st.data())
@fuzzed(quick=60, share=0.04)
def test_a_statistic_names_the_argument(name: str, data: st.DataObject) -> None:
    arguments = [data.draw(NUMBERS) for _ in range(STATISTICS[name])]
    resampled = name in {"bootstrap", "permutation_test", "sign_flip_test", "correlation"}
    options = (
        {"resamples": data.draw(st.just(20) | anything), "seed": data.draw(st.just(1) | anything)} if resampled else {}
    )
    assert_taken_or_refused(lambda: getattr(statistics, name)(*arguments, **options), (name, arguments, options))


@given(st.dictionaries(st.sampled_from(list(PromptTuning.__dataclass_fields__)), anything, max_size=2))
@fuzzed(quick=20, share=0.01)
def test_a_tuning_names_the_argument(given_: dict[str, Any]) -> None:
    assert_taken_or_refused(lambda: PromptTuning(**given_), given_)
