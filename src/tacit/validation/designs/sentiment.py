"""Both sentiment methods as the checks see them: neutral words are the units, reviews what they are asked with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tacit.methods.association.measures import BLOCK_EFFECT
from tacit.methods.base import Tables, Verdict
from tacit.methods.sentiment.materials import NEUTRAL, Review
from tacit.methods.shift.formulas import largest_q
from tacit.methods.shift.measures import BLOCK_SHIFT
from tacit.questions import BLANK
from tacit.validation.checks import NotApplicable
from tacit.validation.confounds import Confounded, zipf
from tacit.validation.designs.base import Design, Floats
from tacit.validation.invented import Invented, matched_name
from tacit.validation.placebo import Placebo
from tacit.validation.power import Effect
from tacit.validation.reliability import Halves
from tacit.validation.subject import PARAPHRASES, read_paraphrases
from tacit.validation.templates import Paraphrased
from tacit.validation.words import LeaveOneOut

__all__ = ["AssociationDesign", "ShiftDesign"]

_GROUP = f"{NEUTRAL} words"
_INVENTED = 24


class _SentimentDesign(Design):
    """The score of each neutral word."""

    score: ClassVar[str]
    """The column of the words table that holds it."""
    measure: ClassVar[str]
    """The mean of the scores, as the measures table names it."""
    by_block: ClassVar[str]
    """What each block of reviews contributes to it."""
    reviews_reworded: ClassVar[int]
    """How many reviews of each class are asked in other words, which all have the same cost."""

    @property
    def _neutral(self) -> pl.DataFrame:
        return self.subject.tables["words"].filter(pl.col("polarity") == NEUTRAL)

    @property
    def _scores(self) -> Floats:
        return self._neutral[self.score].to_numpy()

    def _row(self, tables: Tables, measure: str) -> dict[str, Any] | None:
        rows = tables["measures"].filter(
            (pl.col("measure") == measure) & (pl.col("group") == _GROUP) & pl.col("item").is_null()
        )
        return rows.row(0, named=True) if len(rows) else None

    def words(self) -> list[LeaveOneOut] | NotApplicable:
        scores, row = self._scores, self._row(self.subject.tables, self.measure)
        if row is None or row["low"] is None:
            return NotApplicable("its mean over words has an interval only in the exact design (--set design=exact)")
        names = self._neutral["word"].to_list()
        total, n = float(scores.sum()), len(scores)
        without = {name: (total - float(one)) / (n - 1) for name, one in zip(names, scores, strict=True)}
        return [LeaveOneOut(f"mean {self.measure}", total / n, row["high"] - row["low"], without)]

    def confounds(self) -> Confounded:
        names, scores = self._neutral["word"].to_list(), self._scores
        columns = {
            "frequency": np.array([zipf(name) for name in names]),
            "length": np.array([float(len(name)) for name in names]),
            "pieces": np.array(self.subject.pieces(f"The word is {BLANK}.", names)),
        }
        return Confounded({self.measure: scores, f"size of the {self.measure}": np.abs(scores)}, columns, _GROUP)

    def halves(self) -> Halves | NotApplicable:
        tables = self.subject.tables
        if "units" not in tables:
            return NotApplicable("words were asked about different reviews; ask everything (--set design=exact)")
        items = tables["measures"].filter(pl.col("measure") == self.by_block).select("item", "value")
        cells = items.join(tables["units"], on="item", maintain_order="left")
        table = cells.pivot("block", index="word", values="value", maintain_order=True).drop("word").to_numpy()

        def score(kept: np.ndarray) -> Floats:
            scores: Floats = table[:, kept].mean(axis=1)
            return scores

        return Halves(score, table.shape[1], _GROUP, f"the reviews ({table.shape[1]} blocks)")

    def templates(self) -> Paraphrased | NotApplicable:
        paraphrases = read_paraphrases(self.subject.prepared)
        if not paraphrases:
            return NotApplicable(f"its folder has no {PARAPHRASES}")
        prompts = [self.settings.prompt, *(paraphrase["text"] for paraphrase in paraphrases)]
        materials = self._materials(self._neutral["word"].to_list(), self.reviews_reworded)
        columns = []
        for prompt in prompts:
            settings = self._reworded(prompt)
            tables = self.subject.measure(materials, settings, self.subject.answers_with(materials, settings))
            scores = dict(tables["words"].select("word", self.score).iter_rows())
            columns.append([scores.get(word, np.nan) for word in self._neutral["word"]])
        return Paraphrased(np.array(columns, dtype=float).T, _GROUP, "prompts")

    @abstractmethod
    def _reworded(self, prompt: str) -> Any:
        """The settings with another prompt."""

    def invented(self) -> Invented | NotApplicable:
        real = self._row(self.subject.tables, "strength")
        if real is None:
            return NotApplicable("the strength of words is known only in the exact design (--set design=exact)")
        if real["low"] is None or real["low"] <= 0:
            return NotApplicable(
                "the real words are not shown to carry any sentiment, so that there is nothing to share"
            )
        names = self._neutral["word"].to_list()[:_INVENTED]
        words = list(dict.fromkeys(matched_name(name, draw) for draw, name in enumerate(names)))
        materials = self._materials(words, None)
        tables = self.subject.measure(materials, self.quick, self.subject.answers_with(materials, self.quick))
        found = self._row(tables, "strength")
        if found is None or found["value"] is None or real["value"] is None:
            return NotApplicable("the model cannot represent enough of the invented words")
        said = (
            f"strength of {len(words)} invented words {found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}], "
            f"of real ones {real['value']:.3f}"
        )
        return Invented(real["value"], found["value"], said, found["low"])

    def _materials(self, words: list[str], reviews: int | None) -> Any:
        """The materials with these words, all of them neutral, and so many reviews of each class."""
        columns = {name: kind for name, kind in self.materials.words.schema.items() if name not in ("word", "polarity")}
        table = pl.DataFrame({"word": words, "polarity": [NEUTRAL] * len(words)}).with_columns(
            pl.lit(None, kind).alias(name) for name, kind in columns.items()
        )
        return replace(self.materials, words=table, reviews=_first_of_each_class(self.materials.reviews, reviews))


class AssociationDesign(_SentimentDesign):
    """Cohen's d of each neutral word."""

    score, measure, by_block = "effect", "association", BLOCK_EFFECT
    reviews_reworded = 40

    def placebo(self) -> Placebo:
        """The labels of the reviews are dealt anew, so that no word is likelier after either class."""
        reviews, answers = self.materials.reviews, self.subject.answers

        def draw(rng: np.random.Generator) -> Iterable[Verdict]:
            labels = rng.permutation([review.positive for review in reviews])
            dealt = tuple(replace(review, positive=bool(label)) for review, label in zip(reviews, labels, strict=True))
            claims = self.subject.verdicts(replace(self.materials, reviews=dealt), self.quick, answers)
            return (claim for claim in claims if claim.family == "words that lean")

        return Placebo("dealing the labels of the reviews anew", draw)

    def effect(self) -> Effect:
        positive = self.materials.positive
        margin = self.settings.margin
        error = float(np.sqrt(1 / positive.sum() + 1 / (~positive).sum() + margin**2 / (2 * positive.size)))
        why = "a large effect by Cohen's convention, 0.8, beyond the margin"
        return Effect(
            "association of a word (Cohen's d)",
            "reviews",
            positive.size,
            error,
            0.8 + margin,
            why,
            tests=len(self._scores),
            margin=margin,
        )

    def _reworded(self, prompt: str) -> Any:
        return self.quick.model_copy(update={"prompt": prompt})


