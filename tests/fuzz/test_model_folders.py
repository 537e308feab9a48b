"""Model folders from a stranger: each file damaged, each number of the configuration changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tests.fuzz.harness import assert_taken_or_refused, fuzzed
from tests.fuzz.strategies import byte_damage, damage_json, json_damage, odd_numbers, odd_text

pytestmark = pytest.mark.usefixtures("playground")

KINDS = ("bert", "roberta", "albert", "gpt2", "llama", "bart", "t5", "classifier", "modernbert", "deberta")
SPOILED = Path("spoiled")
Folder = Callable[[str], Path]


def _spoil(source: Path) -> Path:
    shutil.rmtree(SPOILED, ignore_errors=True)
    return Path(shutil.copytree(source, SPOILED))


def _ask(folder: Path) -> object:
    model = tacit.load(str(folder))
    if model.family == "classifier":
        return model.classify(["It was great."])
    return model.fill("It was [MASK] great.", top=3), model.likelihood(["It was great."])


@given(st.sampled_from(KINDS), st.data())
@fuzzed(quick=30, share=0.06)
def test_any_value_in_the_configuration_is_taken_or_refused(
    tiny_folder: Folder, kind: str, data: st.DataObject
) -> None:
    folder = _spoil(tiny_folder(kind))
    config = json.loads((folder / "config.json").read_bytes())
    key = data.draw(st.one_of(st.sampled_from(sorted(config)), st.sampled_from(HARMFUL)))
    config[key] = data.draw(st.one_of(odd_numbers, odd_text, st.sampled_from(VALUES)))
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert_taken_or_refused(lambda: _ask(folder), (kind, key, config[key]))


HARMFUL = (
    "_attn_implementation",
    "attn_implementation",
    "_experts_implementation",
    "auto_map",
    "quantization_config",
    "num_labels",
    "torch_dtype",
    "dtype",
    "use_kernels",
    "tie_word_embeddings",
    "is_decoder",
    "rope_scaling",
    "pruned_heads",
    "_name_or_path",
    "transformers_weights",
    "tokenizer_class",
)
VALUES: tuple[Any, ...] = (
    "kernels-community/flash-attn",
    {"AutoConfig": "configuration_evil.Evil"},
    {"quant_method": "bitsandbytes", "load_in_4bit": True},
    {"quant_method": "gptq", "bits": 4},
    {"type": "yarn", "factor": 1e300},
    {"0": [0, 1]},
    ["BertForMaskedLM"],
    ["Nothing"],
    [],
    {},
    1_000_000,
    1_000_000_000,
    -1,
)


@given(st.sampled_from(KINDS), st.integers(0, 8), json_damage)
@fuzzed(quick=30, share=0.06)
def test_damaged_json_is_read_or_refused(
    tiny_folder: Folder, kind: str, which: int, damage: tuple[list[int], str, Any]
) -> None:
    folder = _spoil(tiny_folder(kind))
    files = sorted(folder.glob("*.json"))
    damaged = files[which % len(files)]
    damaged.write_bytes(damage_json(damaged.read_bytes(), damage))
    assert_taken_or_refused(lambda: _ask(folder), (kind, damaged.name, damage))


@given(st.sampled_from(KINDS), st.integers(0, 8), byte_damage())
@fuzzed(quick=20, share=0.03)
def test_damaged_bytes_are_read_or_refused(
    tiny_folder: Folder, kind: str, which: int, damage: Callable[[bytes], bytes]
) -> None:
    folder = _spoil(tiny_folder(kind))
    files = sorted(path for path in folder.iterdir() if path.is_file())
    damaged = files[which % len(files)]
    damaged.write_bytes(damage(damaged.read_bytes()))
    assert_taken_or_refused(lambda: _ask(folder), (kind, damaged.name))


@given(st.sampled_from(KINDS), json_damage, st.booleans())
@fuzzed(quick=20, share=0.03)
def test_a_damaged_header_of_the_weights_is_refused(
    tiny_folder: Folder, kind: str, damage: tuple[list[int], str, Any], right_length: bool
) -> None:
    folder = _spoil(tiny_folder(kind))
    path = folder / "model.safetensors"
    whole = path.read_bytes()
    length = int.from_bytes(whole[:8], "little")
    header = damage_json(whole[8 : 8 + length], damage)
    written = len(header) if right_length else length
    path.write_bytes(written.to_bytes(8, "little") + header + whole[8 + length :])
    assert_taken_or_refused(lambda: _ask(folder), (kind, damage, right_length))


@given(st.sampled_from(("bert", "gpt2")), st.integers(0, 8), st.sampled_from(["gone", "folder", "loop"]))
@fuzzed(quick=10, share=0.01)
def test_a_missing_file_is_named(tiny_folder: Folder, kind: str, which: int, how: str) -> None:
    folder = _spoil(tiny_folder(kind))
    files = sorted(folder.iterdir())
    replaced = files[which % len(files)]
    replaced.unlink()
    if how == "folder":
        replaced.mkdir()
    if how == "loop":
        replaced.symlink_to(replaced.name)
    assert_taken_or_refused(lambda: _ask(folder), (kind, replaced.name, how))
