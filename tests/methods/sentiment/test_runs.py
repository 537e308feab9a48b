"""Both sentiment probes run end to end on small random models of three families."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import tacit
from tacit.models import Model
from tacit.runs import run
from tests.methods.sentiment.fixtures import write_probe
from tests.tiny import build

WORDS = "word,polarity\ngreat,positive\nterrible,negative\nchair,neutral\npizza,neutral\nweather,neutral\n"
REVIEWS = "text,label\n" + "\n".join(
    f"the {place} was {word},{label}"
    for place in ("pizza", "man", "woman", "service", "time", "person")
    for word, label in (("kind", "positive"), ("poor", "negative"))
)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bart"])
def test_association_runs_on_every_family(kind: str, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = write_probe(tmp_path, "association", words=WORDS, reviews=REVIEWS)
    done = run(probe.source, model=tiny(kind), out=tmp_path / "run", settings={"resamples": 200})
    items = done.measures.filter(pl.col("measure") == "association", pl.col("item").is_not_null())
    assert items["item"].to_list() == ["great", "terrible", "chair", "pizza", "weather"]
    assert items["value"].is_finite().all()


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_shift_asks_in_rounds_and_agrees_with_the_exact_design(
    kind: str, tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    probe = write_probe(tmp_path, "shift", words=WORDS, reviews=REVIEWS)
    given = {"resamples": 100, "repeats": "1,2", "calls": "balanced", "margin": 0.2}
    words = {}
    for design in ("exact", "sequential"):
        settings = {**given, "design": design}
        words[design] = run(probe.source, model=tiny(kind), out=tmp_path / design, settings=settings).tables["words"]
    assert words["sequential"]["leaning"].to_list() == words["exact"]["leaning"].to_list()
    inside = words["exact"]["q"].is_between(words["sequential"]["low"] - 1e-12, words["sequential"]["high"] + 1e-12)
    assert inside.all()


def test_a_second_run_is_answered_from_the_cache_round_by_round(tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = write_probe(tmp_path, "shift", words=WORDS, reviews=REVIEWS)
    settings = {"resamples": 100, "repeats": "1,2", "calls": "balanced"}
    first, second = (
        run(probe.source, model=tiny("bert"), out=tmp_path / name, settings=settings) for name in ("first", "second")
    )
    assert second.record.cached == second.record.asked
    assert first.tables["words"].equals(second.tables["words"], null_equal=True)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("probe", "settings"),
    [
        ("sentiment-association", {"words": 12, "reviews_per_class": 20}),
        ("sentiment-shift", {"words": 4, "reviews_per_class": 20, "repeats": "1,2", "calls": "balanced"}),
    ],
)
def test_a_random_model_gets_no_verdict(probe: str, settings: dict[str, object], seed: int, tmp_path: Path) -> None:
    """The probes' own reviews and words, asked of a model that has learned nothing."""
    model = tacit.load(build("bert", tmp_path / "model", seed))
    done = run(probe, model=model, out=tmp_path / "run", settings={**settings, "resamples": 50})
    verdicts = done.measures["verdict"].drop_nulls()
    assert not verdicts.str.contains("leans|shifts").any()
    if not done.validity.can_be_interpreted:
        assert verdicts.is_empty()
        assert done.measures["p"].null_count() == done.measures.height
