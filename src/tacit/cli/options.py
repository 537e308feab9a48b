"""What several commands share: reading `--set key=value`, and the options about models."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tacit.errors import TacitError

__all__ = ["AllowPickle", "Begin", "Device", "Dtype", "Force", "SetOptions", "read_settings"]

SetOptions = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the probe; repeatable.")
]
Device = Annotated[str, typer.Option(help="Where the model computes: cpu, cuda, mps.")]
Dtype = Annotated[str, typer.Option(help="The precision of the model's numbers.")]
AllowPickle = Annotated[bool, typer.Option("--allow-pickle", help="Also load weights that are pickled.")]
Begin = Annotated[
    bool | None,
    typer.Option("--begin/--no-begin", help="Whether a causal model gets a begin token; default: its own convention."),
]

Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that Tacit did not write.")]


def read_settings(pairs: list[str] | None) -> dict[str, Any]:
    """`["k=3", "words=a,b"]` as a mapping."""
    settings: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise TacitError(f"--set takes key=value, not {pair!r}.")
        settings[name.strip()] = value.strip()
    return settings
