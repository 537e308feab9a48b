"""GGUF files: quantized causal models in a single file, converted once and then loaded like any model folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tacit.errors import ModelError
from tacit.models.base import Model
from tacit.models.explaining import explained
from tacit.models.gguf_header import read_header
from tacit.models.hf.files import ModelFiles
from tacit.models.hf.fingerprint import known_hash
from tacit.models.status import status
from tacit.storage import cache_folder

__all__ = ["LOADER", "GGUFFile", "GGUFLoader", "convert_gguf", "require_gguf"]


# Part of the name of a converted folder: raise it whenever the conversion changes.
_CONVERSION = 1
# A conversion needs room for the weights in single precision, and some more must stay free.
_SPARE_BYTES = 1_000_000_000


class GGUFFile(ModelFiles):
    """A GGUF file, which holds the configuration, the tokenizer and the weights of a model.

    Attributes:
        path: The file.
        header: Its metadata.
        converted: The folder in the cache that the file is converted to.
    """

    def __init__(self, name: str) -> None:
        """Take the path of an existing file, and reject it if its header is damaged."""
        self.path = Path(name).expanduser()
        self.header = read_header(self.path)
        self.converted = cache_folder() / "gguf" / f"{known_hash(self.path)[:32]}-{_CONVERSION}"
        super().__init__(name, str(self.path.parent))

    def prepare(self) -> None:
        """Convert the file unless it has been converted before; without enough disk space it is read directly."""
        if not self.converted.is_dir() and not self._convert():
            return
        self.location = str(self.converted)

    def check(self) -> None:
        """Reject a header that claims more layers than there are tensors."""
        layers = self.header.values.get(f"{self.header.values.get('general.architecture')}.block_count", 0)
        if not isinstance(layers, int) or layers > self.header.tensors:
            raise ModelError(f"{self.path} is damaged: it claims {layers} layers. Fetch the file again.")

    def begin(self) -> bool | None:
        """What the file says about the begin token, which transformers ignores (SentencePiece adds one by default)."""
        flag = self.header.values.get("tokenizer.ggml.add_bos_token")
        if isinstance(flag, bool):
            return flag
        return True if self.header.values.get("tokenizer.ggml.model") == "llama" else None

    def arguments(self) -> dict[str, Any]:
        """The arguments that make `from_pretrained` read this file instead of the folder around it."""
        return {} if self.location == str(self.converted) else {"gguf_file": self.path.name}

    def weight_arguments(self, allow_pickle: bool) -> dict[str, Any]:
        """GGUF is never pickled, so there is nothing to check."""
        return self.arguments()

    def weight_bytes(self) -> int:
        """The size of the weights in single precision."""
        return 4 * self.header.numbers

    def _convert(self) -> bool:
        """Convert the file into the cache; False if the cache has no room for it or cannot be written."""
        folder = self.converted.with_name(f".{self.converted.name}-{os.getpid()}")
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(folder.parent).free < self.weight_bytes() + _SPARE_BYTES:
                return False
            with status(f"Converting {self.path.name} (only once) …"):
                convert_gguf(self.path, folder)
            folder.rename(self.converted)
        except OSError:
            # Another process may have been faster; a full or read-only disk only means to read the file directly.
            return self.converted.is_dir()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return True

    def paths(self) -> list[Path]:
        """The file itself: whatever else is in its folder does not belong to the model."""
        return [self.path]


class GGUFLoader:
    """Loads `.gguf` files."""

    def accepts(self, path: Path) -> bool:
        """Whether this is a GGUF file."""
        return path.is_file() and path.suffix == ".gguf"

    def load(self, name: str, **options: Any) -> Model:
        """Load the file of that name, with the options of `tacit.load`."""
        if not self.accepts(Path(name).expanduser()):
            raise ModelError(f"There is no GGUF file {name}. Give the path of a .gguf file.")
        require_gguf()
        from tacit.models.hf.loading import load_files  # noqa: PLC0415 - imports torch

        file = GGUFFile(name)
        file.check()
        with explained(f"The GGUF file {name} cannot be converted"):
            file.prepare()
        return load_files(file, **options)


LOADER = GGUFLoader()


def require_gguf() -> None:
    """Raise an error unless the packages that read GGUF files are installed."""
    if not (find_spec("gguf") and find_spec("accelerate")):
        raise ModelError("GGUF files need two more packages. Run pip install 'tacit[gguf]'.")


def convert_gguf(path: Path, folder: Path) -> None:
    """Write the model in a GGUF file as a normal model folder, in single precision."""
    import torch  # noqa: PLC0415 - slow to import
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    logging.disable_progress_bar()
    arguments = {"gguf_file": path.name}
    AutoTokenizer.from_pretrained(path.parent, **arguments).save_pretrained(folder)
    # Half precision would round the dequantized weights a second time.
    with _without_tensor_bar():
        dequantized = AutoModelForCausalLM.from_pretrained(path.parent, dtype=torch.float32, **arguments)
    # transformers refuses to save a model that it considers quantized, although the weights are plain numbers by now.
    weights = dequantized.state_dict()
    del dequantized.config.quantization_config
    plain = AutoModelForCausalLM.from_config(dequantized.config, dtype=torch.float32)
    plain.load_state_dict(weights)
    plain.save_pretrained(folder)


@contextmanager
def _without_tensor_bar() -> Iterator[None]:
    """Keep transformers' bar over the tensors of a GGUF file, which its own switch does not reach, out of log files."""
    from transformers import modeling_gguf_pytorch_utils as reading  # noqa: PLC0415

    bar = reading.tqdm
    reading.tqdm = partial(bar, disable=True)
    try:
        yield
    finally:
        reading.tqdm = bar
