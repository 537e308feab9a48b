"""What is wrong with a value that a person wrote, in a plain sentence instead of pydantic's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tacit.arguments import shown_value

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

__all__ = ["plain_problem"]

_NEEDED = {
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number that is not so large",
    "float_parsing": "a number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "string_type": "text",
    "string_unicode": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "too_short": "a list with at least {min_length} in it",
    "dict_type": "names with values (name: value)",
    "mapping_type": "names with values (name: value)",
    "model_type": "names with values (name: value)",
    "model_attributes_type": "names with values (name: value)",
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
    "literal_error": "{expected}",
    "enum": "{expected}",
}
"""What a value must be, by the type of pydantic's error."""


def plain_problem(name: str, problems: Sequence[ErrorDetails], first: ErrorDetails) -> str:
    """A sentence without its full stop, such as "seed must be a whole number, not 'abc'".

    Args:
        name: What the value is called.
        problems: Everything that pydantic found.
        first: The problem to describe; what else is found about the same value are the other kinds it may be of.
    """
    if first["type"] == "missing":
        return f"{name} is missing"
    alike = [other for other in problems if other["loc"][:1] == first["loc"][:1] and other["input"] is first["input"]]
    needed = [_needed(other) for other in (alike or [first])]
    if all(needed):
        return f"{name} must be {' or '.join(dict.fromkeys(needed))}, not {shown_value(first['input'])}"
    return f"{name}: " + first["msg"].removeprefix("Value error, ").rstrip(".")


def _needed(problem: ErrorDetails) -> str:
    bounds = {key: _number(value) for key, value in problem.get("ctx", {}).items()}
    return _NEEDED.get(problem["type"], "").format(**bounds)


def _number(value: Any) -> Any:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else value
