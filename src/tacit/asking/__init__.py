"""Asking: many questions, one answer each, in the order asked."""

from tacit.asking.cache import Cache
from tacit.asking.local import Tally, ask

__all__ = ["Cache", "Tally", "ask"]
