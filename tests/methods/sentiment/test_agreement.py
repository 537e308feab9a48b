"""Which words several models, and both tests, find alike: counted by hand, and beside chance."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.errors import RunError
from tacit.methods.association import Association
from tacit.methods.base import Tables
from tacit.methods.sentiment.agreement import agreement_of_models, agreement_of_tests
from tacit.methods.shift import Shift
from tacit.reports import report
from tacit.runs import compare, run
from tacit.statistics import Resampling
from tests.methods.sentiment.fixtures import write_probe
from tests.tiny import build

FEW = Resampling(500, 0.95, 0)
NAMES = [f"w{i}" for i in range(40)]


def found(positive: set[int], negative: frozenset[int] = frozenset(), words: int = 40) -> Tables:
    side = ["positive" if i in positive else "negative" if i in negative else "neutral" for i in range(words)]
    table = {"word": NAMES[:words], "polarity": ["neutral"] * words, "leaning": side, "q": [0.0] * words}
    return {"words": pl.DataFrame(table)}


def test_words_of_three_models_are_counted_by_how_many_share_them() -> None:
    runs = {"a": found({0, 1, 2, 3}), "b": found({0, 1, 2, 9}), "c": found({0, 1, 20}, frozenset({5}))}
    agreement = agreement_of_models(runs, FEW)
    assert agreement is not None
    rows = {(row["side"], row["models"]): row for row in agreement.table.to_dicts()}
    assert [rows["positive", name]["words"] for name in ("at least 1 of 3", "at least 2 of 3", "all of 3")] == [6, 3, 2]
    two = rows["positive", "at least 2 of 3"]
    assert two["share"] == pytest.approx(0.5)
    assert two["low"] < 0.5 < two["high"]
    assert two["chance_words"] < 2
    assert two["p"] < 0.05
    assert rows["negative", "all of 3"]["words"] == 0
    assert "6 positive words are found by any of 3 models, 3 of them (50% [" in agreement.sentences[0]
    assert "all 3 find 2" in agreement.sentences[0]


def test_words_that_a_model_lacks_are_not_counted() -> None:
    agreement = agreement_of_models({"a": found({0, 30}), "b": found({0}, words=20)}, FEW)
    assert agreement is not None
    assert agreement.table.filter(side="positive")["words"].to_list() == [1, 1]


def test_both_tests_share_what_both_find_in_each_model_in_any_and_in_all() -> None:
    association = {"a": found({0, 1, 2}), "b": found({2, 3}), "alone": found({7})}
    shift = {"a": found({1, 2, 4}), "b": found({2, 5, 0})}
    agreement = agreement_of_tests(association, shift, FEW)
    assert agreement is not None
    rows = {row["model"]: row for row in agreement.table.filter(side="positive").to_dicts()}
    counts = {model: (row["association"], row["shift"], row["both"], row["either"]) for model, row in rows.items()}
    assert counts == {"a": (3, 3, 2, 4), "b": (2, 3, 1, 4), "any model": (4, 5, 3, 6), "all models": (1, 1, 1, 1)}
    assert rows["any model"]["share_of_association"] == pytest.approx(0.75)
    assert rows["any model"]["chance_both"] == pytest.approx(4 * 5 / 40, abs=0.1)
    assert "in any model, both tests find 3" in agreement.sentences[0]


def test_there_is_nothing_to_count_with_one_model_or_other_models() -> None:
    assert Association().agreement({"a": found({0})}) == []
    assert Shift().agreement({"a": found({0})}, {"b": found({0})}) == []


WORDS = "word,polarity\ngood,positive\nbad,negative\n" + "".join(f"{word},neutral\n" for word in ("chair", "pizza"))
REVIEWS = "text,label\n" + "\n".join(
    f"the {place} was {word},{label}"
    for place in ("pizza", "man", "woman", "service", "time", "person")
    for word, label in (("kind", "positive"), ("poor", "negative"))
)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Path]]:
    """Two random models on both tests, taken for models that can be asked."""
    from tacit.methods.base import Validity

    for method in (Association, Shift):
        monkeypatch.setattr(method, "validity", lambda *_: Validity())
    made: dict[str, list[Path]] = {}
    for method, more in (("association", {}), ("shift", {"repeats": "1,2"})):
        (tmp_path / method).mkdir()
        probe = write_probe(tmp_path / method, method, words=WORDS, reviews=REVIEWS)
        for seed in (1, 2):
            model = build("bert", tmp_path / f"model{seed}", seed)
            out = tmp_path / "runs" / method / str(seed)
            run(probe.source, model=model, out=out, settings={"resamples": 50, **more})
            made.setdefault(method, []).append(out)
    return made


def test_compare_counts_what_models_share_also_where_nothing_is_paired(folders: dict[str, list[Path]]) -> None:
    """The sequential design pairs no items, but its verdicts can be counted."""
    comparison = compare(folders["shift"])
    assert comparison.table.is_empty()
    assert [agreement.name for agreement in comparison.agreement] == ["models"]
    assert set(comparison.agreement[0].sentences) <= set(comparison.sentences)


def test_compare_takes_both_tests_and_counts_what_they_share(folders: dict[str, list[Path]]) -> None:
    comparison = compare([*folders["association"], *folders["shift"]])
    assert [agreement.name for agreement in comparison.agreement] == ["small-models", "small-models", "tests"]
    assert set(comparison.agreement[-1].table["model"]) == {"model1", "model2", "any model", "all models"}
    assert "association by block" in set(comparison.table["measure"])
    with pytest.raises(RunError, match="No model ran both"):
        compare([folders["association"][0], folders["shift"][1]])


def test_the_report_has_the_tables(folders: dict[str, list[Path]], tmp_path: Path) -> None:
    page = report([*folders["association"], *folders["shift"]], tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Words that several models share" in page
    assert "Words that both tests share" in page
