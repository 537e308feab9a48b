"""How often the names of countries and continents occur in the texts that each standard was trained on."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tacit.methods.hierarchy.tree_csv import read_tree
from tacit.probes import load_probe
from training.corpora import cache_folder, fetch_all
from training.texts import VARIETIES, texts_of

__all__ = ["count_names", "make_name_counts"]


def make_name_counts(report: Callable[[str], None]) -> Path:
    """Write `name-counts.csv` of the probe regional: one row per continent and country, one column per standard."""
    tree = read_tree(load_probe("regional").path("tree"))
    regions = [region for region in tree.regions if region.level != "city"]
    names = [region.name for region in regions]
    folder = cache_folder()
    fetch_all(folder)
    counts = {}
    for variety in VARIETIES:
        passages = texts_of(variety, folder).training
        counts[variety] = count_names(names, (passage.text for passage in passages))
        report(f"{variety}: {len(passages)} passages, {counts[variety].total()} names")
    target = load_probe("regional").path("tree").with_name("name-counts.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["region", *counts])
        writer.writerows([region.key, *(counts[variety][region.name] for variety in counts)] for region in regions)
    return target


def count_names(names: Sequence[str], texts: Iterable[str]) -> Counter[str]:
    """How often each name occurs as whole words, in any case, because the standards read lower case.

    Where names contain each other, the longest counts: "Papua New Guinea" is no "Guinea".
    """
    folded = {name.casefold(): name for name in names}
    longest_first = sorted(folded, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return Counter(folded[match] for text in texts for match in pattern.findall(text.casefold()))
