"""`tacit rate corpus|status|export|remove`: a rater made of two corpora comes, is seen, is exported and goes."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tacit.cli.rate import app
from tacit.errors import TacitError
from tacit.ratings import Bank

PROBE = """
method: valence
materials:
  scale: {low: old, high: new, points: [-1, 0, 1]}
  sentences:
    - {id: s1, group: Old, text: "Why [MASK] the man?", rho: -1, word_class: verb}
    - {id: s2, group: New, text: "It was [MASK].", rho: 1, word_class: adjective}
  ratings: ratings.csv
"""
TEXTS = {"s1": "Why [MASK] the man?", "s2": "It was [MASK]."}
RATINGS = "sentence,token,score,rater\ns1,thou,-1,ann\ns1,you,1,ann\ns2,cool,1,ann\ns2,fair,0,ann\n"


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    (tmp_path / "ratings.csv").write_text(RATINGS)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.txt").write_text("Thou art fair. Thou art wan. " * 50)
    (tmp_path / "new.txt").write_text("You are fair. You are cool. " * 50)
    (tmp_path / "mine.yaml").write_text(PROBE, encoding="utf-8")
    return tmp_path / "mine.yaml"


def command(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def rate(probe: Path, *more: object) -> Result:
    folder = probe.parent
    return command(
        "corpus", probe, "--early", folder / "old", "--modern", folder / "new.txt", "--rater", "texts", *more
    )


def test_a_corpus_rater_scores_what_is_rated_and_agreement_is_shown(probe: Path) -> None:
    result = rate(probe)
    assert "texts scores 4 of 4 tokens, from 300 and 300 words" in result.output
    assert "Krippendorff's alpha (ordinal): 1.00" in result.output
    scores = {rating.token: rating.score for rating in Bank().ratings("mine", TEXTS)}
    assert scores == {"thou": -1, "you": 1, "cool": 1, "fair": 0}


def test_scores_can_go_to_a_file_instead_of_the_bank(probe: Path) -> None:
    out = probe.parent / "scores.csv"
    assert f"Written to {out}" in rate(probe, "--out", out).output
    assert Bank().ratings("mine", TEXTS) == []
    with out.open(encoding="utf-8-sig", newline="") as file:
        assert {row["token"]: row["score"] for row in csv.DictReader(file)}["thou"] == "'-1.0", "safe to open"
    with pytest.raises(TacitError, match="already exists"):
        rate(probe, "--out", out)


def test_other_corpora_under_the_same_name_need_replace(probe: Path) -> None:
    rate(probe)
    (probe.parent / "new.txt").write_text("Thou art fair. Thou art cool! " * 50)
    with pytest.raises(TacitError, match=r"texts already rated 'thou' in sentence s1 as -1, not 0. Use --replace"):
        rate(probe)
    rate(probe, "--replace")
    assert {rating.token: rating.score for rating in Bank().ratings("mine", TEXTS)}["thou"] == 0


@pytest.mark.parametrize(
    ("early", "problem"),
    [
        ("nothing.txt", "There is no file"),
        ("empty.txt", "There is no word in the text of --early"),
        ("none", "no file in"),
    ],
)
def test_a_corpus_without_text_is_refused(probe: Path, early: str, problem: str) -> None:
    (probe.parent / "empty.txt").write_text(" 12 ! ")
    (probe.parent / "none").mkdir()
    arguments = ("--early", probe.parent / early, "--modern", probe.parent / "new.txt", "--rater", "texts")
    with pytest.raises(TacitError, match=problem):
        command("corpus", probe, *arguments)
    assert Bank().ratings("mine", TEXTS) == []


def test_status_counts_raters_and_says_what_is_in_the_bank(probe: Path) -> None:
    alone = command("status", probe).output
    assert "4 tokens in 2 sentences are rated" in alone
    assert json.loads(command("status", probe, "--json").stdout)["tables"][0]["rows"] == [
        {"rater": "ann", "scores": 4, "in your bank": 0}
    ]
    assert "Krippendorff" not in alone
    rate(probe)
    both = command("status", probe).output
    assert re.search(r"texts +4 +4", both)
    assert "Krippendorff's alpha (ordinal): 1.00" in both


def test_export_writes_all_ratings_or_those_of_one_rater(probe: Path) -> None:
    rate(probe)
    whole, one = probe.parent / "all.csv", probe.parent / "one.csv"
    assert "8 ratings by ann, texts" in command("export", probe, "--out", whole).output
    assert "4 ratings by texts" in command("export", probe, "--out", one, "--rater", "texts").output
    with one.open(encoding="utf-8-sig", newline="") as file:
        assert {row["rater"] for row in csv.DictReader(file)} == {"texts"}
    with pytest.raises(TacitError, match=r"'bob' has not rated mine: .*ann"):
        command("export", probe, "--out", probe.parent / "x.csv", "--rater", "bob")


def test_remove_asks_first_and_takes_only_this_rater(probe: Path) -> None:
    rate(probe)
    with pytest.raises(TacitError, match=r"whether to remove 4 ratings by texts from .* Add --yes"):
        command("remove", probe, "--rater", "texts")
    assert len(Bank().ratings("mine", TEXTS)) == 4
    assert "Removed 4 ratings by texts" in command("remove", probe, "--rater", "texts", "--yes").output
    assert Bank().ratings("mine", TEXTS) == []


def test_shipped_ratings_and_unknown_raters_cannot_be_removed(probe: Path) -> None:
    with pytest.raises(TacitError, match="by 'ann': those ship with the probe; use --set raters"):
        command("remove", probe, "--rater", "ann", "--yes")
    with pytest.raises(TacitError, match="by 'bob': it has none at all"):
        command("remove", probe, "--rater", "bob", "--yes")
