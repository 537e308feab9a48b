"""The built wheel works outside the clone: everything that a user needs is in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built here and installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=REPO, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(folder / "site"),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return folder / "site"


def _tacit(installed: Path, folder: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "tacit", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_the_wheel_that_is_asked(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", "import tacit; print(tacit.__file__)"]
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).is_relative_to(installed)


def test_a_probe_runs_and_reports_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    _tacit(installed, tmp_path, "run", "temporal", "--model", "modern")
    _tacit(installed, tmp_path, "report", "runs", "--out", "report.html")
    assert (tmp_path / "report.html").stat().st_size > 100_000


def test_probes_standards_and_skeletons_are_in_it(installed: Path, tmp_path: Path) -> None:
    assert "intensifier" in _tacit(installed, tmp_path, "probes")
    assert "Certificate" in _tacit(installed, tmp_path, "probes", "stereotype")
    assert "early-modern" in _tacit(installed, tmp_path, "standards")
    _tacit(installed, tmp_path, "new", "contrast", "mine")
    assert (tmp_path / "mine" / "probe.yaml").is_file()
