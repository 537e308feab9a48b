"""Reports: one HTML page about runs, and the same tables and figures for papers and other programs."""

from tacit.reports.exports import export_report
from tacit.reports.page import report
from tacit.reports.run_tables import export_table

__all__ = ["export_report", "export_table", "report"]
