"""What is wrong with the syntax of a YAML file, in a plain sentence instead of the parser's words."""

from __future__ import annotations

import re

from ruamel.yaml.error import MarkedYAMLError

__all__ = ["plain_syntax_problem"]

_PLAIN = (
    (r"duplicate key \"(?P<key>.*?)\" with", "the key {key!r} is there twice. Leave one of them."),
    (
        "mapping values are not allowed",
        "a colon stands where a text goes on. Put a text that has a colon in quotes, or start `name: value` on a line "
        "of its own, indented like its neighbors.",
    ),
    ("expected ',' or", "a bracket{opened} is not closed. Close it, or put the text in quotes."),
    ("unexpected end of stream", "a quotation mark{opened} has no partner. Add it, or remove both."),
    (r"character '\\t'", "there is a tab. Indent with spaces."),
    (
        "character (?P<key>'.+') that cannot start",
        "no value can start with {key}. Put the text in quotes.",
    ),
    ("constructor for the tag", "tags (!!name) are not read. Write the value without one."),
    ("expected <block end>", "this line does not belong to those above it. Indent all names, or all entries, alike."),
    ("another document", "a second document (---) starts here. Leave one of them."),
    ("unknown escape", "a backslash means something else between double quotes. Use single quotes."),
)
"""Patterns of the parser's problems, and what each means for somebody who writes the file."""


def plain_syntax_problem(error: MarkedYAMLError) -> str:
    """What is wrong on the line that the error names, and what to do."""
    problem = error.problem or ""
    opened = f" that opens in line {error.context_mark.line + 1}" if error.context_mark else ""
    for pattern, plain in _PLAIN:
        if match := re.search(pattern, problem):
            return plain.format(opened=opened, **match.groupdict())
    return f"this is not YAML ({problem}). Compare the line with those above it."
