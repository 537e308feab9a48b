"""The doctor finds a sound engine sound, and a head that was never trained random."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from tacit.doctor import examine
from tacit.models import Model
from tests.tiny import BUILDERS


@pytest.mark.parametrize("kind", BUILDERS)
def test_nothing_but_the_question_changes_an_answer(kind: str, tiny: Callable[[str], Model]) -> None:
    checks = {check.name: check for check in examine(tiny(kind))}
    for name, check in checks.items():
        if "nothing" in name or "precision" in name or "space" in name:
            assert check.passed, check
    assert len(checks) >= (3 if "classifier" in kind else 8)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5"])
def test_a_random_head_is_found_out(kind: str, tiny: Callable[[str], Model]) -> None:
    sense = next(check for check in examine(tiny(kind)) if check.name == "the head is not random")
    assert not sense.passed, sense


def test_a_model_that_looks_at_its_batch_mates_is_found_out(tiny: Callable[[str], Model]) -> None:
    model = tiny("bert")
    layer = model.network.model.bert.encoder.layer[0].output.dense
    handle = layer.register_forward_hook(lambda _m, _i, out: out + out.mean(0, keepdim=True) * (len(out) > 1))
    try:
        failed = {check.name for check in examine(model) if not check.passed}
    finally:
        handle.remove()
    assert failed >= {"batch size changes nothing", "order changes nothing"}
    assert torch.is_inference_mode_enabled() is False
