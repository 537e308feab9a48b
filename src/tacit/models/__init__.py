"""Models: pre-trained language models of every family, asked in the same words."""

from tacit.models.loading import load
from tacit.models.model import Model

__all__ = ["Model", "load"]
