"""HERB: how unevenly a model judges the parts of a whole, level by level (Li et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import polars as pl

from tacit.methods.base import Family, KeyedQuestion, Method, PairedMeasure, Tables
from tacit.methods.hierarchy.answers import read_answers
from tacit.methods.hierarchy.materials import HierarchyMaterials, HierarchyShape, read_hierarchy
from tacit.methods.hierarchy.measures import C_W, MEAN_OF_TOPS, SHUFFLED, headline_tables
from tacit.methods.hierarchy.questions import questions
from tacit.methods.hierarchy.settings import HierarchySettings
from tacit.methods.hierarchy.space import space_table
from tacit.methods.hierarchy.studies import study_table
from tacit.probes.loading import Probe

if TYPE_CHECKING:
    from tacit.figure import Figure

__all__ = ["Hierarchy"]


class Hierarchy(Method[HierarchyMaterials, HierarchySettings]):
    """A sentence a region and word; regions as vectors; C is how far apart a region's parts lie."""

    name = "hierarchy"
    settings = HierarchySettings
    shape = HierarchyShape

    def materials(self, probe: Probe, settings: HierarchySettings) -> HierarchyMaterials:
        """The tree cut to size, the words and the templates."""
        return read_hierarchy(probe, settings)

    def questions(
        self, materials: HierarchyMaterials, settings: HierarchySettings, family: Family
    ) -> Iterator[KeyedQuestion]:
        """Every region with every word, every bare name, and what the controls and studies need."""
        return questions(materials, settings, family)

    def measure(self, materials: HierarchyMaterials, settings: HierarchySettings, answers: pl.DataFrame) -> Tables:
        """C_w, C_z and the plain sparseness with intervals, the controls, the studies, and the map of names."""
        answered = read_answers(materials, answers)
        return {
            **headline_tables(materials, settings, answered),
            "studies": study_table(materials, settings, answered, answers),
            "space": space_table(materials.tree, answered.vectors, settings.seed),
        }

    def comparisons(self, materials: HierarchyMaterials, settings: HierarchySettings) -> tuple[PairedMeasure, ...]:
        """C_w one level under the top, region by region."""
        tree = materials.tree
        level = tree.level_of(min(int(tree.depths[tree.top[0]]) + 1, tree.deepest))
        unit = f"{level[:-1]}ies" if level.endswith("y") else f"{level}s"
        return (
            PairedMeasure(
                C_W, "judges the parts of a region more alike", "judges the parts of a region more unevenly", unit
            ),
        )

    def summary(self, tables: Tables, model: str) -> list[str]:
        """The overall figure, the ranking and how firm it is, and what shuffling the tree says."""
        return [_overall(tables, model), _ranking(tables), *_shuffled(tables)]

    def figures(self, tables: Mapping[str, Tables]) -> list[Figure]:
        """The figures of the report."""
        from tacit.methods.hierarchy.figures import figures  # noqa: PLC0415 - only a report pays for altair

        return figures(tables)


def _overall(tables: Tables, model: str) -> str:
    overall = tables["measures"].filter((pl.col("measure") == C_W) & pl.col("item").is_null()).row(-1, named=True)
    if overall["value"] is None:
        return f"{model}: too few regions have parts of their own for an overall C_w."
    return (
        f"{model}: overall C_w is {overall['value']:.4g} (between {overall['low']:.4g} and {overall['high']:.4g} when "
        f"the {overall['n']} words are drawn anew); 0 would mean that all regions are judged alike."
    )


def _ranking(tables: Tables) -> str:
    ranking = tables["ranking"].drop_nulls("c_w").sort("rank")
    if not len(ranking):
        return "No top region has a C_w, so there is no ranking."
    names = ", ".join(ranking["group"].head(6))
    return (
        f"From the most to the least unevenly judged: {names}; {ranking['group'][0]} keeps the first place in "
        f"{ranking['first'][0]:.0%} of the draws."
    )


def _shuffled(tables: Tables) -> list[str]:
    rows = tables["measures"].filter((pl.col("measure") == SHUFFLED) & (pl.col("group") == MEAN_OF_TOPS))
    if not len(rows):
        return []
    row = rows.row(0, named=True)
    side = "less" if row["value"] < row["neutral"] else "more"
    found = f"{side} than" if row["p"] < 0.05 else "about as much as"
    return [
        f"Within the top regions the parts differ {found} when they are dealt out at random "
        f"(mean C_w {row['value']:.4g} against {row['neutral']:.4g}, p = {row['p']:.3g})."
    ]
