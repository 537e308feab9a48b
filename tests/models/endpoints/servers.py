"""Real servers for the tests: llama.cpp's own in another process, and a small one with OpenAI's completions API."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import torch

KEY = "k3y-of-the-tests"
_LLAMA = """
import sys, time
from xllamacpp import CommonParams, Server, ggml_type, llama_flash_attn_type
parameters = CommonParams()
parameters.model.path, parameters.port = sys.argv[1], int(sys.argv[2])
parameters.hostnames = ["127.0.0.1"]
parameters.n_parallel, parameters.cpuparams.n_threads = 2, 1
parameters.model_alias = {"tiny"}
parameters.cache_type_k = parameters.cache_type_v = ggml_type.GGML_TYPE_F32
parameters.flash_attn_type = llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
parameters.api_keys = sys.argv[3:]
server = Server(parameters)
print("ready", flush=True)
time.sleep(3600)
"""


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return int(chosen.getsockname()[1])


class LlamaServer:
    """llama.cpp's server with one GGUF file, in a process that can be killed and started again."""

    def __init__(self, path: Path) -> None:
        self.path, self.port = path, free_port()
        self.start()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-c", _LLAMA, str(self.path), str(self.port), KEY]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        assert any(line.strip() == "ready" for line in self.process.stdout)
        # It logs every request: a full pipe would stop it.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self) -> None:
        """End it at once."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Behavior:
    """What a completions server does, rightly or wrongly.

    Attributes:
        shift: By how many positions the echo is misaligned.
        echoes: Whether it echoes prompts at all.
        takes_ids: Whether it takes token numbers as a prompt.
        most: How many of the most likely tokens it gives at most.
        logprobs: Whether it gives log-probabilities.
        above: What is added to every log-probability.
        failures: How many requests fail with `failure` before it works.
        failure: The status of a failing request.
        delay: How many seconds a completion takes.
        owner: Who it says owns the model.
        paths: Further paths with their documents.
        requests: The requests that it got.
    """

    shift: int = 0
    echoes: bool = True
    takes_ids: bool = True
    most: int = 20
    logprobs: bool = True
    above: float = 0.0
    failures: int = 0
    failure: int = 503
    delay: float = 0.0
    owner: str = "test"
    paths: dict[str, Any] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)


class Completions:
    """OpenAI's completions of a small local model."""

    def __init__(self, model: Any, tokenizer: Any, behavior: Behavior) -> None:
        self.model, self.tokenizer, self.behavior = model, tokenizer, behavior

    def models(self) -> Any:
        """The list of models."""
        return {"object": "list", "data": [{"id": "tiny", "owned_by": self.behavior.owner, "max_model_len": 64}]}

    @torch.inference_mode()
    def complete(self, body: dict[str, Any]) -> tuple[int, Any]:
        """The status and the reply to a request for at most one token."""
        does, prompt, count = self.behavior, body["prompt"], body.get("logprobs") or 0
        if isinstance(prompt, list) and not does.takes_ids:
            return 422, {"error": {"message": "prompt: value is not a valid string"}}
        if count > does.most:
            return 400, {"error": {"message": f"logprobs is at most {does.most}"}}
        ids = prompt if isinstance(prompt, list) else self.tokenizer(prompt)["input_ids"]
        table = torch.log_softmax(self.model(input_ids=torch.tensor([ids])).logits[0].double(), -1)
        written = int(table[-1].argmax())
        places = [(token, None if k == 0 else table[(k - 1 + does.shift) % len(ids)]) for k, token in enumerate(ids)]
        places = (places if body.get("echo") and does.echoes else []) + [(written, table[-1])]
        return 200, {"choices": [{"text": self._text(written), "logprobs": self._logprobs(places, count)}]}

    def _logprobs(self, places: list[tuple[int, Any]], count: int) -> Any:
        if not self.behavior.logprobs:
            return None
        above = self.behavior.above
        return {
            "tokens": [self._text(token) for token, _ in places],
            "token_logprobs": [None if row is None else float(row[token]) + above for token, row in places],
            "top_logprobs": [None if row is None else self._top(row, count) for _, row in places],
        }

    def _top(self, row: Any, count: int) -> dict[str, float]:
        values, ids = row.topk(min(count, len(row)))
        return {self._text(token): value for token, value in zip(ids.tolist(), values.tolist(), strict=True)}

    def _text(self, token: int) -> str:
        return str(self.tokenizer.decode([token], clean_up_tokenization_spaces=False))


@contextmanager
def serve(answer: Callable[[str, dict[str, Any] | None, dict[str, str]], tuple[int, Any]]) -> Iterator[str]:
    """A server on this machine that replies to each path, document and headers with a status and a document."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._reply(None)

        def do_POST(self) -> None:
            self._reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _reply(self, body: dict[str, Any] | None) -> None:
            status, document = answer(self.path, body, dict(self.headers))
            content = document if isinstance(document, bytes) else json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def serve_completions(model: Any, tokenizer: Any, behavior: Behavior | None = None) -> Iterator[tuple[str, Behavior]]:
    """A completions server with a model, and what it does and has been asked."""
    does = behavior or Behavior()
    completions = Completions(model, tokenizer, does)

    def answer(path: str, body: dict[str, Any] | None, headers: dict[str, str]) -> tuple[int, Any]:
        does.requests.append({"path": path, "body": body, "headers": headers})
        if path in does.paths:
            return 200, does.paths[path]
        if path == "/v1/models":
            return 200, completions.models()
        if path != "/v1/completions" or body is None:
            return 404, {"error": {"message": "no such path"}}
        if does.failures > 0:
            does.failures -= 1
            return does.failure, {"error": {"message": "try again"}}
        time.sleep(does.delay)
        return completions.complete(body)

    with serve(answer) as url:
        yield url, does
