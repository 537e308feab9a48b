"""Write the two word lists by which the contrast method tells adverbs from other words, from WordNet 3.1.

Usage: python -m training fetch, then python scripts/make_adverbs.py. A word in -ly is an adverb unless WordNet knows
it, but not as one ("family"); another word is an adverb if at least half of its senses in WordNet are ("here"), because
many nouns, verbs and adjectives ("home", "bad") are rare adverbs.
"""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from training.corpora import cache_folder  # noqa: E402
from training.sources import source  # noqa: E402

FOLDER = ROOT / "src" / "tacit" / "methods" / "contrast"
TERMS = "# WordNet 3.1, Copyright 2011 by Princeton University. Made by scripts/make_adverbs.py.\n"


def main() -> None:
    """Write adverbs.txt and not-adverbs.txt into the method's folder."""
    senses = {part: read_senses(part) for part in ("adv", "adj", "noun", "verb")}
    adverbs = senses.pop("adv")
    plain = sorted(
        word
        for word, count in adverbs.items()
        if not word.endswith("ly") and count >= sum(part.get(word, 0) for part in senses.values())
    )
    others = set().union(*senses.values()) - adverbs.keys()
    not_adverbs = sorted(word for word in others if word.endswith("ly"))
    for name, listed in (("adverbs.txt", plain), ("not-adverbs.txt", not_adverbs)):
        (FOLDER / name).write_text(TERMS + "\n".join(listed) + "\n", encoding="utf-8")
        print(f"{name}: {len(listed)} words")


def read_senses(part: str) -> dict[str, int]:
    """How many senses each single word has as this part of speech."""
    with tarfile.open(cache_folder() / source("wordnet").file) as archive:
        file = archive.extractfile(f"package/dict/index.{part}")
        assert file is not None
        lines = file.read().decode("utf-8").splitlines()
    # A line is: lemma, part of speech, number of senses, ...
    rows = (line.split(" ", 3) for line in lines if not line.startswith(" "))
    return {row[0]: int(row[2]) for row in rows if row[0].isalpha()}


if __name__ == "__main__":
    main()
