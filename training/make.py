"""The steps that make the standards, each from what the step before it left on disk: vocabulary, then weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tokenizers import Tokenizer

from tacit.errors import TacitError
from tacit.standards import standard_names, standard_path
from training.corpora import cache_folder
from training.passages import share
from training.recipe import STANDARDS, VOCABULARY_SIZE
from training.texts import texts_of
from training.vocabulary import encode, save_tokenizer, train_vocabulary

__all__ = ["make_vocabulary", "make_weights", "tokenizer_of"]


def make_vocabulary(folder: Path | None = None) -> None:
    """Train the shared vocabulary on both varieties and put it beside both models."""
    folder = folder or cache_folder()
    varieties = []
    for name in standard_names():
        passages = sorted(texts_of(name, folder).training, key=lambda passage: share(passage.key + passage.text))
        varieties.append([passage.text for passage in passages])
    tokenizer = train_vocabulary(varieties, VOCABULARY_SIZE)
    for name in standard_names():
        save_tokenizer(tokenizer, standard_path(name), STANDARDS[name].length)


def make_weights(
    name: str, steps: int | None = None, until: int | None = None, report: Callable[[str], None] = print
) -> None:
    """Train one standard, or continue it, and export its weights when the last step is done."""
    from training.train import export, train  # noqa: PLC0415

    folder = cache_folder()
    recipe = STANDARDS[name] if steps is None else replace(STANDARDS[name], steps=steps)
    texts = texts_of(name, folder)
    tokenizer = tokenizer_of(name)
    training, held_out = (
        encode(tokenizer, [passage.text for passage in part], recipe.length)
        for part in (texts.training, texts.held_out)
    )
    report(f"{name}: {len(training)} passages, {sum(map(len, training))} tokens, {len(held_out)} held out")
    checkpoint = folder / "checkpoints" / f"{name}.pt"
    model = train(training, held_out, recipe, tokenizer.get_vocab_size(), checkpoint, report=report, until=until)
    if until is None:
        export(model, standard_path(name))


def tokenizer_of(name: str) -> Tokenizer:
    """The vocabulary that is kept beside the weights."""
    path = standard_path(name) / "tokenizer.json"
    if not path.exists():
        raise TacitError(f"{path} is missing: make the vocabulary first (python -m training vocabulary).")
    return Tokenizer.from_file(str(path))
