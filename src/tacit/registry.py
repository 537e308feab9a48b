"""Things that Tacit finds by name: built-in ones and those of installed packages, through the same entry points."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from tacit.errors import TacitError

__all__ = ["Registry", "did_you_mean"]


class Registry:
    """The objects that packages register under one entry-point group; each is imported when it is first asked for."""

    def __init__(self, group: str, noun: str) -> None:
        """Name the group, such as `tacit.methods`, and what one of its objects is called in an error."""
        self.group = group
        self.noun = noun

    @cached_property
    def _points(self) -> dict[str, EntryPoint]:
        # Tacit's own come first, so that no package can put its own in the place of a built-in.
        found = sorted(entry_points(group=self.group), key=lambda point: not point.value.startswith("tacit."))
        points: dict[str, EntryPoint] = {}
        for point in found:
            points.setdefault(point.name, point)
        return points

    def names(self) -> list[str]:
        """The registered names, the built-in ones first."""
        return list(self._points)

    def get(self, name: str) -> Any:
        """The object of that name; an unknown name is answered with the nearest one."""
        if name not in self._points:
            raise TacitError(f"There is no {self.noun} {name!r}: {did_you_mean(name, self.names())}")
        try:
            return self._points[name].load()
        except (ImportError, AttributeError) as error:
            where = self._points[name].value
            raise TacitError(f"The {self.noun} {name!r} ({where}) cannot be imported: {error}.") from error


def did_you_mean(name: str, known: list[str]) -> str:
    """The end of an error about an unknown name: "did you mean 'valence'?", or all that there is."""
    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"choose one of {', '.join(known) or 'none'}."
