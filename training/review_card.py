"""The card of the standard `reviews`: what it learned from, and how it labels reviews that it never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jinja2 import Environment, StrictUndefined

from tacit.data.fetching import chosen_digests
from tacit.data.labeled import LabeledText, digest, read_labeled
from tacit.methods.sentiment.materials import Review, read_reviews
from tacit.probes import load_probe
from tacit.questions import Choose, ChooseAnswer
from tacit.standards import standard_path
from tacit.statistics import Interval, mean_share, share_interval
from training.sources import REVIEW_SOURCES

if TYPE_CHECKING:
    from tacit.models import Model
    from tacit.tuning import PromptTuning, TunedModel

__all__ = ["Accuracy", "balanced_accuracy", "write_card"]

_TEMPLATE = Path(__file__).with_name("review-card.jinja")
_WRITTEN_FOR_TACIT = "the probes' own"


@dataclass(frozen=True)
class Accuracy:
    """The balanced accuracy of a model on the reviews of one source."""

    source: str
    model: str
    interval: Interval


def write_card(
    folder: Path, reviews: Path, options: PromptTuning, tuned: TunedModel, report: Callable[[str], None] = print
) -> None:
    """Examine `modern` and `reviews` on the data set `reviews` and the probes' own, and write card.md."""
    import tacit  # noqa: PLC0415 - torch is slow to import

    examined = [*_data_set(folder), *_shipped()]
    found: list[Accuracy] = []
    for name in ("modern", "reviews"):
        model = tacit.load(name)
        for source in dict.fromkeys(review.source for review in examined):
            own = [review for review in examined if review.source == source]
            found.append(Accuracy(source, name, balanced_accuracy(model, own, options)))
            report(f"{name} {source}: {found[-1].interval}")
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    card = environment.from_string(_TEMPLATE.read_text(encoding="utf-8")).render(
        packages=REVIEW_SOURCES,
        counts=_counts(read_reviews(reviews)),
        options=options,
        tuned=tuned,
        accuracies={
            source: [each for each in found if each.source == source] for source in {a.source: 0 for a in found}
        },
    )
    path = standard_path("reviews") / "card.md"
    path.write_text(card, encoding="utf-8")
    report(f"wrote {path}")


def balanced_accuracy(model: Model, reviews: Sequence[LabeledText], options: PromptTuning) -> Interval:
    """The mean of the shares of positive and of negative reviews after which the right label word is the likelier."""
    from tacit.asking import ask  # noqa: PLC0415

    questions = [Choose(options.prompt, options.label_words, context=review.text) for review in reviews]
    right = np.array([_says(answer) for answer in ask(model, questions, cache=None)]) == [
        review.positive for review in reviews
    ]
    positive = np.array([review.positive for review in reviews])
    return mean_share([share_interval(right[members]) for members in (positive, ~positive)], (0.5, 0.5))


def _says(answer: object) -> bool:
    assert isinstance(answer, ChooseAnswer)
    first, second = (choice.probability or 0.0 for choice in answer.choices)
    return first > second


def _data_set(folder: Path) -> list[LabeledText]:
    chosen = set(chosen_digests())
    return [review for review in read_labeled(folder) if digest(review.text) in chosen]


def _shipped() -> list[LabeledText]:
    own = read_reviews(load_probe("sentiment-association").file("reviews.csv"))
    return [LabeledText(_WRITTEN_FOR_TACIT, review.text, review.positive) for review in own]


def _counts(reviews: Sequence[Review]) -> dict[str, tuple[int, int]]:
    counts: dict[str, list[int]] = {}
    for review in reviews:
        pair = counts.setdefault(review.source, [0, 0])
        pair[0 if review.positive else 1] += 1
    return {source: (pair[0], pair[1]) for source, pair in counts.items()}
