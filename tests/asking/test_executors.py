"""Without the extra, `--executor ray` says what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "words",
    [
        ("run", "temporal", "--model", "modern", "--executor", "ray"),
        ("harvest", "intensifier", "--corpus", __file__, "--out", "x.csv", "--executor", "ray"),
    ],
)
def test_a_cluster_without_the_package_is_one_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    code = f"import sys; sys.modules['ray'] = None; sys.argv[1:] = {list(words)!r}\n"
    code += "from tacit.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    (sentence,) = done.stderr.strip().splitlines()
    assert sentence == "tacit: The executor ray needs the package ray. Install it with: pip install 'tacit[ray]'."
