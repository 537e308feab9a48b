"""The valence method as the checks see it: sentences are the units, and the words at their blanks are rated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import polars as pl

from tacit.methods.base import Verdict
from tacit.questions import BLANK, Choose
from tacit.validation.checks import NotApplicable
from tacit.validation.confounds import Confounded, zipf
from tacit.validation.designs.base import Design, Floats
from tacit.validation.placebo import Placebo
from tacit.validation.power import Effect
from tacit.validation.templates import Paraphrased
from tacit.validation.words import LeaveOneOut

__all__ = ["ValenceDesign"]

_HALF_A_STEP = 0.25


class ValenceDesign(Design):
    """Beta of each sentence."""

    def placebo(self) -> Placebo:
        """A sentence whose poles are swapped leans as far to the other side, so that the mean leaning is zero."""
        names, middle = self.materials.sentences["sentence"].to_list(), self.materials.scale.middle

        def draw(rng: np.random.Generator) -> Iterable[Verdict]:
            swapped = {name for name, swap in zip(names, rng.random(len(names)) < 0.5, strict=True) if swap}
            ratings = tuple(
                replace(rating, score=2 * middle - rating.score) if rating.sentence in swapped else rating
                for rating in self.materials.ratings
            )
            materials = replace(self.materials, ratings=ratings)
            return self.subject.verdicts(materials, self.quick, self.subject.answers)

        return Placebo("swapping the poles of the scale in half of the sentences, drawn at random", draw)

    def effect(self) -> Effect:
        scale, groups = self.materials.scale, self.materials.groups
        values = {group: self._betas.filter(pl.col("group") == group)["beta"].to_numpy() for group in groups}
        errors = {group: float(beta.std(ddof=1)) / np.sqrt(len(beta)) for group, beta in values.items()}
        # What can be seen in every group is what can be seen in that with the widest spread.
        widest = max(errors, key=lambda group: errors[group])
        return Effect(
            "mean beta of a group of sentences",
            "sentences in each group",
            len(values[widest]),
            errors[widest],
            _HALF_A_STEP * scale.width / 2,
            "half a step of the study's five points",
            tests=len(groups),
        )

    def words(self) -> list[LeaveOneOut]:
        """Mean beta of each group without each word that is filled in somewhere."""
        fillings = self.subject.tables["fillings"].with_columns(pl.col("sigma").is_not_null().alias("rated"))
        rows = self.subject.tables["measures"].filter((pl.col("measure") == "beta") & pl.col("item").is_null())
        groups = dict(self.materials.sentences.select("sentence", "group").iter_rows())
        fillings = fillings.with_columns(group=pl.col("sentence").replace_strict(groups, return_dtype=pl.String))
        found = []
        for row in rows.filter(pl.col("low").is_not_null()).iter_rows(named=True):
            own = fillings.filter((pl.col("group") == row["group"]) & pl.col("rated"))
            tokens = own["token"].unique(maintain_order=True).to_list()
            without = {token: _mean_beta(own.filter(pl.col("token") != token)) for token in tokens}
            name, width = f"mean beta of the {row['group']} sentences", row["high"] - row["low"]
            found.append(LeaveOneOut(name, _mean_beta(own), width, without))
        return found

    def confounds(self) -> Confounded:
        sentences, betas = self.materials.sentences, self._betas
        texts = sentences["text"].to_list()
        plain = [text.replace(BLANK, "").split() for text in texts]
        columns = {
            "frequency": np.array([np.mean([zipf(word) for word in words]) for words in plain]),
            "length": np.array([float(len(words)) for words in plain]),
            "pieces": self._pieces(),
        }
        design = {group: (sentences["group"] == group).to_numpy().astype(float) for group in self.materials.groups[1:]}
        return Confounded({"beta": betas["beta"].to_numpy()}, columns, "sentences", design)

    def item_scores(self) -> tuple[str, Floats]:
        return "sentences", self._betas["beta"].to_numpy()

    def templates(self) -> Paraphrased | NotApplicable:
        return NotApplicable("its sentences are quotations and single sentences, which follow no template")

    @property
    def _betas(self) -> pl.DataFrame:
        """Beta of each sentence relative to the neutral point; the middle of its bounds where too little is rated."""
        middle = (pl.col("beta_low") + pl.col("beta_high")) / 2
        beta = pl.when("counted").then("beta").otherwise(middle) - self.materials.scale.middle
        return self.subject.tables["sentences"].select("sentence", "group", beta)

    def _pieces(self) -> Floats:
        """Into how many pieces the model cuts the word that the author used."""
        named = self.materials.sentences.select("text", "original").rows()
        questions = [Choose(text, (word,)) for text, word in named if word]
        answers = iter(self.subject.choose(questions))
        return np.array([float(len(next(answers).choices[0].tokens)) if word else 1.0 for _, word in named])


def _mean_beta(fillings: pl.DataFrame) -> float:
    """The mean over sentences of Σ p σ / Σ p over their rated fillings."""
    weighted = (pl.col("probability") * pl.col("sigma")).sum() / pl.col("probability").sum()
    return float(fillings.group_by("sentence").agg(beta=weighted)["beta"].to_numpy().mean())
