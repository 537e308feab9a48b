"""Tacit measures what pre-trained language models tacitly believe."""

from tacit._version import __version__

__all__ = ["__version__"]
