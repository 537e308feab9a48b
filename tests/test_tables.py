"""Tables and YAML that people hand over: read right, or refused in one sentence with the file and the line."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tacit.errors import MaterialsError
from tacit.tables import finite_number, read_csv, read_yaml, yaml_lines


def _csv(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_cells_are_stripped_and_know_their_line(tmp_path: Path) -> None:
    rows = read_csv(_csv(tmp_path, '\ufeffa,b\n1 , "x, y"\n\n2,z\n'.replace(', "', ',"')), ["a", "b"], ["c"])
    assert rows == [{"a": "1", "b": "x, y", "c": "", "line": "2"}, {"a": "2", "b": "z", "c": "", "line": "4"}]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b,a\n1,2,3\n", r"line 1: the column 'a' occurs twice"),
        ("a,b\x1b[31m\n1,2\n", r"line 1: the heading .* control character"),
        ("a,b\x00\n1,2\n", r"line 1: (the heading .* control character|not readable)"),
        ("a,b\n1,2\x00\n", r"line 2: (a cell contains a NUL|not readable)"),
        ('a,b\n"1"x,2\n', r"line 2: not readable as CSV"),
        ('a,b\n1,"2\n', r"line 2: not readable as CSV"),
        ("a,b\n1," + "x" * 200_000 + "\n", r"line 2: not readable as CSV \(field larger"),
        ("x" * 200_000 + ",b\n1,2\n", r"line 1: not readable as CSV \(field larger"),
        ("a\n1\n", r"line 1: the column 'b' is missing. It has a"),
        ("a,b\n1,2,3\n", r"line 2: 3 cells where the heading has 2"),
        ("a,b\n", "no rows below its heading"),
        (b"a,b\n\xff,2\n", r"not UTF-8 \(byte 4\)"),
        ("", "the column 'a' is missing. It has none"),
    ],
)
def test_a_damaged_table_is_refused_with_its_line(tmp_path: Path, text: str | bytes, problem: str) -> None:
    with pytest.raises(MaterialsError, match=problem):
        read_csv(_csv(tmp_path, text), ["a", "b"])


@pytest.mark.parametrize("name", ["/dev/zero", "folder", "loop", "none.csv", "x" * 5000, "nul\0name"])
def test_what_is_not_a_regular_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    began = time.monotonic()
    with pytest.raises(MaterialsError):
        read_csv(tmp_path / name, ["a"])
    assert time.monotonic() - began < 1


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(3 * 1024**3)
    with pytest.raises(MaterialsError, match=r"too large \(3,221 MB"):
        read_csv(huge, ["a"])


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "x", ""])
def test_a_number_must_be_finite(tmp_path: Path, text: str) -> None:
    row = {"intensity": text, "line": "7"}
    with pytest.raises(MaterialsError, match="line 7: intensity must be a"):
        finite_number(tmp_path / "words.csv", row, "intensity")
    assert finite_number(tmp_path / "words.csv", {"intensity": "1e-3", "line": "7"}, "intensity") == 0.001


BOMB = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (BOMB, r"line 2: aliases \(\*a\) are not read"),
        ("a: " + "[" * 5000 + "]" * 5000, "nested more than 32 levels"),
        ("a: {" * 5000, "nested more than 32 levels|probe.yaml"),
        ("a: 1\na: 2\n", r"line 2: the key 'a' is there twice\. Leave one of them\.$"),
        ("- a\n- b\n", r"must hold names with values \(name: value\), not a list\.$"),
        ("some text\n", r"must hold names with values \(name: value\), not only 'some text'\.$"),
        ("1: a\n", "the key 1 is not text"),
        ("a:\n  - b: 1\n    2: c\n", "the keys 'b', 2 are not all text"),
        ("a: !!python/object/apply:os.system [ls]\n", "line 1: tags .* are not read"),
        ("a: [1,\nb: 2", "line 2: a bracket that opens in line 1 is not closed"),
        ("title: What: it is\n", "line 1: a colon stands where a text goes on. Put a text that has a colon in quotes"),
        ("a: 'x\nb: 1\n", "line 3: a quotation mark that opens in line 1 has no partner"),
        ("a:\n\tb: 1\n", "line 2: there is a tab. Indent with spaces"),
        ("a: @x\n", "line 1: no value can start with '@'. Put the text in quotes"),
        ("- a\nb: 1\n", "line 2: this line does not belong to those above it"),
        ("a: 1\n---\nb: 2\n", "line 2: a second document"),
        ('a: "\\q"\n', "line 1: a backslash means something else between double quotes"),
        ("", r"probe.yaml is empty\."),
        ("# only a comment\n", r"probe.yaml is empty\."),
        ("a: 2026-99-99\n", "probe.yaml"),
    ],
)
def test_a_hostile_yaml_is_refused_in_one_sentence(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "probe.yaml"
    path.write_text(text)
    with pytest.raises(MaterialsError, match=problem):
        read_yaml(path)


def test_each_key_of_a_yaml_knows_its_line(tmp_path: Path) -> None:
    path = tmp_path / "probe.yaml"
    path.write_text("name: x\nmaterials:\n  words: w.csv\n  scale: {low: a,\n    high: b}\n")
    assert yaml_lines(path)["materials", "words"] == 3
    assert yaml_lines(path)["materials", "scale", "high"] == 5
