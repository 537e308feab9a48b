"""Reports: one HTML page about runs, and its figures as files."""

from tacit.reports.page import report

__all__ = ["report"]
