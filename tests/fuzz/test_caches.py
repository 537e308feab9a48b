"""A damaged cache never ends a run and never changes an answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.asking import Cache
from tacit.questions import Answer, Fill, FillAnswer, Filling
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import byte_damage

KEYS = [Cache.key("model", Fill(f"{k} [MASK]")) for k in range(200)]
ANSWERS: dict[bytes, Answer] = {key: FillAnswer((Filling("a", 0.5, k),), "mask") for k, key in enumerate(KEYS)}


@pytest.fixture
def whole(playground: Path) -> dict[str, bytes]:
    """The files of a cache that is in use, its log among them."""
    with Cache(playground / "whole.sqlite") as cache:
        cache.put((key, ANSWERS[key]) for key in KEYS[:150])
        return {path.name: path.read_bytes() for path in playground.glob("whole.sqlite*")}


@given(st.lists(byte_damage(), min_size=1, max_size=3), st.sampled_from(["", "", "-wal", "-shm"]))
@fuzzed(quick=60, share=0.05)
@pytest.mark.filterwarnings("ignore:The cache")
def test_a_damaged_cache_gives_right_answers_or_none(
    whole: dict[str, bytes], damages: list[Callable[[bytes], bytes]], tail: str
) -> None:
    for path in Path().glob("spoiled.sqlite*"):
        path.unlink()
    for name, content in whole.items():
        Path(name.replace("whole", "spoiled")).write_bytes(content)
    target = Path(f"spoiled.sqlite{tail}")
    for damage in damages:
        target.write_bytes(damage(target.read_bytes()) if target.exists() else b"")
    assert_taken_or_refused(_use)


def _use() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Cache(Path("spoiled.sqlite")) as cache:
            assert cache.get(KEYS).items() <= ANSWERS.items()
            cache.put((key, ANSWERS[key]) for key in KEYS)
            assert cache.get(KEYS).items() <= ANSWERS.items()
