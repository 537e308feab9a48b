"""What people rate: the fillings of the runs in the folder, or sentences with two words to choose from."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tacit.errors import TacitError
from tacit.methods.contrast import Contrast
from tacit.methods.valence import ValenceSettings
from tacit.methods.valence.materials import ValenceMaterials, read_materials
from tacit.probes import load_probe, probe_names
from tacit.ratings import Scale, token_key
from tacit.ratings.online import OnlineItem
from tacit.runs import find_runs, open_run
from tacit.serve.pages import InputError

__all__ = ["can_be_rated", "choice_items", "token_items", "valence_materials"]

EACH = 5
"""How many sentences of each word a sheet of choices has."""
_RATED = {"valence", "contrast"}


def can_be_rated() -> dict[str, str]:
    """The probes that people rate, with their methods."""
    methods = {name: load_probe(name).method for name in probe_names()}
    return {name: method for name, method in methods.items() if method in _RATED}


def valence_materials(probe: str) -> ValenceMaterials:
    """The sentences, the scale and the ratings of a probe."""
    return read_materials(load_probe(probe), ValenceSettings())


def token_items(probe: str, folder: Path, *, every: bool) -> tuple[Scale, list[OnlineItem]]:
    """The fillings of all runs of a probe, those without a rating or every one, in the order of the sentences."""
    materials = valence_materials(probe)
    rated = set() if every else {rating.key for rating in materials.ratings}
    fillings = _fillings(probe, folder)
    if not fillings:
        raise InputError(f"There is no run of {probe} in {folder} yet. Run it first, so that there are words to rate.")
    options = tuple(f"{point:g}" for point in materials.scale.points)
    wanted = sorted(key for key in fillings if key not in rated and key[0] in materials.texts)
    items = [
        OnlineItem(number, sentence, materials.texts[sentence], token, options)
        for number, (sentence, token) in enumerate(wanted)
    ]
    return materials.scale, items


def choice_items(probe: str) -> list[OnlineItem]:
    """Sentences with the word that belongs there and its rival, in an order that tells nothing."""
    method = Contrast()
    materials = method.materials(load_probe(probe), method.settings())
    rng = random.Random(0)
    chosen: list[Any] = []
    for word in materials.words:
        own = [item for item in materials.items if item.word == word]
        chosen += rng.sample(own, min(EACH, len(own)))
    items = []
    for number, item in enumerate(chosen):
        pair = [materials.words[item.word].forms[0], materials.words[item.word].rivals[0]]
        rng.shuffle(pair)
        items.append(OnlineItem(number, item.id, item.text, "", tuple(pair)))
    return items


def _fillings(probe: str, folder: Path) -> set[tuple[str, str]]:
    """The sentences and tokens that the runs of a probe answered with."""
    fillings: set[tuple[str, str]] = set()
    for place in find_runs([folder]) if folder.is_dir() else []:
        try:
            run = open_run(place)
        except TacitError:
            continue  # an interrupted or damaged run has nothing to rate
        if run.probe == probe:
            pairs = run.answers.select("sentence", "token").drop_nulls().unique()
            fillings |= {(sentence, token_key(token)) for sentence, token in pairs.iter_rows()}
    return fillings
