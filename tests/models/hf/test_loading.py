"""A model is loaded correctly, or refused with one clear sentence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertModel

import tacit
from tacit import TacitError
from tacit.models import Model
from tests.tiny import BUILDERS, build


@pytest.fixture
def bert(tiny_folder: Callable[[str], Path], tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(tiny_folder("bert"), tmp_path / "bert"))


FAMILIES = {"gpt2": "causal", "llama": "causal", "gemma": "causal", "bart": "seq2seq", "t5": "seq2seq"}


@pytest.mark.parametrize("kind", BUILDERS)
def test_the_family_is_read_off_the_configuration(kind: str, tiny: Callable[[str], Model]) -> None:
    expected = "classifier" if "classifier" in kind else FAMILIES.get(kind, "masked")
    assert tiny(kind).family == expected
    assert tiny(kind).describe()["parameters"] > 1000


def test_a_body_without_a_head_is_refused(bert: Path) -> None:
    BertModel.from_pretrained(bert).save_pretrained(bert)
    with pytest.raises(TacitError, match=r"head, would be random. Load a checkpoint that was saved as BertForMaskedLM"):
        tacit.load(bert)


def test_one_missing_tensor_of_the_head_is_enough_to_refuse(bert: Path) -> None:
    weights = load_file(bert / "model.safetensors")
    del weights["cls.predictions.transform.dense.weight"]
    save_file(weights, bert / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(TacitError, match=r"no weights for cls\.predictions\.transform\.dense\.weight \(1 missing\)"):
        tacit.load(bert)


def test_a_classifier_saved_without_its_head_is_refused(bert: Path, tiny_folder: Callable[[str], Path]) -> None:
    config = json.loads((tiny_folder("classifier") / "config.json").read_text())
    (bert / "config.json").write_text(json.dumps(config))
    with pytest.raises(TacitError, match="classifier"):
        tacit.load(bert)


def test_pickled_weights_need_permission(bert: Path) -> None:
    whole = tacit.load(bert).likelihood(["It was great."])
    weights = load_file(bert / "model.safetensors")
    torch.save(weights, bert / "pytorch_model.bin")
    (bert / "model.safetensors").unlink()
    with pytest.raises(TacitError, match="--allow-pickle"):
        tacit.load(bert)
    assert tacit.load(bert, allow_pickle=True).likelihood(["It was great."]) == pytest.approx(whole, abs=1e-6)


def test_a_pickle_that_would_run_code_does_not(bert: Path, tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
            return Path.touch, (tmp_path / "ran",)

    torch.save({"weights": Evil()}, bert / "pytorch_model.bin")
    (bert / "model.safetensors").unlink()
    with pytest.raises(TacitError):
        tacit.load(bert, allow_pickle=True)
    assert not (tmp_path / "ran").exists()


def test_a_model_with_code_of_its_own_is_refused(bert: Path) -> None:
    config = json.loads((bert / "config.json").read_text())
    config |= {"model_type": "homemade", "auto_map": {"AutoConfig": "homemade.Config"}}
    (bert / "config.json").write_text(json.dumps(config))
    (bert / "homemade.py").write_text("raise SystemExit('ran')")
    with pytest.raises(TacitError, match="needs code of its own, which Tacit never runs"):
        tacit.load(bert)


def test_an_image_model_is_refused(bert: Path) -> None:
    (bert / "config.json").write_text(json.dumps({"model_type": "vit", "architectures": ["ViTModel"]}))
    with pytest.raises(TacitError, match="nothing to ask it"):
        tacit.load(bert)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./nowhere", "There is no folder ./nowhere"),
        ("no-such-model-anywhere", "Choose one of early-modern"),
        (".", "holds no model: it has no config.json"),
        (__file__, "is a file. Give the model's folder"),
    ],
)
def test_a_name_that_leads_nowhere_is_reported(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(TacitError, match=message):
        tacit.load(name)


@pytest.mark.parametrize(
    ("option", "message"), [({"dtype": "int8"}, "no dtype 'int8'"), ({"device": "tpu"}, "no device 'tpu'")]
)
def test_unknown_options_are_reported(option: dict[str, str], message: str, bert: Path) -> None:
    with pytest.raises(TacitError, match=message):
        tacit.load(bert, **option)  # type: ignore[arg-type]


def test_half_precision_is_near_single_but_another_model(bert: Path) -> None:
    single, half = tacit.load(bert), tacit.load(bert, dtype="bfloat16")
    assert half.likelihood(["It was great."]) == pytest.approx(single.likelihood(["It was great."]), abs=0.2)
    assert half.fingerprint != single.fingerprint


def test_the_fingerprint_follows_the_weights_and_the_tokenizer(bert: Path, tmp_path: Path) -> None:
    first = tacit.load(bert).fingerprint
    assert tacit.load(bert).fingerprint == first
    elsewhere = shutil.copytree(bert, tmp_path / "elsewhere")
    assert tacit.load(elsewhere).fingerprint == first
    weights = load_file(bert / "model.safetensors")
    weights["cls.predictions.bias"][3] += 1e-3
    save_file(weights, bert / "model.safetensors", metadata={"format": "pt"})
    assert tacit.load(bert).fingerprint != first
    text = (elsewhere / "tokenizer.json").read_text()
    (elsewhere / "tokenizer.json").write_text(text.replace('"lowercase": true', '"lowercase": false'))
    assert tacit.load(elsewhere).fingerprint != first


def test_a_model_that_was_saved_in_half_precision_is_asked_in_single(tmp_path: Path) -> None:
    folder = build("bert", tmp_path / "half")
    weights = {name: tensor.half() for name, tensor in load_file(folder / "model.safetensors").items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    model = tacit.load(folder)
    assert next(model.network.model.parameters()).dtype == torch.float32
