"""The wording method from materials to measures: words whose verdict follows the wording, and words whose does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tacit.errors import MaterialsError, ModelError
from tacit.methods.base import Tables
from tacit.methods.wording import Wording, WordingSettings
from tacit.models import Model
from tacit.questions import Choose
from tacit.runs import run
from tests.methods.wording.grids import FAST, answer_all, make_materials, make_probe


def flipping(prompt: str, _pair: tuple[str, str], word: str, kind: str, number: int) -> bool:
    """`up` lifts nine labels in ten in every wording; `turn` does so with one prompt and lowers with the other."""
    right = (kind == "praise") != (number % 10 == 7)
    if word in {"", "chair"} or number % 10 == 3:
        return right
    return word == "up" or prompt == "It was [MASK]."


def blind(prompt: str, pair: tuple[str, str], word: str, kind: str, number: int) -> bool:
    """Labels like a coin, but for one pair of label words."""
    return flipping(prompt, pair, word, kind, number) if pair == ("good", "bad") else number % 2 == 0


def measured(folder: Path, settings: WordingSettings = FAST, respondent: Callable[..., bool] = flipping) -> Tables:
    materials = make_materials(folder, settings)
    return Wording().measure(materials, settings, answer_all(materials, settings, respondent))


def test_every_label_word_is_asked_about_at_once(tmp_path: Path) -> None:
    materials = make_materials(tmp_path, per_class=2)
    asked = list(Wording().questions(materials, FAST, "masked"))
    assert len(asked) == Wording().count_questions(materials, FAST, "masked") == 4 * 2 * (1 + 3)
    labels = ("great", "terrible", "good", "bad", "nice", "poor")
    assert asked[0].question == Choose("It was [MASK].", (*labels, "up", "turn", "chair"), context="praise 0")
    assert asked[1].question == Choose("up It was [MASK].", labels, context="praise 0")
    assert asked[4].keys == {"prompt": "All [MASK].", "review": "line 2", "word": ""}


def test_a_word_that_follows_the_prompt_flips_and_others_do_not(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    words = {row["word"]: row for row in tables["words"].to_dicts()}
    assert {word: row["flips"] for word, row in words.items()} == {"up": False, "turn": True, "chair": False}
    assert (words["up"]["always"], words["up"]["positive"], words["up"]["as_first"]) == (True, 6, 6)
    assert (words["turn"]["positive"], words["turn"]["negative"], words["turn"]["same_verdict"]) == (3, 3, 0.5)
    assert words["turn"]["as_first"] == 3
    assert tables["wordings"]["leaning_share"].to_list() == pytest.approx([2 / 3] * 6)
    assert tables["wordings"]["accuracy"].to_list() == pytest.approx([0.9] * 6)
    held = {verdict.claim for verdict in Wording().verdicts(tables) if verdict.holds}
    assert held == {"up shifts labels in a wording", "turn shifts labels in a wording", "turn flips with the wording"}


def test_the_summary_says_what_depends_on_the_wording(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    assert Wording().headline({"tiny": tables}) == (
        "2 of 3 neutral words shift the labels of tiny in some of 6 wordings, 1 in all of them, and 1 in opposite "
        "directions."
    )
    text = " ".join(Wording().summary(tables, "tiny"))
    assert "better than a coin in 6 of 6 wordings" in text
    assert "In these, 67% of the words are shown to shift labels" in text
    assert "variance of the words' scores in the shift test: the words" in text
    shares = tables["measures"].filter(measure="variance share of shift")
    by_group = dict(shares.select("group", "value").iter_rows())
    # `turn` alone depends on the prompt: its two scores are ±.45, those of `up` are .45 and of `chair` 0.
    assert by_group["prompt"] == pytest.approx(by_group["words"], abs=0.1)
    assert by_group["label words"] == pytest.approx(0, abs=0.02)
    glance = Wording().glance(tables)
    assert glance is not None
    assert glance.phrase == "1 of 3 words flip with the wording"


def test_wordings_in_which_the_model_labels_like_a_coin_have_no_verdict(tmp_path: Path) -> None:
    tables = measured(tmp_path, respondent=blind)
    failed = tables["wordings"].filter(pl.col("labels") != "good/bad")
    assert set(failed["control"]) == {"no better than a coin"}
    assert failed["leaning_share"].null_count() == 4
    assert tables["words"]["wordings"].to_list() == [2] * 3
    assert Wording().validity(tables).can_be_interpreted
    cautions = tables["measures"].filter(measure="variance share of shift")["caution"]
    assert "only 3 words" in cautions[0]


def test_one_wording_is_not_enough(tmp_path: Path) -> None:
    def once(prompt: str, pair: tuple[str, str], word: str, kind: str, number: int) -> bool:
        return blind(prompt, pair, word, kind, number) if prompt.startswith("All") else number % 2 == 0

    tables = measured(tmp_path, respondent=once)
    validity = Wording().validity(tables)
    assert validity.level == "none"
    assert "in 1 of 6 wordings, and two are needed; the best is 'All [MASK].' with good/bad" in validity.reason
    assert tables["words"]["ever"].sum() == 0


def test_pairs_that_the_model_splits_are_left_out_and_named(tmp_path: Path) -> None:
    materials = make_materials(tmp_path)
    tables = Wording().measure(materials, FAST, answer_all(materials, FAST, flipping, split=["poor"]))
    assert tables["left_out"]["label_words"].to_list() == ["nice/poor"]
    assert tables["wordings"].height == 4
    assert "Left out, because tiny splits one of the two words: nice/poor." in Wording().summary(tables, "tiny")
    with pytest.raises(ModelError, match="No pair of label words is made of single tokens"):
        Wording().measure(materials, FAST, answer_all(materials, FAST, flipping, split=["poor", "bad", "great"]))


def test_balanced_calls_correct_each_wording_on_its_own(tmp_path: Path) -> None:
    materials = make_materials(tmp_path)
    answers = answer_all(materials, FAST, flipping)
    partial = answers.with_columns(pl.col("probability") * pl.when(pl.col("token") == "good").then(50).otherwise(1))
    plain = Wording().measure(materials, FAST, partial)["wordings"].filter(labels="good/bad")
    evened = Wording().measure(materials, FAST.model_copy(update={"calls": "balanced"}), partial)
    assert plain["accuracy"].to_list() == pytest.approx([0.5, 0.5])
    assert evened["wordings"]["accuracy"].to_list() == pytest.approx([0.9] * 6)


def test_figures_show_every_wording(tmp_path: Path) -> None:
    tables = measured(tmp_path)
    drawn = Wording().figures({"one": tables, "two": tables})
    assert [figure.name for figure in drawn] == ["wordings", "accuracy", "words", "variance"]
    assert all(figure.chart.to_dict() and figure.caption for figure in drawn)
    assert "It was [MASK]. good/bad 67%" in drawn[0].alt


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("prompts.csv", "prompt\nIt was.\n", "line 2: the prompt 'It was.' cannot be asked"),
        ("prompts.csv", "prompt\nIt [MASK].\nIt [MASK].\n", "line 3: the prompt 'It \\[MASK\\].' is listed twice"),
        ("prompts.csv", "prompt\n", "no rows below its heading"),
        ("labels.csv", "positive,negative\ngood,good\n", "line 2: label words must be two different words"),
        ("labels.csv", "positive,negative\ngood,bad\ngood,bad\n", "the pair good/bad is listed twice"),
        ("labels.csv", "up,down\ngood,bad\n", "positive"),
    ],
)
def test_wrong_lists_are_refused_with_their_line(file: str, text: str, problem: str, tmp_path: Path) -> None:
    make_probe(tmp_path)
    (tmp_path / "own.csv").write_text(text, encoding="utf-8")
    given = {file.removesuffix(".csv"): tmp_path / "own.csv"}
    with pytest.raises(MaterialsError, match=problem):
        make_materials(tmp_path, WordingSettings(resamples=100, **given))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_it_runs_on_small_models(kind: str, tiny: Callable[[str], Model], tmp_path: Path) -> None:
    probe = make_probe(tmp_path, per_class=6)
    (tmp_path / "labels.csv").write_text("positive,negative\ngreat,terrible\nkind,poor\n", encoding="utf-8")
    done = run(probe.source, model=tiny(kind), out=tmp_path / "run", settings={"resamples": 50, "copies": 1})
    assert done.tables["wordings"].height + 2 * done.tables["left_out"].height == 4
    assert done.tables["scores"]["net_shift"].is_finite().all()
