"""Which experiments, tables and figures of a study can be made here, and by which command."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.errors import MaterialsError
from tacit.probes.loading import Probe, load_probe
from tacit.probes.registry import probe_folders
from tacit.tables import read_csv

__all__ = ["COVERAGE", "Covered", "read_coverage"]

COVERAGE = "coverage.csv"
"""The file in the folder of one of the probes that follow the study."""


@dataclass(frozen=True, slots=True)
class Covered:
    """One part of a study.

    Attributes:
        part: Which: "Table 4".
        shows: What it shows there.
        command: What makes it here; empty if nothing does.
        differs: How it differs from the study's, or why it cannot be made.
    """

    part: str
    shows: str
    command: str
    differs: str


def read_coverage(probe: Probe) -> list[Covered]:
    """The parts of the study that a probe follows; they are listed beside one of the study's probes."""
    places = [probe.folder, *(folder for name, folder in probe_folders().items() if _follows_same_study(name, probe))]
    path = next((folder / COVERAGE for folder in places if (folder / COVERAGE).is_file()), None)
    if path is None:
        raise MaterialsError(f"{probe.name} has no list of a study's parts ({COVERAGE}). The probes of the studies do.")
    return [
        Covered(row["part"], row["shows"], row["command"], row["differs"])
        for row in read_csv(path, ["part", "shows", "command", "differs"])
    ]


def _follows_same_study(name: str, probe: Probe) -> bool:
    return probe.paper is not None and load_probe(name).paper == probe.paper
