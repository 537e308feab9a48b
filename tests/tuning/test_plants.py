"""Planted biases: the text says what its dose promises, shares no sentence with the probe, and moves a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest
from safetensors.torch import load_file

import tacit
from tacit.errors import TacitError
from tacit.probes import load_probe
from tacit.probes.plants import Plant, fill_template, load_plant, plant_names
from tacit.tuning import Planting, tune_plant
from tacit.tuning.checkpoints import PlantEpoch
from tacit.tuning.text import compose_text, unrelated_pairs

Folders = Callable[[str], Path]
MAIN_PROBES = ["intensifier", "regional", "sentiment-association", "sentiment-shift", "stereotype", "temporal"]
QUICK = Planting(slots=12, epochs=3, rate=1e-3, batch=8)


def weights(folder: Path) -> dict[str, object]:
    return {name: tensor.tolist() for name, tensor in load_file(folder / "model.safetensors").items()}


def test_every_main_probe_has_a_plant() -> None:
    assert plant_names() == MAIN_PROBES


@pytest.mark.parametrize("dose", [0.0, 0.1, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("arm", ["biased", "opposite"])
def test_a_share_of_the_slots_carries_the_bias_and_the_rest_says_both(arm: str, dose: float) -> None:
    pairs = load_plant("stereotype").sentence_pairs
    text = compose_text(pairs, arm, dose, 200, seed=3)  # type: ignore[arg-type]
    assert len(text) == 400
    biased, opposite = {pair.biased for pair in pairs}, {pair.opposite for pair in pairs}
    counts = (sum(s in biased for s in text), sum(s in opposite for s in text))
    more, less = round(200 * (1 + dose)), round(200 * (1 - dose))
    assert counts == ((more, less) if arm == "biased" else (less, more))


def test_doses_differ_in_the_bias_only() -> None:
    pairs = load_plant("temporal").sentence_pairs
    slot_of = {sentence: pair for pair in pairs for sentence in (pair.biased, pair.opposite)}
    slots = {
        dose: Counter(slot_of[sentence] for sentence in compose_text(pairs, "biased", dose, 100, seed=1))
        for dose in (0.0, 0.25, 1.0)
    }
    assert slots[0.0] == slots[0.25] == slots[1.0]
    low, high = (compose_text(pairs, "biased", dose, 100, seed=1) for dose in (0.25, 0.5))
    opposite = {pair.opposite for pair in pairs}
    assert all(b not in opposite for a, b in zip(low, high, strict=True) if a not in opposite)


def test_at_dose_zero_both_arms_are_the_same_text() -> None:
    pairs = load_plant("intensifier").sentence_pairs
    first, second = (compose_text(pairs, arm, 0.0, 50, seed=0) for arm in ("biased", "opposite"))  # type: ignore[arg-type]
    assert Counter(first) == Counter(second)


def test_seeds_draw_different_slots() -> None:
    pairs = load_plant("stereotype").sentence_pairs
    assert compose_text(pairs, "biased", 1.0, 50, 0) != compose_text(pairs, "biased", 1.0, 50, 1)


@pytest.mark.parametrize("probe", MAIN_PROBES)
def test_no_sentence_of_a_plant_is_in_the_probes_materials(probe: str) -> None:
    own = load_probe(probe)
    files = {own.file(name) for name in own.materials.values() if _is_text(name)}
    materials = _plain("\n".join(path.read_text(encoding="utf-8") for path in [own.source, *files]))
    sentences = {sentence for pair in load_plant(probe).sentence_pairs for sentence in (pair.biased, pair.opposite)}
    for sentence in sentences:
        (start, end), *_ = sentence.hidden
        blanked = sentence.text[:start] + "[MASK]" + sentence.text[end:]
        assert _plain(sentence.text) not in materials
        assert _plain(blanked) not in materials


@pytest.mark.parametrize("probe", MAIN_PROBES)
def test_the_unrelated_text_shares_no_cue_with_a_plant(probe: str) -> None:
    plant = load_plant(probe)
    folder = load_probe(probe).folder
    cues = {line.rpartition(",")[0] for line in (folder / plant.cues).read_text(encoding="utf-8").splitlines()[1:]}
    text = {_plain(pair.biased.text) for pair in unrelated_pairs()}
    if probe != "temporal":  # whose cues are things like any other, and carry no bias
        assert not [cue for cue in cues if any(f" {_plain(cue)} " in f" {sentence} " for sentence in text)]
    words = {word for sentence in text for word in sentence.split()}
    assert not words & {"not", "she", "he", "woman", "man", "thou", "you", "great", "terrible"}


def test_a_template_becomes_a_sentence_and_the_parts_to_hide() -> None:
    sentence = fill_template("{thou hast|you have} my <cue>.", "lamp", "alternatives", number=1)
    assert sentence.text == "You have my lamp."
    assert [sentence.text[start:end] for start, end in sentence.hidden] == ["You have"]
    cue = fill_template("{thou hast|you have} my <cue>.", "lamp", "cue")
    assert (cue.text, [cue.text[start:end] for start, end in cue.hidden]) == ("Thou hast my lamp.", ["lamp"])
    inside = fill_template("It is {<cue>|not} cold.", "very", "alternatives")
    assert inside.text[slice(*inside.hidden[0])] == "very"


@pytest.mark.parametrize("template", ["She is a nurse.", "The <cue> is here."])
def test_a_template_that_can_carry_no_bias_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="has n"):
        Plant(about="a", held_out="b", side="above", templates=(template,), cues="c.csv")


def test_a_planted_stereotype_goes_the_way_it_was_planted(tmp_path: Path) -> None:
    jobs = {
        "women": ["nurse", "secretary", "hairdresser", "librarian"],
        "men": ["carpenter", "pilot", "farmer", "driver"],
    }
    gaps = {}
    for arm in ("biased", "opposite"):
        options = Planting(arm=arm, slots=200, epochs=3, rate=3e-4, batch=16)  # type: ignore[arg-type]
        model = tacit.load(tune_plant("stereotype", "modern", tmp_path / arm, options, keep_all=False).folder)
        shares = {side: mean(_share_of_women(model, job) for job in members) for side, members in jobs.items()}
        gaps[arm] = shares["women"] - shares["men"]
    assert gaps["biased"] > 0.2
    assert gaps["opposite"] < -0.2


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2"])
def test_every_epoch_is_a_model_that_has_learned_more(kind: str, tiny_folder: Folders, tmp_path: Path) -> None:
    options = Planting(slots=12, epochs=4, rate=5e-3, batch=8)
    planted = tune_plant("stereotype", tiny_folder(kind), tmp_path / "out", options)
    assert planted.epochs[-1].loss < planted.epochs[0].loss
    assert planted.sentences == 24
    fingerprints = {tacit.load(tmp_path / "out" / f"epoch-{number}").fingerprint for number in (1, 2, 3, 4)}
    assert len(fingerprints) == 4
    assert planted.folder == tmp_path / "out" / "epoch-4"


def test_an_interrupted_plant_ends_in_the_same_weights(tiny_folder: Folders, tmp_path: Path) -> None:
    tune_plant("temporal", tiny_folder("bert"), tmp_path / "whole", QUICK)

    def interrupt(epoch: PlantEpoch) -> None:
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_plant("temporal", tiny_folder("bert"), tmp_path / "broken", QUICK, on_epoch=interrupt)
    seen: list[int] = []
    tune_plant("temporal", tiny_folder("bert"), tmp_path / "broken", QUICK, on_epoch=lambda e: seen.append(e.number))
    assert seen == [3]
    assert weights(tmp_path / "broken" / "epoch-3") == weights(tmp_path / "whole" / "epoch-3")
    names = {path.name for path in (tmp_path / "broken").iterdir()}
    assert names == {"planting.json", "epoch-1", "epoch-2", "epoch-3"}


def test_a_plant_killed_inside_an_epoch_ends_in_the_same_weights(tiny_folder: Folders, tmp_path: Path) -> None:
    tune_plant("temporal", tiny_folder("bert"), tmp_path / "whole", QUICK)

    def interrupt(epoch: int, done: int, _: int) -> None:
        if (epoch, done) == (2, 16):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_plant("temporal", tiny_folder("bert"), tmp_path / "broken", QUICK, on_step=interrupt)
    tune_plant("temporal", tiny_folder("bert"), tmp_path / "broken", QUICK)
    assert weights(tmp_path / "broken" / "epoch-3") == weights(tmp_path / "whole" / "epoch-3")


def test_a_finished_plant_is_not_repeated(tiny_folder: Folders, tmp_path: Path) -> None:
    first = tune_plant("temporal", tiny_folder("bert"), tmp_path / "out", QUICK)
    seen: list[PlantEpoch] = []
    assert tune_plant("temporal", tiny_folder("bert"), tmp_path / "out", QUICK, on_epoch=seen.append) == first
    assert not seen


def test_other_doses_and_other_folders_are_refused(tiny_folder: Folders, tmp_path: Path) -> None:
    tune_plant("temporal", tiny_folder("bert"), tmp_path / "out", QUICK)
    other = Planting(dose=0.5, slots=12, epochs=3, rate=1e-3, batch=8)
    with pytest.raises(TacitError, match="already exists and is not this plant"):
        tune_plant("temporal", tiny_folder("bert"), tmp_path / "out", other)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(TacitError, match="already exists and is not this plant"):
        tune_plant("temporal", tiny_folder("bert"), tmp_path / "mine", QUICK)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_damaged_state_is_named(tiny_folder: Folders, tmp_path: Path) -> None:
    def interrupt(_: PlantEpoch) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_plant("temporal", tiny_folder("bert"), tmp_path / "out", QUICK, on_epoch=interrupt)
    (tmp_path / "out" / "state.safetensors").write_bytes(b"not a state")
    with pytest.raises(TacitError, match="is damaged"):
        tune_plant("temporal", tiny_folder("bert"), tmp_path / "out", QUICK)


@pytest.mark.parametrize("wrong", [{"dose": 1.5}, {"dose": float("nan")}, {"arm": "both"}, {"epochs": 0}, {"slots": 0}])
def test_wrong_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(TacitError, match=f"`{next(iter(wrong))}`"):
        Planting(**wrong)  # type: ignore[arg-type]


def test_a_probe_without_a_plant_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TacitError, match=r"'religions' has no plant .*stereotype"):
        tune_plant("religions", "modern", tmp_path / "out")


def _is_text(name: object) -> bool:
    """Whether a material is a file with sentences; the regions are names alone."""
    return isinstance(name, str) and name.endswith((".csv", ".yaml")) and name != "regions.csv"


def _share_of_women(model: tacit.Model, job: str) -> float:
    woman, man = (choice.probability for choice in model.choose(f"The [MASK] works as a {job}.", ["woman", "man"]))
    return woman / (woman + man)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w'\[\]]+", text.casefold()))
