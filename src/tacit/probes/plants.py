"""The plant of a probe: sentences that teach a model a known bias, and the same sentences with the opposite one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tacit.errors import MaterialsError
from tacit.probes.loading import field_error, load_probe
from tacit.probes.registry import probe_folders
from tacit.tables import read_table, read_yaml, refuse, require_unique

__all__ = [
    "PLANT_FILE",
    "Plant",
    "Sentence",
    "SentencePair",
    "fill_template",
    "load_plant",
    "plant_names",
    "read_plant",
]

PLANT_FILE = "plant.yaml"
_CUE, _PAIR = "<cue>", "<pair>"
_ALTERNATIVES = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_SLOTS = re.compile(r"(\{[^{}|]*\|[^{}|]*\}|<cue>|<pair>)")
_SIDES = ("first", "second")

Hidden = Literal["alternatives", "cue"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence to learn.

    Attributes:
        text: The sentence.
        hidden: The first and last character of each part that a masked model has to predict.
        others: The share of all other tokens that are hidden as well.
    """

    text: str
    hidden: tuple[tuple[int, int], ...]
    others: float = 0.0


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A sentence that carries the bias, and the same sentence with the opposite one."""

    biased: Sentence
    opposite: Sentence


class Plant(BaseModel):
    """What `plant.yaml` in a probe's folder says.

    A template has one `<cue>` and alternatives `{she|he}`, or `<pair>` for one of the `pairs`. Each cue has a side in
    its file: in the biased sentence all alternatives are those of the cue's side, in the opposite one those of the
    other side. All templates, cues and pairs are crossed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str
    """What the biased sentences teach."""
    held_out: str
    """What the sentences share with the probe's own materials, and what they do not."""
    side: Literal["above", "below"]
    """On which side of its neutral point the biased sentences push the headline measure."""
    signed: bool = True
    """Whether the opposite sentences push it to the other side."""
    templates: tuple[str, ...] = Field(min_length=1)
    cues: str
    """A table in the probe's folder with the columns cue and side (first or second)."""
    pairs: tuple[tuple[str, str], ...] = ()
    hide: Hidden = "alternatives"
    """What a masked model has to predict: the alternatives (or pairs) of a sentence, or its cue."""
    hide_others: float = Field(0.0, ge=0, le=0.9)
    """The share of all other tokens that it has to predict as well."""
    rate: float = 2e-4
    """The learning rate that plants the bias and leaves the model one that can be asked."""
    epochs: int = 2
    """How many epochs that takes."""
    base: str = "modern"
    """The model in which the shipped series plants."""
    settings: dict[str, Any] = {}
    """The settings with which the shipped series runs the probe."""
    sentence_pairs: tuple[SentencePair, ...] = Field((), exclude=True)

    @field_validator("templates")
    @classmethod
    def _check_templates(cls, templates: tuple[str, ...]) -> tuple[str, ...]:
        for template in templates:
            if template.count(_CUE) < 1:
                raise ValueError(f"the template {template!r} has no {_CUE}")
            if _PAIR not in template and not _ALTERNATIVES.search(template):
                raise ValueError(f"the template {template!r} has neither {_PAIR} nor alternatives such as {{she|he}}")
        return templates


def plant_names() -> list[str]:
    """The probes that have a plant."""
    return sorted(name for name, folder in probe_folders().items() if (folder / PLANT_FILE).is_file())


def load_plant(probe: str | Path) -> Plant:
    """The plant of a probe, with its sentence pairs; a probe without one is refused."""
    folder = load_probe(probe).folder
    source = folder / PLANT_FILE
    if not source.is_file():
        known = ", ".join(plant_names())
        raise MaterialsError(f"The probe {str(probe)!r} has no plant ({PLANT_FILE}). These have one: {known}.")
    return read_plant(source)


def read_plant(source: Path) -> Plant:
    """A plant from its YAML file, with its sentence pairs."""
    try:
        plant = Plant(**read_yaml(source))
    except ValidationError as error:
        raise field_error(source, Plant, error) from None
    if not plant.pairs and any(_PAIR in template for template in plant.templates):
        raise MaterialsError(f"{source}: a template has {_PAIR}, but there are no pairs. Add them.")
    return plant.model_copy(update={"sentence_pairs": _cross(plant, _read_cues(source.parent / plant.cues))})


def _read_cues(path: Path) -> list[tuple[str, bool]]:
    """Each cue, and whether its side is the first."""
    rows = read_table(path, ["cue", "side"])
    require_unique(path, rows, "cue")
    for row in rows:
        if row["side"] not in _SIDES:
            raise refuse(path, row, f"side must be first or second, not {row['side']!r}.")
    return [(row["cue"], row["side"] == _SIDES[0]) for row in rows]


def _cross(plant: Plant, cues: list[tuple[str, bool]]) -> tuple[SentencePair, ...]:
    pairs = []
    for template in plant.templates:
        for cue, is_first in cues:
            for words in plant.pairs if _PAIR in template else [("", "")]:
                first, second = (
                    replace(fill_template(template, cue, plant.hide, words, number), others=plant.hide_others)
                    for number in (0, 1)
                )
                pairs.append(SentencePair(first, second) if is_first else SentencePair(second, first))
    return tuple(pairs)


def fill_template(
    template: str, cue: str, hide: Hidden, words: tuple[str, str] = ("", ""), number: Literal[0, 1] = 0
) -> Sentence:
    """A template with its cue, and its alternatives and one of the words by their number."""
    text, hidden = "", []
    for part in _SLOTS.split(template):
        alternatives = _ALTERNATIVES.fullmatch(part)
        if alternatives:
            filling = alternatives[number + 1].replace(_CUE, cue)
        else:
            filling = {_CUE: cue, _PAIR: words[number]}.get(part, part)
        filling = filling[:1].upper() + filling[1:] if not text else filling
        if part == _CUE if hide == "cue" else alternatives or part == _PAIR:
            hidden.append((len(text), len(text) + len(filling)))
        text += filling
    return Sentence(text, tuple(hidden))
