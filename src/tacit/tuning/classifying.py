"""Training a classifier: an encoder learns the labels of texts, and becomes a folder that `tacit.load` takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl
import torch

from tacit.arguments import require_path, require_text
from tacit.errors import ModelError
from tacit.models.hf.loading import load_files
from tacit.models.hf.model import HFModel
from tacit.tuning.examples import TuningExample
from tacit.tuning.folder import Epoch, TuningFolder
from tacit.tuning.labeled_texts import LabeledText, LabeledTexts, read_labeled_texts
from tacit.tuning.options import ClassifierTuning
from tacit.tuning.training import Trainer, train
from tacit.tuning.weights import find_trainable, load_classifier

__all__ = ["TunedClassifier", "tune_classifier"]

HELD_OUT = "held-out.csv"


@dataclass(frozen=True)
class TunedClassifier:
    """The result of training a classifier.

    Attributes:
        folder: The classifier.
        epochs: The epochs that led to it; the first one is before training.
        best: The number of the epoch that was kept.
        labels: The names of its labels.
        training: How many texts it learned.
        held_out: The texts that it did not learn, as a CSV file inside its folder.
    """

    folder: Path
    epochs: tuple[Epoch, ...]
    best: int
    labels: tuple[str, ...]
    training: int
    held_out: Path


def tune_classifier(
    model: str | Path,
    texts: str | Path,
    out: str | Path,
    options: ClassifierTuning | None = None,
    *,
    device: str = "cpu",
    on_step: Callable[[int, int, int], object] = lambda *_: None,
    on_epoch: Callable[[Epoch], object] = lambda _: None,
) -> TunedClassifier:
    """Train a model to give texts their labels, and write it as a classifier folder.

    The loss on the held-out texts decides when to stop and which epoch is kept. The same call continues an interrupted
    training and ends with the same weights.

    Args:
        model: A standard, a folder or a Hugging Face name of a masked, causal or sequence-to-sequence model.
        texts: A table with the columns text and label, or a Hugging Face data set (`owner/name:split`).
        out: The folder for the classifier.
        options: How to train.
        device: Where to compute: cpu, cuda or mps.
        on_step: Called after each step with the epoch and the numbers of texts learned and in all.
        on_epoch: Called after each epoch, and once before training.
    """
    require_path("model", model)
    require_path("out", out)
    require_text("texts", str(texts))
    options, out = options or ClassifierTuning(), Path(out)
    material = read_labeled_texts(str(texts), options.texts, options.held_out, options.seed)
    files = find_trainable(str(model))
    original = load_files(files, device=device, force=True)
    _require_language_model(original)
    recipe = {**asdict(options), "model": original.fingerprint, "read": material.digest()}
    folder = TuningFolder(out, recipe, {HELD_OUT: _as_csv(material)})
    progress = folder.read_finished()
    if progress is None:
        # The head starts from random weights.
        torch.manual_seed(options.seed)
        network = load_classifier(files, original.tokens.tokenizer, material.labels, device)
        trainer = ClassifierTrainer(network, original.tokens.tokenizer, options)
        examples = [_encode(original, part, material.labels) for part in (material.training, material.held_out)]
        progress = train(trainer, lambda _: examples[0], examples[1], folder, on_epoch, on_step=on_step)
    return TunedClassifier(out, progress.epochs, progress.best, material.labels, len(material.training), out / HELD_OUT)


class ClassifierTrainer(Trainer):
    """Learns which label a text has."""

    def label_logits(self, examples: Sequence[TuningExample]) -> torch.Tensor:
        """The outputs of the classifier's head."""
        logits: torch.Tensor = self.network(**self.inputs(examples)).logits
        return logits


def _require_language_model(model: HFModel) -> None:
    if model.family == "classifier":
        raise ModelError(f"{model.name} is a classifier already. Give the language model that it was trained from.")


def _encode(model: HFModel, texts: Sequence[LabeledText], labels: Sequence[str]) -> list[TuningExample]:
    """The texts as tokens, exactly as a classifier is asked about them; a long text is cut in its middle."""
    examples = []
    for text in texts:
        encoded = model.tokens.encode_with_lead("", text.text)
        examples.append(TuningExample(encoded.ids, encoded.types, 0, labels.index(text.label)))
    return examples


def _as_csv(material: LabeledTexts) -> str:
    rows: list[dict[str, Any]] = [asdict(text) for text in material.held_out]
    return pl.DataFrame(rows).write_csv()
