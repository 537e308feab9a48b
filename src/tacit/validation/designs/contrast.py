"""The contrast method as the checks see it: words are the units, each with sentences of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from tacit.methods.base import Verdict
from tacit.methods.contrast.materials import FEWEST_UNITS, WITH, Word
from tacit.methods.contrast.verdicts import ALL_ITEMS
from tacit.questions import Likelihood, LikelihoodAnswer, LikelihoodMethod, split_blank
from tacit.validation.checks import NotApplicable
from tacit.validation.confounds import Confounded
from tacit.validation.designs.base import Design, Floats
from tacit.validation.placebo import Placebo
from tacit.validation.power import Effect
from tacit.validation.reliability import Halves
from tacit.validation.scorers import Scored
from tacit.validation.templates import Paraphrased
from tacit.validation.words import LeaveOneOut

__all__ = ["ContrastDesign"]

_MATTERS = 0.1
_SCORED_PER_WORD = 5
_OTHER_SCORERS: tuple[LikelihoodMethod, ...] = ("aul", "pll", "pll-word")


class ContrastDesign(Design):
    """Accuracy of each word over its sentences."""

    @property
    def _items(self) -> pl.DataFrame:
        items = self.subject.tables["items"]
        return items.filter((pl.col("context") == WITH) & pl.col("acc").is_not_null())

    @property
    def _accuracies(self) -> pl.DataFrame:
        return self._items.group_by("word", maintain_order=True).agg(pl.col("acc").mean())

    def placebo(self) -> Placebo | NotApplicable:
        """Two data sets in one: words change places with their rivals, and words change places with each other."""
        words: list[Word] = list(self.materials.words.values())
        if any(len(word.forms) + len(word.rivals) != 2 for word in words):
            return NotApplicable("a word has several forms or rivals, which cannot change places")

        def draw(rng: np.random.Generator) -> Iterable[Verdict]:
            yield from self._swapped(words, rng)
            yield from self._dealt_anew(words, rng)

        how = f"swapping half of the {self.materials.noun}s with their rivals, and dealing the categories anew"
        return Placebo(how, draw)

    def _swapped(self, words: list[Word], rng: np.random.Generator) -> Iterable[Verdict]:
        drawn = [word for word, swap in zip(words, rng.random(len(words)) < 0.5, strict=True) if swap]
        pairs = [(word.name, word.forms[0], word.rivals[0]) for word in drawn]
        other = pl.DataFrame(
            [*pairs, *((name, rival, own) for name, own, rival in pairs)],
            schema={"word": pl.String, "token": pl.String, "other": pl.String},
            orient="row",
        )
        answers = self.subject.answers.join(other, on=["word", "token"], how="left", maintain_order="left")
        answers = answers.with_columns(token=pl.coalesce("other", "token")).drop("other")
        claims = self.subject.verdicts(self.materials, self.quick, answers)
        return (claim for claim in claims if claim.family == "preference")

    def _dealt_anew(self, words: list[Word], rng: np.random.Generator) -> Iterable[Verdict]:
        order = rng.permutation(len(words))
        dealt = {
            word.name: replace(word, category=other.category, intensity=other.intensity, frequency=other.frequency)
            for word, other in zip(words, (words[i] for i in order), strict=True)
        }
        claims = self.subject.verdicts(replace(self.materials, words=dealt), self.quick, self.subject.answers)
        return (claim for claim in claims if claim.family in ("acc explained", "acc difference"))

    def effect(self) -> Effect:
        """The spread is that of words as decided as these, half of them for their rival: no preference overall."""
        name, why = "accuracy beyond one half", "one sentence in ten more than a coin would give"
        if self._few_words:
            sentences = self._items.height
            return Effect(name, "sentences of these words", sentences, 0.5 / float(np.sqrt(sentences)), _MATTERS, why)
        decided = self._accuracies["acc"].to_numpy() - 0.5
        error = float(np.sqrt((decided**2).mean() / len(decided)))
        return Effect(name, f"{self.materials.noun}s", len(decided), error, _MATTERS, why)

    @property
    def _few_words(self) -> bool:
        """Whether the words are a choice and not a sample, so that sentences are the units."""
        return len(self.materials.words) < FEWEST_UNITS

    @property
    def _headline(self) -> dict[str, Any]:
        rows = self.subject.tables["measures"].filter(
            (pl.col("measure") == "acc") & (pl.col("group") == ALL_ITEMS) & pl.col("item").is_null()
        )
        return rows.row(0, named=True)

    def words(self) -> list[LeaveOneOut]:
        items, row = self._items, self._headline
        without = {
            word: float(items.filter(pl.col("word") != word)["acc"].to_numpy().mean()) for word in self.materials.words
        }
        return [LeaveOneOut("accuracy", row["value"], row["high"] - row["low"], without)]

    def confounds(self) -> Confounded:
        words, scores = self.materials.words, dict(self._accuracies.iter_rows())
        names = [name for name in words if name in scores]
        text = next(iter(self.materials.items)).text
        columns = {
            "frequency": np.array([words[name].frequency for name in names]),
            "length": np.array([float(len(name)) for name in names]),
            "pieces": np.array(self.subject.pieces(text, names)),
        }
        return Confounded({"accuracy": np.array([scores[name] for name in names])}, columns, f"{self.materials.noun}s")

    def halves(self) -> Halves | NotApplicable:
        if self._few_words:
            return NotApplicable(f"{len(self.materials.words)} words have no order that halves could agree on")
        table = self._items.group_by("word", maintain_order=True).agg("acc")
        fewest = int(table["acc"].list.len().to_numpy().min())
        # Sentences belong to one word each, so that their order within it carries no meaning and can be shuffled once.
        rng = np.random.default_rng(0)
        values = np.array([rng.permutation(row)[:fewest] for row in table["acc"].to_list()])

        def score(kept: np.ndarray) -> Floats:
            scores: Floats = values[:, kept].mean(axis=1)
            return scores

        noun = self.materials.noun
        return Halves(score, fewest, f"{noun}s", f"the {fewest} sentences of each {noun}")

    def templates(self) -> Paraphrased | NotApplicable:
        noun = self.materials.noun
        why = f"each {noun} has sentences of its own, which follow no template; reliability says how far they agree"
        return NotApplicable(why)

    def scorers(self) -> Scored | NotApplicable:
        """The sentence with the word against the same sentence with its rival, by scores of whole sentences."""
        methods = [method for method in _OTHER_SCORERS if method in self.subject.model.likelihoods]
        if not methods:
            return NotApplicable("this model scores sentences in one way only")
        items = self._items.group_by("word", maintain_order=True).head(_SCORED_PER_WORD)
        texts = {item.id: split_blank(item.text) for item in self.materials.items}
        # The rival's side is negative, as in the difference of the sentences' scores.
        values: dict[str, Floats] = {
            "choice": np.log(items["probability"].to_numpy()) - np.log(items["against_probability"].to_numpy())
        }
        for method in methods:
            questions = [
                Likelihood(f"{texts[item][0]}{filled}{texts[item][1]}", method, detail=False)
                for item, word in items.select("item", "word").iter_rows()
                for filled in (self.materials.words[word].forms[0], self.materials.words[word].rivals[0])
            ]
            answers = [answer for answer in self.subject.ask(questions) if isinstance(answer, LikelihoodAnswer)]
            totals = np.array([answer.total for answer in answers]).reshape(-1, 2)
            values[method] = totals[:, 0] - totals[:, 1]
        return Scored(values, f"sentences ({_SCORED_PER_WORD} of each {self.materials.noun})")
