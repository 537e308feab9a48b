"""Count how often each adverb and "not" stand before each adjective of the intensifier probe, in installable texts.

Usage: python -m training fetch, then python scripts/make_bigrams.py. All passages of the eight
sources in `COUNTED` are read; `modern` has more sources, left out so that the same packages give the same file.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from training.corpora import cache_folder  # noqa: E402
from training.reading import read  # noqa: E402

FOLDER = ROOT / "src" / "tacit" / "probes" / "intensifier"
WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
RIVAL = "not"
COUNTED = ("web", "vader", "reviews", "addresses", "wordnet", "wikipedia", "anarchism", "jargon")


def main() -> None:
    """Write bigrams.csv into the probe's folder."""
    with (FOLDER / "sentences.csv").open(encoding="utf-8", newline="") as file:
        pairs = sorted({(row["adverb"], row["adjective"]) for row in csv.DictReader(file)})
    wanted = {*pairs, *((RIVAL, adjective) for _, adjective in pairs)}
    counts, words = count_bigrams(wanted)
    with (FOLDER / "bigrams.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["adverb", "adjective", "count", "against_count", "words"])
        for adverb, adjective in pairs:
            writer.writerow([adverb, adjective, counts[adverb, adjective], counts[RIVAL, adjective], words])
    found = sum(counts[pair] > 0 for pair in pairs)
    print(f"{words:,} words; {found} of {len(pairs)} pairs occur")


def count_bigrams(wanted: set[tuple[str, str]]) -> tuple[Counter[tuple[str, str]], int]:
    """How often the wanted pairs occur, and in how many words."""
    counts: Counter[tuple[str, str]] = Counter()
    words = 0
    for name in COUNTED:
        for passage in read(name, cache_folder()):
            tokens = WORD.findall(passage.text.lower().replace("\u2019", "'"))
            words += len(tokens)
            counts.update(pair for pair in pairwise(tokens) if pair in wanted)
    return counts, words


if __name__ == "__main__":
    main()
