"""The shift test from materials to measures, on respondents with known shifts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tacit.errors import ModelError
from tacit.methods import get_method
from tacit.methods.base import Tables
from tacit.methods.sentiment.materials import SentimentMaterials
from tacit.methods.shift import Shift, ShiftSettings
from tacit.methods.shift.formulas import accuracy_loss, largest_q, q_score
from tacit.methods.shift.simulation import SimulatedModel, asked_answers, make_materials
from tacit.questions import Choose
from tests.methods.sentiment.fixtures import answer_table, write_probe

EXACT = ShiftSettings(design="exact", resamples=300)
SEQUENTIAL = ShiftSettings(resamples=300)
WORDS = "word,polarity\nup,neutral\ndown,neutral\nchair,neutral\nslight,neutral\n"

Answers = Callable[[Choose], list[float | None]]


def moved_respondent(question: Choose) -> list[float | None]:
    """Labels nine in ten correctly; `up` and `down` change nine in ten labels, `slight` one in fifty, `chair` none."""
    kind, number = question.context.split()
    called = (kind == "praise") != (int(number) % 10 == 7)
    word = question.text.split()[0]
    turns = {"up": int(number) % 10 != 3, "down": int(number) % 10 != 3, "slight": int(number) % 50 == 11}
    if turns.get(word):
        called = word != "down"
    return [0.2, 0.1] if called else [0.1, 0.2]


def ask_in_rounds(
    folder: Path, settings: ShiftSettings, respondent: Answers = moved_respondent, per_class: int = 100
) -> tuple[Tables, pl.DataFrame, SentimentMaterials]:
    method = Shift()
    materials = method.materials(write_probe(folder, "shift", words=WORDS, per_class=per_class), settings)
    answers: pl.DataFrame | None = None
    while True:
        start = 0 if answers is None else answers.height // 2
        new = answer_table(method.next_questions(materials, settings, "masked", answers), respondent, start)
        if new.is_empty():
            assert answers is not None
            return method.measure(materials, settings, answers), answers, materials
        answers = new if answers is None else pl.concat([answers, new])


def word_row(tables: Tables, word: str) -> dict[str, float]:
    return tables["words"].filter(pl.col("word") == word).row(0, named=True)


def test_the_method_is_found_by_its_name() -> None:
    assert isinstance(get_method("shift"), Shift)


def test_the_word_stands_k_times_between_review_and_prompt(tmp_path: Path) -> None:
    method = Shift()
    materials = method.materials(write_probe(tmp_path, "shift", words=WORDS), EXACT)
    asked = list(method.questions(materials, EXACT, "causal"))
    assert asked[0].question == Choose("It was [MASK]", ("great", "terrible"), context="praise 0")
    assert asked[1].keys == {"review": "line 2", "word": "up", "k": 5}
    assert asked[1].question == Choose("up up up up up It was [MASK]", ("great", "terrible"), context="praise 0")
    assert len(asked) == method.count_questions(materials, EXACT, "masked") == 12 * (1 + 4 * 3)


def test_exact_q_follows_the_definition(tmp_path: Path) -> None:
    tables, answers, materials = ask_in_rounds(tmp_path, EXACT)
    wide = answers.pivot(on="token", index=["review", "word", "k"], values="probability")
    called = {(review, word, k): great > terrible for review, word, k, great, terrible in wide.iter_rows()}
    ids = [review.id for review in materials.reviews]
    before = np.array([called[review, "", 0] for review in ids])
    for word in ("up", "down", "chair", "slight"):
        after = np.array([[called[review, word, k] for k in (5, 10, 15)] for review in ids])
        lost = [accuracy_loss(before, after, materials.positive, of_positive=side) for side in (False, True)]
        assert word_row(tables, word)["q"] == pytest.approx(float(q_score(lost[0], lost[1], (5, 10, 15))))


def test_sequential_decisions_agree_with_exact_ones(tmp_path: Path) -> None:
    exact, everything, _ = ask_in_rounds(tmp_path, EXACT)
    sequential, asked, _ = ask_in_rounds(tmp_path, SEQUENTIAL)
    assert exact["words"]["leaning"].to_list() == ["positive", "negative", "neutral", "neutral"]
    assert sequential["words"]["leaning"].to_list() == exact["words"]["leaning"].to_list()
    assert asked.height < everything.height / 2


def test_words_that_clearly_lean_take_a_tenth_of_the_questions(tmp_path: Path) -> None:
    tables, _, _ = ask_in_rounds(tmp_path, SEQUENTIAL)
    assert word_row(tables, "up")["share_asked"] <= 0.1
    assert word_row(tables, "down")["share_asked"] <= 0.1
    assert word_row(tables, "chair")["share_asked"] < 0.5


def test_sequential_intervals_hold_the_exact_q(tmp_path: Path) -> None:
    exact, _, _ = ask_in_rounds(tmp_path, EXACT)
    sequential, _, _ = ask_in_rounds(tmp_path, SEQUENTIAL)
    assert (
        (exact["words"]["q"] >= sequential["words"]["low"]) & (exact["words"]["q"] <= sequential["words"]["high"])
    ).all()


def test_a_word_that_stays_unclear_is_asked_about_every_review_and_stays_undecided(tmp_path: Path) -> None:
    settings = ShiftSettings(resamples=300, margin=0.01)
    row = word_row(ask_in_rounds(tmp_path, settings)[0], "slight")
    assert (row["asked"], row["leaning"]) == (200, "undecided")
    assert row["low"] < row["q"] < row["high"]


def test_the_rounds_ask_what_the_simulation_takes_them_to_ask() -> None:
    """`asked_answers` goes through the rounds without wording a question; both must choose the same."""
    model, method = SimulatedModel(effect=1.0, share=0.5), Shift()
    for seed in range(3):
        settings = ShiftSettings(resamples=10, seed=seed)
        materials = make_materials(reviews=40, neutral=6)
        everything = model.answers(materials, settings, seed)
        asked: pl.DataFrame | None = None
        while keys := [item.keys for item in method.next_questions(materials, settings, "masked", asked)]:
            new = everything.join(pl.DataFrame(keys), on=["review", "word", "k"], how="semi")
            asked = new if asked is None else pl.concat([asked, new])
        expected = asked_answers(materials, settings, everything)
        assert asked is not None
        assert asked.sort(pl.all()).equals(expected.sort(pl.all()))
        assert asked.height < everything.height


def test_classes_of_unequal_size_count_alike(tmp_path: Path) -> None:
    rows = ["text,label", *(f"praise {i},positive" for i in range(30)), *(f"blame {i},negative" for i in range(10))]
    method, scores = Shift(), []
    for settings in (EXACT, ShiftSettings(resamples=300, margin=0.9999)):
        materials = method.materials(write_probe(tmp_path, "shift", words=WORDS, reviews="\n".join(rows)), settings)
        answers = answer_table(method.questions(materials, settings, "masked"), moved_respondent)
        scores.append(method.measure(materials, settings, answers)["words"]["q"].to_list())
    assert scores[0] == pytest.approx(scores[1])
    losses = 8 / 10, -2 / 30  # up changes all blame but 3 and 7, and of praise 7, 17 and 27 but not 3
    assert scores[0][0] == pytest.approx((losses[0] - (-3 / 30)) * largest_q((5, 10, 15)) / 2)


def test_strength_is_the_root_mean_square_of_the_net_shifts(tmp_path: Path) -> None:
    measures = ask_in_rounds(tmp_path, EXACT)[0]["measures"].filter(pl.col("measure") == "strength")
    assert measures["value"].item() == pytest.approx(np.sqrt((0.45**2 + 0.45**2 + 0.01**2) / 4), rel=0.02)


def test_a_word_that_changes_nothing_has_an_interval_of_some_width(tmp_path: Path) -> None:
    row = word_row(ask_in_rounds(tmp_path, EXACT)[0], "chair")
    assert row["low"] < row["q"] == 0 < row["high"]


def test_flips_and_losses_are_counted_in_each_direction(tmp_path: Path) -> None:
    tables, _, _ = ask_in_rounds(tmp_path, EXACT)
    row = tables["repeats"].filter(pl.col("word") == "down", pl.col("k") == 10).row(0, named=True)
    assert (row["asked"], row["to_positive"], row["to_negative"]) == (200, 0, 90)
    assert row["positive_loss"] == pytest.approx(0.8)
    assert row["negative_loss"] == pytest.approx(-0.1)


def test_accuracy_before_is_reported_by_class(tmp_path: Path) -> None:
    measures = ask_in_rounds(tmp_path, EXACT)[0]["measures"].filter(pl.col("measure") == "accuracy before")
    assert measures["value"].to_list() == pytest.approx([0.9, 0.9, 0.9])
    assert (measures["low"] < 0.9).all()


def test_as_published_gives_q_on_the_scale_of_2000_reviews(tmp_path: Path) -> None:
    ours, _, _ = ask_in_rounds(tmp_path, EXACT)
    theirs, _, _ = ask_in_rounds(tmp_path, ShiftSettings(design="exact", mode="as-published", resamples=300))
    chosen = (pl.col("measure") == "q") & (pl.col("item") == "up")
    scaled = theirs["measures"].filter(chosen)["value"].item()
    assert scaled == pytest.approx(2_000 * ours["measures"].filter(chosen)["value"].item())
    assert scaled == pytest.approx(word_row(ours, "up")["q_published"])


def test_equal_probabilities_are_called_negative_and_counted(tmp_path: Path) -> None:
    tables, answers, _ = ask_in_rounds(tmp_path, EXACT, lambda _: [0.1, 0.1], per_class=4)
    ties = tables["measures"].filter(pl.col("measure") == "ties").row(0, named=True)
    assert (ties["value"], ties["n"]) == (1.0, answers.height / 2)
    assert tables["reviews"]["called"].unique().to_list() == ["negative"]


def test_balanced_calls_correct_for_a_preferred_label_word(tmp_path: Path) -> None:
    def partial(question: Choose) -> list[float | None]:
        great, terrible = moved_respondent(question)
        return [10 * great, terrible]  # type: ignore[operator, list-item]

    biased, _, _ = ask_in_rounds(tmp_path, EXACT, partial)
    evened, _, _ = ask_in_rounds(tmp_path, ShiftSettings(design="exact", calls="balanced", resamples=300), partial)
    fair, _, _ = ask_in_rounds(tmp_path, EXACT)
    assert biased["reviews"]["called"].unique().to_list() == ["positive"]
    validity = Shift().validity(biased)
    assert validity.level == "none"
    assert "not shown to label reviews better than a coin (50% [48%, 52%] of them correctly" in validity.reason
    assert "--set calls=balanced" in validity.reason
    assert evened["words"]["q"].to_list() == pytest.approx(fair["words"]["q"].to_list())


def test_a_label_word_that_the_model_cannot_represent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="The label word 'terrible' is not a single token of the model"):
        ask_in_rounds(tmp_path, SEQUENTIAL, lambda _: [0.1, None], per_class=4)


def test_a_label_word_of_several_tokens_is_refused(tmp_path: Path) -> None:
    method = Shift()
    materials = method.materials(write_probe(tmp_path, "shift", words=WORDS), SEQUENTIAL)
    answers = answer_table(method.next_questions(materials, SEQUENTIAL, "masked", None), moved_respondent)
    several = answers.with_columns(pieces=pl.when(pl.col("token") == "great").then(2).otherwise(1))
    with pytest.raises(ModelError, match="The label word 'great' is not a single token of the model"):
        next(method.next_questions(materials, SEQUENTIAL, "masked", several))


def test_measuring_twice_gives_the_same_bits(tmp_path: Path) -> None:
    first, second = (ask_in_rounds(tmp_path, SEQUENTIAL)[0] for _ in range(2))
    assert all(first[name].equals(second[name], null_equal=True) for name in first)


def test_another_seed_asks_other_reviews(tmp_path: Path) -> None:
    first = ask_in_rounds(tmp_path, SEQUENTIAL)[1]
    second = ask_in_rounds(tmp_path, ShiftSettings(resamples=300, seed=1))[1]
    asked = [set(answers.filter(pl.col("word") == "up")["review"]) for answers in (first, second)]
    assert asked[0] != asked[1]


def test_the_summary_says_what_leans_and_what_was_saved(tmp_path: Path) -> None:
    tables, _, _ = ask_in_rounds(tmp_path, SEQUENTIAL)
    summary = " ".join(Shift().summary(tables, "tiny"))
    assert "tiny labels 90% [85%, 93%] of the reviews correctly, both classes counting alike (50% = chance)." in summary
    assert "shown to change more than 10% of them on balance, in reviews like these" in summary
    assert "that any word is decided wrongly has a probability of at most 5%" in summary
    assert "Most negative: down." in summary
    assert Shift().headline({"tiny": tables}) == (
        "2 of 4 neutral words shift the labels of tiny (1 toward positive, 1 toward negative); "
        "2 are within the margin and 0 undecided."
    )
    assert "of those in the exact design" in summary


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"repeats": "5,5"}, "different whole numbers"),
        ({"repeats": "0"}, "different whole numbers"),
        ({"label_words": "great,great"}, "two different words"),
        ({"polarities": "neutral,wooden"}, "some of positive, negative, neutral"),
    ],
)
def test_invalid_settings_are_refused(given: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ShiftSettings(**given)  # type: ignore[arg-type]


def test_settings_are_read_from_the_command_line() -> None:
    settings = ShiftSettings(repeats="15,5", label_words="good, bad", polarities="neutral,positive")  # type: ignore[arg-type]
    assert settings.repeats == (5, 15)
    assert settings.label_words == ("good", "bad")
    assert settings.polarities == ("neutral", "positive")


def test_as_published_asks_everything_and_counts_every_word_that_moves_a_label(tmp_path: Path) -> None:
    settings = ShiftSettings(mode="as-published", resamples=300)
    tables, answers, _ = ask_in_rounds(tmp_path, settings)
    assert answers.height == 2 * 200 * (1 + 4 * 3)
    assert tables["words"]["leaning"].to_list() == ["positive", "negative", "neutral", "positive"]
    measures = tables["measures"]
    biased = measures.filter(pl.col("measure") == "positive-biased share")
    assert biased["group"].to_list() == ["neutral words", *(f"neutral words, K={k}" for k in (5, 10, 15))]
    assert biased["value"].to_list() == [0.5] * 4
    assert not {"positive share", "strength", "net shift by block"} & set(measures["measure"])
    assert Shift().verdicts(tables) == []
    assert Shift().comparisons(ask_in_rounds(tmp_path, EXACT)[2], settings) == ()


def test_the_verdict_of_a_word_has_its_own_column(tmp_path: Path) -> None:
    measures = ask_in_rounds(tmp_path, SEQUENTIAL)[0]["measures"]
    rows = measures.filter(pl.col("measure") == "q", pl.col("item").is_not_null())
    assert dict(rows.select("item", "verdict").iter_rows()) == {
        "up": "shifts labels toward positive",
        "down": "shifts labels toward negative",
        "chair": "within the margin",
        "slight": "within the margin",
    }
    assert rows["note"].null_count() == 4
    assert measures.drop_nulls("low")["unit"].null_count() == 0


def test_words_that_were_asked_about_other_reviews_are_not_compared(tmp_path: Path) -> None:
    materials = ask_in_rounds(tmp_path, EXACT, per_class=4)[2]
    assert Shift().comparisons(materials, SEQUENTIAL) == ()
    compared = Shift().comparisons(materials, EXACT)
    assert [measure.resampled for measure in compared] == [("word", "block")] * 2


def test_compared_items_belong_to_a_word_and_a_block_of_reviews(tmp_path: Path) -> None:
    tables = ask_in_rounds(tmp_path, EXACT)[0]
    items = tables["measures"].filter(pl.col("measure") == "net shift by block")
    units = items.join(tables["units"], on=["group", "item"], how="left")
    assert (units["word"].n_unique(), units["block"].n_unique(), units.height) == (4, 20, 80)
    shifts = dict(units.group_by("word").agg(pl.mean("value")).iter_rows())
    assert shifts == pytest.approx(dict(tables["words"].select("word", "net_shift").iter_rows()))
