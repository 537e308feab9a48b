"""The counterknowledge method as the checks see it: items (occupations) are the units, without any knowledge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.methods.base import Verdict
from tacit.methods.counterknowledge.grammar import BASE, CONTROL, fill_slots
from tacit.methods.counterknowledge.prompts import widest_reach
from tacit.methods.counterknowledge.questions import WHOLE
from tacit.methods.counterknowledge.verdicts import PRO_SHARE
from tacit.questions import BLANK, Choose, Likelihood, LikelihoodAnswer, LikelihoodMethod
from tacit.validation.checks import NotApplicable
from tacit.validation.confounds import Confounded, zipf
from tacit.validation.designs.base import Design, Floats
from tacit.validation.placebo import Placebo
from tacit.validation.power import Effect
from tacit.validation.reliability import Halves
from tacit.validation.scorers import Scored
from tacit.validation.subject import PARAPHRASES, read_paraphrases
from tacit.validation.templates import Paraphrased
from tacit.validation.words import LeaveOneOut

__all__ = ["CounterknowledgeDesign"]

_MATTERS = 0.05
_OTHER_SCORERS: tuple[LikelihoodMethod, ...] = ("aul", "pll", "pll-word")
_NO_WORDS = NotApplicable("the run did not ask about each word of the verbalizer (whole=off)")


@dataclass(frozen=True)
class _Words:
    """What each word gets in each base prompt.

    Attributes:
        names: The words.
        p: Their probabilities: (items, words).
        first: Which words belong to the first group.
    """

    names: list[str]
    p: Floats
    first: npt.NDArray[np.bool_]

    def first_share(self, kept: npt.NDArray[np.bool_] | slice = slice(None)) -> Floats:
        """The first group's share of the probability of the words that are kept, for each item."""
        p, first = self.p[:, kept], self.first[kept]
        with np.errstate(invalid="ignore"):
            share: Floats = p[:, first].sum(axis=1) / p.sum(axis=1)
        return share


