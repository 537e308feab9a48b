"""`tacit likelihood`: how likely models find a sentence, token by token."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.cli.options import AllowPickle, Begin, Device, Dtype, ForceModel, ModelNames
from tacit.cli.prose import say

__all__ = ["likelihood"]


def likelihood(
    text: Annotated[str, typer.Argument(help="A sentence.")],
    model: ModelNames = None,
    device: Device = "cpu",
    dtype: Dtype = "float32",
    allow_pickle: AllowPickle = False,
    begin: Begin = None,
    force: ForceModel = False,
) -> None:
    """Score a sentence, token by token. If no model is named, the standards are asked."""
    from tacit.arguments import require_text
    from tacit.standards import standard_names

    require_text("text", text)

    from tacit.cli.loading import load
    from tacit.cli.tables import show
    from tacit.questions import Likelihood, LikelihoodAnswer

    for name in model or standard_names():
        loaded = load(name, device=device, dtype=dtype, allow_pickle=allow_pickle, begin=begin, force=force)
        (answer,) = loaded.answer([Likelihood(text, loaded.natural_likelihood)])
        assert isinstance(answer, LikelihoodAnswer)
        scores = [(score.token, "-" if score.logprob is None else f"{score.logprob:.2f}") for score in answer.tokens]
        show(name, ["token", "log-probability"], scores, most=len(scores))
        say(f"{name}: {answer.total:.2f} in all ({loaded.natural_likelihood}).")
