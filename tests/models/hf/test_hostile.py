"""Model folders that are damaged or mean harm: refused in one sentence, within seconds, before memory is taken."""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

import tacit
from tacit import TacitError
from tacit.asking import Cache, Tally, ask
from tacit.questions import Fill
from tests.tiny import build

QUESTION = Fill("It was [MASK] great.", top=3)


@pytest.fixture
def bert(tiny_folder: Callable[[str], Path], tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(tiny_folder("bert"), tmp_path / "bert"))


def _configure(folder: Path, **changes: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))


def _reweigh(folder: Path, name: str, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    weights = load_file(folder / "model.safetensors")
    weights[name] = change(weights[name])
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_one_number_that_is_not_finite_is_found_and_its_tensor_named(bert: Path, value: float) -> None:
    def spoil(bias: torch.Tensor) -> torch.Tensor:
        bias[3] = value
        return bias

    _reweigh(bert, "bert.encoder.layer.1.output.dense.bias", spoil)
    with pytest.raises(
        TacitError, match=r"bert\.encoder\.layer\.1\.output\.dense\.bias contains numbers that are not fin"
    ):
        tacit.load(bert)


def test_finite_weights_with_infinite_logits_are_refused(bert: Path) -> None:
    _reweigh(bert, "cls.predictions.bias", lambda bias: torch.full_like(bias, 3e38))
    _reweigh(bert, "cls.predictions.transform.LayerNorm.weight", lambda weight: torch.full_like(weight, 3e38))
    with pytest.raises(TacitError, match="not finite"):
        tacit.load(bert).fill("It was [MASK].")


def test_a_model_without_its_tokenizer_is_refused(bert: Path) -> None:
    (bert / "tokenizer.json").unlink()
    with pytest.raises(TacitError, match=r"has no tokenizer \(tokenizer\.json\)"):
        tacit.load(bert)


def test_a_larger_foreign_tokenizer_is_refused(bert: Path, tiny_folder: Callable[[str], Path]) -> None:
    for path in tiny_folder("roberta").glob("tokenizer*.json"):
        shutil.copy(path, bert)
    with pytest.raises(TacitError, match=r"does not belong to its weights: it has a token number 420"):
        tacit.load(bert)


def test_a_template_with_a_token_that_the_model_lacks_is_refused(bert: Path) -> None:
    tokenizer = json.loads((bert / "tokenizer.json").read_text())
    tokenizer["post_processor"]["special_tokens"]["[CLS]"]["ids"] = [99_999]
    (bert / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(TacitError, match=r"puts a token first that it does not have \(number 99,999\)"):
        tacit.load(bert)


def _exchange(original: Path, other: Path) -> None:
    """Put another file in the place of a file, with its size and time of modification, as cp -p, tar and images do."""
    stat = original.stat()
    assert other.stat().st_size == stat.st_size
    original.write_bytes(other.read_bytes())
    os.utime(original, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_exchanged_weights_with_the_old_time_stamp_get_no_old_answers(bert: Path, tmp_path: Path) -> None:
    other = build("bert", tmp_path / "other", seed=1)
    tally = Tally()
    with Cache(tmp_path / "a.sqlite") as cache:
        (first,) = ask(tacit.load(bert), [QUESTION], cache=cache, tally=tally)
        _exchange(bert / "model.safetensors", other / "model.safetensors")
        (second,) = ask(tacit.load(bert), [QUESTION], cache=cache, tally=tally)
    assert tally.cached == 0
    assert second != first


def test_rehash_notices_what_the_file_system_hides(bert: Path, tmp_path: Path) -> None:
    from tacit.models.hf import fingerprint

    before = tacit.load(bert).fingerprint
    known = json.loads(fingerprint._known_hashes_file().read_text())
    _exchange(bert / "model.safetensors", build("bert", tmp_path / "other", seed=1) / "model.safetensors")
    # A file system that restores every time stamp: the old hash stands under the new key.
    stat = (bert / "model.safetensors").stat()
    name = str((bert / "model.safetensors").resolve())
    key = f"{name}|{stat.st_size}|{stat.st_mtime_ns}|{stat.st_ctime_ns}|{stat.st_dev}|{stat.st_ino}"
    (old,) = [digest for kept, digest in known.items() if kept.startswith(f"{name}|")]
    fingerprint._write_known_hashes({**known, key: old})
    assert tacit.load(bert).fingerprint == before
    assert tacit.load(bert, rehash=True).fingerprint != before


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_pointer_of_git_lfs_is_named(bert: Path, name: str) -> None:
    (bert / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n")
    with pytest.raises(TacitError, match=rf"{name} is a Git LFS pointer, not the file itself. Run `git lfs pull`"):
        tacit.load(bert)


@pytest.mark.parametrize("kept", [0, 4, 8, 60, 3000, -1])
def test_weights_that_are_cut_off_are_named(bert: Path, kept: int) -> None:
    path = bert / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(TacitError, match=r"model\.safetensors (is cut off|is damaged)|header of .*model\.safetensors"):
        tacit.load(bert)


def _rewrite_header(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    whole = path.read_bytes()
    length = int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8 : 8 + length])
    change(header)
    written = json.dumps(header).encode()
    path.write_bytes(len(written).to_bytes(8, "little") + written + whole[8 + length :])


def _overlap(header: dict[str, Any]) -> None:
    names = [name for name in header if name != "__metadata__"]
    header[names[1]]["data_offsets"] = header[names[0]]["data_offsets"]


def _lie(header: dict[str, Any]) -> None:
    name = next(name for name in header if name != "__metadata__")
    header[name]["shape"] = [10**9, 10**9]


@pytest.mark.parametrize("change", [_overlap, _lie])
def test_a_header_that_lies_is_refused(bert: Path, change: Callable[[dict[str, Any]], None]) -> None:
    _rewrite_header(bert / "model.safetensors", change)
    with pytest.raises(TacitError, match=r"model\.safetensors is damaged: its tensor .* is not where it should be"):
        tacit.load(bert)


@pytest.mark.parametrize(
    "changes",
    [
        {"num_hidden_layers": 1_000_000},
        {"num_labels": 1_000_000_000},
        {"vocab_size": 10**12},
        {"hidden_size": 1_000_000},
        {"intermediate_size": 100_000_000},
        {"max_position_embeddings": 100_000_000},
        {"num_hidden_layers": 1e300},
        {"hidden_size": "wide"},
        {"num_attention_heads": 0},
        {"hidden_size": None},
        {"architectures": 7},
        {"architectures": [[]]},
        {"model_type": ["bert"]},
        {"id2label": 5},
        {"vocab_size": True},
    ],
    ids=str,
)
def test_a_configuration_that_lies_is_refused_at_once(bert: Path, changes: dict[str, Any]) -> None:
    _configure(bert, **changes)
    began, taken = time.process_time(), _peak_bytes()
    with pytest.raises(TacitError, match=r"config|cannot be") as refused:
        tacit.load(bert)
    assert "\n" not in str(refused.value)
    assert time.process_time() - began < 10
    assert _peak_bytes() - taken < 2e9


def _peak_bytes() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("key", ["_attn_implementation", "attn_implementation", "_experts_implementation"])
def test_nothing_in_a_model_folder_chooses_code(
    bert: Path, tiny_folder: Callable[[str], Path], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import modeling_utils

    def reached(*_: object, **__: object) -> None:
        raise AssertionError("the loader of kernels was reached")

    for name in ("load_and_register_attn_kernel", "lazy_import_flash_attention"):
        if hasattr(modeling_utils, name):
            monkeypatch.setattr(modeling_utils, name, reached)
    _configure(bert, **{key: "kernels-community/evil"})
    assert tacit.load(bert).fill("It was [MASK].") == tacit.load(tiny_folder("bert")).fill("It was [MASK].")
