"""Prompt-based fine-tuning on small random models: it learns, stops, resumes, and leaves a model folder or nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import tacit
from tacit.errors import TacitError
from tacit.tuning import Epoch, PromptTuning, draw_shots, tune_prompt
from tests.tuning.making import weights

Folders = Callable[[str], Path]
QUICK = PromptTuning(shots=4, rate=3e-3, epochs=6, patience=6)


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2"])
def test_a_tuned_model_knows_the_label_words_and_is_a_normal_model(
    kind: str, tiny_folder: Folders, reviews: Path, tmp_path: Path
) -> None:
    out = tmp_path / "tuned"
    tuned = tune_prompt(tiny_folder(kind), reviews, out, PromptTuning(shots=5, rate=3e-3, epochs=25, patience=25))
    assert tuned.epochs[tuned.best].loss < tuned.epochs[0].loss
    assert tuned.epochs[tuned.best].accuracy >= 0.9
    model = tacit.load(out)
    text = "It was [MASK]." if model.family == "masked" else "It was [MASK]"
    praise = model.choose(text, ["great", "terrible"], context="the pizza in france was kind")
    blame = model.choose(text, ["great", "terrible"], context="the pizza in spain was poor")
    assert praise[0].probability > praise[1].probability
    assert blame[0].probability < blame[1].probability


def test_tuning_twice_gives_the_same_weights(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / name, QUICK)
    assert weights(tmp_path / "one") == weights(tmp_path / "two")


def test_an_interrupted_tuning_ends_in_the_same_weights(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    tune_prompt(tiny_folder("bert"), reviews, tmp_path / "whole", QUICK)

    def interrupt(epoch: Epoch) -> None:
        if epoch.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / "broken", QUICK, on_epoch=interrupt)
    assert not (tmp_path / "broken").exists()
    seen: list[int] = []
    tune_prompt(
        tiny_folder("bert"), reviews, tmp_path / "broken", QUICK, on_epoch=lambda epoch: seen.append(epoch.number)
    )
    assert seen == [4, 5, 6]
    assert weights(tmp_path / "broken") == weights(tmp_path / "whole")
    assert not (tmp_path / "broken.unfinished").exists()


def test_training_stops_when_nothing_gets_better(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    options = PromptTuning(shots=4, rate=0.0, epochs=50, patience=3)
    tuned = tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", options)
    assert len(tuned.epochs) == 4
    assert tuned.best == 0
    assert weights(tmp_path / "tuned") == weights(tiny_folder("bert"))


def test_a_finished_tuning_is_not_repeated(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    first = tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK)
    seen: list[Epoch] = []
    again = tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK, on_epoch=seen.append)
    assert not seen
    assert again.epochs == first.epochs


def test_a_folder_that_holds_something_else_is_refused(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK)
    other = PromptTuning(shots=4, rate=3e-3, epochs=6, patience=6, seed=1)
    with pytest.raises(TacitError, match="already exists and is not this tuning"):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", other)


def test_the_folder_records_how_it_was_made(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK)
    record = json.loads((tmp_path / "tuned" / "tuning.json").read_text(encoding="utf-8"))
    assert record["options"]["shots"] == 4
    assert record["options"]["model"] == tacit.load(tiny_folder("bert")).fingerprint
    assert len(record["epochs"]) == 7


def test_a_label_word_of_several_tokens_is_refused(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    options = PromptTuning(shots=4, label_words=("great", "preposterous"))
    with pytest.raises(TacitError, match="'preposterous' is not one token"):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", options)


def test_too_few_reviews_are_refused_before_the_model_is_loaded(reviews: Path, tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="has 10 positive reviews, but 6 to train on and 6 to hold out"):
        tune_prompt("no/such-model", reviews, tmp_path / "tuned", PromptTuning(shots=6))


def test_a_gguf_file_is_refused(reviews: Path, tmp_path: Path) -> None:
    with pytest.raises(TacitError, match=r"tiny\.gguf is quantized \(GGUF\) and cannot be trained"):
        tune_prompt(tmp_path / "tiny.gguf", reviews, tmp_path / "tuned", QUICK)


def test_a_classifier_is_refused(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    with pytest.raises(TacitError, match="only masked and causal"):
        tune_prompt(tiny_folder("classifier"), reviews, tmp_path / "tuned", QUICK)


def test_shots_are_balanced_and_held_out_reviews_are_others(reviews: Path) -> None:
    train, held_out = draw_shots(reviews, 5, seed=3)
    assert [sum(each.positive for each in part) for part in (train, held_out)] == [5, 5]
    assert not {each.id for each in train} & {each.id for each in held_out}
    assert draw_shots(reviews, 5, seed=3) == (train, held_out)


def _interrupted(folder: Path, reviews: Path, out: Path) -> Path:
    """The state of a tuning that was stopped after its second epoch."""

    def interrupt(epoch: Epoch) -> None:
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_prompt(folder, reviews, out, QUICK, on_epoch=interrupt)
    return out.with_name(f"{out.name}.unfinished") / "state.safetensors"


@pytest.mark.parametrize("kept", [0, 5, 100, 5000, -1])
def test_a_damaged_state_is_one_sentence(kept: int, tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    state = _interrupted(tiny_folder("bert"), reviews, tmp_path / "tuned")
    state.write_bytes(state.read_bytes()[:kept])
    with pytest.raises(TacitError, match=r"state\.safetensors is damaged .* Delete .*unfinished to start"):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK)


@pytest.mark.parametrize("name", ["notes.txt", "model"])
def test_a_folder_of_the_users_is_not_taken_for_an_unfinished_tuning(
    name: str, tiny_folder: Folders, reviews: Path, tmp_path: Path
) -> None:
    own = tmp_path / "tuned.unfinished" / name
    own.mkdir(parents=True)
    with pytest.raises(TacitError, match="is not an unfinished tuning"):
        tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK)
    assert own.is_dir()


def test_what_a_tuning_killed_at_its_end_left_is_removed(tiny_folder: Folders, reviews: Path, tmp_path: Path) -> None:
    state = _interrupted(tiny_folder("bert"), reviews, tmp_path / "tuned")
    content = state.read_bytes()
    tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK)
    state.parent.mkdir()
    state.write_bytes(content)
    tune_prompt(tiny_folder("bert"), reviews, tmp_path / "tuned", QUICK)
    assert not state.parent.exists()


@pytest.mark.parametrize("out", [".", "..", "/"])
def test_a_folder_that_is_there_is_refused_as_output(out: str, tiny_folder: Folders, reviews: Path) -> None:
    with pytest.raises(TacitError, match="already exists and is not this tuning"):
        tune_prompt(tiny_folder("bert"), reviews, out, QUICK)


@pytest.mark.parametrize(
    ("name", "value"),
    [("shots", 0), ("rate", float("nan")), ("rate", -1.0), ("seed", -1), ("epochs", 10**20), ("label_words", "ab")],
)
def test_a_wrong_option_is_named(name: str, value: object) -> None:
    with pytest.raises(tacit.ArgumentError, match=f"`{name}` must be"):
        PromptTuning(**{name: value})  # type: ignore[arg-type]


def test_the_folder_of_a_model_does_not_choose_the_code_that_trains_it(
    tiny_folder: Folders, reviews: Path, tmp_path: Path
) -> None:
    hostile = Path(shutil.copytree(tiny_folder("bert"), tmp_path / "hostile"))
    config = json.loads((hostile / "config.json").read_text())
    (hostile / "config.json").write_text(json.dumps({**config, "_attn_implementation": "kernels-community/evil"}))
    tune_prompt(hostile, reviews, tmp_path / "tuned", PromptTuning(shots=4, epochs=1))
    assert (tmp_path / "tuned" / "model.safetensors").is_file()
