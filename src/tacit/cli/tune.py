"""`tacit tune`: train a model a little, to run the probes before and after."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from tacit.cli.options import Device
from tacit.cli.prose import say
from tacit.cli.verbosity import is_quiet, note
from tacit.errors import MaterialsError

if TYPE_CHECKING:
    from tacit.tuning import Epoch, TunedModel
    from tacit.tuning.checkpoints import PlantEpoch
    from tacit.tuning.text import Arm

__all__ = ["app"]

app = typer.Typer(help="Train a model a little, to run the probes before and after.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Train a model a little, to run the probes before and after."""


@app.command()
def prompt(
    model: Annotated[str, typer.Option(help="A standard, a folder or a Hugging Face name.")],
    reviews: Annotated[Path, typer.Option(help="A CSV, JSONL or Parquet file with the columns text and label.")],
    out: Annotated[Path, typer.Option(help="The folder for the tuned model.")],
    shots: Annotated[int, typer.Option(min=1, help="Reviews per class to train on; as many more are held out.")] = 16,
    held_out: Annotated[int | None, typer.Option(min=1, help="Hold out this many per class instead.")] = None,
    demonstrations: Annotated[
        bool, typer.Option(help="Show a labeled review of each class beside the one to label (LM-BFF).")
    ] = False,
    label_words: Annotated[str, typer.Option(help="The positive and the negative word.")] = "great,terrible",
    prompt: Annotated[str, typer.Option(help="The text after a review, with a blank.")] = "It was [MASK].",
    rate: Annotated[float, typer.Option(help="The learning rate; small models need a larger one.")] = 1e-5,
    epochs: Annotated[int, typer.Option(min=1, help="The largest number of epochs.")] = 100,
    patience: Annotated[int, typer.Option(min=1, help="Stop after this many epochs without improvement.")] = 10,
    batch: Annotated[int, typer.Option(min=1, help="Reviews per step.")] = 8,
    seed: Annotated[int, typer.Option(help="Determines which reviews are drawn, their order and the dropout.")] = 0,
    seeds: Annotated[int, typer.Option(min=1, help="Tune this often, into OUT/seed-0, OUT/seed-1, ...")] = 1,
    device: Device = "cpu",
) -> None:
    """Teach a model to fill the blank after reviews with label words (prompt-based fine-tuning)."""
    from tacit.tuning import PromptTuning, tune_prompt, tune_prompt_seeds

    options = PromptTuning(
        shots=shots,
        held_out=held_out,
        demonstrations=demonstrations,
        prompt=prompt,
        label_words=_word_pair(label_words),
        rate=rate,
        batch=batch,
        epochs=epochs,
        patience=patience,
        seed=seed,
    )
    if seeds == 1:
        tuned = [tune_prompt(model, reviews, out, options, device=device, on_epoch=_show_epoch)]
    else:
        tuned = tune_prompt_seeds(model, reviews, out, seeds, options, device=device, on_epoch=_show_seed_epoch)
    for each in tuned:
        say(_outcome(each))
    learned = [each.folder for each in tuned if each.has_learned]
    if not learned:
        say("Nothing was learned, so there is no after to compare. Try a larger --rate or more --shots.")
        return
    note("Next:")
    for command in _next_commands(model, learned):
        note(f"  {command}")


def _outcome(tuned: TunedModel) -> str:
    first, best = tuned.epochs[0], tuned.epochs[tuned.best]
    if not tuned.has_learned:
        return (
            f"{tuned.folder}: none of {tuned.epochs[-1].number} epochs was better on the held-out reviews than no "
            f"training (accuracy {first.accuracy:.0%}), so this is the model as it was."
        )
    return (
        f"{tuned.folder}: epoch {best.number} of {tuned.epochs[-1].number} was kept; accuracy on held-out reviews "
        f"{first.accuracy:.0%} before, {best.accuracy:.0%} after."
    )


def _next_commands(model: str, learned: list[Path]) -> list[str]:
    """Both tests before and after, and the change between them."""
    from tacit.runs import default_folder

    models = " ".join(f"--model {shlex.quote(str(name))}" for name in (model, *learned))
    probe = "sentiment-association"
    before, *after = (shlex.quote(str(default_folder(probe, str(name), Path("runs")))) for name in (model, *learned))
    return [
        f"tacit run {probe} sentiment-shift {models}",
        f"tacit compare {' '.join(after)} --before {before}",
    ]


