"""Prefix: does a sentence that only says where somebody is from change what a classifier makes of a text? (HERB 4.5)"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.errors import TacitError
from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables
from tacit.methods.prefix.materials import PrefixMaterials, PrefixSettings, PrefixShape, read_prefix
from tacit.methods.prefix.measures import ALL, CHANGED, prefix_tables
from tacit.probes.loading import Probe
from tacit.questions import Classify, compose

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Prefix"]


class Prefix(Method[PrefixMaterials, PrefixSettings]):
    """Each text as it is, and once with each region's sentence before it."""

    name = "prefix"
    settings = PrefixSettings
    shape = PrefixShape

    def materials(self, probe: Probe, settings: PrefixSettings) -> PrefixMaterials:
        """The texts, the regions and the sentence."""
        return read_prefix(probe, settings)

    def questions(
        self, materials: PrefixMaterials, settings: PrefixSettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        """A label for every text alone and behind every region's sentence."""
        if family != "classifier":
            raise TacitError(
                f"This probe needs a text classifier, and the model is {family}: run regional on it instead."
            )
        for number, text in enumerate(materials.texts):
            yield KeyedQuestion({"region": "", "text": number}, Classify(text.text))
        for place in materials.regions:
            region = materials.tree.regions[place]
            prefix, _ = compose(materials.prefix, region=region.name)
            for number, text in enumerate(materials.texts):
                yield KeyedQuestion({"region": region.key, "text": number}, Classify(f"{prefix} {text.text}"))

    def measure(self, materials: PrefixMaterials, settings: PrefixSettings, answers: pl.DataFrame) -> Tables:
        """Labels that changed, rises and falls, accuracy and macro F1, for each region and for all (Tables 4 and 5)."""
        return prefix_tables(materials, settings, answers)

    def comparisons(self, materials: PrefixMaterials, settings: PrefixSettings) -> tuple[PairedMeasure, ...]:
        """The share of changed labels, region by region."""
        return (PairedMeasure(CHANGED, "keeps more labels", "changes more labels", "regions"),)

    def summary(self, tables: Tables, model: str) -> list[str]:
        """How many labels changed, and where most."""
        row = tables["measures"].filter((pl.col("measure") == CHANGED) & (pl.col("group") == ALL)).row(0, named=True)
        regions = tables["regions"].sort("changed", descending=True)
        most = ", ".join(
            f"{name} ({share:.1%})" for name, share in regions.select("name", "changed").head(3).iter_rows()
        )
        return [
            f"{model}: naming a region changes {row['value']:.2%} of the labels on average over {len(regions)} regions "
            f"(between {row['low']:.2%} and {row['high']:.2%}); most with {most}."
        ]

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of the report."""
        from tacit.methods.prefix.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)
