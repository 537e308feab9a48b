"""Training is exact: the same seed gives the same weights, stopped in the middle or not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import TacitError
from training.batches import batches, blanked
from training.recipe import STANDARDS, Recipe, learning_rate
from training.train import export, train
from training.vectors import log_frequencies, starting_vectors
from training.vocabulary import SPECIAL_TOKENS, encode, train_vocabulary

TINY = Recipe(steps=6, hidden=16, layers=1, heads=2, length=16, batch_tokens=32, warm_up=2, decay_steps=3)
WORDS = 40


@pytest.fixture(autouse=True)
def threads_as_before() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def sequences(count: int = 60) -> list[list[int]]:
    draw = np.random.default_rng(3)
    return [[2, *draw.integers(5, WORDS, 4 + row % 3).tolist(), 3] for row in range(count)]


def weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in model.state_dict().items()}


def quiet(_: str) -> None:
    return None


def test_a_run_that_was_stopped_ends_bit_for_bit_like_one_that_was_not(tmp_path: Path) -> None:
    texts = sequences()
    straight = weights(train(texts, texts, TINY, WORDS, tmp_path / "straight.pt", report=quiet))
    halfway = weights(train(texts, texts, TINY, WORDS, tmp_path / "stopped.pt", report=quiet, until=3))
    continued = weights(train(texts, texts, TINY, WORDS, tmp_path / "stopped.pt", report=quiet))
    assert all(torch.equal(straight[name], continued[name]) for name in straight)
    assert not all(torch.equal(straight[name], halfway[name]) for name in straight)


def test_an_exported_model_reads_a_second_segment_like_the_first(tmp_path: Path) -> None:
    texts = sequences()
    model = train(texts, texts, TINY, WORDS, tmp_path / "checkpoint.pt", report=quiet).eval()
    export(model, tmp_path)
    ids = torch.tensor([texts[0]])
    one, two = (model(ids, token_type_ids=torch.full_like(ids, segment)).logits for segment in (0, 1))
    assert torch.equal(one, two)


def test_another_seed_gives_other_weights(tmp_path: Path) -> None:
    texts = sequences()
    other = Recipe(**{**TINY.__dict__, "seed": 2})
    first = weights(train(texts, texts, TINY, WORDS, tmp_path / "first.pt", report=quiet))
    second = weights(train(texts, texts, other, WORDS, tmp_path / "second.pt", report=quiet))
    assert not torch.equal(
        first["bert.embeddings.word_embeddings.weight"], second["bert.embeddings.word_embeddings.weight"]
    )


def test_batches_hold_one_length_and_an_epoch_repeats_nothing() -> None:
    texts = [[2, 5 + row, *([6] * (row % 3)), 3] for row in range(60)]
    found = list(islice(batches(texts, 16, seed=1), 12))
    assert all(batch.numel() <= 16 for batch in found)
    rows = [tuple(row) for batch in found for row in batch.tolist()]
    assert len(rows) == len(set(rows))


def test_batches_continue_where_they_stopped() -> None:
    texts = sequences()
    whole = list(islice(batches(texts, 32, seed=1), 40))
    rest = list(islice(batches(texts, 32, seed=1, start=17), 23))
    assert all(torch.equal(a, b) for a, b in zip(whole[17:], rest, strict=True))


def test_too_little_text_is_said() -> None:
    with pytest.raises(TacitError, match="do not fill one batch"):
        next(batches([[2, 5, 3]], 300, seed=1))


def test_special_tokens_are_never_hidden_and_hidden_words_are_where_it_says() -> None:
    batch = torch.tensor([[2, *range(5, 40), 3]] * 200)
    shown, hidden = blanked(batch, 0.3, WORDS, torch.Generator().manual_seed(1))
    assert not hidden[:, [0, -1]].any()
    assert hidden[:, 1:-1].float().mean().item() == pytest.approx(0.3, abs=0.02)
    assert torch.equal(shown[~hidden], batch[~hidden])
    assert (shown[hidden] == 4).float().mean().item() == pytest.approx(0.8, abs=0.03)


@given(st.integers(0, 2_000), st.integers(3_000, 9_000))
def test_before_it_falls_the_rate_does_not_know_how_long_the_run_is(step: int, steps: int) -> None:
    short, long = (Recipe(steps=n, decay_steps=1_000) for n in (steps, steps + 500))
    assert learning_rate(step, short) == learning_rate(step, long)


@pytest.mark.parametrize("name", list(STANDARDS))
def test_the_rate_rises_to_its_peak_and_ends_near_zero(name: str) -> None:
    recipe = STANDARDS[name]
    assert learning_rate(0, recipe) < 0.01 * recipe.peak_rate
    assert learning_rate(recipe.warm_up, recipe) == recipe.peak_rate
    assert 0 < learning_rate(recipe.steps - 1, recipe) < 0.001 * recipe.peak_rate


def test_words_of_the_same_company_start_alike() -> None:
    texts = [[2, 5, 7, 5, 3], [2, 6, 7, 6, 3], [2, 8, 9, 8, 3]] * 30
    vectors = starting_vectors(texts, 12, 3, 0.03, seed=1)
    near, far = vectors[5] @ vectors[6], vectors[5] @ vectors[8]
    assert near > far
    assert vectors.std() == pytest.approx(0.03, rel=1e-3)


def test_log_frequencies_are_those_of_the_text() -> None:
    texts = [[2, 5, 5, 6, 3]]
    assert np.exp(log_frequencies(texts, 10)).sum() == pytest.approx(1, abs=1e-5)
    assert log_frequencies(texts, 10)[5] == pytest.approx(np.log(3 / 15))


def test_both_varieties_get_words_into_the_vocabulary() -> None:
    old = ["thou hast spoken unto thy servant and thou hast seen"] * 10
    new = ["the computer has a screen and the screen is bright"] * 1_000
    tokenizer = train_vocabulary([old, new], 150)
    assert tokenizer.encode("Thou HAST").tokens == ["[CLS]", "thou", "hast", "[SEP]"]
    assert [tokenizer.token_to_id(each) for each in SPECIAL_TOKENS] == [0, 1, 2, 3, 4]


def test_long_texts_are_cut_and_keep_their_last_token() -> None:
    tokenizer = train_vocabulary([["a b c d e f"], ["a b c d e f"]], 30)
    (cut,) = encode(tokenizer, ["a b c d e f"], 5)
    assert len(cut) == 5
    assert (cut[0], cut[-1]) == (2, 3)
