"""Devices: what is not here is refused, what is spread over several places gives the same numbers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

import tacit
from tacit.errors import ModelError
from tacit.models.hf import loading
from tacit.models.hf.placement import Placement, check_device, device_names, place
from tests.tiny import BUILDERS

SENTENCES = ["People in France are bald.", "The pizza was great."]


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("cuda", "This machine has no cuda device"),
        ("cuda:1", "This machine has no cuda device"),
        ("cuda:x", "There is no device 'cuda:x'"),
        ("cpu:0", "There is no device 'cpu:0'"),
        ("gpu", "Choose one of auto, cpu, cuda, cuda:1 or mps"),
    ],
)
def test_a_device_that_is_not_here_is_refused(device: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ModelError, match=message):
        check_device(device)


def test_a_number_beyond_the_last_card_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    check_device("cuda:1")
    with pytest.raises(ModelError, match="no cuda:2: its devices are numbered from 0 to 1"):
        check_device("cuda:2")


def test_auto_takes_one_card_if_the_model_fits_and_spreads_it_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert place("auto", 10**9, is_quantized=False) == Placement("cpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (10**9, 10**9))
    assert place("auto", 8 * 10**8, is_quantized=False) == Placement("cuda:0")
    assert place("auto", 9 * 10**8, is_quantized=False) == Placement(None, {"device_map": "auto"})
    assert place("cuda:1", 9 * 10**9, is_quantized=False) == Placement("cuda:1")
    assert place("cuda:1", 10**8, is_quantized=True) == Placement(None, {"device_map": {"": "cuda:1"}})


def test_auto_gives_the_numbers_of_the_processor(tiny_folder: Callable[[str], Path]) -> None:
    folder = tiny_folder("gpt2")
    automatic, plain = tacit.load(folder, device="auto"), tacit.load(folder)
    assert automatic.likelihood(SENTENCES) == plain.likelihood(SENTENCES)
    assert automatic.describe()["device"] == "cpu"
    assert automatic.fingerprint == plain.fingerprint


@pytest.mark.parametrize("kind", ["gpt2", "llama", "bert", "t5"])
def test_a_model_that_is_spread_over_places_gives_the_same_numbers(
    kind: str, tiny_folder: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As over several cards: accelerate moves weights and vectors between the places, here a disk and the memory."""
    folder = tiny_folder(kind)
    model, _ = BUILDERS[kind]()
    places = dict(_places(model))
    spread = Placement(None, {"device_map": places, "offload_folder": str(tmp_path / "offloaded")})
    plain = tacit.load(folder)
    monkeypatch.setattr(loading, "place", lambda *_, **__: spread)
    elsewhere = tacit.load(folder)
    assert "disk" in elsewhere.describe()["device"]
    assert elsewhere.likelihood(SENTENCES) == pytest.approx(plain.likelihood(SENTENCES), abs=1e-5)
    words = ["great", "terrible", "unbelievable"]
    numbers = [[choice.probability for choice in model.choose("It was [MASK]", words)] for model in (plain, elsewhere)]
    assert numbers[1] == pytest.approx(numbers[0], abs=1e-5)
    assert plain.fingerprint == elsewhere.fingerprint


def _places(module: torch.nn.Module, name: str = "") -> Iterator[tuple[str, str]]:
    """Every second layer is on the disk, and all else in memory."""
    is_stack = isinstance(module, torch.nn.ModuleList)
    if not any(isinstance(part, torch.nn.ModuleList) for part in module.modules()):
        yield name, "cpu"
        return
    for child_name, child in module.named_children():
        full = f"{name}.{child_name}".lstrip(".")
        yield from [(full, "disk" if int(child_name) % 2 else "cpu")] if is_stack else _places(child, full)


def test_the_places_of_a_spread_model_are_named_once() -> None:
    class Spread:
        hf_device_map = {"a": 0, "b": 1, "c": 1, "d": "cpu"}  # noqa: RUF012

    assert device_names(Spread()) == "cuda:0, cuda:1, cpu"


def test_a_quantized_folder_without_its_package_is_one_sentence(
    tiny_folder: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = shutil.copytree(tiny_folder("llama"), tmp_path / "quantized")
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match=r"The weights of .* cannot be loaded: ") as refusal:
        tacit.load(folder)
    assert "\n" not in str(refusal.value)
