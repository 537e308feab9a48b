"""What is put in the place of something right: odd texts, numbers and structures, and damage to bytes and JSON."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

__all__ = ["byte_damage", "damage_json", "json_damage", "json_like", "odd_numbers", "odd_text"]

odd_text = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "",
            " ",
            "nan",
            "inf",
            "-1",
            "-1e999",
            "1e400",
            "0x10",
            "true",
            "null",
            "\0",
            "\x1b[31m",
            "\udcff",
            "\u2028",
            "a\\",
            "=1+1",
            "[MASK]",
            "[MASK] [MASK]",
            "../../x",
            "../precious/thesis.txt",
            "/etc/passwd",
            "/dev/zero",
            ".",
            "~",
            "é" * 300,
            "x" * 5000,
        ]
    ),
)
odd_numbers = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([0, -1, 2**31, 2**32, 2**63, -(2**63), 10**9, 10**20, 10**400, True]),
    st.floats(),
)
json_like = st.recursive(
    st.one_of(st.none(), st.booleans(), odd_numbers, odd_text),
    lambda parts: st.one_of(
        st.lists(parts, max_size=4), st.dictionaries(st.one_of(odd_text, st.integers()), parts, max_size=4)
    ),
    max_leaves=8,
)
"""Anything that a JSON or YAML file can hold."""

json_damage = st.tuples(
    st.lists(st.integers(0, 60), min_size=1, max_size=6),
    st.sampled_from(["change", "drop", "retype", "add"]),
    json_like,
)
"""Where a JSON file is damaged, how, and what is put there; `damage_json` does it."""


def damage_json(content: bytes, damage: tuple[list[int], str, Any]) -> bytes:
    """The JSON with one place changed: a path of numbers leads to it, each modulo what there is."""
    path, how, value = damage
    document = copy.deepcopy(json.loads(content))
    place, key = None, None
    node = document
    for step in path:
        keys = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
        if not keys:
            break
        place, key = node, keys[step % len(keys)]
        node = node[key]
    if place is None:
        return json.dumps(_plain(value)).encode()
    match how:
        case "change":
            place[key] = value
        case "drop":
            del place[key]
        case "retype":
            place[key] = [node] if not isinstance(node, list) else {str(k): part for k, part in enumerate(node)}
        case "add" if isinstance(place, dict):
            place[str(value)[:50]] = value
    return json.dumps(_plain(document)).encode()


def _plain(value: Any) -> Any:
    """With texts as keys, which JSON needs."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list) else value


@st.composite
def byte_damage(draw: st.DrawFn, reach: float = 1.0) -> Callable[[bytes], bytes]:
    """Something that happens to a file: cut off, bytes changed, lost, or put in; within the first `reach` of it."""
    how = draw(st.sampled_from(["cut", "change", "drop", "insert", "zero", "empty", "pointer", "garbage"]))
    where, length, content = (
        draw(st.floats(0, reach)),
        draw(st.integers(1, 64)),
        draw(st.binary(min_size=1, max_size=64)),
    )

    def damaged(whole: bytes) -> bytes:
        place = min(len(whole), int(where * len(whole)))
        before, after = whole[:place], whole[place:]
        ways = {
            "cut": before,
            "change": before + content + after[len(content) :],
            "drop": before + after[length:],
            "insert": before + content + after,
            "zero": before + bytes(length) + after[length:],
            "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
            "garbage": content,
            "empty": b"",
        }
        return ways[how]

    return damaged
