"""Words are words: blanks, spaces, spellings and lengths."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tacit import Choose, Fill, TacitError, ask
from tacit.models import Model
from tacit.questions import ChooseAnswer, FillAnswer
from tests.tiny import BUILDERS, MASKED

ASKED = [kind for kind in BUILDERS if "classifier" not in kind]
LONG = " ".join(["the pizza was great and the service was terrible"] * 12)


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("It was great.", "has no blank"),
        ("[MASK] was ___.", "has 2 blanks"),
        ("", "has no blank"),
        (f"{LONG} it was [MASK]", "but this model takes 64. Shorten it"),
    ],
)
def test_a_text_must_have_one_blank_and_fit(kind: str, text: str, message: str, tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match=message):
        tiny(kind).fill(text)


@pytest.mark.parametrize("kind", ASKED)
def test_an_empty_text_has_no_likelihood(kind: str, tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match="empty text"):
        tiny(kind).likelihood([" "])


@pytest.mark.parametrize("kind", ASKED)
def test_both_blanks_mean_the_same(kind: str, tiny: Callable[[str], Model]) -> None:
    assert tiny(kind).fill("It was [MASK]") == tiny(kind).fill("It was ___")


@pytest.mark.parametrize("kind", ASKED)
def test_a_word_in_its_place_spells_itself(kind: str, tiny: Callable[[str], Model]) -> None:
    for choice in tiny(kind).choose("It was [MASK]", ["great", "pizza", "weatherman"]):
        assert "".join(choice.tokens).replace("##", "") == choice.word
        assert all(token.startswith("##") for token in choice.tokens[1:] if token)


@pytest.mark.parametrize("kind", MASKED)
def test_a_long_context_loses_its_middle_and_the_answer_says_so(kind: str, tiny: Callable[[str], Model]) -> None:
    model = tiny(kind)
    (cut,) = ask(model, [Choose("It was [MASK].", ("great", "weatherman"), LONG)], cache=None)
    assert isinstance(cut, ChooseAnswer)
    assert cut.cut > 0
    mask = str(model.tokens.tokenizer.mask_token)
    text = model.tokens.encode_blank(Fill("It was [MASK].", context=LONG), mask)
    short = model.tokens.encode_blank(Fill("It was [MASK].", context="the pizza was great."), mask)
    ending = len(text.ids) - text.blank
    assert len(text.ids) == 64
    assert text.ids[text.blank - 2 :][-ending:] == short.ids[-ending:]
    whole = model.tokens.tokenizer(LONG, add_special_tokens=False)["input_ids"]
    kept = text.ids[1 : 1 + 10]
    assert kept == tuple(whole[:10])


def test_the_middle_that_is_lost_is_the_contexts(tiny: Callable[[str], Model]) -> None:
    model = tiny("gpt2")
    (answer,) = ask(model, [Fill("It was [MASK]", context=LONG)], cache=None)
    assert isinstance(answer, FillAnswer)
    text = model.tokens.encode_left(Fill("It was [MASK]", context=LONG), 1)
    whole = model.tokens.tokenizer(f"{LONG} It was")["input_ids"]
    assert answer.cut == len(whole) + 1 - 64
    assert text.ids[:20] == tuple(whole[:20])
    assert text.ids[-20:] == tuple(whole[-20:])


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_a_blank_in_the_context_is_refused(kind: str, tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match="only the text after it may have one"):
        tiny(kind).fill("It was [MASK].", context="So [MASK] it was.")


@pytest.mark.parametrize("kind", ASKED)
def test_words_of_one_token_alone_are_weighed_as_among_longer_ones(kind: str, tiny: Callable[[str], Model]) -> None:
    (alone,) = tiny(kind).choose("It was [MASK]", ["great"])
    among, _ = tiny(kind).choose("It was [MASK]", ["great", "weatherman"])
    assert alone.probability == pytest.approx(among.probability, abs=1e-6)
    assert (alone.rank, len(alone.tokens)) == (among.rank, 1)


@pytest.mark.parametrize("kind", ASKED)
def test_no_word_that_can_be_represented_is_no_failure(kind: str, tiny: Callable[[str], Model]) -> None:
    model = tiny(kind)
    (choice,) = model.choose("It was [MASK]", ["☃"])
    assert (choice.probability is None) == (model.tokens.pieces("☃", " ") is None)


def test_no_words_and_empty_words_are_refused(tiny: Callable[[str], Model]) -> None:
    with pytest.raises(TacitError, match="`words` must be at least one"):
        tiny("bert").choose("It was [MASK].", [])
    with pytest.raises(TacitError, match="none of them empty"):
        tiny("bert").choose("It was [MASK].", ["great", " "])
    with pytest.raises(TacitError, match="`top` must be a whole number from 1"):
        tiny("bert").fill("It was [MASK].", top=0)
