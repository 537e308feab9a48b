"""What the hierarchy method asks: one sentence per region and word, the bare names, and what the controls need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial

import numpy as np

from tacit.errors import ModelError
from tacit.methods.base import Family, KeyedQuestion
from tacit.methods.hierarchy.materials import HierarchyMaterials
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.tree import Region, Tree
from tacit.questions import Likelihood, LikelihoodMethod, Question, Represent, compose

__all__ = [
    "HEADLINE",
    "NAME",
    "NEUTRAL",
    "ORDER",
    "PARAPHRASE",
    "SUBSTITUTE",
    "VECTOR",
    "order_questions",
    "questions",
    "study_tree",
]

# The kinds of questions, as the answers' `kind` column names them.
HEADLINE, NAME, NEUTRAL = "headline", "name", "neutral"
PARAPHRASE, SUBSTITUTE, VECTOR, ORDER = "paraphrase", "substitute", "vector", "order"

_NO_WORD = -1
# The positive control: some sentences in their natural word order and in random ones. A model that knows nothing of
# English puts the natural order among the best 2 of 40 in 1 of 20 cases.
_ORDERS = 39
_ORDER_SENTENCES = 16
_ENOUGH_SLOTS = 4  # 24 orders


def questions(materials: HierarchyMaterials, settings: HierarchySettings, family: Family) -> Iterator[KeyedQuestion]:
    """Yield all questions. Vectors come first because the first answer decides the columns of the answers."""
    method, words = _likelihood_method(settings, family), _spelled_words(materials, settings)
    if settings.represent:
        yield from _vectors(materials)
    yield from _sentences(HEADLINE, materials.tree, materials.templates[0], words, method)
    yield from _names(materials, method)
    yield from _neutral(materials, words, method)
    yield from order_questions(materials, words, settings.seed, method)
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
        raise ModelError(
            "A classifier gives labels and cannot say how likely a sentence is. Use a masked, causal or seq2seq model "
            "with this probe."
        )
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


def order_questions(
    materials: HierarchyMaterials, words: Sequence[str], seed: int, method: LikelihoodMethod
) -> Iterator[KeyedQuestion]:
    """Some sentences in the natural order of their words and in random ones; the order's number is the template's key.

    A model that knows nothing of English has no reason to prefer the natural order, so its rank is a test of that. The
    region and the description move as one word each.
    """
    template = _order_template(materials.templates)
    end = "." if template.endswith(".") else ""
    slots = template.removesuffix(end).split()
    pairs = _order_pairs(len(words), materials.tree)
    for number, order in enumerate(_random_orders(len(slots), seed)):
        shuffled = " ".join(slots[i] for i in order) + end
        for word, region in pairs:
            text, _ = compose(shuffled, region=region.name, description=words[word])
            yield _keyed(ORDER, region.key, Likelihood(text, method, detail=False), word=word, template=number)


def _order_pairs(words: int, tree: Tree) -> list[tuple[int, Region]]:
    """Words spread over the list, each with a top region; few words come with several regions."""
    count = min(_ORDER_SENTENCES, words)
    tops = [tree.regions[i] for i in tree.top.tolist()]
    places = [divmod(i, count) for i in range(min(_ORDER_SENTENCES, count * len(tops)))]
    return [(i * words // count, tops[(turn + i) % len(tops)]) for turn, i in places]


def _order_template(templates: Sequence[str]) -> str:
    """The first template, unless it is too short to have many orders: then the longest."""
    return templates[0] if len(templates[0].split()) >= _ENOUGH_SLOTS else max(templates, key=lambda t: len(t.split()))


def _random_orders(slots: int, seed: int) -> list[tuple[int, ...]]:
    """The natural order first, then all other orders, or as many random ones as are asked."""
    natural = tuple(range(slots))
    if factorial(min(slots, 5)) - 1 <= _ORDERS:
        return list(permutations(natural))
    generator = np.random.default_rng([seed, slots])
    orders = {natural: None}
    while len(orders) <= _ORDERS:
        orders[tuple(generator.permutation(slots).tolist())] = None
    return list(orders)


def _vectors(materials: HierarchyMaterials) -> Iterator[KeyedQuestion]:
    """The contextual vector of each name one level below the top (section 4.3: the countries)."""
    tree = materials.tree
    for i in np.flatnonzero(tree.depths == tree.depth_below_top).tolist():
        region = tree.regions[i]
        yield _keyed(VECTOR, region.key, Represent(region.name, 0, len(region.name)))
