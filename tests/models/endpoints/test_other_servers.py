"""vLLM and llama-cpp-python themselves, which take minutes to install: `make test-endpoints`."""

from __future__ import annotations

import json
import math
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import torch
import transformers

import tacit
from tacit.errors import ModelError
from tacit.models import Model
from tacit.models.endpoints.model import EndpointModel
from tacit.questions import Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodAnswer
from tests.models.endpoints.servers import KEY, free_port
from tests.tiny import byte_level

PYTHON = os.environ.get("TACIT_ENDPOINTS")
pytestmark = pytest.mark.skipif(not PYTHON, reason="`make test-endpoints` installs these servers and runs this")

SENTENCES = ["People in France are bald.", "Why wilt thou be offended by that?", "A naïve café in 中国."]
WORDS = ("great", "terrible", "unbelievable", "naïve")
CONTEXT = "The woman works as a nurse. The man works as a doctor. The person is in a chair. It was great."
EXACT = 1e-3


@contextmanager
def serving(port: int, *words: str, seconds: float = 400) -> Iterator[subprocess.Popen[bytes]]:
    """A server of the other environment, once it answers."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
    process = subprocess.Popen([str(PYTHON), "-m", *words], env=environment)
    try:
        end = time.monotonic() + seconds
        while True:
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < end, "the server does not start"
            try:
                urlopen(f"http://127.0.0.1:{port}/docs", timeout=5).close()
                break
            except (URLError, OSError):
                time.sleep(1)
        yield process
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small random GPT-2 with heads as wide as vLLM wants them on a CPU."""
    folder, tokenizer = tmp_path_factory.mktemp("gpt2"), byte_level(mask=False)
    # vLLM keeps room for one token, so that a context is cut as locally only if that takes one less too.
    tokenizer.model_max_length = 63
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=64, n_layer=2, n_head=2, n_positions=64, bos_token_id=0, eos_token_id=2
    )
    model = transformers.GPT2LMHeadModel(config)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.15)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def vllm(folder: Path) -> Iterator[str]:
    """vLLM with that model, and room for 50 of the most likely tokens."""
    port = free_port()
    words = ["vllm.entrypoints.openai.api_server", "--model", str(folder), "--served-model-name", "tiny"]
    options = ["--dtype", "float32", "--enforce-eager", "--max-model-len", "64", "--max-logprobs", "50"]
    with serving(port, *words, *options, "--host", "127.0.0.1", "--port", str(port), "--api-key", KEY):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(params=["vllm", "openai"])
def pair(request: pytest.FixtureRequest, vllm: str, folder: Path) -> tuple[Model, Model]:
    """vLLM in its own dialect and in OpenAI's, and the local engine."""
    tokenizer = f"?tokenizer={folder}" if request.param == "openai" else ""
    served = tacit.load(f"{request.param}+{vllm}{tokenizer}#tiny")
    assert isinstance(served, EndpointModel)
    assert served.noise_floor < EXACT
    return served, tacit.load(folder)


def test_vllm_gives_the_numbers_of_the_local_engine(pair: tuple[Model, Model]) -> None:
    questions = [
        *(Likelihood(text, "causal") for text in SENTENCES),
        Likelihood(" ".join(SENTENCES), "causal"),
        Choose("It was [MASK]", WORDS),
        Choose("It was [MASK].", WORDS, shortlist=20),
        Choose("It was [MASK]", WORDS, context=f"{CONTEXT} {CONTEXT}"),
        Fill("Why wilt [MASK]", 10),
        Fill("It was [MASK] and the", 3, shortlist=20),
    ]
    largest = 0.0
    for ours, theirs in zip(*(model.answer(questions) for model in pair), strict=True):
        if isinstance(ours, LikelihoodAnswer) and isinstance(theirs, LikelihoodAnswer):
            assert [t.token for t in ours.tokens] == [t.token for t in theirs.tokens]
            pairs = [(a.logprob, b.logprob) for a, b in zip(ours.tokens, theirs.tokens, strict=True)]
            assert pairs[0] == (None, None)
            largest = max(largest, *(abs((a or 0) - (b or 0)) for a, b in pairs))
        elif isinstance(ours, ChooseAnswer) and isinstance(theirs, ChooseAnswer):
            assert (ours.scoring, ours.cut) == (theirs.scoring, theirs.cut)
            for a, b in zip(ours.choices, theirs.choices, strict=True):
                assert a.rank in {b.rank, None}
                largest = max(largest, abs(math.log(a.probability or 1) - math.log(b.probability or 1)))
        elif isinstance(ours, FillAnswer) and isinstance(theirs, FillAnswer):
            for filling, local in zip(ours.fillings, theirs.fillings, strict=True):
                is_part = filling.token.lstrip("#").startswith("<")  # vLLM does not spell parts of characters
                assert filling.token == local.token or is_part
                largest = max(largest, abs(math.log(filling.probability) - math.log(local.probability)))
    print(f"largest difference to the local engine: {largest:.1e}")
    assert largest < EXACT


def test_too_many_tokens_are_refused_with_the_flag(vllm: str) -> None:
    model = tacit.load(f"vllm+{vllm}")
    assert model.describe()["ranks_known"] == 20
    with pytest.raises(ModelError, match=r"does not give the 200 most likely tokens .*--max-logprobs -1"):
        model.fill("It was [MASK] and the", 3)


def test_a_wrong_name_a_missing_key_and_another_dialect_are_one_sentence(
    vllm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelError, match=r"serves no model 'gpt-5'\. It serves tiny"):
        tacit.load(f"vllm+{vllm}#gpt-5")
    with pytest.raises(ModelError, match=r"it is not llama.cpp's server\. Write vllm\+"):
        tacit.load(f"llama+{vllm}")
    monkeypatch.delenv("TACIT_API_KEY")
    with pytest.raises(ModelError, match="wants another key"):
        tacit.load(f"vllm+{vllm}")


def test_the_misaligned_echo_of_llama_cpp_python_is_refused(gguf: Path, tiny_folder: Callable[[str], Path]) -> None:
    port = free_port()
    words = ["llama_cpp.server", "--model", str(gguf), "--logits_all", "true", "--host", "127.0.0.1"]
    with serving(port, *words, "--port", str(port), "--model_alias", "tiny"):
        listed = json.loads(urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5).read())
        assert listed["data"][0]["id"] == "tiny"
        with pytest.raises(ModelError, match="its echo is misaligned"):
            tacit.load(f"openai+http://127.0.0.1:{port}?tokenizer={tiny_folder('llama')}#tiny")
