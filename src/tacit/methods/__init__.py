"""Methods: the papers' ways of measuring, one folder each. Packages add their own through `tacit.methods`."""

from tacit.methods.base import KeyedQuestion, Method, PairedMeasure, Settings, Tables, Validity, Verdict
from tacit.methods.registry import get_method, method_names

__all__ = [
    "KeyedQuestion",
    "Method",
    "PairedMeasure",
    "Settings",
    "Tables",
    "Validity",
    "Verdict",
    "get_method",
    "method_names",
]
