"""What the commands of `tacit rate` share for probes of the method valence: fillings, earlier scores, agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.cli.prose import say
from tacit.errors import MaterialsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.methods.valence.materials import ValenceMaterials
    from tacit.models.base import Model
    from tacit.ratings import Rating, TokenToRate

__all__ = ["fillings_to_rate", "model_fillings", "print_agreement", "read_valence", "reject_changed_scores"]

DISPUTED_SHOWN = 10


def fillings_to_rate(models: Sequence[str], materials: ValenceMaterials, top: int) -> list[TokenToRate]:
    """What the named models fill in, as tokens to rate."""
    if not models:
        return []
    from tacit.cli.loading import load  # torch is imported only if a model is asked

    return [token for name in models for token in model_fillings(load(name), materials, top)]


def read_valence(probe: str) -> ValenceMaterials:
    """The materials of a probe whose fillings are rated."""
    from tacit.methods.valence import ValenceSettings
    from tacit.methods.valence.materials import read_materials
    from tacit.probes import load_probe

    loaded = load_probe(probe)
    if loaded.method != "valence":
        raise MaterialsError(
            f"The probe {loaded.name} is not rated by people. Choose one of the method valence, contrast or "
            "counterknowledge."
        )
    return read_materials(loaded, ValenceSettings())


def model_fillings(model: Model, materials: ValenceMaterials, top: int) -> Iterator[TokenToRate]:
    """What a model fills in, as tokens to rate."""
    from tacit.asking import ask
    from tacit.questions import Fill, FillAnswer
    from tacit.ratings import TokenToRate

    questions = [Fill(text, top=top) for text in materials.texts.values()]
    for sentence, answer in zip(materials.texts, ask(model, questions, progress=True), strict=True):
        if isinstance(answer, FillAnswer):
            yield from (TokenToRate(sentence, filling.token) for filling in answer.fillings)


def reject_changed_scores(source: str, ratings: Sequence[Rating], earlier: Sequence[Rating]) -> None:
    """Refuse ratings in which a rater contradicts an earlier score of theirs; `source` says where they come from."""
    scores = {(rating.key, rating.rater): rating.score for rating in earlier}
    for rating in ratings:
        score = scores.get((rating.key, rating.rater), rating.score)
        if score != rating.score:
            raise MaterialsError(
                f"{source}: {rating.rater} already rated {rating.token!r} in sentence {rating.sentence} as {score:g}, "
                f"not {rating.score:g}. Use --replace to overwrite. Nothing was imported."
            )


def print_agreement(ratings: Sequence[Rating]) -> None:
    """Print how well the raters agree, and the tokens that they score most differently."""
    from tacit.ratings import agreement, disputed_tokens

    alpha = agreement(ratings)
    if alpha is None:
        return
    interval = f"{alpha.value:.2f} [{alpha.low:.2f}, {alpha.high:.2f}]"
    say(f"Krippendorff's alpha (ordinal): {interval} over {alpha.n} tokens with several raters.")
    for row in disputed_tokens(ratings).head(DISPUTED_SHOWN).iter_rows(named=True):
        say(f"  disputed: {row['token']} in {row['sentence']} ({row['scores']})")