class ShiftDesign(_SentimentDesign):
    """The net shift of each neutral word."""

    score, measure, by_block = "net_shift", "net shift", BLOCK_SHIFT
    reviews_reworded = 20

    def placebo(self) -> NotApplicable:
        return NotApplicable("there is no label to shuffle: each review is its own control; see invented names")

    def effect(self) -> Effect:
        words, unit = self._neutral, largest_q(self.settings.repeats)
        widths = (words["high"] - words["low"]).to_numpy() / unit
        margin, error = self.settings.margin, float(np.median(widths)) / (2 * 1.96)
        return Effect(
            "net shift of a word",
            "reviews",
            len(self.materials.reviews),
            error,
            0.2 + margin,
            "one label in five, beyond the margin",
            tests=words.height,
            margin=margin,
        )

    def _reworded(self, prompt: str) -> Any:
        # One K is enough to see what the wording does, and costs a third.
        return self.quick.model_copy(update={"prompt": prompt, "repeats": self.settings.repeats[:1], "design": "exact"})


def _first_of_each_class(reviews: tuple[Review, ...], most: int | None) -> tuple[Review, ...]:
    """At most so many reviews of each class, spread evenly."""
    if most is None:
        return reviews
    kept: set[str] = set()
    for positive in (True, False):
        ids = [review.id for review in reviews if review.positive is positive]
        kept |= {ids[i] for i in np.linspace(0, len(ids) - 1, min(most, len(ids))).round().astype(int)}
    return tuple(review for review in reviews if review.id in kept)
