"""Probes: methods with materials, under a name."""

from tacit.probes.loading import FileName, MaterialsShape, Paper, Probe, load_probe, probe_names

__all__ = ["FileName", "MaterialsShape", "Paper", "Probe", "load_probe", "probe_names"]
