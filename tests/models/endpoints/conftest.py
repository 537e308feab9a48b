"""llama.cpp's server with a small GGUF file, started once a session, and small models for other servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

import tacit
from tacit.models.endpoints.model import EndpointModel
from tests.models.endpoints.servers import KEY, LlamaServer
from tests.models.gguf_file import write_gguf


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key that llama.cpp's server wants."""
    monkeypatch.setenv("TACIT_API_KEY", KEY)


@pytest.fixture(scope="session")
def gguf(tiny_folder: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Llama as a GGUF file."""
    return write_gguf(tiny_folder("llama"), tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture(scope="session")
def llama(gguf: Path) -> Iterator[LlamaServer]:
    """llama.cpp's server with that file."""
    server = LlamaServer(gguf)
    yield server
    server.kill()


@pytest.fixture(scope="session")
def served(llama: LlamaServer, tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], EndpointModel]:
    """The model of that server, with a begin token or without: the handshake takes hundreds of requests."""
    models: dict[bool, EndpointModel] = {}

    def load(begin: bool) -> EndpointModel:
        if begin not in models:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("TACIT_CACHE", str(tmp_path_factory.mktemp("cache")))
                patch.setenv("TACIT_FORCE", "1")
                patch.setenv("TACIT_API_KEY", KEY)
                model = tacit.load(f"llama+{llama.url}", begin=begin)
            assert isinstance(model, EndpointModel)
            models[begin] = model
        return models[begin]

    return load


@pytest.fixture(scope="session")
def gpt2(tiny_folder: Callable[[str], Path]) -> tuple[Any, Any]:
    """A small GPT-2 and its tokenizer, as transformers loads them."""
    folder = tiny_folder("gpt2")
    return AutoModelForCausalLM.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
