"""Training classifiers from small random models: they learn, stop, resume, and load with their labels named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from safetensors.torch import load_file

import tacit
from tacit.errors import TacitError
from tacit.questions import Classify
from tacit.tuning import ClassifierTuning, Epoch, tune_classifier
from tacit.tuning.labeled_texts import read_labeled_texts

Folders = Callable[[str], Path]
QUICK = ClassifierTuning(rate=3e-3, epochs=4, patience=4, batch=8)
PLACES = ["pizza", "service", "man", "woman", "weather", "chair", "doctor", "nurse", "person", "time", "end", "start"]
WORDS = {"bad": "poor", "good": "kind", "odd": "bald"}


def write_texts(path: Path, labels: tuple[str, ...] = ("bad", "good", "odd")) -> Path:
    """Texts that differ in one word, so that even a tiny random model can learn to tell them apart."""
    rows = [f"the {place} was {WORDS[label]},{label}" for place in PLACES for label in labels]
    path.write_text("text,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def weights(folder: Path) -> dict[str, object]:
    return {name: tensor.tolist() for name, tensor in load_file(folder / "model.safetensors").items()}


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert", "albert", "gpt2", "bart"])
def test_a_trained_classifier_loads_and_knows_its_labels(kind: str, tiny_folder: Folders, tmp_path: Path) -> None:
    texts = write_texts(tmp_path / "texts.csv")
    options = ClassifierTuning(rate=3e-3, epochs=40, patience=40, batch=8)
    tuned = tune_classifier(tiny_folder(kind), texts, tmp_path / "classifier", options)
    assert tuned.labels == ("bad", "good", "odd")
    assert tuned.epochs[tuned.best].accuracy >= 0.8
    model = tacit.load(tmp_path / "classifier")
    assert model.family == "classifier"
    answers = list(model.answer([Classify(f"the pizza was {word}") for word in WORDS.values()]))
    given = [max(answer.labels, key=lambda label: label.probability).label for answer in answers]
    assert given == list(WORDS)


def test_held_out_accuracy_is_what_the_loaded_classifier_has(tiny_folder: Folders, tmp_path: Path) -> None:
    """The record's accuracy, recomputed one text at a time by the engine from the CSV in the folder."""
    tuned = tune_classifier(tiny_folder("bert"), write_texts(tmp_path / "texts.csv"), tmp_path / "made", QUICK)
    rows = pl.read_csv(tuned.held_out)
    model = tacit.load(tmp_path / "made")
    answers = model.answer([Classify(text) for text in rows["text"]])
    given = [max(answer.labels, key=lambda label: label.probability).label for answer in answers]
    right = sum(a == b for a, b in zip(given, rows["label"], strict=True)) / len(rows)
    assert right == pytest.approx(tuned.epochs[tuned.best].accuracy)


def test_an_interrupted_training_ends_in_the_same_weights(tiny_folder: Folders, tmp_path: Path) -> None:
    texts = write_texts(tmp_path / "texts.csv")
    tune_classifier(tiny_folder("bert"), texts, tmp_path / "whole", QUICK)

    def interrupt(epoch: Epoch) -> None:
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_classifier(tiny_folder("bert"), texts, tmp_path / "broken", QUICK, on_epoch=interrupt)
    assert not (tmp_path / "broken").exists()
    seen: list[int] = []
    tune_classifier(tiny_folder("bert"), texts, tmp_path / "broken", QUICK, on_epoch=lambda e: seen.append(e.number))
    assert seen == [3, 4]
    assert weights(tmp_path / "broken") == weights(tmp_path / "whole")


def test_the_seed_decides_the_head(tiny_folder: Folders, tmp_path: Path) -> None:
    texts = write_texts(tmp_path / "texts.csv")
    for name, seed in (("one", 0), ("other", 1)):
        options = ClassifierTuning(rate=0.0, epochs=1, patience=1, seed=seed)
        tune_classifier(tiny_folder("bert"), texts, tmp_path / name, options)
    one, other = weights(tmp_path / "one"), weights(tmp_path / "other")
    assert one["classifier.weight"] != other["classifier.weight"]
    embeddings = "bert.embeddings.word_embeddings.weight"
    assert one[embeddings] == weights(tiny_folder("bert"))[embeddings]


def test_other_texts_are_not_taken_for_the_same_training(tiny_folder: Folders, tmp_path: Path) -> None:
    tune_classifier(tiny_folder("bert"), write_texts(tmp_path / "a.csv"), tmp_path / "made", QUICK)
    fewer = write_texts(tmp_path / "b.csv", ("bad", "good"))
    with pytest.raises(TacitError, match="already exists and is not this tuning"):
        tune_classifier(tiny_folder("bert"), fewer, tmp_path / "made", QUICK)


