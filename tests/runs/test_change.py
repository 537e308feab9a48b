"""The change by tuning is the mean over seeds and words, and its interval covers as often as it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.errors import RunError
from tacit.runs import Run, run
from tacit.runs.change import change_over_seeds, compare_before_after
from tacit.tuning import PromptTuning, tune_prompt_seeds
from tests.methods.sentiment.fixtures import write_probe

WORDS = "word,polarity\ngreat,positive\nterrible,negative\n" + "".join(
    f"{word},neutral\n" for word in ("chair", "pizza", "weather", "nurse", "doctor", "person")
)
REVIEWS = "text,label\n" + "\n".join(
    f"the {place} was {word},{label}"
    for place in ("pizza", "man", "woman", "service", "time", "person")
    for word, label in (("kind", "positive"), ("poor", "negative"))
)


def test_the_change_of_a_worked_example() -> None:
    # Word 1 leans after both tunings and word 2 after one: changes 1, 0 and 1, 1.
    change = change_over_seeds(np.array([0.0, 0.0]), np.array([[1.0, 0.0], [1.0, 1.0]]), 0.95)
    assert change.value == 0.75
    # V(seeds) = 2/1 · (0.5² + 0.5²)/4² = 1/16 = V(words), V(items) = 4/3 · 0.75/16 = 1/16; t of 1 degree = 12.706.
    assert change.high - change.value == pytest.approx(12.706 * np.sqrt(1 / 16), rel=1e-3)


def test_the_same_change_of_every_word_and_seed_is_certain() -> None:
    before = np.array([0.1, 0.5, -0.3])
    change = change_over_seeds(before, np.array([before + 0.2] * 4), 0.95)
    assert (change.value, change.low, change.high) == pytest.approx((0.2, 0.2, 0.2))


def test_one_tuning_has_an_interval_over_words_alone() -> None:
    rng = np.random.default_rng(0)
    before, after = rng.normal(size=40), rng.normal(0.5, 1, (1, 40))
    change = change_over_seeds(before, after, 0.95)
    assert change.value == pytest.approx(float((after[0] - before).mean()))
    assert change.n == 40


def test_the_interval_covers_the_true_change_over_new_seeds_and_words() -> None:
    covered = 0
    for number in range(300):
        rng = np.random.default_rng([7, number])
        by_word, by_seed = rng.normal(0, 1, 60), rng.normal(0, 0.5, (5, 1))
        after = 0.3 + by_word + by_seed + rng.normal(0, 0.5, (5, 60))
        change = change_over_seeds(np.zeros(60), after, 0.95)
        covered += change.low <= 0.3 <= change.high
    assert covered / 300 >= 0.93


@pytest.fixture(scope="module")
def runs(tiny_folder: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """A run before tuning, and one after each of two tunings."""
    folder = tmp_path_factory.mktemp("change")
    probe = write_probe(folder, "association", words=WORDS, reviews=REVIEWS)
    tuned = tune_prompt_seeds(
        tiny_folder("bert"), folder / "reviews.csv", folder, 2, PromptTuning(shots=3, rate=3e-3, epochs=5)
    )
    models = [tiny_folder("bert"), *(each.folder for each in tuned)]
    return [
        run(probe.source, model=str(model), out=folder / f"run-{number}", settings={"resamples": 100})
        for number, model in enumerate(models)
    ]


def test_runs_before_and_after_are_compared_word_by_word(runs: list[Run]) -> None:
    change = compare_before_after(runs[0], runs[1:])
    rows = {row["measure"]: row for row in change.table.to_dicts()}
    assert list(rows) == [
        "share of words that lean",
        "share that leans positive",
        "share that leans negative",
        "mean lean",
        "mean square of the leans",
    ]
    effects = [
        dict(each.tables["words"].filter(pl.col("polarity") == "neutral").select("word", "effect").iter_rows())
        for each in runs
    ]
    plain = [later[word] - effects[0][word] for later in effects[1:] for word in effects[0]]
    assert rows["mean lean"]["change"] == pytest.approx(sum(plain) / len(plain))
    strength = [
        each.measures.filter(pl.col("measure") == "strength", pl.col("group") == "neutral words") for each in runs
    ]
    squares = [float(np.sign(row["value"][0]) * row["value"][0] ** 2) for row in strength]
    assert rows["mean square of the leans"]["before"] == pytest.approx(squares[0])
    assert rows["mean square of the leans"]["after"] == pytest.approx((squares[1] + squares[2]) / 2)
    assert all(row["caution"] == "only 2 seeds" for row in rows.values())


def test_no_sentence_claims_a_difference_and_models_that_cannot_be_asked_are_named(runs: list[Run]) -> None:
    text = " ".join(compare_before_after(runs[0], runs[1:]).sentences)
    assert "Of 6 neutral words" in text
    assert "significant" not in text
    for each in runs:
        assert (f"{each.model} cannot be asked" in text) is not each.validity.can_be_interpreted


def test_the_command_shows_and_writes_the_change(runs: list[Run], tmp_path: Path) -> None:
    after = [str(each.folder) for each in runs[1:]]
    out = tmp_path / "change.csv"
    found = CliRunner().invoke(app, ["compare", *after, "--before", str(runs[0].folder), "--out", str(out)])
    assert found.exit_code == 0, found.output
    assert pl.read_csv(out)["seeds"].to_list() == [2] * 5


def test_the_same_weights_or_another_probe_are_no_before_and_after(runs: list[Run]) -> None:
    with pytest.raises(RunError, match="they are the same run"):
        compare_before_after(runs[0], [runs[0]])
