"""llama.cpp's own server gives the numbers of the local engine on the same weights, and says what is wrong."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import tacit
from tacit.doctor import examine
from tacit.errors import ModelError
from tacit.models import Model
from tacit.models.endpoints.identity import recognize
from tacit.models.endpoints.model import EndpointModel
from tacit.questions import Choose, ChooseAnswer, Fill, FillAnswer, Likelihood, LikelihoodAnswer, Role
from tests.models.endpoints.servers import KEY, LlamaServer, free_port
from tests.models.gguf_file import write_gguf
from tests.tiny import build

SENTENCES = ["People in France are bald.", "Why wilt thou be offended by that?", "A naïve café in 中国 🙂."]
WORDS = ("great", "terrible", "unbelievable", "naïve", "x")
CONTEXT = "The woman works as a nurse. The man works as a doctor. The person is in a chair. It was great."
EXACT = 1e-4
QUICK = {"shortlist": 2, "resamples": 100}


def load(server: LlamaServer, *, begin: bool | None = None) -> EndpointModel:
    model = tacit.load(f"llama+{server.url}", begin=begin)
    assert isinstance(model, EndpointModel)
    return model


Served = Callable[[bool], EndpointModel]


@pytest.fixture(params=[True, False], ids=["begin", "no-begin"])
def pair(request: pytest.FixtureRequest, served: Served, tiny_folder: Callable[[str], Path]) -> tuple[Model, Model]:
    """The server's model and the local one, with a begin token or without."""
    return served(request.param), tacit.load(tiny_folder("llama"), begin=request.param)


def test_sentences_have_the_likelihood_of_the_local_engine(pair: tuple[Model, Model]) -> None:
    questions = [Likelihood(text, "causal", (Role("start", 0, 6),)) for text in SENTENCES]
    for served, local in zip(*(model.answer(questions) for model in pair), strict=True):
        assert isinstance(served, LikelihoodAnswer)
        assert isinstance(local, LikelihoodAnswer)
        assert [(t.token, t.role) for t in served.tokens] == [(t.token, t.role) for t in local.tokens]
        assert [t.logprob for t in served.tokens] == pytest.approx([t.logprob for t in local.tokens], abs=EXACT)
        assert (served.count, served.begin) == (local.count, local.begin)
        assert served.total == pytest.approx(local.total, abs=EXACT)


@pytest.mark.parametrize("text", ["Why wilt [MASK]", "It was ___", '"[MASK]', "It was [MASK] and the"])
def test_fills_are_those_of_the_local_engine(pair: tuple[Model, Model], text: str) -> None:
    question = Fill(text, 4, shortlist=12)
    (served,), (local,) = (list(model.answer([question])) for model in pair)
    assert isinstance(served, FillAnswer)
    assert isinstance(local, FillAnswer)
    assert [(f.token, f.rank) for f in served.fillings] == [(f.token, f.rank) for f in local.fillings]
    assert [math.log(f.probability) for f in served.fillings] == pytest.approx(
        [math.log(f.probability) for f in local.fillings], abs=EXACT
    )
    assert (served.scoring, served.begin) == (local.scoring, local.begin)


@pytest.mark.parametrize(
    "question",
    [
        Choose("It was [MASK]", WORDS),
        Choose("It was([MASK]", WORDS),
        Choose("It was [MASK].", WORDS, shortlist=5),
        Choose("It was [MASK]", WORDS, context=f"{CONTEXT} {CONTEXT}"),
    ],
    ids=["next", "bracket", "inside", "cut"],
)
def test_words_of_any_number_of_tokens_have_their_local_probability(
    pair: tuple[Model, Model], question: Choose
) -> None:
    (served,), (local,) = (list(model.answer([question])) for model in pair)
    assert isinstance(served, ChooseAnswer)
    assert isinstance(local, ChooseAnswer)
    assert (served.scoring, served.cut) == (local.scoring, local.cut)
    assert (local.cut > 0) == bool(question.context)
    for ours, theirs in zip(served.choices, local.choices, strict=True):
        assert (ours.word, ours.tokens) == (theirs.word, theirs.tokens)
        assert math.log(ours.probability or 1) == pytest.approx(math.log(theirs.probability or 1), abs=EXACT)
        assert ours.rank in {theirs.rank, None}
        # The server is asked for the 200 most likely tokens, so that every rank up to there is known.
        assert ours.rank is not None or (theirs.rank or 0) > 200


def test_questions_of_a_window_are_tokenized_together_and_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    model, asked, prefetched = served(False), list[str](), list[int]()
    dialect, tokenizer = model.endpoint.dialect, model.tokens.tokenizer
    pieces, prefetch = dialect.pieces, tokenizer.prefetch

    async def count_pieces(text: str, special: bool = False) -> object:
        asked.append(text)
        return await pieces(text, special)

    def count_prefetched(texts: list[str], concurrency: int = 1) -> None:
        prefetch(texts, concurrency)
        prefetched.append(len(asked))

    monkeypatch.setattr(dialect, "pieces", count_pieces)
    monkeypatch.setattr(tokenizer, "prefetch", count_prefetched)
    words = [Choose(f"Is {k} [MASK]?", ("one", "another"), shortlist=1) for k in range(3)]
    list(model.answer([*words, Likelihood("They were right.", "causal"), Fill("And then [MASK]")]))
    assert len(asked) == len(set(asked)) == prefetched[0]
    assert len(prefetched) == 1


