"""What `import tacit` offers: everything public is there when it is used, and nothing heavy is imported before."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

import tacit


def _imported_by(code: str) -> set[str]:
    code = f"import sys, json; {code}; print(json.dumps(sorted({{m.partition('.')[0] for m in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_everything_public_is_there_and_listed() -> None:
    for name in tacit.__all__:
        assert getattr(tacit, name) is not None
    assert set(tacit.__all__) <= set(dir(tacit))


def test_dir_shows_the_packages_and_no_internals() -> None:
    names = dir(tacit)
    assert {"runs", "statistics", "models", "methods", "ratings", "probes", "open_run"} <= set(names)
    assert not {"import_module", "iter_modules", "TYPE_CHECKING", "cli"} & set(names)


def test_packages_are_imported_when_they_are_used() -> None:
    code = "import tacit; tacit.runs.measure; tacit.statistics.holm; tacit.questions.Fill"
    assert "torch" not in _imported_by(code)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'believe'"):
        _ = tacit.believe


def test_importing_tacit_imports_nothing_heavy() -> None:
    heavy = {"torch", "transformers", "polars", "numpy", "scipy", "altair", "pydantic"}
    assert not heavy & _imported_by("import tacit; dir(tacit); tacit.TacitError")


def test_probes_are_listed_with_their_titles() -> None:
    assert tacit.probes()["temporal"].startswith("Temporal valence")


@pytest.mark.parametrize(
    "first", ["from tacit.probes import load_probe", "import tacit.probes.loading", "tacit.run", "tacit.probes()"]
)
def test_probes_can_be_called_whatever_was_imported_before(first: str) -> None:
    code = f"import tacit; {first}; assert 'temporal' in tacit.probes()"
    assert "torch" not in _imported_by(code)


def test_report_is_a_plain_function_with_its_own_signature() -> None:
    assert list(signature(tacit.report).parameters) == ["runs", "out", "figures", "force", "on_step"]


@pytest.mark.parametrize("name", ["ask", "compare", "load", "open_run", "probes", "report", "run"])
def test_every_public_function_has_its_true_signature_and_a_docstring(name: str) -> None:
    function = getattr(tacit, name)
    assert function.__module__.startswith("tacit")
    assert function.__doc__
    assert not any(str(parameter).startswith("*") for parameter in signature(function).parameters.values())


def test_a_missing_run_is_a_run_error(tmp_path: Path) -> None:
    with pytest.raises(tacit.RunError, match="is not a run"):
        tacit.open_run(tmp_path)
    assert issubclass(tacit.RunError, tacit.TacitError)
    assert issubclass(tacit.ModelError, tacit.TacitError)
    assert issubclass(tacit.MaterialsError, tacit.TacitError)


def test_help_takes_less_than_half_a_second() -> None:
    """Processor time, so that other processes on a busy machine do not count."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "tacit", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.5