def test_texts_are_held_out_by_label_and_never_learned(tmp_path: Path) -> None:
    path = write_texts(tmp_path / "texts.csv")
    path.write_text(path.read_text() * 1 + "the pizza was poor,bad\n", encoding="utf-8")
    read = read_labeled_texts(str(path), 1000, 0.25, seed=3)
    assert [sum(text.label == label for text in read.held_out) for label in read.labels] == [3, 3, 3]
    assert not {text.text for text in read.training} & {text.text for text in read.held_out}
    assert len(read.training) + len(read.held_out) == 36
    assert read == read_labeled_texts(str(path), 1000, 0.25, seed=3)
    assert len(read_labeled_texts(str(path), 30, 0.25, seed=3).training) < 27


def test_fetched_reviews_can_be_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    with pytest.raises(TacitError, match="not fetched yet"):
        read_labeled_texts("fetched", 1000, 0.2, 0)
    (tmp_path / "data").mkdir()
    write_texts(tmp_path / "data" / "reviews.csv")
    assert read_labeled_texts("fetched", 1000, 0.2, 0).labels == ("bad", "good", "odd")


def test_labels_that_are_numbers_stand_in_their_order(tmp_path: Path) -> None:
    rows = [f"text {label} {k},{label}" for label in ("10", "9", "2") for k in range(6)]
    (tmp_path / "texts.csv").write_text("text,label\n" + "\n".join(rows), encoding="utf-8")
    assert read_labeled_texts(str(tmp_path / "texts.csv"), 100, 0.2, 0).labels == ("2", "9", "10")


def test_a_data_set_is_read_with_the_names_of_its_labels(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    features = datasets.Features(
        {"sentence": datasets.Value("string"), "label": datasets.ClassLabel(names=["hate", "nohate"])}
    )
    rows = {"sentence": [f"text  number {k}" for k in range(20)], "label": [k % 2 for k in range(20)]}
    (tmp_path / "set").mkdir()
    datasets.Dataset.from_dict(rows, features=features).to_parquet(tmp_path / "set" / "train.parquet")
    read = read_labeled_texts(f"{tmp_path / 'set'}:train", 100, 0.2, 0)
    assert read.labels == ("hate", "nohate")
    assert "text number 3" in {text.text for text in (*read.training, *read.held_out) if text.label == "nohate"}


def test_a_data_set_with_other_columns_is_one_sentence(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    (tmp_path / "set").mkdir()
    datasets.Dataset.from_dict({"body": ["a"], "stars": [5]}).to_parquet(tmp_path / "set" / "train.parquet")
    with pytest.raises(TacitError, match=r"has the columns body, stars\. It needs label and one of text"):
        read_labeled_texts(f"{tmp_path / 'set'}:train", 100, 0.2, 0)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("text,stars\nfine,5\n", "the column 'label' is missing. It has text, stars"),
        ("text,label\nfine,good\nnice,good\n", "has only one label, 'good'"),
        ("text,label\n" + "".join(f"t{k},good\n" for k in range(9)) + "x,bad\n", r"label 'bad' \(1; at least 5"),
        ("text,label\nfine,\n", "line 2: the label is empty"),
    ],
)
def test_wrong_texts_are_one_sentence_before_the_model_is_loaded(content: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text(content, encoding="utf-8")
    with pytest.raises(TacitError, match=problem):
        tune_classifier("no/such-model", tmp_path / "texts.csv", tmp_path / "made")


def test_models_that_cannot_be_trained_are_refused(tiny_folder: Folders, tmp_path: Path) -> None:
    texts = write_texts(tmp_path / "texts.csv")
    with pytest.raises(TacitError, match=r"is quantized \(GGUF\) and cannot be trained"):
        tune_classifier(tmp_path / "causal.gguf", texts, tmp_path / "made")
    with pytest.raises(TacitError, match="is a classifier already"):
        tune_classifier(tiny_folder("classifier"), texts, tmp_path / "made")


def test_the_folder_records_how_it_was_made(tiny_folder: Folders, tmp_path: Path) -> None:
    tune_classifier(tiny_folder("bert"), write_texts(tmp_path / "texts.csv"), tmp_path / "made", QUICK)
    record = json.loads((tmp_path / "made" / "tuning.json").read_text(encoding="utf-8"))
    assert record["options"]["held_out"] == 0.2
    assert record["options"]["model"] == tacit.load(tiny_folder("bert")).fingerprint
