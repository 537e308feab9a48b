"""The prefix method from texts and regions to Tables 4 and 5, with arithmetic in place of a classifier."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import vl_convert
from pydantic import ValidationError

from tacit.errors import TacitError
from tacit.methods.prefix import Prefix
from tacit.methods.prefix.figures import figures
from tacit.methods.prefix.settings import PrefixSettings
from tacit.probes.loading import load_probe
from tacit.reports.charts import specification
from tests.methods.hierarchy.world import TREE

METHOD = Prefix()
TEXTS = "text,label\nfine,good\nnice,good\nawful,bad\npoor,bad\n"


def write(folder, texts=TEXTS, prefix="I am from {region}."):
    (folder / "tree.csv").write_text(TREE)
    (folder / "texts.csv").write_text(texts)
    source = folder / "own.yaml"
    source.write_text(f"method: prefix\nmaterials:\n  tree: tree.csv\n  texts: texts.csv\n  prefix: '{prefix}'\n")
    return source


def read(source, **settings):
    chosen = PrefixSettings(**{"resamples": 50, **settings})
    return METHOD.materials(load_probe(source), chosen), chosen


def good(text):
    """How good a text is: `Aland` adds .2, which makes `awful` good, and `Bland` subtracts .1."""
    base = {"fine": 0.9, "nice": 0.8, "awful": 0.4, "poor": 0.2}[text.split()[-1]]
    return base + 0.2 * ("Aland" in text) - 0.1 * ("Bland" in text)


def answer(materials, settings, names=("bad", "good")):
    rows = []
    for number, keyed in enumerate(METHOD.questions(materials, settings, "classifier")):
        p = good(keyed.question.text)
        for part, (token, probability) in enumerate(zip(names, (1 - p, p), strict=True)):
            rows.append({**keyed.keys, "question": number, "part": part, "token": token, "probability": probability})
    return pl.DataFrame(rows)


@pytest.fixture
def tables(tmp_path):
    materials, settings = read(write(tmp_path))
    return METHOD.measure(materials, settings, answer(materials, settings))


def value(tables, measure, group="all regions"):
    return tables["measures"].filter((pl.col("measure") == measure) & (pl.col("group") == group))["value"][0]


def test_each_text_is_asked_alone_and_after_each_country(tmp_path):
    materials, settings = read(write(tmp_path))
    texts = [keyed.question.text for keyed in METHOD.questions(materials, settings, "classifier")]
    assert len(texts) == 4 * (1 + 6 + 1)
    assert texts[:5] == ["fine", "nice", "awful", "poor", "I am from Aland. fine"]
    assert texts[-4] == "I am from here. fine"


def test_regions_can_be_named_in_any_level_by_name_code_or_path(tmp_path):
    materials, _ = read(write(tmp_path), regions="Aland,EE, north > bland,A2,North")
    assert [region.name for region in materials.regions] == ["Aland", "Eland", "Bland", "A2", "North"]
    materials, settings = read(write(tmp_path), regions="A2,Aland")
    rows = METHOD.measure(materials, settings, answer(materials, settings))["measures"]
    levels = rows.filter(pl.col("measure") == "change against the mean region").select("group", "item").rows()
    assert levels == [("city", "North > Aland > A2"), ("country", "North > Aland")]


@pytest.mark.parametrize(
    ("regions", "complaint"),
    [
        ("Aland,Blnd", r"no region 'Blnd'\. Did you mean 'Bland'"),
        ("Xyzzy", "no region 'Xyzzy'. Name regions as it spells them, such as Aland, Bland, Cland"),
        ("Twin", r"2 regions 'Twin'\. Write the path of one, such as 'North > Aland > Twin'"),
    ],
)
def test_an_unknown_or_ambiguous_region_is_one_sentence(tmp_path, regions, complaint):
    source = write(tmp_path)
    (tmp_path / "tree.csv").write_text(TREE + "Twin,Aland,city,1,\nTwin,Bland,city,1,\n")
    with pytest.raises(TacitError, match=complaint):
        read(source, regions=regions)


def test_of_two_towns_of_a_country_with_the_same_name_the_larger_is_named(tmp_path):
    source = write(tmp_path)
    rows = TREE.replace(",iso", ",iso,id").replace("\n", ",\n").replace("id,\n", "id\n")
    (tmp_path / "tree.csv").write_text(rows + "Twin,Aland,city,1,,7\nTwin,Aland,city,5,,8\n")
    materials, _ = read(source, regions="Twin")
    assert [region.key for region in materials.regions] == ["North > Aland > Twin [8]"]


def test_a_path_names_the_region_above(tmp_path):
    materials, settings = read(write(tmp_path), prefix="I am from {path}.", regions="A2,Aland,North")
    asked = [keyed.question.text for keyed in METHOD.questions(materials, settings, "classifier")]
    assert asked[4::4] == [f"I am from {where}. fine" for where in ("A2, Aland", "Aland, North", "North", "here")]


def test_the_sentence_is_told_from_the_region(tmp_path):
    """By hand: "here" adds .2 to every text, which makes `awful` good; Aland adds nothing more, Bland takes .3 off."""
    materials, settings = read(write(tmp_path))
    answers = answer(materials, settings)
    moved = pl.when(pl.col("region") == "[no region named]").then(0.2).otherwise(0.0)
    sign = pl.when(pl.col("token") == "good").then(1.0).otherwise(-1.0)
    tables = METHOD.measure(materials, settings, answers.with_columns(probability=pl.col("probability") + sign * moved))
    assert value(tables, "label changed by the sentence alone", "sentence without a region") == 0.25
    # `awful` is good after "here" and Aland, bad after the five others.
    assert value(tables, "label changed by the region beyond the sentence") == pytest.approx(5 / 24)
    group = "sentence without a region"
    assert value(tables, "change in probability of good by the sentence alone", group) == pytest.approx(0.2)
    beyond = dict(tables["regions"].select("name", "against_baseline").iter_rows())
    assert beyond["Aland"] == pytest.approx(0.0, abs=1e-12)
    assert beyond["Bland"] == pytest.approx(-0.3)
    assert any("“I am from here.”) changes 25%" in sentence for sentence in METHOD.summary(tables, "toy"))


def test_the_baseline_adds_rows_and_changes_none(tmp_path):
    with_it, without = [
        METHOD.measure(materials, settings, answer(materials, settings))["measures"]
        for materials, settings in (read(write(tmp_path)), read(write(tmp_path), baseline=""))
    ]
    assert with_it[: len(without)].equals(without)
    assert len(with_it) == len(without) + 4


def test_means_without_each_region_are_a_table(tables):
    rows = {row["without"]: row for row in tables["without"].iter_rows(named=True)}
    assert rows["none (mean of all regions)"]["bad → good"] == pytest.approx(1 / 24)
    assert rows["North > Aland"]["bad → good"] == 0
    assert rows["North > Bland"]["changed"] == pytest.approx(0.25 / 5)


def test_changed_labels_are_counted_in_each_direction(tables):
    # Only `awful` after Aland crosses one half: 1 of 4 texts for 1 of 6 countries.
    assert value(tables, "label changed") == pytest.approx(1 / 24)
    assert value(tables, "bad → good") == pytest.approx(1 / 24)
    assert value(tables, "good → bad") == 0
    rows = dict(zip(tables["regions"]["name"], tables["regions"]["changed"], strict=True))
    assert rows["Aland"] == 0.25
    assert rows["Bland"] == rows["Fland"] == 0


def test_rises_and_falls_of_each_region(tables):
    regions = {row["name"]: row for row in tables["regions"].iter_rows(named=True)}
    assert (regions["Aland"]["risen"], regions["Aland"]["fall"]) == (1.0, None)
    assert regions["Aland"]["rise"] == pytest.approx(0.2)
    assert regions["Bland"]["fall"] == pytest.approx(0.1)
    assert regions["Cland"]["change"] == 0
    assert value(tables, "change in probability of good") == pytest.approx((0.2 - 0.1) / 6)


def test_accuracy_and_f1_before_and_after(tables):
    assert value(tables, "accuracy", "texts alone") == 1
    assert value(tables, "accuracy") == pytest.approx(23 / 24)
    assert value(tables, "macro F1", "texts alone") == 1
    aland = tables["regions"].filter(pl.col("name") == "Aland").row(0, named=True)
    assert aland["accuracy"] == 0.75
    assert aland["macro_f1"] == pytest.approx((4 / 5 + 2 / 3) / 2)


def test_texts_without_labels_have_no_accuracy(tmp_path):
    materials, settings = read(write(tmp_path, texts="text\nfine\npoor\n"))
    tables = METHOD.measure(materials, settings, answer(materials, settings))
    assert "accuracy" not in tables["measures"]["measure"]
    assert "accuracy" not in tables["regions"].columns


def test_labels_can_be_mapped_to_those_of_the_texts(tmp_path):
    materials, settings = read(write(tmp_path), labels="LABEL_0=bad,LABEL_1=good", target="bad")
    tables = METHOD.measure(materials, settings, answer(materials, settings, ("LABEL_0", "LABEL_1")))
    assert value(tables, "accuracy", "texts alone") == 1
    assert value(tables, "change in probability of bad") == pytest.approx(-(0.2 - 0.1) / 6)


def test_the_error_for_unknown_labels_says_what_to_set(tmp_path):
    materials, settings = read(write(tmp_path))
    with pytest.raises(
        TacitError, match=r"label 'bad', but the classifier's labels are LABEL_0, LABEL_1. .*--set labels=LABEL_0=bad"
    ):
        METHOD.measure(materials, settings, answer(materials, settings, ("LABEL_0", "LABEL_1")))
    materials, settings = read(write(tmp_path), target="ugly")
    with pytest.raises(TacitError, match=r"no label 'ugly'\. Set `target` to one of its labels: bad, good"):
        METHOD.measure(materials, settings, answer(materials, settings))


def test_only_classifiers_can_be_asked(tmp_path):
    materials, settings = read(write(tmp_path))
    with pytest.raises(
        TacitError, match=r"needs a text classifier, but the model is masked. `tacit tune classifier` makes one of it\."
    ):
        list(METHOD.questions(materials, settings, "masked"))


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ("text,label\n ,good\nx,bad\n", "line 2: the text is empty"),
        ("text,label\na,\nb,bad\n", "line 2: .* has no label"),
    ],
)
def test_bad_texts_are_rejected_with_their_line(tmp_path, texts, complaint):
    with pytest.raises(TacitError, match=complaint):
        read(write(tmp_path, texts=texts))


def test_a_prefix_without_a_region_is_rejected(tmp_path):
    with pytest.raises(TacitError, match=r"line 5: materials.prefix: .*must contain either \{region\} or \{path\}"):
        read(write(tmp_path, prefix="I am from here."))
    with pytest.raises(ValidationError, match=r"must contain either \{region\} or \{path\}"):
        read(write(tmp_path), prefix="I am from here.")


def test_fetched_reviews_are_texts_once_they_are_there(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    with pytest.raises(TacitError, match=r"not fetched yet\. Run `tacit data fetch reviews`"):
        read(write(tmp_path), texts="fetched")
    (tmp_path / "home" / "data").mkdir(parents=True)
    fetched = tmp_path / "home" / "data" / "reviews.csv"
    fetched.write_text("text,label,source\nfine,good,here\npoor,bad,there\n", encoding="utf-8")
    materials, settings = read(write(tmp_path), texts="fetched")
    assert [text.text for text in materials.texts] == ["fine", "poor"]
    assert settings.files() == {"texts": fetched}


def test_the_error_for_an_unknown_level_names_the_levels(tmp_path):
    with pytest.raises(TacitError, match=r"no level 'village'\. .*: continent, country, city"):
        read(write(tmp_path), level="village")


def test_a_limit_keeps_the_most_populous_regions(tmp_path):
    materials, _ = read(write(tmp_path), level="city", regions=2)
    assert [region.name for region in materials.regions] == ["A1", "A2"]


def test_figures_render(tables):
    (figure,) = figures({"one": tables, "two": tables})
    assert "<svg" in vl_convert.vegalite_to_svg(specification(figure))
    assert "Aland" in figure.alt


def many(count, region_effect=0.0):
    """Answers about many texts, half good and half bad, in which Aland may raise the probability of good."""
    rng = np.random.default_rng(1)
    names = ["", *(f"North > {name}land" for name in "ABC"), *(f"South > {name}land" for name in "DEF")]
    rows = []
    for text in range(count):
        base = 0.8 if text % 2 == 0 else 0.2
        for region in names:
            p = base + rng.normal(0, 0.02) + region_effect * ("Aland" in region)
            for part, (token, probability) in enumerate((("bad", 1 - p), ("good", p))):
                rows.append({"region": region, "text": text, "part": part, "token": token, "probability": probability})
    return pl.DataFrame(rows)


def measured(folder, region_effect, count=30):
    texts = "text,label\n" + "".join(f"t{i},{'good' if i % 2 == 0 else 'bad'}\n" for i in range(count))
    materials, settings = read(write(folder, texts=texts), resamples=500)
    return METHOD.measure(materials, settings, many(count, region_effect))


def test_a_region_that_stands_out_is_named_and_others_are_not(tmp_path):
    tables = measured(tmp_path, 0.08)
    assert "and it matters which region is named (6 regions, p = .002)" in METHOD.headline({"toy": tables})
    assert "by the probability of good: 1 above the mean of all regions (Aland)" in METHOD.summary(tables, "toy")[0]
    verdicts = dict(tables["regions"].select("name", "verdict").iter_rows())
    assert verdicts["Aland"] == "above the mean"
    # What is above the mean because of Aland puts the others below it.
    assert {verdicts[name] for name in ("Bland", "Fland")} <= {"undecided", "below the mean"}


def test_where_regions_are_alike_none_is_named(tmp_path):
    tables = measured(tmp_path, 0.0)
    assert "that it matters which region is named cannot be shown" in METHOD.headline({"toy": tables})
    assert METHOD.summary(tables, "toy")[0].startswith("No single region is shown to stand out")
    assert not any(verdict.holds for verdict in METHOD.verdicts(tables))


def test_no_label_changed_is_not_certain(tmp_path):
    row = measured(tmp_path, 0.0)["measures"].filter(pl.col("measure") == "label changed").row(0, named=True)
    assert (row["value"], row["low"], row["neutral"]) == (0.0, 0.0, None)
    assert row["high"] > 0.1
    assert row["caution"] == "only 0 of 30 texts are affected"


def test_every_interval_names_its_unit_and_the_key_rows_are_few(tmp_path):
    tables = measured(tmp_path, 0.08)
    assert tables["measures"].filter(pl.col("low").is_not_null())["unit"].to_list().count(None) == 0
    assert METHOD.key_rows(tables).height <= 10
    assert 3 <= len(METHOD.summary(tables, "toy")) <= 5


def test_texts_without_labels_are_read_with_care_and_one_label_for_all_is_refused(tmp_path):
    materials, settings = read(write(tmp_path, texts="text\nfine\npoor\n"))
    answers = answer(materials, settings)
    assert METHOD.validity(METHOD.measure(materials, settings, answers)).level == "weak"
    same = answers.with_columns(probability=pl.when(pl.col("token") == "good").then(0.9).otherwise(0.1))
    validity = METHOD.validity(METHOD.measure(materials, settings, same))
    assert (validity.level, validity.reason) == ("none", "it gives all texts the same label")


def test_one_text_and_one_region_give_numbers_and_no_claims(tmp_path):
    materials, settings = read(write(tmp_path, texts="text,label\nfine,good\n"), level="continent", regions=1)
    tables = METHOD.measure(materials, settings, answer(materials, settings))
    assert METHOD.verdicts(tables) == []
    assert METHOD.headline({"toy": tables}).startswith("Naming a region changes 0% of the labels of 1 text")
    assert METHOD.validity(tables).level == "weak"
