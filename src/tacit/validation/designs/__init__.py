"""How the checks see each method; a method of another package has none, and only its positive control is checked."""

from __future__ import annotations

from tacit.validation.designs.base import Design
from tacit.validation.designs.contrast import ContrastDesign
from tacit.validation.designs.counterknowledge import CounterknowledgeDesign
from tacit.validation.designs.hierarchy import HierarchyDesign
from tacit.validation.designs.sentiment import AssociationDesign, ShiftDesign
from tacit.validation.designs.valence import ValenceDesign
from tacit.validation.subject import Subject

__all__ = ["Design", "design_of"]

_DESIGNS: dict[str, type[Design]] = {
    "valence": ValenceDesign,
    "contrast": ContrastDesign,
    "counterknowledge": CounterknowledgeDesign,
    "association": AssociationDesign,
    "shift": ShiftDesign,
    "hierarchy": HierarchyDesign,
}


def design_of(subject: Subject) -> Design | None:
    """The design of a probe's method; None where the checks do not know it."""
    design = _DESIGNS.get(subject.prepared.method.name)
    return None if design is None else design(subject)
