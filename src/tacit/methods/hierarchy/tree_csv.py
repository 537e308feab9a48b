"""Reading a tree from a table of names and parents; anything that is not a tree is rejected with its line."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tacit.errors import MaterialsError
from tacit.methods.hierarchy.tree import PATH_SEPARATOR, Region, Tree
from tacit.tables import LINE, Row, place, read_table, refuse

__all__ = ["read_tree"]

_AT_TOP = -1


def read_tree(path: Path, root: str = "overall") -> Tree:
    """Read a tree.

    Args:
        path: A CSV with the columns name and parent; optional: level, population, iso and id. A parent is given by its
            name, or by its path ("Europe > Georgia") if several rows have that name.
        root: What to call the whole tree.
    """
    rows = read_table(path, ["name", "parent"], ["level", "population", "iso", "id"])
    for row in rows:
        _check_name(path, row)
    parents = _parents(path, rows)
    keys = _keys(path, rows, parents)
    regions = [
        Region(
            key=key,
            name=row["name"],
            parent=keys[parent] if parent != _AT_TOP else "",
            level=row["level"] or _level_name(key.count(PATH_SEPARATOR)),
            population=_population(path, row),
            code=row["iso"],
            line=int(row[LINE]),
        )
        for row, key, parent in zip(rows, keys, parents, strict=True)
    ]
    if len(regions) < 2:
        raise MaterialsError(f"{path} has only one region. Add another: a tree has at least two.")
    return Tree(tuple(sorted(regions, key=lambda region: region.key.count(PATH_SEPARATOR))), root)


def _level_name(depth: int) -> str:
    """What the regions at a depth are called if the file does not say."""
    return ("group", "part")[depth] if depth < 2 else f"level {depth + 1}"


def _check_name(path: Path, row: Row) -> None:
    if not row["name"]:
        raise refuse(path, row, "the name is empty. Write one, or remove the row.")
    if PATH_SEPARATOR in row["name"]:
        problem = f"the name {row['name']!r} contains {PATH_SEPARATOR!r}, which separates the parts of a path."
        raise refuse(path, row, f"{problem} Write it differently.")


def _population(path: Path, row: Row) -> int:
    try:
        return int(row["population"] or 0)
    except ValueError:
        raise refuse(path, row, f"population must be a whole number, not {row['population']!r}.") from None


def _parents(path: Path, rows: list[Row]) -> list[int]:
    """The row of each row's parent."""
    rows_by_name: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        rows_by_name[row["name"]].append(i)
    resolved: dict[str, int] = {"": _AT_TOP}
    for row in rows:
        parent = row["parent"]
        if parent not in resolved:
            resolved[parent] = _only_match(path, row, _matches(parent, rows, rows_by_name))
    return [resolved[row["parent"]] for row in rows]


def _matches(parent: str, rows: list[Row], rows_by_name: dict[str, list[int]]) -> list[int]:
    """The rows that a name or path can refer to: for a path, those whose own parent, as written, ends its beginning."""
    beginning, _, name = parent.rpartition(PATH_SEPARATOR)
    candidates = rows_by_name.get(name, [])
    if not beginning:
        tops = [i for i in candidates if not rows[i]["parent"]]
        return tops if len(tops) == 1 and len(candidates) > 1 else candidates
    ends = {i: rows[i]["parent"] for i in candidates if rows[i]["parent"]}
    return [i for i, end in ends.items() if beginning == end or beginning.endswith(PATH_SEPARATOR + end)]


def _only_match(path: Path, row: Row, matches: list[int]) -> int:
    parent = row["parent"]
    if not matches:
        raise refuse(path, row, f"no row has the name of its parent {parent!r}. Add that row, or correct the name.")
    if len(matches) > 1:
        problem = (
            f"its parent {parent!r} could be any of {len(matches)} rows. Write its path, as in A{PATH_SEPARATOR}B."
        )
        raise refuse(path, row, problem)
    return matches[0]


def _keys(path: Path, rows: list[Row], parents: list[int]) -> list[str]:
    """The path of each row from the top; ids distinguish rows that share a path."""
    keys = [_path_from_top(path, i, rows, parents) for i in range(len(rows))]
    rows_by_key: dict[str, list[int]] = defaultdict(list)
    for i, key in enumerate(keys):
        rows_by_key[key].append(i)
    used_as_parent = set(parents)
    for key, sharing in rows_by_key.items():
        if len(sharing) == 1:
            continue
        ids = [rows[i]["id"] for i in sharing]
        if len(set(ids)) < len(ids) or "" in ids or used_as_parent & set(sharing):
            first, second = rows[sharing[0]], rows[sharing[1]]
            problem = f"{second['name']!r} has the same name and parent as {place(path, first)}"
            raise refuse(path, second, f"{problem}. Keep one, or give each an id.")
        for i in sharing:
            keys[i] = f"{key} [{rows[i]['id']}]"
    return keys


def _path_from_top(path: Path, start: int, rows: list[Row], parents: list[int]) -> str:
    names: list[str] = []
    i = start
    while i != _AT_TOP:
        if len(names) > len(rows):
            problem = f"{rows[start]['name']!r} contains itself: its parents form a circle. Correct one of them."
            raise refuse(path, rows[start], problem)
        names.append(rows[i]["name"])
        i = parents[i]
    return PATH_SEPARATOR.join(reversed(names))
