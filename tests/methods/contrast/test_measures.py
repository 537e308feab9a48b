"""The measures of hand-made answers, and of small random models of three families."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tacit.errors import TacitError
from tacit.methods.base import MeasureRow
from tacit.methods.contrast import Contrast, ContrastSettings
from tacit.methods.contrast.formulas import rank_difference, reciprocal_rank, wins
from tacit.methods.contrast.materials import ContrastMaterials
from tacit.methods.contrast.means import Group, Scores, mean_rows
from tacit.models import Model
from tacit.questions import Choose
from tacit.runs import run as run_probe
from tests.methods.contrast.contrasts import answers, read, settings, value, write_probe

METHOD = Contrast()
RANKS = {
    "never-1": (9, 1),
    "never-2": (2, 5),
    "always-1": (1, 3),
    "always-2": (4, 6),
    "maybe-1": (50, 2),
    "maybe-2": (7, 7),
    "surely-1": (3, 8),
    "surely-2": (20, 10),
}


@pytest.fixture
def materials(tmp_path: Path) -> ContrastMaterials:
    return read(write_probe(tmp_path))


def answers_from(materials: ContrastMaterials, ranks: dict[str, tuple[int, int]] = RANKS) -> pl.DataFrame:
    rows = []
    for item in materials.items:
        own, rival = ranks[item.id]
        rows += [(item.id, item.word, "with", own, rival), (item.id, item.word, "without", own + 100, rival)]
    return answers(rows)


def test_each_item_is_asked_with_its_context_and_without(materials: ContrastMaterials) -> None:
    questions = list(METHOD.questions(materials, settings(), "masked"))
    assert len(questions) == 16
    assert questions[0].question == Choose("He is [MASK] late.", ("never", "not"))
    assert questions[1].question == Choose("is [MASK] late", ("never", "not"))
    assert questions[1].keys == {"item": "never-1", "word": "never", "context": "without"}
    assert len(list(METHOD.questions(materials, settings(bare=False), "masked"))) == 8


def test_a_causal_model_may_be_asked_for_the_next_word_only(materials: ContrastMaterials) -> None:
    first = next(METHOD.questions(materials, settings(causal="next"), "causal")).question
    assert isinstance(first, Choose)
    assert first.text == "He is [MASK]"
    whole = next(METHOD.questions(materials, settings(), "causal")).question
    assert isinstance(whole, Choose)
    assert whole.text == "He is [MASK] late."


def test_the_overall_measures_are_the_formulas_of_all_items(materials: ContrastMaterials) -> None:
    tables = METHOD.measure(materials, settings(), answers_from(materials))
    own, rival = np.array(list(RANKS.values())).T
    assert value(tables, "acc")["value"] == pytest.approx(np.nanmean(wins(own, rival)))
    assert value(tables, "MRR")["value"] == pytest.approx(reciprocal_rank(own).mean())
    assert value(tables, "diff")["value"] == pytest.approx(rank_difference(own, rival).mean())
    assert value(tables, "acc without context")["value"] == 0.0
    assert value(tables, "diff gain from context")["value"] == pytest.approx(-100)


def test_a_tie_is_left_out_of_accuracy_and_counted(materials: ContrastMaterials) -> None:
    tables = METHOD.measure(materials, settings(), answers_from(materials))
    assert value(tables, "acc")["value"] == pytest.approx(4 / 7)
    assert "1 ties" in value(tables, "acc")["note"]
    assert value(tables, "acc", "maybe")["n"] == 1
    assert value(tables, "diff", "maybe")["n"] == 2
    assert any("1 are ties, which are left out" in sentence for sentence in METHOD.summary(tables, "m"))


def test_as_published_a_tie_is_wrong(materials: ContrastMaterials) -> None:
    tables = METHOD.measure(materials, settings(mode="as-published"), answers_from(materials))
    assert value(tables, "acc")["value"] == pytest.approx(4 / 8)
    assert value(tables, "acc", "maybe")["value"] == 0.0


def test_a_category_is_about_its_words_and_a_word_about_its_sentences(materials: ContrastMaterials) -> None:
    items = _half_won_by_words("always", "often", "never", "seldom")
    groups = [Group("category", "time"), Group("word", "always")]
    category, word = (row for row in _means(materials, items, groups) if row["measure"] == "acc")
    assert (category["n"], category["unit"]) == (4, "adverb")
    assert category["low"] == pytest.approx(1 - category["high"])
    assert category["low"] < 0.1, "two of four words always win, which says next to nothing about other words"
    assert "only 4 adverbs" in str(category["caution"])
    assert (word["value"], word["high"], word["n"], word["unit"]) == (1.0, 1.0, 30, "sentence")
    assert word["low"] == pytest.approx(30 / (30 + 1.959964**2), abs=1e-6)


def test_two_words_are_too_few_to_resample_so_their_row_is_about_these_words(materials: ContrastMaterials) -> None:
    row = _means(materials, _half_won_by_words("always", "never"), [Group("all", "all items")])[0]
    assert isinstance(row["low"], float)
    assert 0.3 < row["low"] < 0.45
    assert (row["value"], row["unit"], row["n"]) == (0.5, "sentence", 60)
    assert row["caution"] == "for these 2 adverbs only"


def test_words_that_share_adjectives_have_wider_intervals(materials: ContrastMaterials) -> None:
    """Ten adjectives decide everything: that is the variance of ten, not of eighty."""
    words = [f"w{number}" for number in range(8)]
    items = _half_won_by_words(*words).filter(pl.col("item").str.extract(r"-(\d+)$").cast(pl.Int64) < 10)
    adjective = pl.col("item").str.extract(r"-(\d+)$")
    decided = items.with_columns(acc=(adjective.cast(pl.Int64) < 5).cast(pl.Float64))
    own, shared = (
        _means(materials, table, [Group("all", "all items")])[0]
        for table in (decided, decided.with_columns(frame=adjective))
    )
    widths = [float(str(row["high"])) - float(str(row["low"])) for row in (own, shared)]
    assert widths[1] > 2 * widths[0]


def test_a_mean_without_any_spread_has_no_interval_of_no_width(materials: ContrastMaterials) -> None:
    rows = _means(materials, _half_won_by_words("always", "often", "never", "seldom"), [Group("all", "all items")])
    (row,) = [row for row in rows if row["measure"] == "diff"]
    assert (row["value"], row["low"], row["caution"]) == (0.0, None, "the same in every sentence")


def _means(materials: ContrastMaterials, items: pl.DataFrame, groups: list[Group]) -> list[MeasureRow]:
    return mean_rows(materials, settings(), Scores.of(items), groups)


def _half_won_by_words(*words: str) -> pl.DataFrame:
    rows = [(f"{word}-{i}", word, "time", f"{word}-{i}", "with") for word in words for i in range(30)]
    winners = words[: len(words) // 2]
    return pl.DataFrame(rows, schema=["item", "word", "category", "frame", "context"], orient="row").with_columns(
        pl.col("word").is_in(winners).cast(pl.Float64).alias("acc"),
        pl.lit(1.0).alias("MRR"),
        pl.lit(0.0).alias("diff"),
        *(pl.lit(False).alias(name) for name in ("tie", "several", "missing")),
        pl.lit("one mask").alias("ranked_among"),
    )


def test_a_word_the_model_cannot_represent_is_missing_and_not_wrong(materials: ContrastMaterials) -> None:
    rows = [(item.id, item.word, "with", None if item.word == "maybe" else 1, 2) for item in materials.items]
    tables = METHOD.measure(materials, settings(), answers(rows))
    assert value(tables, "acc")["value"] == 1.0
    assert value(tables, "acc")["n"] == 6, "three words are few, so their sentences are the units"
    assert value(tables, "acc", "maybe")["value"] is None
    assert "2 with a word that the model cannot write" in value(tables, "acc")["note"]


def test_a_probability_without_a_rank_is_refused(materials: ContrastMaterials) -> None:
    """As servers give them for rare words: leaving those out would leave a biased sample."""
    table = answers_from(materials).with_columns(probability=pl.lit(0.1))
    assert Contrast().measure(materials, settings(), table)["items"].height
    unranked = table.with_columns(rank=pl.when(pl.int_range(pl.len()) == 3).then(None).otherwise("rank"))
    with pytest.raises(TacitError, match=r"no ranks of rare words.*Set causal=whole"):
        Contrast().measure(materials, settings(), unranked)


def test_the_most_likely_word_represents_its_side(tmp_path: Path) -> None:
    words = "adverb,against,also\nnever,not;nowise,nor\n"
    sentences = "id,text,adverb,adjective\na,He is [MASK] late.,never,late\n"
    materials = read(write_probe(tmp_path, words=words, sentences=sentences))
    (question, _) = METHOD.questions(materials, settings(), "masked")
    assert isinstance(question.question, Choose)
    assert question.question.words == ("never", "nor", "not", "nowise")
    ranks = {"never": 9, "nor": 4, "not": 6, "nowise": 5}
    rows = [
        {"item": "a", "word": "never", "context": "with", "question": 0, "part": part, "token": token, "rank": rank}
        | {"probability": 1 / rank, "pieces": 1, "made": "one mask"}
        for part, (token, rank) in enumerate(ranks.items())
    ]
    item = METHOD.measure(materials, settings(), pl.DataFrame(rows))["items"].row(0, named=True)
    assert (item["rank"], item["against_rank"], item["acc"]) == (4, 5, 1.0)


def test_words_of_several_tokens_are_marked_and_counted(materials: ContrastMaterials) -> None:
    several = answers_from(materials).with_columns(pieces=pl.when(pl.col("token") == "surely").then(2).otherwise(1))
    tables = METHOD.measure(materials, settings(), several)
    assert tables["items"].filter("several")["word"].unique().to_list() == ["surely"]
    assert value(tables, "acc", "surely")["note"] == "2 with a word of several tokens"
    assert any("2 have a word of several tokens" in sentence for sentence in METHOD.summary(tables, "m"))


def test_two_words_of_several_tokens_at_the_same_place_are_decided_by_probability(
    materials: ContrastMaterials,
) -> None:
    likelier = pl.when(pl.col("token") == "not").then(1e-9).otherwise(2e-9)
    same = answers_from(materials, dict.fromkeys(RANKS, (181, 181))).filter(pl.col("context") == "with")
    tables = METHOD.measure(materials, settings(), same.with_columns(probability=likelier))
    assert value(tables, "acc")["value"] == 1.0
    assert tables["items"]["acc"].count() == 8


def test_accuracy_that_follows_intensity_correlates_with_it_beyond_frequency() -> None:
    materials = read("intensifier")
    rows = []
    for number, item in enumerate(materials.items):
        intensity = materials.words[item.word].intensity or 0
        rows.append((item.id, item.word, "with", 1 if number % 40 < 5 * intensity else 3, 2))
    tables = METHOD.measure(materials, settings(), answers(rows))
    assert value(tables, "acc ~ intensity")["value"] == pytest.approx(1.0)
    assert value(tables, "acc ~ intensity")["p_adjusted"] < 0.05
    assert value(tables, "acc ~ intensity beyond frequency")["value"] == pytest.approx(1.0)
    sentences = METHOD.summary(tables, "m")
    (sentence,) = [text for text in sentences if text.startswith("Over adverbs")]
    assert "accuracy rises with intensity (rho 1.0" in sentence
    assert "a relation with frequency cannot be shown" in sentence
    assert value(tables, "acc ~ frequency beyond intensity")["value"] == pytest.approx(0.0, abs=1e-9)
    assert value(tables, "acc difference", "temporal − epistemic")["value"] == pytest.approx(0.0)


def test_a_category_that_always_wins_differs_with_a_corrected_p() -> None:
    materials = read("intensifier")
    rows = [
        (item.id, item.word, "with", 1 if materials.words[item.word].category == "neutral" else 3, 2)
        for item in materials.items
    ]
    row = value(METHOD.measure(materials, settings(), answers(rows)), "acc difference", "temporal − neutral")
    assert row["value"] == -1.0
    assert row["p"] < row["p_adjusted"] < 0.05


def test_categories_are_resampled_independently_so_that_equal_spreads_do_not_cancel() -> None:
    materials = read("intensifier")
    rows = []
    for number, item in enumerate(materials.items):
        strong = (materials.words[item.word].intensity or 0) > 4
        rows.append((item.id, item.word, "with", 1 if strong or number % 2 else 3, 2))
    row = value(METHOD.measure(materials, settings(), answers(rows)), "acc difference", "temporal − epistemic")
    assert row["value"] == 0.0
    assert row["low"] < -0.1
    assert row["high"] > 0.1


def test_the_same_answers_give_the_same_tables_in_any_order(materials: ContrastMaterials) -> None:
    rows = answers_from(materials)
    first = METHOD.measure(materials, settings(), rows)
    again = METHOD.measure(materials, settings(), rows.sample(fraction=1, shuffle=True, seed=1))
    for name, table in first.items():
        assert_frame_equal(table, again[name])


def test_a_word_called_all_is_not_confused_with_all_items(tmp_path: Path) -> None:
    words = "adverb,against\nall,some\nsome,all\n"
    sentences = "id,text,adverb,adjective\na,[MASK] is lost.,all,x\nb,[MASK] is left.,some,y\n"
    materials = read(write_probe(tmp_path, words=words, sentences=sentences))
    rows = answers([("a", "all", "with", 1, 2), ("b", "some", "with", 2, 1)])
    rows = rows.with_columns(
        token=pl.when(pl.col("token") != "not")
        .then(pl.col("token"))
        .otherwise(pl.col("word").replace({"all": "some", "some": "all"}))
    )
    tables = METHOD.measure(materials, settings(), rows)
    assert value(tables, "acc")["value"] == 0.5
    assert value(tables, "acc", "all")["value"] == 1.0
    assert "of 2 sentences" in METHOD.headline({"m": tables})


def test_the_measures_hold_a_row_for_each_item_that_models_are_compared_by(materials: ContrastMaterials) -> None:
    tables = METHOD.measure(materials, settings(), answers_from(materials))
    items = tables["measures"].filter(pl.col("item").is_not_null())
    for paired in METHOD.comparisons(materials, settings()):
        assert items.filter(pl.col("measure") == paired.measure)["item"].to_list() == list(RANKS)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bart"])
def test_models_of_every_family_can_be_asked(tmp_path: Path, tiny: Callable[[str], Model], kind: str) -> None:
    probe = write_probe(tmp_path / "probe")
    run = run_probe(probe, model=tiny(kind), out=tmp_path / "run", settings={"resamples": 100})
    items = pl.read_parquet(tmp_path / "run" / "items.parquet")
    assert items.height == 16
    assert items["missing"].sum() == 0
    for row in items.iter_rows(named=True):
        assert row["acc"] == (row["probability"] > row["against_probability"])
        assert (row["rank"] - row["against_rank"]) * (row["probability"] - row["against_probability"]) <= 0
    assert "units" in run.tables
    assert run.headline.startswith((f"{run.model} ", "It cannot be told whether"))


def test_answers_and_people_together_are_rejected() -> None:
    with pytest.raises(ValueError, match="answers or people, not both"):
        ContrastSettings(answers="a.csv", people="b.csv")  # type: ignore[arg-type]


def test_a_published_table_is_scored_like_a_model(tmp_path: Path, materials: ContrastMaterials) -> None:
    lines = [
        f"{item.word},{materials.words[item.word].category},{RANKS[item.id][0] - 1},{RANKS[item.id][1] - 1}"
        for item in materials.items
    ]
    table = tmp_path / "bert-large.csv"
    table.write_text("adverb,category,adverb_rank,negation_rank\n" + "\n".join(lines) + "\n")
    given = METHOD.given_answers(materials, settings(answers=table))
    assert list(given) == ["bert-large"]
    tables = METHOD.measure(materials, settings(), given["bert-large"])
    own, rival = np.array(list(RANKS.values())).T
    assert value(tables, "acc")["value"] == pytest.approx(np.nanmean(wins(own, rival)))
    assert value(tables, "MRR")["value"] == pytest.approx(reciprocal_rank(own).mean())
    assert value(tables, "diff")["value"] == pytest.approx(rank_difference(own, rival).mean())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("adverb,category,adverb_rank\nnever,time,1\n", r"t\.csv, line 1: the column 'negation_rank' is missing"),
        ("adverb,category,adverb_rank,negation_rank\nnevr,time,1,2\n", r"line 2: .*'nevr' is not in.*'never'"),
        ("adverb,category,adverb_rank,negation_rank\nnever,time,1.5,2\n", r"line 2: adverb_rank must be a whole"),
        ("adverb,category,adverb_rank,negation_rank\nnever,time,1,-2\n", r"line 2: negation_rank must be a whole"),
        ("adverb,category,adverb_rank,negation_rank\nnever,doubt,1,2\n", r"line 2: the category of 'never'"),
        (
            "adverb,category,adverb_rank,negation_rank,context\nnever,time,1,2,none\n",
            r"line 2: the context must be 'with' or 'without'",
        ),
    ],
)
def test_a_wrong_table_of_ranks_is_rejected_with_its_line(
    tmp_path: Path, materials: ContrastMaterials, text: str, problem: str
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(text)
    with pytest.raises(TacitError, match=problem):
        METHOD.given_answers(materials, settings(answers=table))


def test_an_error_names_a_table_that_does_not_exist(tmp_path: Path, materials: ContrastMaterials) -> None:
    with pytest.raises(TacitError, match=r"nowhere\.csv"):
        METHOD.given_answers(materials, settings(answers=tmp_path / "nowhere.csv"))


def test_a_changed_table_is_another_run(tmp_path: Path) -> None:
    probe, table = write_probe(tmp_path / "probe"), tmp_path / "ranks.csv"
    table.write_text("adverb,category,adverb_rank,negation_rank\nnever,time,1,2\n")
    first = run_probe(probe, out=tmp_path / "run", settings={"answers": str(table), "resamples": 50})
    assert first.record.model.label == "ranks"
    table.write_text("adverb,category,adverb_rank,negation_rank\nnever,time,2,1\n")
    with pytest.raises(TacitError, match=r"other files \(answers\)"):
        run_probe(probe, out=tmp_path / "run", settings={"answers": str(table), "resamples": 50})
