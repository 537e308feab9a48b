"""Probes: methods with materials, under a name."""

from tacit.probes.loading import Paper, Probe, load_probe, probe_names

__all__ = ["Paper", "Probe", "load_probe", "probe_names"]
