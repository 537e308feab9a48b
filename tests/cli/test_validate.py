"""From the shell: validate a probe, see its certificate, check materials and plan for an effect."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.errors import TacitError
from tacit.probes.certificate import CERTIFICATE, read_certificate
from tests.runs.making import make_probe


def _tacit(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if isinstance(result.exception, TacitError):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def test_a_probe_of_ones_own_gets_a_certificate_in_its_folder(
    tiny_folder: Callable[[str], Path], tmp_path: Path
) -> None:
    probe = make_probe(tmp_path / "probe")
    models = [word for kind in ("bert", "distilbert") for word in ("--model", tiny_folder(kind))]
    out = tmp_path / "certificate.json"
    arguments = ["validate", probe, *models, "--sets", 20, "--certify", "--out", out]
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    certificate = read_certificate(out)
    assert result.exit_code == (1 if certificate.light == "red" else 0), result.output
    assert (tmp_path / "probe" / CERTIFICATE).read_bytes() == out.read_bytes()
    assert "Next: tacit plan" in result.output
    assert certificate.cannot_see in result.output
    assert len(certificate.models) == 2
    assert json.loads(out.read_text(encoding="utf-8"))["light"] == certificate.light


def test_a_shipped_certificate_is_not_replaced_by_accident(tiny_folder: Callable[[str], Path]) -> None:
    for how in ("--certify", "--planted"):
        with pytest.raises(TacitError, match="was not written by Tacit"):
            _tacit("validate", "temporal", "--model", tiny_folder("bert"), how)


def test_a_probe_is_shown_with_its_certificate() -> None:
    told = _tacit("probes", "temporal")
    assert "Certificate: doubtful (yellow)" in told
    assert "It cannot see" in told
    assert "Certificate: none" in _tacit("probes", "british-american")


def test_findings_have_file_and_line_and_exit_code_one(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe", sentences=4)
    table = tmp_path / "probe" / "sentences.csv"
    table.write_text(
        table.read_text(encoding="utf-8") + "x,old,The MAN number 0 was [MASK] great!,0\n", encoding="utf-8"
    )
    told = _tacit("probes", "check", probe, "--model", tiny_folder("bert"), code=1)
    assert f"{table}, line 6:" in told
    assert "duplicate (1)" in told


def test_clean_materials_exit_with_zero(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    probe = make_probe(tmp_path / "probe", sentences=4)
    assert "Nothing found" in _tacit("probes", "check", probe, "--model", tiny_folder("bert"))


def test_materials_that_cannot_be_read_are_one_sentence() -> None:
    with pytest.raises(TacitError, match="There is no probe"):
        _tacit("probes", "check", "nowhere")
    with pytest.raises(TacitError, match="one name too many"):
        _tacit("probes", "temporal", "regional")


def test_a_plan_says_what_an_effect_is_and_what_it_takes() -> None:
    told = _tacit("plan", "temporal", "--effect", 0.125)
    assert "an effect is the mean beta" in told
    assert "has 20 sentences in each group and sees about 0.29" in told
    assert "To see 0.125 takes 111 sentences in each group and 333 questions" in told


def test_a_plan_for_nothing_is_refused() -> None:
    with pytest.raises(TacitError, match="must be more than 0"):
        _tacit("plan", "temporal", "--effect", 0)