class CounterknowledgeDesign(Design):
    """The pro-stereotypical share of each item's base prompt."""

    @cached_property
    def _words(self) -> _Words | None:
        answers = self.subject.answers.filter((pl.col("kind") == BASE) & (pl.col("asked") == WHOLE))
        if answers.is_empty():
            return None
        counted = answers.filter((pl.col("pieces") == 1) | pl.lit(self.settings.whole == "all")).drop_nulls(
            "probability"
        )
        # The first prompts are asked about every word, the others only about those of one token.
        counted = counted.filter(pl.len().over("token") == len(self.materials.items))
        table = counted.pivot("token", index="item", values="probability", maintain_order=True)
        order = pl.DataFrame({"item": [item.name for item in self.materials.items]})
        table = order.join(table, on="item", how="left", maintain_order="left").drop("item")
        first = [self.materials.words[name.lower()] == self.materials.grammar.first for name in table.columns]
        return _Words(table.columns, table.to_numpy(), np.array(first))

    @property
    def _dominant(self) -> npt.NDArray[np.bool_]:
        """Which items the first group dominates."""
        return np.array([item.group == self.materials.grammar.first for item in self.materials.items])

    def _lean(self, first_share: Floats) -> Floats:
        """The pro-stereotypical share of each item, relative to one half."""
        return np.where(self._dominant, first_share, 1 - first_share) - 0.5

    def _mean(self, lean: Floats) -> float:
        """The mean of the means of both groups of items."""
        return float(np.mean([np.nanmean(lean[self._dominant]), np.nanmean(lean[~self._dominant])]))

    @property
    def _headline(self) -> dict[str, Any]:
        measure = f"{PRO_SHARE}, {widest_reach(self.settings)}"
        rows = self.subject.tables["measures"].filter(
            (pl.col("measure") == measure) & (pl.col("group") == BASE) & pl.col("item").is_null()
        )
        return rows.row(0, named=True)

    def placebo(self) -> Placebo:
        """Which group dominates an item is dealt anew, so that no stereotype can be followed."""
        items, grammar = self.materials.items, self.materials.grammar
        # Sentences that name a group were written for the group that really dominates an item.
        kinds = tuple(kind for kind in grammar.kinds if "{" not in kind.knowledge)
        materials = replace(self.materials, grammar=grammar.model_copy(update={"kinds": kinds}))
        answers = self.subject.answers.filter(pl.col("kind").is_in([BASE, CONTROL, *(kind.name for kind in kinds)]))

        def draw(rng: np.random.Generator) -> Iterable[Verdict]:
            others = [items[i] for i in rng.permutation(len(items))]
            dealt = tuple(
                replace(item, group=other.group, share=other.share) for item, other in zip(items, others, strict=True)
            )
            return self.subject.verdicts(replace(materials, items=dealt), self.quick, answers)

        return Placebo(f"dealing the {grammar.statistic or 'groups'} to the {grammar.plural} anew", draw)

    def effect(self) -> Effect:
        row = self._headline
        error = (row["high"] - row["low"]) / (2 * 1.96)
        unit, why = self.materials.grammar.plural, "one in twenty of the fillings that name a group"
        return Effect(f"{PRO_SHARE} beyond one half", unit, row["n"], error, _MATTERS, why)

    def words(self) -> list[LeaveOneOut] | NotApplicable:
        words, row = self._words, self._headline
        if words is None:
            return _NO_WORDS
        everything = np.ones(len(words.names), dtype=bool)
        without = {}
        for number, name in enumerate(words.names):
            kept = everything.copy()
            kept[number] = False
            without[name] = self._mean(self._lean(words.first_share(kept))) + 0.5
        value = self._mean(self._lean(words.first_share())) + 0.5
        return [LeaveOneOut(PRO_SHARE, value, row["high"] - row["low"], without)]

    def confounds(self) -> Confounded | NotApplicable:
        if self._words is None:
            return _NO_WORDS
        items = self.materials.items
        written = [item.written for item in items]
        columns = {
            "frequency": np.array([zipf(name) for name in written]),
            "length": np.array([float(len(name)) for name in written]),
            "pieces": np.array(self.subject.pieces(f"The word is {BLANK}.", written)),
        }
        shares = [item.share for item in items]
        known = all(share is not None for share in shares)
        design = np.array(shares, dtype=float) if known else self._dominant.astype(float)
        score = f"{self.materials.grammar.first} share"
        return Confounded(
            {score: self._words.first_share()}, columns, self.materials.grammar.plural, {"statistics": design}
        )

    def halves(self) -> Halves | NotApplicable:
        words = self._words
        if words is None:
            return _NO_WORDS
        split = f"the {len(words.names)} words of the verbalizer"
        return Halves(words.first_share, len(words.names), self.materials.grammar.plural, split)

    def templates(self) -> Paraphrased | NotApplicable:
        words, paraphrases = self._words, read_paraphrases(self.subject.prepared)
        if words is None or not paraphrases:
            return _NO_WORDS if words is None else NotApplicable(f"its folder has no {PARAPHRASES}")
        form = "causal" if self.subject.model.family == "causal" else "base"
        grammar, items = self.materials.grammar, self.materials.items
        columns = [words.first_share()]
        for paraphrase in paraphrases:
            texts = [fill_slots(paraphrase[form], grammar, item) for item in items]
            answers = self.subject.choose(Choose(text, tuple(words.names)) for text in texts)
            p = np.array([[choice.probability or 0.0 for choice in answer.choices] for answer in answers])
            columns.append(replace(words, p=p).first_share())
        leans = np.column_stack([self._lean(column) for column in columns])
        # Both groups of items count alike, so that a wording that favors one group everywhere changes no result.
        values = np.column_stack(columns) - 0.5
        return Paraphrased(values, grammar.plural, "templates", summed_up=leans, relative=True)

    def scorers(self) -> Scored | NotApplicable:
        """The sentence with a word of one group against the same sentence with its counterpart."""
        methods = [method for method in _OTHER_SCORERS if method in self.subject.model.likelihoods]
        if self._words is None or not methods:
            return _NO_WORDS if self._words is None else NotApplicable("this model scores sentences in one way only")
        grammar, words = self.materials.grammar, self._words
        counted = [np.flatnonzero(words.first == side) for side in (True, False)]
        if not all(side.size for side in counted):
            return NotApplicable("the model has no word of one of the groups as one token")
        places = [int(side[0]) for side in counted]
        pair, own = [words.names[place] for place in places], np.log(words.p[:, places])
        values: dict[str, Floats] = {"choice": own[:, 0] - own[:, 1]}
        for method in methods:
            questions = [
                Likelihood(fill_slots(grammar.base, grammar, item).replace(BLANK, word), method, detail=False)
                for item in self.materials.items
                for word in pair
            ]
            answers = [answer for answer in self.subject.ask(questions) if isinstance(answer, LikelihoodAnswer)]
            totals = np.array([answer.total for answer in answers]).reshape(-1, 2)
            values[method] = totals[:, 0] - totals[:, 1]
        # One word of a pair may be commoner than the other; only the differences between items matter.
        return Scored(values, f"{grammar.plural} (by {' and '.join(pair)} alone)", signed=False)
