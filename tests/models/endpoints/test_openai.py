"""A server with OpenAI's completions API is asked if it scores prompts rightly, and refused if it does not."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tacit
from tacit.errors import ModelError
from tacit.models.endpoints.model import EndpointModel
from tacit.questions import Choose, ChooseAnswer, Fill, FillAnswer, Likelihood
from tests.models.endpoints.servers import Behavior, serve_completions
from tests.tiny import build

WORDS = ("great", "terrible", "unbelievable")


@pytest.fixture
def folder(tiny_folder: Callable[[str], Path]) -> Path:
    return tiny_folder("gpt2")


def load(url: str, folder: Path) -> EndpointModel:
    model = tacit.load(f"openai+{url}/v1?tokenizer={folder}#tiny")
    assert isinstance(model, EndpointModel)
    return model


def test_its_answers_are_those_of_the_local_engine(gpt2: tuple[Any, Any], folder: Path) -> None:
    local = tacit.load(folder)
    questions = [
        Likelihood("People in France are bald.", "causal", detail=False),
        Choose("It was [MASK]", WORDS),
        Choose("It was [MASK].", WORDS, shortlist=6),
        Fill("Why wilt [MASK]", 8),
    ]
    with serve_completions(*gpt2) as (url, _):
        likelihood, following, inside, fill = load(url, folder).answer(questions)
    expected = list(local.answer(questions))
    assert likelihood.mean == pytest.approx(expected[0].mean, abs=1e-4)  # type: ignore[union-attr]
    for ours, theirs in zip((following, inside), expected[1:3], strict=True):
        assert isinstance(ours, ChooseAnswer)
        assert isinstance(theirs, ChooseAnswer)
        for own, other in zip(ours.choices, theirs.choices, strict=True):
            assert own.tokens == other.tokens
            assert math.log(own.probability or 1) == pytest.approx(math.log(other.probability or 1), abs=1e-4)
            assert own.rank in {other.rank, None}
    assert isinstance(fill, FillAnswer)
    assert isinstance(expected[3], FillAnswer)
    assert [f.token for f in fill.fillings] == [f.token for f in expected[3].fillings]


def test_tokens_that_are_written_alike_are_told_apart(gpt2: tuple[Any, Any], folder: Path) -> None:
    """A byte that is part of a character is written as the same sign as many others: the reply merges them."""
    model, tokenizer = gpt2
    alike = [token for token in range(len(tokenizer)) if tokenizer.decode([token]) == "�"]
    assert len(alike) > 50
    with serve_completions(model, tokenizer) as (url, _):
        answer = load(url, folder).fill("Why wilt [MASK]", 20)
    expected = tacit.load(folder).fill("Why wilt [MASK]", 20)
    assert len({tokenizer.decode(tokenizer.convert_tokens_to_ids([f.token])) for f in expected}) < 20
    assert [f.token for f in answer] == [f.token for f in expected]


@pytest.mark.parametrize(
    ("behavior", "reason"),
    [
        (Behavior(shift=1), r"its echo is misaligned: it wrote .* and then echoes it with"),
        (Behavior(shift=-1), r"its echo is misaligned"),
        (Behavior(echoes=False), r"it ignores `echo`"),
        (Behavior(logprobs=False), r"it gives no log-probabilities"),
        (Behavior(takes_ids=False), r"it takes no token numbers as a prompt \(prompt: value is not a valid string\)"),
        (Behavior(above=9.0), r"as a log-probability, which cannot be above 0"),
        (Behavior(paths={"/api/version": {"version": "0.9"}}), r"it is Ollama, .*llama\+http"),
        (Behavior(owner="llamacpp"), r"it is llama.cpp's server, which ignores `echo`\. Write llama\+http"),
    ],
    ids=["ahead", "behind", "no-echo", "no-logprobs", "no-ids", "above-0", "ollama", "llama.cpp"],
)
def test_a_server_that_would_give_wrong_numbers_is_refused(
    behavior: Behavior, reason: str, gpt2: tuple[Any, Any], folder: Path
) -> None:
    with (
        serve_completions(*gpt2, behavior) as (url, _),
        pytest.raises(ModelError, match=rf"The server at openai\+http://127.*{reason}"),
    ):
        load(url, folder)


def test_another_tokenizer_is_refused(gpt2: tuple[Any, Any], folder: Path, tmp_path: Path) -> None:
    # The same tokens, but numbered backwards.
    other = build("gpt2", tmp_path / "other")
    text = (other / "tokenizer.json").read_text()
    shutil.copytree(folder, tmp_path / "shifted")
    swapped = text.replace('"Ġt":', '"@swap":').replace('"Ġa":', '"Ġt":').replace('"@swap":', '"Ġa":')
    (tmp_path / "shifted" / "tokenizer.json").write_text(swapped)
    with serve_completions(*gpt2) as (url, _), pytest.raises(ModelError, match="it does not have the tokenizer"):
        load(url, tmp_path / "shifted")


def test_a_server_that_tells_few_tokens_is_asked_what_it_can_answer(gpt2: tuple[Any, Any], folder: Path) -> None:
    with serve_completions(*gpt2, Behavior(most=5)) as (url, _):
        model = load(url, folder)
        assert model.describe()["ranks_known"] == 5
        (answer,) = model.answer([Choose("It was [MASK]", WORDS)])
        assert isinstance(answer, ChooseAnswer)
        assert all(choice.probability for choice in answer.choices)
        with pytest.raises(ModelError, match=r"does not give the 200 most likely tokens \(logprobs is at most 5\)"):
            model.fill("It was [MASK] and the", 3)
        assert len(model.fill("It was [MASK]", 5)) == 5


def test_a_tokenizer_must_be_named(gpt2: tuple[Any, Any]) -> None:
    with serve_completions(*gpt2) as (url, _):
        with pytest.raises(ModelError, match=rf"Name its folder: openai\+{url}\?tokenizer=FOLDER#tiny"):
            tacit.load(f"openai+{url}")
        with pytest.raises(ModelError, match=r"There is no folder \./nowhere with a tokenizer"):
            tacit.load(f"openai+{url}?tokenizer=./nowhere#tiny")
