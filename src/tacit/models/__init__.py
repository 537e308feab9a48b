"""Models: pre-trained language models of every kind, asked in the same words."""

from tacit.models.base import Family, Model
from tacit.models.registry import Loader, load, loader_names

__all__ = ["Family", "Loader", "Model", "load", "loader_names"]
