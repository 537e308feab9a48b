"""Prompt-based fine-tuning (Gao, Fisch and Chen 2021): a few examples teach a model which word belongs in the blank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from tacit.arguments import require_path
from tacit.models.hf.loading import load_files
from tacit.storage import file_hash
from tacit.tuning.examples import draw_shots, encode, label_tokens, require_tunable
from tacit.tuning.folder import Epoch, TuningFolder
from tacit.tuning.options import PromptTuning
from tacit.tuning.training import PromptTrainer, train
from tacit.tuning.weights import find_trainable, load_trainable

__all__ = ["TunedModel", "tune_prompt"]


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
        reviews: A CSV file with the columns text and label.
        out: The folder for the tuned model.
        options: How to tune.
        device: Where to compute: cpu, cuda or mps.
        on_epoch: Called after each epoch, and once before training.
    """
    for name, path in (("model", model), ("reviews", reviews), ("out", out)):
        require_path(name, path)
    options, out = options or PromptTuning(), Path(out)
    training, held_out = draw_shots(Path(reviews), options.shots, options.seed)
    files = find_trainable(str(model))
    # A model that predicts nothing yet may be tuned; whether it learned something is what the held-out loss says.
    original = load_files(files, device=device, force=True)
    require_tunable(original)
    tokens = label_tokens(original, options.prompt, options.label_words)
    folder = TuningFolder(out, {**asdict(options), "model": original.fingerprint, "reviews": file_hash(Path(reviews))})
    progress = folder.read_finished()
    if progress is None:
        examples = [encode(original, part, options.prompt, options.label_words) for part in (training, held_out)]
        network = load_trainable(files, original.family, device)
        trainer = PromptTrainer(network, original.tokens.tokenizer, options, tokens)
        progress = train(trainer, examples[0], examples[1], folder, on_epoch)
    return TunedModel(out, progress.epochs, progress.best)
