"""Each sentence is asked once; a probe that holds a study's printed answers asks no model."""

from __future__ import annotations

from pathlib import Path

from tacit.methods.valence import Valence, ValenceSettings
from tacit.questions import Fill
from tests.methods.valence.small_probe import prepare


def test_each_sentence_is_asked_once_and_deep_enough_for_later(folder: Path) -> None:
    materials, settings = prepare(folder)
    everything = list(Valence().questions(materials, settings, "masked"))
    assert [asked.keys["sentence"] for asked in everything] == ["s1", "s2", "s3"]
    assert everything[0].question == Fill("Why wilt [MASK] go?", top=10)
    deeper = list(Valence().questions(materials, ValenceSettings(top=25), "masked"))
    assert deeper[0].question == Fill("Why wilt [MASK] go?", top=25)


def test_a_probe_without_printed_answers_asks_a_model(folder: Path) -> None:
    assert Valence().given_answers(*prepare(folder)) == {}
