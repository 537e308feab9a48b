"""Results by source are those of a run on that source alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.methods.association import Association, AssociationSettings
from tacit.methods.base import Tables
from tacit.methods.sentiment.materials import Review, SentimentMaterials
from tacit.methods.sentiment.sources import list_sources, source_rows
from tacit.methods.shift import Shift, ShiftSettings
from tacit.probes.loading import load_probe
from tacit.questions import Choose
from tests.methods.sentiment.fixtures import answer_table, write_probe

SOURCES = ("films", "goods")
ASSOCIATION = AssociationSettings(resamples=100)
EXACT = ShiftSettings(design="exact", resamples=100)


def review_csv(sources: tuple[str, ...], per_class: int = 12) -> str:
    rows = [
        f"{kind} {source} {i},{label},{source},{source}-{kind}-{i}"
        for source in sources
        for kind, label in (("praise", 1), ("blame", 0))
        for i in range(per_class)
    ]
    return "\n".join(["text,label,source,id", *rows])


def respondent(question: Choose) -> list[float | None]:
    """Leans with the review, less so for goods, and differs a little between reviews and words."""
    kind, source, number = question.context.split()[:3]
    lean = (1.0 if kind == "praise" else -1.0) * (0.4 if source == "goods" else 1.2)
    noise = np.random.default_rng([len(question.context), int(number), len(question.text)]).normal(0, 1, 9)
    charge = {"good": 1.0, "great": 1.0, "bad": -1.0, "terrible": -1.0, "chair": 0.5, "table": -0.2}
    pairs = zip(question.words, noise, strict=False)
    return [float(0.01 * np.exp(charge[word] * lean + 0.3 * shake)) for word, shake in pairs]


def measure(folder: Path, method: Association | Shift, sources: tuple[str, ...]) -> Tables:
    folder.mkdir(exist_ok=True)
    probe = write_probe(folder, method.name, reviews=review_csv(sources))
    settings = ASSOCIATION if isinstance(method, Association) else EXACT
    materials = method.materials(probe, settings)  # type: ignore[arg-type]
    asked = method.questions(materials, settings, "masked")  # type: ignore[arg-type]
    return method.measure(materials, settings, answer_table(asked, respondent))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "measures"),
    [
        (Association(), {"reviews told apart", "association", "strength"}),
        (Shift(), {"balanced accuracy before", "net shift", "strength"}),
    ],
)
def test_a_source_gives_what_a_run_on_it_alone_gives(
    tmp_path: Path, method: Association | Shift, measures: set[str]
) -> None:
    both = measure(tmp_path / "both", method, SOURCES)
    for source in SOURCES:
        alone = measure(tmp_path / source, method, (source,))["measures"]
        rows = source_rows(both["measures"]).filter(pl.col("source") == source)
        assert set(rows["measure"]) == measures
        for row in rows.iter_rows(named=True):
            group = row["group"].removeprefix(f"{source} only: ")
            same = alone.filter(
                pl.col("measure") == row["measure"], pl.col("group") == group, pl.col("item").is_null()
            ).row(0, named=True)
            columns = ("value", "low", "high", "n", "unit", "caution")
            assert [row[name] for name in columns] == [same[name] for name in columns]


@pytest.mark.parametrize("method", [Association(), Shift()])
def test_rows_by_source_come_after_all_others_and_change_none(tmp_path: Path, method: Association | Shift) -> None:
    both = measure(tmp_path / "both", method, SOURCES)["measures"]
    probe = tmp_path / "both" / "reviews.csv"
    probe.write_text(probe.read_text(encoding="utf-8").replace("source", "kind", 1), encoding="utf-8")

    settings = ASSOCIATION if isinstance(method, Association) else EXACT
    materials = method.materials(load_probe(tmp_path / "both" / "probe.yaml"), settings)  # type: ignore[arg-type]
    asked = method.questions(materials, settings, "masked")  # type: ignore[arg-type]
    without = method.measure(materials, settings, answer_table(asked, respondent))["measures"]  # type: ignore[arg-type]
    assert source_rows(without).is_empty()
    assert without.equals(both.head(without.height))


def test_the_summary_tells_the_control_of_each_source(tmp_path: Path) -> None:
    method = Association()
    tables = measure(tmp_path, method, SOURCES)
    assert any(line.startswith("By source: films ") and "; goods " in line for line in method.summary(tables, "m"))
    assert {"films only: all reviews", "goods only: neutral words"} <= set(method.key_rows(tables)["group"])
    assert "sources" in [figure.name for figure in method.figures({"m": tables})]


def test_one_source_or_a_source_with_one_review_of_a_class_is_not_told_apart() -> None:
    def materials(*reviews: tuple[str, bool]) -> SentimentMaterials:
        return SentimentMaterials(
            tuple(Review(str(i), "", positive, source) for i, (source, positive) in enumerate(reviews)), pl.DataFrame()
        )

    two = [("a", True), ("a", False)] * 2
    assert list(list_sources(materials(*two))) == []
    assert [name for name, _ in list_sources(materials(*two, ("b", True), ("b", False), ("b", True)))] == ["a"]