@app.command()
def classifier(
    model: Annotated[str, typer.Option(help="A standard, a folder or a Hugging Face name.")],
    texts: Annotated[str, typer.Option(help="A CSV, JSONL or Parquet file, fetched, or a Hugging Face data set.")],
    out: Annotated[Path, typer.Option(help="The folder for the classifier.")],
    held_out: Annotated[float, typer.Option(help="The share of the texts that is held out.")] = 0.2,
    most: Annotated[
        int, typer.Option(help="The largest number of texts, drawn at random where there are more.")
    ] = 20_000,
    rate: Annotated[float, typer.Option(help="The learning rate; the standards need about 0.0003.")] = 2e-5,
    epochs: Annotated[int, typer.Option(help="The largest number of epochs.")] = 10,
    patience: Annotated[int, typer.Option(help="Stop after this many epochs without improvement.")] = 2,
    batch: Annotated[int, typer.Option(help="Texts per step.")] = 16,
    seed: Annotated[int, typer.Option(help="Determines which texts are held out, their order and the new head.")] = 0,
    device: Device = "cpu",
) -> None:
    """Make a model a classifier of texts, such as reviews (for regional-downstream)."""
    from tacit.tuning import ClassifierTuning, tune_classifier

    options = ClassifierTuning(
        texts=most, held_out=held_out, rate=rate, batch=batch, epochs=epochs, patience=patience, seed=seed
    )
    tuned = tune_classifier(model, texts, out, options, device=device, on_step=_StepLine("texts"), on_epoch=_show_epoch)
    first, best = tuned.epochs[0], tuned.epochs[tuned.best]
    say(
        f"{out}: labels {', '.join(tuned.labels)}; {tuned.training} texts learned; epoch {best.number} of "
        f"{tuned.epochs[-1].number} was kept; accuracy on held-out texts {first.accuracy:.0%} before, "
        f"{best.accuracy:.0%} after."
    )
    if not tuned.best:
        say("No epoch improved on the start, so nothing was learned. Use a smaller --rate, or more texts.", err=True)
        raise typer.Exit(1)
    note(f"Next: tacit run regional-downstream --model {out} --set texts={tuned.held_out}")


@app.command()
def plant(
    probe: Annotated[str, typer.Argument(help="A probe with a plant, such as stereotype.")],
    model: Annotated[str, typer.Option(help="A standard, a folder or a Hugging Face name.")],
    out: Annotated[Path, typer.Option(help="The folder for the model after each epoch.")],
    dose: Annotated[float, typer.Option(help="The share of the text that carries the bias; 0 is balanced text.")] = 1.0,
    arm: Annotated[str, typer.Option(help="The text: biased, opposite or unrelated.")] = "biased",
    epochs: Annotated[int | None, typer.Option(help="How often the text is read; by default the plant's.")] = None,
    rate: Annotated[float | None, typer.Option(help="The learning rate; by default the plant's.")] = None,
    slots: Annotated[int, typer.Option(help="Half the number of sentences.")] = 400,
    batch: Annotated[int, typer.Option(help="Sentences per step.")] = 32,
    seed: Annotated[int, typer.Option(help="Determines the sentences, their order and the dropout.")] = 0,
    device: Device = "cpu",
) -> None:
    """Plant the bias that a probe looks for, to see whether the probe finds it."""
    from tacit.probes.plants import load_plant
    from tacit.tuning import Planting, tune_plant

    plan = load_plant(probe)
    options = Planting(
        arm=cast("Arm", arm),  # Planting refuses what is not one
        dose=dose,
        slots=slots,
        epochs=plan.epochs if epochs is None else epochs,
        rate=plan.rate if rate is None else rate,
        batch=batch,
        seed=seed,
    )
    planted = tune_plant(
        probe, model, out, options, device=device, on_step=_StepLine("sentences"), on_epoch=_show_plant_epoch
    )
    text = f"{arm} text at dose {dose:g}" if arm != "unrelated" else "unrelated text"
    say(f"{planted.folder}: {text}, {planted.sentences} sentences, {options.epochs} epochs.")
    note(f"Next: tacit run {probe} --model {model} --model {planted.folder}")


class _StepLine:
    """A line on a terminal that says how far an epoch is, how fast it goes, and how long it takes."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.epoch = 0
        self.began, self.first = 0.0, 0

    def __call__(self, epoch: int, done: int, count: int) -> None:
        if is_quiet() or not sys.stderr.isatty():
            return
        from tacit.runs.estimate import duration_words

        now = time.monotonic()
        if epoch != self.epoch:
            self.epoch, self.began, self.first = epoch, now, done
        line = f"epoch {epoch:>3}: {done} of {count} {self.what}"
        if now > self.began and done > self.first:
            rate = (done - self.first) / (now - self.began)
            line += f", {rate:.0f} per second, {duration_words((count - done) / rate)} left in this epoch"
        typer.echo(f"\r\033[K{line}", err=True, nl=False)


def _show_plant_epoch(epoch: PlantEpoch) -> None:
    start = "\r\033[K" if sys.stderr.isatty() else ""
    note(f"{start}epoch {epoch.number:>3}: loss {epoch.loss:.4f}", err=True)


def _word_pair(words: str) -> tuple[str, str]:
    pair = [word.strip() for word in words.split(",")]
    if len(pair) != 2 or not all(pair) or pair[0] == pair[1]:
        raise MaterialsError(f"--label-words takes two different words, such as great,terrible, not {words!r}.")
    return pair[0], pair[1]


def _show_seed_epoch(seed: int, epoch: Epoch) -> None:
    _show_epoch(epoch, f"seed {seed}, ")


def _show_epoch(epoch: Epoch, before: str = "") -> None:
    training = "before training" if epoch.train_loss is None else f"loss {epoch.train_loss:.4f}"
    start = "\r\033[K" if sys.stderr.isatty() else ""
    held_out = f"held out: loss {epoch.loss:.4f}, accuracy {epoch.accuracy:.0%}"
    note(f"{start}{before}epoch {epoch.number:>3}: {training}, {held_out}", err=True)
