"""Prompt-based fine-tuning (Gao, Fisch and Chen 2021): a few examples teach a model which word belongs in the blank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tacit.arguments import require_count, require_path
from tacit.methods.sentiment.materials import Review
from tacit.models.hf.loading import load_files
from tacit.models.hf.model import HFModel
from tacit.storage import file_hash
from tacit.tuning.demonstrations import draw_demonstrations
from tacit.tuning.examples import TuningExample, draw_shots, encode, label_tokens, require_tunable
from tacit.tuning.folder import Epoch, TuningFolder
from tacit.tuning.options import PromptTuning
from tacit.tuning.training import PromptTrainer, train
from tacit.tuning.weights import find_trainable, load_trainable

__all__ = ["TunedModel", "tune_prompt", "tune_prompt_seeds"]


@dataclass(frozen=True)
class TunedModel:
    """The result of a tuning.

    Attributes:
        folder: The tuned model.
        epochs: The epochs that led to it; the first one is before training.
        best: The number of the epoch that was kept.
    """

    folder: Path
    epochs: tuple[Epoch, ...]
    best: int

    @property
    def has_learned(self) -> bool:
        """Whether an epoch was better on the held-out reviews than no training; if not, this is the model as it was."""
        return self.best > 0


def tune_prompt(
    model: str | Path,
    reviews: str | Path,
    out: str | Path,
    options: PromptTuning | None = None,
    *,
    device: str = "cpu",
    on_epoch: Callable[[Epoch], object] = lambda _: None,
) -> TunedModel:
    """Tune a model on a few reviews and write it as a normal model folder.

    The held-out loss decides when to stop and which epoch is kept. The same call continues an interrupted tuning and
    ends with the same weights.

    Args:
        model: A standard, a folder or a Hugging Face name of a masked or causal model.
        reviews: A file (CSV, JSONL or Parquet) with the columns text and label.
        out: The folder for the tuned model.
        options: How to tune.
        device: Where to compute: cpu, cuda or mps.
        on_epoch: Called after each epoch, and once before training.
    """
    for name, path in (("model", model), ("reviews", reviews), ("out", out)):
        require_path(name, path)
    options, out = options or PromptTuning(), Path(out)
    training, held_out = draw_shots(Path(reviews), options.shots, options.seed, options.held_out)
    files = find_trainable(str(model))
    # A model that predicts nothing yet may be tuned; whether it learned something is what the held-out loss says.
    original = load_files(files, device=device, force=True)
    require_tunable(original)
    tokens = label_tokens(original, options.prompt, options.label_words)
    recipe = {**options.recipe(), "model": original.fingerprint, "reviews": file_hash(Path(reviews))}
    folder = TuningFolder(out, recipe)
    progress = folder.read_finished()
    if progress is None:
        examples = _Examples(original, training, options)
        network = load_trainable(files, original.family, device)
        trainer = PromptTrainer(network, original.tokens.tokenizer, options, tokens)
        progress = train(trainer, examples.of_epoch, examples.encode(held_out, 0), folder, on_epoch)
    return TunedModel(out, progress.epochs, progress.best)


def tune_prompt_seeds(
    model: str | Path,
    reviews: str | Path,
    out: str | Path,
    seeds: int,
    options: PromptTuning | None = None,
    *,
    device: str = "cpu",
    on_epoch: Callable[[int, Epoch], object] = lambda *_: None,
) -> list[TunedModel]:
    """Tune a model several times with different seeds, into the folders `seed-0`, `seed-1` and so on.

    What a probe finds after tuning depends on which reviews were drawn. Only several seeds tell how much.

    Args:
        model: As in `tune_prompt`.
        reviews: As in `tune_prompt`.
        out: The folder above the tuned models.
        seeds: How many; the first is the seed of the options.
        options: How to tune.
        device: Where to compute: cpu, cuda or mps.
        on_epoch: Called after each epoch with the seed and the epoch.
    """
    require_path("out", out)
    require_count("seeds", seeds, 1, 10_000)
    options = options or PromptTuning()
    return [
        tune_prompt(
            model,
            reviews,
            Path(out) / f"seed-{seed}",
            replace(options, seed=seed),
            device=device,
            on_epoch=partial(on_epoch, seed),
        )
        for seed in range(options.seed, options.seed + seeds)
    ]


@dataclass(frozen=True)
class _Examples:
    """The training reviews as examples; with demonstrations, other ones in each epoch."""

    model: HFModel
    reviews: list[Review]
    options: PromptTuning

    def of_epoch(self, epoch: int) -> list[TuningExample]:
        return self.encode(self.reviews, epoch)

    def encode(self, reviews: list[Review], epoch: int) -> list[TuningExample]:
        """Reviews as examples; the demonstrations are training reviews and depend on the seed and the epoch."""
        options, shown = self.options, None
        if options.demonstrations:
            shown = draw_demonstrations(reviews, self.reviews, (options.seed, epoch))
        return encode(self.model, reviews, options.prompt, options.label_words, shown)
