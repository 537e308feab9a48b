"""GGUF files: quantized causal models in a single file, read through transformers."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tacit.errors import ModelError
from tacit.models.base import Model
from tacit.models.hf.files import ModelFiles

__all__ = ["LOADER", "GGUFFile", "GGUFLoader", "convert_gguf", "require_gguf"]


class GGUFFile(ModelFiles):
    """A GGUF file, which holds the configuration, the tokenizer and the weights of a model."""

    def __init__(self, name: str) -> None:
        """Take the path of an existing file."""
        self.path = Path(name).expanduser()
        super().__init__(name, str(self.path.parent))

    def arguments(self) -> dict[str, Any]:
        """The arguments that make `from_pretrained` read this file instead of the folder around it."""
        return {"gguf_file": self.path.name}

    def weight_arguments(self, allow_pickle: bool) -> dict[str, Any]:
        """GGUF is never pickled, so there is nothing to check."""
        return self.arguments()

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

        return load_files(GGUFFile(name), **options)


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
    arguments = GGUFFile(str(path)).arguments()
    AutoTokenizer.from_pretrained(path.parent, **arguments).save_pretrained(folder)
    # Half precision would round the dequantized weights a second time.
    dequantized = AutoModelForCausalLM.from_pretrained(path.parent, dtype=torch.float32, **arguments)
    # transformers refuses to save a model that it considers quantized, although the weights are plain numbers by now.
    weights = dequantized.state_dict()
    del dequantized.config.quantization_config
    plain = AutoModelForCausalLM.from_config(dequantized.config, dtype=torch.float32)
    plain.load_state_dict(weights)
    plain.save_pretrained(folder)
