"""What the hierarchy method asks: a sentence a region and word, the bare names, and what the controls need."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.errors import TacitError
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree
from tacit.questions import Likelihood, LikelihoodMethod, Question, Represent, compose

__all__ = ["HEADLINE", "NAME", "NEUTRAL", "PARAPHRASE", "SUBSTITUTE", "VECTOR", "questions", "study_tree"]

HEADLINE, NAME, NEUTRAL = "headline", "name", "neutral"
PARAPHRASE, SUBSTITUTE, VECTOR = "paraphrase", "substitute", "vector"


def questions(materials: HierarchyMaterials, settings: HierarchySettings, family: Family) -> Iterator[KeyedQuestion]:
    """The stream of all questions. Vectors come first: the answers' columns are laid out by the first answer."""
    method, words = _method(settings, family), _spelled(materials, settings)
    if settings.represent:
        yield from _vectors(materials)
    yield from _sentences(HEADLINE, materials.tree, materials, words, method)
    yield from _names(materials, method)
    yield from _neutral(materials, words, method)
    studied = study_tree(materials, settings)
    if studied is not None:
        for number in range(1, len(materials.templates)):
            yield from _sentences(PARAPHRASE, studied, materials, words, method, template=number)
        if materials.substitutable:
            substitutes = [word.substitute for word in materials.words]
            yield from _sentences(SUBSTITUTE, studied, materials, substitutes, method)


def study_tree(materials: HierarchyMaterials, settings: HierarchySettings) -> Tree | None:
    """The levels of the tree that paraphrases and substitutes are asked about; None for none."""
    if settings.studies == "all":
        return materials.tree
    above = int(materials.tree.depths[materials.tree.top[0]])
    return materials.tree.upper(above + settings.studies)[0] if settings.studies else None


def _method(settings: HierarchySettings, family: Family) -> LikelihoodMethod:
    if family == "classifier":
        raise TacitError(
            "A classifier says nothing of how likely a sentence is: run regional-downstream on it instead."
        )
    if settings.likelihood != "auto":
        return settings.likelihood
    return "causal" if family == "causal" else "aul"


def _asked(kind: str, region: str, word: int, template: int, question: Question) -> KeyedQuestion:
    return KeyedQuestion({"kind": kind, "template": template, "region": region, "word": word}, question)


def _sentences(
    kind: str,
    tree: Tree,
    materials: HierarchyMaterials,
    words: list[str],
    method: LikelihoodMethod,
    *,
    template: int = 0,
) -> Iterator[KeyedQuestion]:
    for region in tree.regions:
        for number, word in enumerate(words):
            text, _ = compose(materials.templates[template], region=region.name, description=word)
            yield _asked(kind, region.key, number, template, Likelihood(text, method, detail=False))


def _spelled(materials: HierarchyMaterials, settings: HierarchySettings) -> list[str]:
    blanks = settings.spelling == "blanks"
    return [" " * word.blanks + word.word if blanks else word.word for word in materials.words]


def _names(materials: HierarchyMaterials, method: LikelihoodMethod) -> Iterator[KeyedQuestion]:
    """f of the bare name (Eq. 10); after the lead-in for causal models, which say nothing of a first token."""
    lead = materials.templates[0].partition("{region}")[0] if method == "causal" else ""
    for region in materials.tree.regions:
        text, roles = compose(lead + "{region}", region=region.name)
        yield _asked(NAME, region.key, -1, 0, Likelihood(text, method, roles))


def _neutral(materials: HierarchyMaterials, words: list[str], method: LikelihoodMethod) -> Iterator[KeyedQuestion]:
    """The template alone: a phrase that names no region. A literal blank has no likelihood in a causal model."""
    for phrase in materials.neutral:
        for number, word in enumerate(words):
            text, _ = compose(materials.templates[0], region=phrase, description=word)
            yield _asked(NEUTRAL, phrase, number, 0, Likelihood(text, method, detail=False))


def _vectors(materials: HierarchyMaterials) -> Iterator[KeyedQuestion]:
    """The contextual vector of each name one level under the top (section 4.3: the countries)."""
    tree = materials.tree
    depth = min(int(tree.depths[tree.top[0]]) + 1, tree.deepest)
    for region, at in zip(tree.regions, tree.depths.tolist(), strict=True):
        if at == depth:
            yield _asked(VECTOR, region.key, -1, 0, Represent(region.name, 0, len(region.name)))