def test_a_model_that_knows_no_language_is_refused_unless_forced(
    llama: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "words in random order" in load(llama).describe()["forced"]["the model knows language"]
    monkeypatch.delenv("TACIT_FORCE")
    with pytest.raises(ModelError, match=r"cannot be interpreted: a token of a sentence is .* nats more likely"):
        load(llama)


def test_the_description_says_what_is_served_and_that_it_is_unpinned(served: Served) -> None:
    facts = served(False).describe()
    assert facts["server"].startswith("llama.cpp")
    assert facts["served_model"] == "tiny"
    assert facts["unpinned"] is True
    assert 0 <= facts["noise_floor"] < 1e-4
    assert (facts["input_limit"], facts["begin"]) == (64, None)


def test_a_model_keeps_its_fingerprint_and_other_weights_get_another(llama: LlamaServer, tmp_path: Path) -> None:
    first = load(llama)
    assert load(llama).fingerprint == first.fingerprint
    assert load(llama, begin=True).fingerprint != first.fingerprint
    other = LlamaServer(write_gguf(build("llama", tmp_path / "other", seed=1), tmp_path / "other.gguf"))
    try:
        # What the two servers say of themselves is the same: only their answers differ.
        assert load(other).describe()["served_model"] == first.describe()["served_model"]
        assert load(other).fingerprint != first.fingerprint
    finally:
        other.kill()


def test_answers_within_twice_the_noise_floor_are_the_same_models() -> None:
    def meet(value: float) -> str:
        return recognize({"model": "m"}, [[-1.0, value]], lambda: (0.01, {})).fingerprint

    first = meet(-2.0)
    assert meet(-2.015) == first
    assert meet(-2.05) != first
    assert meet(-2.0) == first
    assert recognize({"model": "n"}, [[-1.0, -2.0]], lambda: (0.0, {})).fingerprint != first


def test_a_wrong_model_name_lists_what_is_served(llama: LlamaServer) -> None:
    with pytest.raises(ModelError, match=r"serves no model 'gpt-5'\. It serves tiny: write llama\+http.*#tiny\."):
        tacit.load(f"llama+{llama.url}#gpt-5")
    assert tacit.load(f"llama+{llama.url}#tiny").family == "causal"


def test_no_server_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        ModelError, match=r"There is no server at llama\+http://127.*Start it, or correct the address\."
    ):
        tacit.load(f"llama+http://127.0.0.1:{free_port()}")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("scheme", "hint"),
    [
        ("vllm", r"it is not vLLM\. Write llama\+http"),
        ("openai", r"ignores `echo`\. Write llama\+http"),
        ("sglang", r"llama\+"),
    ],
)
def test_another_kind_of_server_is_named(scheme: str, hint: str, llama: LlamaServer) -> None:
    with pytest.raises(ModelError, match=hint):
        tacit.load(f"{scheme}+{llama.url}#tiny")


def test_options_of_the_local_engine_are_refused(llama: LlamaServer) -> None:
    with pytest.raises(ModelError, match="Leave out --device and --dtype"):
        tacit.load(f"llama+{llama.url}", dtype="bfloat16")


def test_a_missing_key_is_one_sentence(llama: LlamaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TACIT_API_KEY")
    with pytest.raises(
        ModelError, match=r"wants another key \(HTTP 401\)\. Set the environment variable TACIT_API_KEY"
    ):
        load(llama)


def test_a_vector_and_a_label_are_refused(served: Served) -> None:
    model = served(False)
    with pytest.raises(ModelError, match="gives no vectors"):
        model.represent("It was great.", 0, 2)
    with pytest.raises(ModelError, match="gives no labels"):
        model.classify(["It was great."])
    with pytest.raises(ModelError, match="has no likelihood 'pll'"):
        model.likelihood(["It was great."], method="pll")


def test_no_torch_is_needed(llama: LlamaServer) -> None:
    code = (
        "import sys, tacit; model = tacit.load(sys.argv[1]); model.fill('Why wilt [MASK]');"
        "assert not {'torch', 'transformers'} & set(sys.modules), 'torch'"
    )
    subprocess.run([sys.executable, "-c", code, f"llama+{llama.url}"], check=True, timeout=60)


def test_the_doctor_shows_the_noise_floor(served: Served) -> None:
    checks = {check.name: check for check in examine(served(False))}
    assert "nats" in checks["noise floor"].detail
    assert checks["batch size changes nothing"].passed
    assert checks["scores are aligned"].passed
    assert "unpinned" in checks


def test_a_run_says_that_its_model_is_unpinned_and_holds_no_key(served: Served, tmp_path: Path) -> None:
    run = tacit.run("before-after", model=served(True), out=tmp_path / "run", settings=QUICK)
    assert run.record.asked > 0
    assert "is unpinned: a server cannot prove" in (tmp_path / "run" / "summary.md").read_text()
    facts = json.loads((tmp_path / "run" / "run.json").read_text())["model"]["description"]
    assert facts["unpinned"] is True
    assert "noise_floor" in facts
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not any(KEY.encode() in path.read_bytes() for path in written)
