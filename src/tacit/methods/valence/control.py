"""The positive control: does the model find the word that the author of a sentence used in its blank?"""

from __future__ import annotations

import polars as pl

from tacit.methods.base import MeasureRow, measure_row
from tacit.methods.valence.materials import ValenceMaterials
from tacit.methods.valence.settings import ValenceSettings
from tacit.ratings import token_key
from tacit.statistics import share_interval

__all__ = ["FOUND", "control_rows"]

FOUND = "original word found"


def control_rows(materials: ValenceMaterials, settings: ValenceSettings, answers: pl.DataFrame) -> list[MeasureRow]:
    """The share of sentences with their original word among the fillings; no row if no sentence names its word.

    What chance would find is the share of other sentences' words among the fillings: a model that fills every blank
    with the same frequent words finds as many of those.
    """
    named = materials.sentences.filter(pl.col("original") != "")
    originals = {sentence: token_key(word) for sentence, word in named.select("sentence", "original").iter_rows()}
    if not originals:
        return []
    filled: dict[str, set[str]] = {sentence: set() for sentence in originals}
    for sentence, token in answers.select("sentence", "token").iter_rows():
        if sentence in filled:
            filled[sentence].add(token_key(token))
    found = [word in filled[sentence] for sentence, word in originals.items()]
    others = [
        other in filled[sentence]
        for sentence, word in originals.items()
        for other in originals.values()
        if other != word
    ]
    interval = share_interval(found, confidence=settings.confidence)
    chance = sum(others) / len(others) if others else 0.0
    note = "among the fillings that were asked for; neutral: the words of other sentences"
    return [measure_row(FOUND, "all", interval, neutral=chance, unit="sentence", note=note)]
