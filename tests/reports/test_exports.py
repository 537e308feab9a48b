"""The report for a paper: the same numbers as Markdown, LaTeX and CSV, and nothing in them is read as a command."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit.errors import RunError, TacitError
from tacit.models import Model
from tacit.reports import export_report, export_table
from tacit.reports.tables import Column, PageTable
from tacit.reports.writers import csv_bytes, escape_latex, latex_table, markdown_table
from tacit.runs import Run, run
from tests.runs.making import make_hostile_probe


@pytest.fixture(scope="module")
def runs(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """A probe that means harm, on two models."""
    folder = tmp_path_factory.mktemp("exports")
    probe = make_hostile_probe(folder / "probe", "Old | new $x$ _y_ <b>?")
    return [run(probe, tiny(kind), folder / kind, cache=None) for kind in ("bert", "distilbert")]


@pytest.fixture(scope="module")
def written(runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report in every format but HTML."""
    folder = tmp_path_factory.mktemp("written")
    export_report(runs, folder / "paper.md", "md")
    export_report(runs, folder / "paper.tex", "tex", figures=folder / "paper-figures")
    export_report(runs, folder / "tables", "csv")
    return folder


def test_markdown_holds_tables_with_equal_columns_and_figures_that_exist(written: Path) -> None:
    text = (written / "paper.md").read_text(encoding="utf-8")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(tables) >= 3
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
    images = re.findall(r"!\[[^\n]+\]\(<([^>]+)>\)", text)
    assert len(images) == 2
    assert all((written / image).is_file() for image in images)
    assert "Old \\| new $x$ \\_y\\_ &lt;b>?" in text


def test_latex_is_balanced_and_names_figures_that_exist(written: Path) -> None:
    text = (written / "paper.tex").read_text(encoding="utf-8")
    begun, ended = (re.findall(rf"\\{word}{{(\w+)}}", text) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended)
    assert text.count("\\toprule") == text.count("\\bottomrule") == begun.count("tabular") >= 3
    plain = re.sub(r"\\[{}]", "", re.sub(r"(?m)^%.*$", "", text))
    assert plain.count("{") == plain.count("}")
    images = re.findall(r"\\includegraphics\[[^]]*\]{([^}]+)}", text)
    assert len(images) == 2
    assert all((written / image).is_file() for image in images)
    assert text.count("\\caption{") == text.count("\\label{") == begun.count("table") + begun.count("figure")


def test_csv_holds_the_numbers_themselves(written: Path, runs: list[Run]) -> None:
    names = sorted(path.name for path in (written / "tables").iterdir())
    assert names == [f"hostile-corrected-{part}.csv" for part in ("differences", "measures", "sentences")]
    table = pl.read_csv(written / "tables" / "hostile-corrected-measures.csv", null_values="")
    whole = pl.concat([one.measures.filter(pl.col("item").is_null()) for one in runs])
    assert table["value"].to_list() == pytest.approx(whole["value"].to_list())
    assert table["model"].unique(maintain_order=True).to_list() == [one.model for one in runs]


def test_no_cell_is_run_by_a_spreadsheet() -> None:
    text = csv_bytes(pl.DataFrame({"a": ["=1+1", "-2", "@x", "fine"], "b": [["x", "y"]] * 4})).decode()
    assert [line.partition(",")[0] for line in text.splitlines()] == ["a", "'=1+1", "'-2", "'@x", "fine"]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("50% & more_", r"50\% \& more\_"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("-0.41 [-0.52, .3] pro-stereotype", "$-$0.41 [$-$0.52, .3] pro-stereotype"),
        ("a\n%b", r"a \%b"),
        ("$x^2$ ~ #1", r"\$x\textasciicircum{}2\$ \textasciitilde{} \#1"),
    ],
)
def test_latex_commands_are_text(text: str, escaped: str) -> None:
    assert escape_latex(text) == escaped


def test_a_row_that_starts_with_a_bracket_is_not_an_argument() -> None:
    table = PageTable("t", "T", [Column("a"), Column("b", numeric=True)], [["[x]", ("1", "n = 2")]], 1)
    assert "{}[x] & 1 \\\\" in latex_table(table, "About.")
    assert "\\begin{tabular}{lr}" in latex_table(table, "About.")
    assert markdown_table(["a"], [["x|y"]]).splitlines()[-1] == "| x\\|y |"


def test_files_of_others_are_not_overwritten(runs: list[Run], tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine", encoding="utf-8")
    with pytest.raises(TacitError, match="was not written by Tacit"):
        export_report(runs, tmp_path / "mine.md", "md")
    with pytest.raises(RunError, match="is a file"):
        export_report(runs, tmp_path / "mine.md", "csv")
    assert (tmp_path / "mine.md").read_text(encoding="utf-8") == "mine"


def test_a_table_of_a_run_is_written_in_every_format(runs: list[Run]) -> None:
    one = runs[0]
    csv = pl.read_csv(export_table(one, "answers", "csv"))
    assert csv.height == one.answers.height
    assert export_table(one, "measures", "md").decode().startswith("| measure |")
    assert "\\toprule" in export_table(one, "fillings", "tex").decode()
    with pytest.raises(RunError, match="did you mean 'measures'"):
        export_table(one, "measure", "csv")


def test_a_workbook_has_a_sheet_per_table_and_no_formula(runs: list[Run]) -> None:
    with zipfile.ZipFile(io.BytesIO(export_table(runs[0], "measures", "xlsx"))) as book:
        names = re.findall(r'<sheet name="([^"]+)"', book.read("xl/workbook.xml").decode())
        assert names == ["measures", *(name for name in runs[0].tables if name != "measures"), "answers"]
        assert not any(b"<f>" in book.read(name) for name in book.namelist() if name.startswith("xl/worksheets"))
