"""Asking: many questions, one answer per question, in the order asked."""

from tacit.asking.ask import Tally, ask
from tacit.asking.cache import Cache
from tacit.asking.executors import Executor, get_executor
from tacit.asking.local import LocalExecutor

__all__ = ["Cache", "Executor", "LocalExecutor", "Tally", "ask", "get_executor"]
