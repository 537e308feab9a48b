"""One sentence for whatever the libraries below raise about damaged files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tacit.errors import ModelError, TacitError

__all__ = ["explained"]

# What the tokenizers library raises when it panics is not an Exception, and its class cannot be imported.
_PANIC = "PanicException"


@contextmanager
def explained(problem: str, own_code: str | None = None) -> Iterator[None]:
    """Turn whatever the libraries below raise about damaged files into one sentence.

    Args:
        problem: The start of the sentence.
        own_code: The name of a model whose code would have to be trusted, if that can be the reason.
    """
    try:
        yield
    except TacitError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise  # Ctrl-C and the like
        if own_code and ("trust_remote_code" in str(error) or "custom code" in str(error)):
            raise ModelError(f"The model {own_code!r} needs code of its own, which Tacit never runs.") from None
        raise ModelError(f"{problem}: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    shown = lines[0] if lines else type(error).__name__
    return shown if len(shown) <= 300 else shown[:299] + "…"
