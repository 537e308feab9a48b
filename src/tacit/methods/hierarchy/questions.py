"""What the hierarchy method asks: one sentence per region and word, the bare names, and what the controls need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tacit.errors import ModelError
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Tree
from tacit.questions import Likelihood, LikelihoodMethod, Question, Represent, compose

__all__ = ["HEADLINE", "NAME", "NEUTRAL", "PARAPHRASE", "REVERSED", "SUBSTITUTE", "VECTOR", "questions", "study_tree"]

# The kinds of questions, as the answers' `kind` column names them.
HEADLINE, NAME, NEUTRAL = "headline", "name", "neutral"
PARAPHRASE, SUBSTITUTE, VECTOR, REVERSED = "paraphrase", "substitute", "vector", "reversed"

_NO_WORD = -1
_REVERSED_REGIONS = 6  # enough for a positive control, whose unit is the word


def questions(materials: HierarchyMaterials, settings: HierarchySettings, family: Family) -> Iterator[KeyedQuestion]:
    """Yield all questions. Vectors come first because the first answer decides the columns of the answers."""
    method, words = _likelihood_method(settings, family), _spelled_words(materials, settings)
    if settings.represent:
        yield from _vectors(materials)
    yield from _sentences(HEADLINE, materials.tree, materials.templates[0], words, method)
    yield from _names(materials, method)
    yield from _neutral(materials, words, method)
    yield from _reversed(materials, words, method)
    studied = study_tree(materials, settings)
    if studied is None:
        return
    for number, template in enumerate(materials.templates[1:], start=1):
        yield from _sentences(PARAPHRASE, studied, template, words, method, number=number)
    if materials.substitutable:
        substitutes = [word.substitute for word in materials.words]
        yield from _sentences(SUBSTITUTE, studied, materials.templates[0], substitutes, method)


def study_tree(materials: HierarchyMaterials, settings: HierarchySettings) -> Tree | None:
    """The levels of the tree that are asked with paraphrases and substitutes; None if none are."""
    if settings.studies == "all":
        return materials.tree
    above = int(materials.tree.depths[materials.tree.top[0]])
    return materials.tree.upper(above + settings.studies) if settings.studies else None


def _likelihood_method(settings: HierarchySettings, family: Family) -> LikelihoodMethod:
    if family == "classifier":
        raise ModelError("A classifier cannot say how likely a sentence is. Run the probe regional-downstream on it.")
    if settings.likelihood != "auto":
        return settings.likelihood
    return "causal" if family == "causal" else "aul"


def _keyed(kind: str, region: str, question: Question, *, word: int = _NO_WORD, template: int = 0) -> KeyedQuestion:
    return KeyedQuestion({"kind": kind, "template": template, "region": region, "word": word}, question)


def _sentences(
    kind: str, tree: Tree, template: str, words: Sequence[str], method: LikelihoodMethod, *, number: int = 0
) -> Iterator[KeyedQuestion]:
    """One sentence per region and word; `number` is the template's place in the materials."""
    for region in tree.regions:
        for i, word in enumerate(words):
            text, _ = compose(template, region=region.name, description=word)
            yield _keyed(kind, region.key, Likelihood(text, method, detail=False), word=i, template=number)


def _spelled_words(materials: HierarchyMaterials, settings: HierarchySettings) -> list[str]:
    if settings.spelling == "blanks":
        return [" " * word.blanks + word.word for word in materials.words]
    return [word.word for word in materials.words]


def _names(materials: HierarchyMaterials, method: LikelihoodMethod) -> Iterator[KeyedQuestion]:
    """f of the bare name (Eq. 10); causal models cannot score a first token, so they see the template's start first."""
    lead = materials.templates[0].partition("{region}")[0] if method == "causal" else ""
    for region in materials.tree.regions:
        text, roles = compose(lead + "{region}", region=region.name)
        yield _keyed(NAME, region.key, Likelihood(text, method, roles))


def _neutral(materials: HierarchyMaterials, words: Sequence[str], method: LikelihoodMethod) -> Iterator[KeyedQuestion]:
    """The template with a phrase that names no region; a literal blank would have no likelihood in a causal model."""
    for phrase in materials.neutral:
        for i, word in enumerate(words):
            text, _ = compose(materials.templates[0], region=phrase, description=word)
            yield _keyed(NEUTRAL, phrase, Likelihood(text, method, detail=False), word=i)


def _reversed(materials: HierarchyMaterials, words: Sequence[str], method: LikelihoodMethod) -> Iterator[KeyedQuestion]:
    """The sentences of the first top regions with their words in reverse order: a model should find them unlikely."""
    template, end = materials.templates[0], "." if materials.templates[0].endswith(".") else ""
    for place in materials.tree.top.tolist()[:_REVERSED_REGIONS]:
        region = materials.tree.regions[place]
        for i, word in enumerate(words):
            text, _ = compose(template, region=region.name, description=word)
            backwards = " ".join(reversed(text.removesuffix(end).split())) + end
            yield _keyed(REVERSED, region.key, Likelihood(backwards, method, detail=False), word=i)


def _vectors(materials: HierarchyMaterials) -> Iterator[KeyedQuestion]:
    """The contextual vector of each name one level below the top (section 4.3: the countries)."""
    tree = materials.tree
    for i in np.flatnonzero(tree.depths == tree.depth_below_top).tolist():
        region = tree.regions[i]
        yield _keyed(VECTOR, region.key, Represent(region.name, 0, len(region.name)))
