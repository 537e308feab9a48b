"""A probe: a method with materials, under a name, kept as a folder or given as one YAML file."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError

from tacit.arguments import require_path
from tacit.errors import MaterialsError
from tacit.probes.problems import plain_problem
from tacit.probes.registry import probe_folders
from tacit.registry import did_you_mean
from tacit.tables import read_yaml, yaml_lines

__all__ = ["FileName", "MaterialsShape", "Paper", "Probe", "field_error", "load_probe", "probe_names"]


_PROBE_FILE = "probe.yaml"


class _NamesFile:
    """Marks a material whose value is the name of a file."""


FileName = Annotated[str, _NamesFile()]
"""A file in the probe's folder ("words.csv"), or one of another probe ("regional:regions.csv")."""


class MaterialsShape(BaseModel):
    """What a probe's YAML may say under `materials`; each method extends it. An unknown key is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    def file_names(self) -> list[str]:
        """The files that the method reads, as the YAML names them."""
        kinds = get_type_hints(type(self), include_extras=True)
        named = (getattr(self, name) for name in type(self).model_fields if _may_name_file(kinds[name]))
        return list(dict.fromkeys(name for name in named if isinstance(name, str)))


S = TypeVar("S", bound=MaterialsShape)


class Paper(BaseModel):
    """The study that a probe follows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    authors: str
    title: str
    year: int
    venue: str = ""


class Probe(BaseModel):
    """A probe as its YAML describes it; `folder` is where its material files stand."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    version: int
    title: str
    method: str
    description: str = ""
    paper: Paper | None = None
    settings: dict[str, Any] = {}
    materials: dict[str, Any] = {}
    limits: tuple[str, ...] = ()
    tour: dict[str, Any] | None = {}
    """Settings that shrink the probe for `tacit tour`; null leaves it out of the tour."""
    certify: dict[str, Any] = {}
    """Settings with which `tacit validate` asks the probe: smaller, or such that every check can be made."""
    folder: Path
    source: Path

    def parse(self, shape: type[S]) -> S:
        """The materials as the method declares them; what does not fit is refused with its line in the YAML."""
        try:
            return shape(**self.materials)
        except ValidationError as error:
            raise field_error(self.source, shape, error, ("materials",)) from None

    def path(self, material: str) -> Path:
        """The file that the YAML names for a material."""
        if material not in self.materials:
            raise self.refuse(("materials",), f"no {material!r} is named. Add the line `{material}: FILE`.")
        return self.file(str(self.materials[material]))

    def file(self, name: str) -> Path:
        """The path of a material file, which lies in the probe's folder or in that of another probe."""
        keys = next((("materials", key) for key, value in self.materials.items() if value == name), ("materials",))
        probe, colon, inside = name.partition(":")
        folders = probe_folders()
        if colon and probe in folders:
            folder, name = folders[probe], inside
        else:
            folder = self.folder
        path = PurePosixPath(name)
        if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
            problem = f"{name!r} does not lie in the probe's folder. Copy the file there, or name it PROBE:FILE."
            raise self.refuse(keys, problem)
        if not (folder / path).resolve().is_relative_to(folder.resolve()):
            raise self.refuse(keys, f"{name!r} is a link that leads out of the probe's folder. Copy the file there.")
        return folder / path

    def refuse(self, keys: tuple[str, ...], problem: str) -> MaterialsError:
        """The error for one place in the YAML: `raise probe.refuse(("materials", "scale"), "has no points.")`."""
        lines = yaml_lines(self.source)
        known = next((keys[:end] for end in range(len(keys), 0, -1) if keys[:end] in lines), None)
        where = f"{self.source}, line {lines[known]}" if known else str(self.source)
        return MaterialsError(f"{where}: {problem}")


def probe_names() -> list[str]:
    """The probes that ship with Tacit or with an installed package."""
    return sorted(probe_folders())


def load_probe(name: str | Path) -> Probe:
    """A probe by its name, or a user's own by the path of its YAML file or folder."""
    require_path("probe", name)
    source = _source(str(name))
    fields = {"name": source.stem if source.stem != "probe" else source.parent.name, "version": 1, **read_yaml(source)}
    try:
        return Probe(**{"title": fields["name"], **fields}, folder=source.parent, source=source)
    except ValidationError as error:
        raise field_error(source, Probe, error) from None


def field_error(
    source: Path, shape: type[BaseModel], error: ValidationError, below: tuple[str, ...] = ()
) -> MaterialsError:
    """The error for the first thing that is wrong in a YAML file, with its line.

    Args:
        source: The YAML file.
        shape: The model that refused it.
        error: What the model said.
        below: The keys that lead to the part of the file that the model describes.
    """
    problems = error.errors()
    # A misspelled key is also reported as a missing one; the misspelling is what helps.
    first = next((problem for problem in problems if problem["type"] == "extra_forbidden"), problems[0])
    keys = (*below, *(str(part) for part in first["loc"]))
    lines = yaml_lines(source)
    named = next((keys[:end] for end in range(len(keys), 0, -1) if keys[:end] in lines), None)
    where = f"{source}, line {lines[named]}" if named else str(source)
    known = _known_keys(shape, first["loc"][:-1])
    if first["type"] == "extra_forbidden" and known:
        return MaterialsError(f"{where}: there is no key {keys[-1]!r} here: {did_you_mean(keys[-1], known)}")
    return MaterialsError(f"{where}: {plain_problem('.'.join(keys), problems, first)}.")


def _known_keys(shape: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The keys that a shape, or the shape nested in it at this path, accepts; none where the path leads elsewhere."""
    for part in path:
        field = shape.model_fields.get(str(part))
        nested = field.annotation if field else None
        if not (isinstance(nested, type) and issubclass(nested, BaseModel)):
            return []
        shape = nested
    return [field.alias or name for name, field in shape.model_fields.items()]


def _may_name_file(kind: Any) -> bool:
    """Whether a type is `FileName`, or a union with it."""
    return isinstance(kind, _NamesFile) or any(_may_name_file(part) for part in get_args(kind))


def _source(name: str) -> Path:
    folders = probe_folders()
    if name in folders:
        return folders[name] / _PROBE_FILE
    given = Path(name)
    if given.suffix in {".yaml", ".yml"}:
        return given
    if given.is_dir():
        if (given / _PROBE_FILE).is_file():
            return given / _PROBE_FILE
        raise MaterialsError(
            f"{name} is a folder without a {_PROBE_FILE}, so it is no probe. `tacit new METHOD DIR` writes one."
        )
    if given.exists():
        raise MaterialsError(f"{name} is not a YAML file. A probe is a file that ends in .yaml, or a folder with one.")
    if name.endswith(os.sep):
        raise MaterialsError(f"There is no folder {name}. Check the path; `tacit probes` lists the probes by name.")
    raise MaterialsError(f"There is no probe {name!r}: {did_you_mean(name, probe_names())}")
