"""Asking: many questions, one answer per question, in the order asked."""

from tacit.asking.ask import Executor, Tally, ask
from tacit.asking.cache import Cache
from tacit.asking.local import LocalExecutor

__all__ = ["Cache", "Executor", "LocalExecutor", "Tally", "ask"]
