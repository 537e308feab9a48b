"""A file is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.storage import slug, write_atomic


def test_a_file_and_its_folder_are_made(tmp_path: Path) -> None:
    write_atomic(tmp_path / "new" / "file.csv", b"content")
    assert (tmp_path / "new" / "file.csv").read_bytes() == b"content"


def test_what_cannot_be_written_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    write_atomic(tmp_path / "file.csv", b"old")
    with pytest.raises(TypeError):
        write_atomic(tmp_path / "file.csv", "not bytes")  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["file.csv"]
    assert (tmp_path / "file.csv").read_bytes() == b"old"


def test_a_model_name_becomes_one_folder_name() -> None:
    assert slug("owner/model") == "owner--model"
    assert slug("../../etc/passwd") not in {"..", ""}
    assert "/" not in slug("../../etc/passwd")


def test_a_name_too_long_for_any_file_system_is_still_a_name() -> None:
    assert slug("0" * 5000) == "0" * 5000
