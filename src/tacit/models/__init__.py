"""Models: pre-trained language models of every kind behind one small interface."""

from tacit.models.base import Answerer, Family, Model
from tacit.models.checks import Check
from tacit.models.registry import Loader, known_fingerprint, load, loader_names, require_known
from tacit.models.threads import set_threads

__all__ = [
    "Answerer",
    "Check",
    "Family",
    "Loader",
    "Model",
    "known_fingerprint",
    "load",
    "loader_names",
    "require_known",
    "set_threads",
]
