"""Rating sheets: blind CSV files that a person fills in a spreadsheet, and the checks on their way back."""

from __future__ import annotations

import csv
import hashlib
import io
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import TacitError
from tacit.ratings.rating import Rating, token_key
from tacit.ratings.scale import Scale

__all__ = ["COLUMNS", "TokenToRate", "filled_rows", "neutralised", "read_sheet", "restored", "write_sheet"]

COLUMNS = ("row", "sentence", "text", "token", "score", "note")
_DANGEROUS = re.compile(r"'*[=+\-@\t\r]")


@dataclass(frozen=True, slots=True)
class TokenToRate:
    """One thing to rate: a token in a sentence."""

    sentence: str
    token: str


def write_sheet(path: Path, probe: str, texts: Mapping[str, str], asked: Iterable[TokenToRate], seed: int) -> int:
    """Write what is to be rated, shuffled, with no word of which model said it; how many rows there are."""
    unique = sorted({(each.sentence, token_key(each.token)) for each in asked})
    random.Random(seed).shuffle(unique)
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for sentence, token in unique:
        cells = [_code(probe, texts[sentence], token), sentence, texts[sentence], token, "", ""]
        writer.writerow([neutralised(cell) for cell in cells])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.getvalue().encode("utf-8-sig"))
    return len(unique)


def read_sheet(
    path: Path, probe: str, texts: Mapping[str, str], scale: Scale, *, rater: str, date: str
) -> list[Rating]:
    """The ratings of a filled sheet. Rows without a score are left for later; any wrong row refuses the whole sheet."""
    ratings: list[Rating] = []
    first: dict[TokenToRate, int] = {}
    for line, cells in filled_rows(path, COLUMNS[:5]):
        if not cells["score"].strip():
            continue
        asked = TokenToRate(cells["sentence"], token_key(cells["token"]))
        problem = _problem(cells, asked, probe, texts)
        if not problem and asked in first:
            problem = f"the token {asked.token!r} of sentence {asked.sentence} is rated in row {first[asked]} already."
        try:
            score = scale.score(cells["score"])
        except ValueError as error:
            problem = problem or str(error)
        if problem:
            raise TacitError(f"{path}, row {line}: {problem} Nothing was imported.")
        first[asked] = line
        ratings.append(Rating(asked.sentence, asked.token, score, rater, date, cells["note"]))
    return ratings


def filled_rows(path: Path, columns: Sequence[str]) -> Iterable[tuple[int, dict[str, str]]]:
    """Each row of the sheet with its number as a spreadsheet shows it; commas, semicolons and tabs are understood."""
    table = _table(path)
    heading = [cell.strip().lower() for cell in table[0]] if table else []
    missing = [name for name in columns if name not in heading]
    if missing:
        raise TacitError(f"{path}, row 1: the column {missing[0]!r} is missing. Nothing was imported.")
    for number, cells in enumerate(table[1:], start=2):
        if any(cell.strip() for cell in cells):
            padded = [*cells, *[""] * (len(heading) - len(cells))]
            yield number, {"note": "", **{name: restored(cell) for name, cell in zip(heading, padded, strict=False)}}


def neutralised(cell: str) -> str:
    """The cell with an apostrophe before it if a spreadsheet would run it as a formula."""
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def restored(cell: str) -> str:
    """The cell before it was neutralised."""
    return cell[1:] if cell.startswith("'") and _DANGEROUS.match(cell) else cell


def _problem(cells: Mapping[str, str], asked: TokenToRate, probe: str, texts: Mapping[str, str]) -> str:
    if asked.sentence not in texts:
        return f"the probe {probe} has no sentence {asked.sentence!r}."
    if cells["row"].strip() != _code(probe, texts[asked.sentence], asked.token):
        return (
            f"the token {asked.token!r} was not asked for in sentence {asked.sentence} (or the sentence has changed)."
        )
    return ""


def _code(probe: str, text: str, token: str) -> str:
    """A mark that ties a row to its token and sentence; letters only, so that no spreadsheet reads a number into it."""
    digest = hashlib.sha256("\x1f".join((probe, text, token_key(token))).encode()).hexdigest()[:10]
    return digest.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))


def _table(path: Path) -> Sequence[list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise TacitError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise TacitError(f"{path} is a folder; the filled sheet is needed.") from None
    except UnicodeDecodeError as error:
        raise TacitError(f"{path} is not UTF-8 (byte {error.start}): save the sheet as CSV UTF-8.") from None
    heading = text.splitlines()[0] if text else ""
    delimiter = max(",;\t", key=heading.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise TacitError(f"{path} is not readable as CSV ({error}). Nothing was imported.") from None
