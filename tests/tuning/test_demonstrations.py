"""Demonstrations are labeled training reviews beside the one to label, and never that review itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tacit
from tacit.errors import TacitError
from tacit.methods.sentiment.materials import Review
from tacit.tuning import Epoch, PromptTuning, tune_prompt, tune_prompt_seeds
from tacit.tuning.demonstrations import Demonstrations, draw_demonstrations
from tacit.tuning.examples import encode
from tests.tuning.making import weights

Folders = Callable[[str], Path]
WORDS = ("great", "terrible")
PRAISE, BLAME = Review("p", "the pizza was kind", positive=True), Review("b", "the man was poor", positive=False)
SHOWN = PromptTuning(shots=4, rate=3e-3, epochs=4, patience=4, demonstrations=True)


def test_each_review_gets_one_other_of_each_class_and_the_seed_decides_which() -> None:
    pool = [Review(str(i), f"text {i}", positive=i % 2 == 0) for i in range(12)]
    shown = draw_demonstrations(pool, pool, (0, 1))
    for review, (positive, negative) in zip(pool, shown, strict=True):
        assert positive.positive
        assert not negative.positive
        assert review not in (positive, negative)
    assert shown == draw_demonstrations(pool, pool, (0, 1))
    assert shown != draw_demonstrations(pool, pool, (0, 2))


def test_a_masked_model_reads_the_demonstrations_behind_the_blank(tiny_folder: Folders) -> None:
    question = Demonstrations(tacit.load(tiny_folder("bert")), "It was [MASK].", WORDS).ask(
        Review("r", "the chair was kind", positive=True), (PRAISE, BLAME)
    )
    assert question.context == "the chair was kind"
    assert question.text == "It was [MASK]. the pizza was kind It was great. the man was poor It was terrible."


def test_a_causal_model_reads_them_before_the_review(tiny_folder: Folders) -> None:
    question = Demonstrations(tacit.load(tiny_folder("gpt2")), "It was [MASK].", WORDS).ask(
        Review("r", "the chair was kind", positive=True), (PRAISE, BLAME)
    )
    assert question.context == "the pizza was kind It was great. the man was poor It was terrible. the chair was kind"
    assert question.text == "It was [MASK]"


def test_long_demonstrations_are_cut_and_blanks_of_their_own_taken_out(tiny_folder: Folders) -> None:
    model = tacit.load(tiny_folder("bert"))
    long = Review("l", "the ___ pizza was great " * 60, positive=True)
    examples = encode(model, [long], "It was [MASK].", WORDS, [(long, Review("m", long.text, positive=False))])
    assert len(examples[0].ids) == model.tokens.limit
    assert examples[0].ids.count(model.tokens.tokenizer.mask_token_id) == 1
    assert examples[0].ids[examples[0].blank] == model.tokens.tokenizer.mask_token_id


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_a_model_learns_with_demonstrations(kind: str, tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    options = PromptTuning(shots=5, rate=3e-3, epochs=20, patience=20, demonstrations=True)
    tuned = tune_prompt(tiny_folder(kind), reviews, tmp_path / "tuned", options)
    assert tuned.epochs[tuned.best].loss < tuned.epochs[0].loss


def test_an_interrupted_tuning_with_demonstrations_ends_in_the_same_weights(
    tiny_folder: Folders, reviews: Path, tmp_path: Path
) -> None:
    tune_prompt(tiny_folder("bert"), reviews, tmp_path / "whole", SHOWN)

    def interrupt(epoch: Epoch) -> None:
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / "broken", SHOWN, on_epoch=interrupt)
    tune_prompt(tiny_folder("bert"), reviews, tmp_path / "broken", SHOWN)
    assert weights(tmp_path / "broken") == weights(tmp_path / "whole")


def test_demonstrations_need_a_second_review_of_a_class() -> None:
    with pytest.raises(TacitError, match="at least 2 with demonstrations"):
        PromptTuning(shots=1, demonstrations=True)


def test_a_recipe_names_later_options_only_where_they_are_used() -> None:
    assert not {"demonstrations", "held_out"} & PromptTuning().recipe().keys()
    assert PromptTuning(demonstrations=True, held_out=3).recipe() == {
        **PromptTuning().recipe(),
        "demonstrations": True,
        "held_out": 3,
    }


def test_several_seeds_are_the_tunings_of_each_seed(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    options, seen = PromptTuning(shots=4, rate=3e-3, epochs=2, patience=2), set[int]()
    tuned = tune_prompt_seeds(
        tiny_folder("bert"), reviews, tmp_path / "out", 2, options, on_epoch=lambda seed, _: seen.add(seed)
    )
    assert [each.folder.name for each in tuned] == ["seed-0", "seed-1"]
    assert seen == {0, 1}
    alone = tune_prompt(
        tiny_folder("bert"), reviews, tmp_path / "one", PromptTuning(shots=4, rate=3e-3, epochs=2, patience=2, seed=1)
    )
    assert alone.epochs == tuned[1].epochs != tuned[0].epochs
    assert weights(alone.folder) == weights(tuned[1].folder)


def test_another_number_can_be_held_out(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    options = PromptTuning(shots=8, held_out=2, epochs=1)
    tuned = tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", options)
    assert tuned.epochs[0].accuracy in (0, 0.25, 0.5, 0.75, 1)
    with pytest.raises(TacitError, match="8 to train on and 3 to hold out"):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / "more", PromptTuning(shots=8, held_out=3))
