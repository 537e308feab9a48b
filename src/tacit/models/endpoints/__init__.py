"""Models behind HTTP: vLLM, SGLang, llama.cpp's server, and other servers with OpenAI's completions API."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tacit.errors import ModelError
from tacit.models.base import Model

__all__ = ["LLAMA", "OPENAI", "SGLANG", "VLLM", "EndpointLoader"]


@dataclass(frozen=True, slots=True)
class EndpointLoader:
    """Loads the models of one kind of server: `vllm` loads every name that starts with `vllm+`."""

    scheme: str

    def accepts(self, path: Path) -> bool:
        """No file or folder is an endpoint."""
        return False

    def load(self, name: str, **options: Any) -> Model:
        """Connect to the server at an address, such as `http://127.0.0.1:8000#MODEL`, and check what it serves."""
        if not find_spec("httpx2"):
            raise ModelError("Models behind an endpoint need one more package. Run pip install 'tacit[endpoints]'.")
        from tacit.models.endpoints.loading import load  # noqa: PLC0415 - imports the HTTP client

        return load(self.scheme, name, **options)


VLLM = EndpointLoader("vllm")
SGLANG = EndpointLoader("sglang")
LLAMA = EndpointLoader("llama")
OPENAI = EndpointLoader("openai")
