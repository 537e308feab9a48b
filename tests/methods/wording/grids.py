"""Materials and answers of a respondent whose labels depend on the wording as we say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from tacit.methods.base import KeyedQuestion
from tacit.methods.wording import Wording, WordingSettings
from tacit.methods.wording.materials import WordingMaterials
from tacit.probes.loading import Probe, load_probe
from tacit.questions import Choose

__all__ = ["FAST", "Respondent", "answer_all", "make_materials", "make_probe"]

FAST = WordingSettings(resamples=100, copies=1)
WORDS = "word,polarity\nup,neutral\nturn,neutral\nchair,neutral\n"
Respondent = Callable[[str, tuple[str, str], str, str, int], bool]
"""Whether a review is called positive: prompt, label words, word, kind of review, and its number."""


def make_probe(folder: Path, per_class: int = 40) -> Probe:
    rows = [
        f"{kind} {i},{label}"
        for kind, label in (("praise", "positive"), ("blame", "negative"))
        for i in range(per_class)
    ]
    (folder / "reviews.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    (folder / "lexicon.csv").write_text(WORDS, encoding="utf-8")
    (folder / "prompts.csv").write_text("prompt,source\nIt was [MASK].,study\nAll [MASK].,ours\n", encoding="utf-8")
    labels = "positive,negative,source\ngreat,terrible,study\ngood,bad,ours\nnice,poor,ours\n"
    (folder / "labels.csv").write_text(labels, encoding="utf-8")
    files = "lexicon: lexicon.csv, reviews: reviews.csv, prompts: prompts.csv, labels: labels.csv"
    (folder / "probe.yaml").write_text(f"name: small\nmethod: wording\nmaterials: {{{files}}}\n", encoding="utf-8")
    return load_probe(folder)


def make_materials(folder: Path, settings: WordingSettings = FAST, per_class: int = 40) -> WordingMaterials:
    return Wording().materials(make_probe(folder, per_class), settings)


def answer_all(
    materials: WordingMaterials, settings: WordingSettings, respondent: Respondent, split: Sequence[str] = ()
) -> pl.DataFrame:
    """The answers table as a run keeps it; the words in `split` are of two tokens."""
    rows = []
    for number, asked in enumerate(Wording().questions(materials, settings, "masked")):
        assert isinstance(asked.question, Choose)
        scores = _scores(asked, materials, respondent)
        for part, word in enumerate(asked.question.words):
            pieces = 2 if word in split else 1
            row = {"question": number, "part": part, "token": word, "probability": scores.get(word, 0.01)}
            rows.append({**asked.keys, **row, "pieces": pieces})
    return pl.DataFrame(rows)


def _scores(asked: KeyedQuestion, materials: WordingMaterials, respondent: Respondent) -> dict[str, float]:
    kind, number = asked.question.context.split()  # type: ignore[union-attr]
    scores: dict[str, float] = {}
    for pair in materials.labels:
        prompt, word = str(asked.keys["prompt"]), str(asked.keys["word"])
        called = respondent(prompt, pair, word, kind, int(number))
        scores |= dict(zip(pair, (0.2, 0.1) if called else (0.1, 0.2), strict=True))
    return scores
