"""A package outside the repository adds a method, a probe and a kind of model, and the command line finds them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "tacit-length"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example package, built and installed by pip into a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-cache-dir", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(EXAMPLE)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def _tacit(site: Path, here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "TACIT_CACHE": str(here / "cache")}
    command = [sys.executable, "-m", "tacit", *words]
    return subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)


def test_the_probe_of_a_package_is_listed(site: Path, tmp_path: Path) -> None:
    listed = _tacit(site, tmp_path, "probes")
    assert "Does this model prefer long words?" in listed.stdout
    assert "temporal" in listed.stdout


def test_the_probe_of_a_package_runs_on_its_model(site: Path, tmp_path: Path) -> None:
    done = _tacit(site, tmp_path, "run", "length", "--model", "parrot+polly", "--model", "modern")
    assert done.returncode == 0, done.stderr
    assert "parrot+polly leans to long words (100% [76%, 100%] of 12)" in done.stdout
    record = json.loads((tmp_path / "runs" / "length" / "parrot+polly" / "run.json").read_text())
    assert (record["asked"], record["model"]["name"]) == (12, "parrot+polly")
    compared = _tacit(site, tmp_path, "compare", "runs/length/parrot+polly", "runs/length/modern")
    assert "parrot+polly prefers longer words than modern" in compared.stdout


def test_a_wrong_key_in_its_yaml_is_refused_with_its_line(site: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: mine\nmethod: length\nmaterials:\n  pears: pairs.csv\n")
    refused = _tacit(site, tmp_path, "run", "mine.yaml", "--model", "parrot+polly")
    assert refused.returncode == 2
    assert "mine.yaml, line 4: there is no key 'pears' here: did you mean 'pairs'?" in refused.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["run", "lenght"], "There is no probe 'lenght': did you mean 'length'?"),
        (["run", "length", "--model", "parot+http://x"], "There is no kind of model 'parot': did you mean 'parrot'?"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(site: Path, tmp_path: Path, words: list[str], hint: str) -> None:
    refused = _tacit(site, tmp_path, *words)
    assert refused.returncode == 2
    assert hint in refused.stderr


def test_an_unknown_method_is_answered_with_the_nearest(site: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: mine\nmethod: lengt\nmaterials: {}\n")
    refused = _tacit(site, tmp_path, "run", "mine.yaml", "--model", "modern")
    assert "mine.yaml, line 2: there is no method 'lengt': did you mean 'length'?" in refused.stderr


def test_the_method_in_the_contributing_page_is_the_one_that_runs() -> None:
    page = (EXAMPLE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = page.partition("<!-- example -->\n```python\n")[2].partition("```")[0]
    assert shown == (EXAMPLE / "src" / "tacit_length" / "__init__.py").read_text(encoding="utf-8")
