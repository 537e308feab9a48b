"""Models are compared item by item on the same probe, and what is not comparable is refused with the reason."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tacit.errors import RunError, TacitError
from tacit.methods.base import PairedMeasure, Tables
from tacit.runs import Run, compare, open_run
from tacit.runs.compare import compare_tables
from tacit.runs.store import publish, scratch
from tacit.statistics import Resampling


def test_difference_is_the_mean_over_the_same_items(two_runs: tuple[Run, Run]) -> None:
    row = (
        compare(two_runs)
        .table.filter((pl.col("measure") == "beta") & (pl.col("group") == "all items"))
        .row(0, named=True)
    )
    a, b = _items(two_runs[0], "beta"), _items(two_runs[1], "beta")
    shared = sorted(a.keys() & b.keys())
    differences = [a[item] - b[item] for item in shared]
    assert row["n"] == len(shared) == 12
    assert row["difference"] == pytest.approx(np.mean(differences))
    assert row["low"] <= row["difference"] <= row["high"]


def test_p_is_that_of_all_sign_flips_corrected_by_holm(two_runs: tuple[Run, Run]) -> None:
    table = compare(two_runs).table.filter(pl.col("group") == "all items").sort("p")
    for row in table.iter_rows(named=True):
        a, b = _items(two_runs[0], row["measure"]), _items(two_runs[1], row["measure"])
        differences = np.array([a[item] - b[item] for item in sorted(a)])
        flips = (np.arange(2**12)[:, None] >> np.arange(12) & 1) * 2 - 1
        by_hand = np.mean(np.abs(flips @ differences) >= abs(differences.sum()) - 1e-9)
        assert row["p"] == pytest.approx(by_hand, abs=1e-9)
    assert table["p_adjusted"].to_list() == pytest.approx(
        [min(1, 2 * table["p"][0]), max(2 * table["p"][0], table["p"][1])]
    )


def test_rank_stability_is_spearmans(two_runs: tuple[Run, Run]) -> None:
    row = (
        compare(two_runs)
        .table.filter((pl.col("measure") == "delta") & (pl.col("group") == "all items"))
        .row(0, named=True)
    )
    a, b = _items(two_runs[0], "delta"), _items(two_runs[1], "delta")
    assert row["rank_correlation"] == pytest.approx(stats.spearmanr([a[k] for k in a], [b[k] for k in a]).statistic)


def test_groups_of_items_have_rows_of_their_own(two_runs: tuple[Run, Run]) -> None:
    groups = compare(two_runs).table.filter(pl.col("measure") == "beta")["group"].to_list()
    assert groups == ["all items", "new", "old"]


def test_a_clear_difference_is_said_plainly_and_a_chance_one_is_not(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    shifted = _with_beta(two_runs[0], tmp_path / "shifted", pl.col("value") - 0.4)
    found = compare([shifted, two_runs[0]])
    assert found.sentences[0].startswith(
        f"shifted leans more to old than {two_runs[0].model}: beta -0.400 [-0.400, -0.400], p"
    )
    assert found.sentences[0].endswith(", 12 sentences of all groups.")
    assert found.findings == found.sentences[:1]
    same = _with_beta(two_runs[0], tmp_path / "same", pl.col("value"))
    assert (
        compare([same, two_runs[0]])
        .sentences[0]
        .startswith(f"No significant difference between same and {two_runs[0].model}:")
    )


def test_runs_with_other_materials_are_refused(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    other = _with_record(
        two_runs[1], tmp_path / "other", materials={**two_runs[1].record.materials, "sentences.csv": "0"}
    )
    with pytest.raises(TacitError, match=r"cannot be compared: their materials differ \(sentences.csv\)"):
        compare([two_runs[0], other])


def test_runs_in_another_mode_are_refused(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    other = _with_record(two_runs[1], tmp_path / "other", mode="as-published")
    with pytest.raises(TacitError, match="one ran in the mode corrected, the other in as-published"):
        compare([two_runs[0], other])


def test_runs_with_other_settings_are_refused(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    other = _with_record(two_runs[1], tmp_path / "other", settings={**two_runs[1].record.settings, "top": 3})
    with pytest.raises(TacitError, match=r"their settings differ \(top\)"):
        compare([two_runs[0], other])


def test_files_that_settings_name_are_compared_by_their_contents(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    def reading(number: int, file: str, content: str) -> Run:
        return _with_record(
            two_runs[number],
            tmp_path / f"{number}-{content}",
            settings={**two_runs[number].record.settings, "reviews": file},
            setting_files={"reviews": {"copy": "reviews-mine.csv", "sha256": content}},
        )

    first = reading(0, "/here/mine.csv", "a")
    assert compare([first, reading(1, "/there/mine.csv", "a")]).sentences
    with pytest.raises(TacitError, match=r"the files that their settings name differ \(reviews\)"):
        compare([first, reading(1, "/here/mine.csv", "b")])


def test_a_model_that_cannot_be_asked_is_not_compared(two_runs: tuple[Run, Run], tmp_path: Path) -> None:
    validity = {"level": "none", "reason": "it labels reviews no better than a coin"}
    coin = _with_record(two_runs[1], tmp_path / "coin", validity=validity, comparisons=[])
    expected = f"{two_runs[1].model} cannot be asked this, because it labels reviews no better than a coin"
    with pytest.raises(TacitError, match=re.escape(expected)):
        compare([two_runs[0], coin])


def test_only_one_group_is_compared_where_the_measure_says_so(two_runs: tuple[Run, Run]) -> None:
    tables = {run.model: run.tables for run in two_runs}
    measure = PairedMeasure("beta", "leans to old", "leans to new", "old sentences", only="old")
    table = compare_tables("probe", [measure], tables, Resampling(200, 0.95, 0)).table
    a, b = (_items(run, "beta", "old") for run in two_runs)
    assert table["group"].to_list() == ["old"]
    assert table["items"].to_list() == [6]
    assert table["difference"][0] == pytest.approx(np.mean([a[item] - b[item] for item in a]))
    assert table["caution"].to_list() == ["only 6 old sentences"]


def test_the_unit_that_a_measure_names_is_resampled(two_runs: tuple[Run, Run]) -> None:
    items = two_runs[0].measures.filter(pl.col("measure") == "beta").drop_nulls("item").select("group", "item")
    units = items.with_columns(author=pl.col("item").str.slice(3, 1).cast(pl.Int64) // 4)
    tables = {run.model: {**run.tables, "units": units} for run in two_runs}
    measure = PairedMeasure("beta", "leans to old", "leans to new", "sentences", ("author",))
    found = compare_tables("probe", [measure], tables, Resampling(200, 0.95, 0))
    row = found.table.row(0, named=True)
    assert (row["items"], row["n"], row["unit"]) == (12, 3, "author")
    assert found.sentences[0].endswith("12 sentences, resampled by author, only 3 authors.")
    assert row["p"] >= 2 ** (1 - 3)


def _bounded(tables: Tables, reach: float, known: int = 12) -> Tables:
    """The tables with beta known only within bounds, and its value for some of the items only."""
    is_item = (pl.col("measure") == "beta") & pl.col("item").is_not_null()
    value = pl.when(is_item & (pl.col("item") >= f"s{known:03}")).then(None).otherwise(pl.col("value"))
    bounds = {"low": pl.col("value") - reach, "high": pl.col("value") + reach}
    ends = {name: pl.when(is_item).then(end).otherwise(pl.col(name)) for name, end in bounds.items()}
    return {**tables, "measures": tables["measures"].with_columns(value, **ends)}


def test_a_difference_that_the_bounds_could_undo_is_not_found(two_runs: tuple[Run, Run]) -> None:
    measure = PairedMeasure("beta", "leans to old", "leans to new", "sentences", unknown="unrated fillings")
    low = two_runs[0].measures.with_columns(
        pl.col("value") - pl.when(pl.col("measure") == "beta").then(0.4).otherwise(0)
    )
    for reach, found in ((0.0, True), (0.1, True), (0.3, False)):
        tables = {"a": _bounded({"measures": low}, reach), "b": _bounded(two_runs[0].tables, reach)}
        comparison = compare_tables("probe", [measure], tables, Resampling(400, 0.95, 0))
        row = comparison.table.row(0, named=True)
        assert bool(comparison.findings) is found
        assert row["difference"] == pytest.approx(-0.4)
        assert (row["low"], row["high"]) == pytest.approx((-0.4 - 2 * reach, -0.4 + 2 * reach))
        assert ("any value allowed for unrated fillings" in comparison.sentences[0]) is (reach > 0)


def test_items_without_a_value_are_compared_by_their_bounds(two_runs: tuple[Run, Run]) -> None:
    measure = PairedMeasure("beta", "leans to old", "leans to new", "sentences", unknown="unrated fillings")
    tables = {run.model: _bounded(run.tables, 0.2, known=8) for run in two_runs}
    row = compare_tables("probe", [measure], tables, Resampling(400, 0.95, 0)).table.row(0, named=True)
    assert (row["items"], row["left_out"]) == (12, 0)


def test_units_that_a_run_lacks_are_asked_for(two_runs: tuple[Run, Run]) -> None:
    measure = PairedMeasure("beta", "leans to old", "leans to new", "sentences", ("author",))
    with pytest.raises(RunError, match="has no table `units`"):
        compare_tables("probe", [measure], {run.model: run.tables for run in two_runs}, Resampling(200, 0.95, 0))


def test_a_difference_within_the_noise_of_a_server_is_no_finding(two_runs: tuple[Run, Run]) -> None:
    first, second = (run.model for run in two_runs)
    tables = {run.model: run.tables for run in two_runs}
    measures, resampling = two_runs[0].record.comparisons, Resampling(200, 0.95, 0)
    plain = compare_tables("probe", measures, tables, resampling)
    assert plain.findings
    largest = max(abs(difference) for difference in plain.table["difference"])
    noisy = compare_tables("probe", measures, tables, resampling, {first: largest / 2, second: largest / 2})
    assert noisy.findings == ()
    assert all(caution.endswith(f"within the noise floor of {largest:.1e}") for caution in noisy.table["caution"])
    assert "within the noise floor" in noisy.sentences[0]
    quiet = compare_tables("probe", measures, tables, resampling, {first: 1e-9})
    assert quiet.findings == plain.findings
    assert quiet.table.equals(plain.table)


def test_one_run_cannot_be_compared(two_runs: tuple[Run, Run]) -> None:
    with pytest.raises(TacitError, match="at least two runs"):
        compare(two_runs[:1])
    with pytest.raises(TacitError, match="the same run"):
        compare([two_runs[0], two_runs[0].folder])


def _items(run: Run, measure: str, group: str | None = None) -> dict[str, float]:
    rows = run.measures.filter((pl.col("measure") == measure) & pl.col("item").is_not_null())
    rows = rows if group is None else rows.filter(pl.col("group") == group)
    return dict(rows.select("item", "value").sort("item").iter_rows())


def _with_beta(run: Run, folder: Path, value: pl.Expr) -> Run:
    """A run that differs from another in beta alone."""
    shutil.copytree(run.folder, folder)
    changed = run.measures.with_columns(pl.when(pl.col("measure") == "beta").then(value).otherwise(pl.col("value")))
    record = run.record.model_copy(update={"model": run.record.model.model_copy(update={"label": folder.name})})
    with scratch(folder) as unfinished:
        changed.write_parquet(unfinished / "measures.parquet")
        publish(folder, unfinished, ["measures.parquet"], record)
    return open_run(folder)


def _with_record(run: Run, folder: Path, **changed: Any) -> Run:
    shutil.copytree(run.folder, folder)
    record = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**record, **changed}))
    return open_run(folder)
