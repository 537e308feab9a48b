"""The hierarchy method as the checks see it: regions below the top are the units, described by the same words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import Verdict, plural
from tacit.methods.hierarchy.answers import AnswerArrays, read_answers
from tacit.methods.hierarchy.controls import shuffle_test
from tacit.methods.hierarchy.evaluate import evaluate, sibling_distances
from tacit.methods.hierarchy.headline import C_W
from tacit.methods.hierarchy.questions import PARAPHRASE, SUBSTITUTE
from tacit.methods.hierarchy.tree import Tree
from tacit.questions import BLANK, Choose, Likelihood, LikelihoodAnswer, LikelihoodMethod, compose
from tacit.validation.checks import NotApplicable
from tacit.validation.confounds import Confounded, zipf
from tacit.validation.designs.base import Design, Floats
from tacit.validation.invented import Invented, matched_name
from tacit.validation.placebo import Placebo
from tacit.validation.power import Effect
from tacit.validation.reliability import Halves
from tacit.validation.scorers import Scored
from tacit.validation.subject import read_paraphrases
from tacit.validation.templates import Paraphrased
from tacit.validation.words import LeaveOneOut

__all__ = ["HierarchyDesign"]

_MATTERS = 0.1
_OTHER_SCORERS: tuple[LikelihoodMethod, ...] = ("pll", "pll-word")
# Masking each token in turn costs as many passes as a sentence has tokens, so only every fourth word is asked.
_EVERY = 4


class HierarchyDesign(Design):
    """How far each region below the top is described from its siblings."""

    @property
    def _tree(self) -> Tree:
        tree: Tree = self.materials.tree
        return tree

    @cached_property
    def _arrays(self) -> AnswerArrays:
        return read_answers(self.materials, self.subject.answers)

    @property
    def _units(self) -> npt.NDArray[np.int64]:
        return np.flatnonzero(self._tree.depths == self._tree.depth_below_top)

    @property
    def _noun(self) -> str:
        return plural(self._tree.level_of(self._tree.depth_below_top))

    def _apart(self, scores: Floats) -> Floats:
        """The distance of each unit from its siblings, from scores of all regions: (units,)."""
        return sibling_distances(self._tree, scores)[self._units]

    def placebo(self) -> Placebo | NotApplicable:
        """Regions change places with others of their level, so that continents are groups of no meaning."""
        if self._tree.deepest > self._tree.depth_below_top:
            return NotApplicable(
                "regions with parts of their own cannot change places; drop the lowest level (cities=0)"
            )
        keys = [self._tree.regions[i].key for i in self._units]
        wanted = ~pl.col("kind").is_in([PARAPHRASE, SUBSTITUTE])
        answers = self.subject.answers.filter(wanted)
        settings = self.quick.model_copy(update={"studies": 0})

        def draw(rng: np.random.Generator) -> Iterable[Verdict]:
            places = {key: keys[i] for key, i in zip(keys, rng.permutation(len(keys)), strict=True)}
            dealt = answers.with_columns(pl.col("region").replace(places))
            return self.subject.verdicts(self.materials, settings, dealt)

        return Placebo(f"dealing the {self._noun} to the groups anew", draw)

    def effect(self) -> Effect | NotApplicable:
        arrays = self._arrays
        evaluation = evaluate(self._tree, arrays.scores, arrays.names, self.settings)
        test = shuffle_test(self._tree, evaluation, self.settings)
        if test is None:
            return NotApplicable("a group has fewer than two parts, so that nothing can be shuffled")
        center = float(test.center[-1])
        error = float(test.null[:, -1].std()) / center
        name = "relative difference of the mean C_w from that of shuffled groups"
        return Effect(name, self._noun, len(self._units), error, _MATTERS, "a tenth of the mean distance")

    def words(self) -> list[LeaveOneOut] | NotApplicable:
        arrays, words = self._arrays, [word.word for word in self.materials.words]
        rows = self.subject.tables["measures"].filter(
            (pl.col("measure") == C_W) & (pl.col("group") == self._tree.root) & pl.col("item").is_null()
        )
        row = rows.row(0, named=True)
        if row["low"] is None:
            return NotApplicable("C_w has no interval over so few words")
        whole, without = self._tree.whole, {}
        for number, word in enumerate(words):
            scores = np.delete(arrays.scores, number, axis=1)
            without[word] = float(evaluate(self._tree, scores, arrays.names, self.settings).c_w[whole])
        return [LeaveOneOut(f"C_w of {self._tree.root}", row["value"], row["high"] - row["low"], without)]

    def confounds(self) -> Confounded:
        names = [self._tree.regions[i].name for i in self._units]
        columns = {
            "frequency": np.array([zipf(name) for name in names]),
            "length": np.array([float(len(name)) for name in names]),
            "pieces": self._arrays.token_counts[self._units].astype(float),
        }
        return Confounded({"distance from siblings": self._apart(self._arrays.scores)}, columns, self._noun)

    def halves(self) -> Halves:
        scores = self._arrays.scores
        count = scores.shape[1]
        return Halves(lambda kept: self._apart(scores[:, kept]), count, self._noun, f"the {count} words")

    def templates(self) -> Paraphrased:
        """The probe's own templates and those of its paraphrases, all asked of the same regions."""
        extra = [paraphrase["text"] for paraphrase in read_paraphrases(self.subject.prepared)]
        words = [word.word for word in self.materials.words]
        columns = [self._apart(self._arrays.scores)]
        for template in [*self.materials.templates[1:], *extra]:
            scores = self._likelihoods(self._method, template, words, self._tree)
            columns.append(self._apart(scores))
        return Paraphrased(np.column_stack(columns), self._noun, "templates", signed=False)

    @property
    def _method(self) -> LikelihoodMethod:
        chosen: LikelihoodMethod | str = self.settings.likelihood
        if chosen == "auto":
            return "causal" if self.subject.model.family == "causal" else "aul"
        return chosen  # type: ignore[return-value]

    def _likelihoods(self, method: LikelihoodMethod, template: str, words: list[str], tree: Tree) -> Floats:
        """f of each region's sentence with each word: (regions, words)."""
        questions = [
            Likelihood(compose(template, region=region.name, description=word)[0], method, detail=False)
            for region in tree.regions
            for word in words
        ]
        answers = [answer for answer in self.subject.ask(questions) if isinstance(answer, LikelihoodAnswer)]
        return np.array([answer.mean for answer in answers]).reshape(len(tree), len(words))

    def scorers(self) -> Scored | NotApplicable:
        methods = [method for method in _OTHER_SCORERS if method in self.subject.model.likelihoods]
        if not methods:
            return NotApplicable("this model scores sentences in one way only")
        words = [word.word for word in self.materials.words][::_EVERY]
        template = self.materials.templates[0]
        values: dict[str, Floats] = {self._method: self._apart(self._arrays.scores[:, ::_EVERY])}
        for method in methods:
            values[method] = self._apart(self._likelihoods(method, template, words, self._tree))
        values["choice"] = self._apart(self._choices(template, words))
        return Scored(values, f"{self._noun}, with {len(words)} words", signed=False)

    def _choices(self, template: str, words: list[str]) -> Floats:
        """The log-probability of each word at the place of the description: (regions, words)."""
        texts = [compose(template, region=region.name, description=BLANK)[0] for region in self._tree.regions]
        # A word that belongs to two topics is asked once.
        answers = self.subject.choose(Choose(text, tuple(dict.fromkeys(words))) for text in texts)
        found = [{choice.word: choice.probability or np.nan for choice in answer.choices} for answer in answers]
        return np.asarray(np.log([[probabilities[word] for word in words] for probabilities in found]))

    def invented(self) -> Invented:
        """The same tree with invented names: each as long as the real one, with vowels in the same places."""
        regions = tuple(replace(one, name=matched_name(one.name, 0)) for one in self._tree.regions)
        tree, arrays = replace(self._tree, regions=regions), self._arrays
        words = [word.word for word in self.materials.words]
        scores = self._likelihoods(self._method, self.materials.templates[0], words, tree)
        real, invented = (
            float(evaluate(tree, one, arrays.names, self.settings).c_w[tree.whole]) for one in (arrays.scores, scores)
        )
        said = f"C_w of {tree.root} with {len(tree)} invented names {invented:.4f}, with real ones {real:.4f}"
        return Invented(real, invented, said)
