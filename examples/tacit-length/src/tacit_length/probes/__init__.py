"""Probes of this package."""
