"""Names lead to loaders without importing torch before it is needed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import tacit
from tacit.errors import TacitError
from tacit.models import loader_names
from tacit.models.registry import _kind_of


def test_the_built_in_loaders_are_registered_like_those_of_other_packages() -> None:
    assert {"hf", "gguf", "vllm", "sglang", "llama", "openai"} <= set(loader_names())


def test_a_folder_is_for_hf_and_a_gguf_file_for_gguf(tiny_folder: Callable[[str], Path], tmp_path: Path) -> None:
    (tmp_path / "model.gguf").touch()
    (tmp_path / "folder.gguf").mkdir()
    assert _kind_of(tiny_folder("bert")) == "hf"
    assert _kind_of(tmp_path / "model.gguf") == "gguf"
    assert _kind_of(tmp_path / "folder.gguf") == "hf"


def test_a_scheme_names_its_loader(tiny_folder: Callable[[str], Path]) -> None:
    assert tacit.load(f"hf+{tiny_folder('bert')}").fingerprint == tacit.load(tiny_folder("bert")).fingerprint


def test_an_unknown_scheme_is_answered_with_the_known_ones() -> None:
    with pytest.raises(TacitError, match=r"no kind of model 'tgi': choose one of .*hf"):
        tacit.load("tgi+http://127.0.0.1:8000#model")
    with pytest.raises(TacitError, match="no kind of model 'vlm': did you mean 'vllm'"):
        tacit.load("vlm+http://127.0.0.1:8000#model")


def test_importing_tacit_and_choosing_a_loader_imports_no_torch(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").touch()
    code = """if True:
        import sys
        from pathlib import Path
        import tacit, tacit.asking, tacit.questions
        from tacit.models import loader_names
        from tacit.models.fetching import fetched_path
        from tacit.models.registry import _kind_of
        loader_names(), fetched_path("smollm2-135m"), _kind_of(Path(sys.argv[1]))
        assert not {"torch", "transformers", "httpx2"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "model.gguf")], check=True, timeout=60)
