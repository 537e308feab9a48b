"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from tacit.errors import MaterialsError
from tacit.registry import did_you_mean

__all__ = [
    "AllowPickle",
    "Begin",
    "Device",
    "Dtype",
    "ExecutorName",
    "Force",
    "ForceModel",
    "Gpus",
    "ModelNames",
    "Quiet",
    "Rehash",
    "SetOptions",
    "Threads",
    "Verbose",
    "Workers",
    "read_settings",
    "settings_of",
    "share_settings",
    "who_has",
]

SetOptions = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a setting (repeatable); PROBE.KEY=VALUE for one probe."),
]
ModelNames = Annotated[
    list[str] | None,
    typer.Option("--model", help="A standard, a folder, a GGUF file, an endpoint or a Hugging Face name; repeatable."),
]
Device = Annotated[str, typer.Option(help="Where the model runs: cpu, cuda, cuda:1, mps or auto.")]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1024,
        help="Processor threads that a model computes with (by default torch's choice; with Ray, of each worker, "
        "by default 1). It changes the speed, not the results.",
    ),
]
Dtype = Annotated[str, typer.Option(help="Precision of the weights: float32, bfloat16 or float16.")]
ExecutorName = Annotated[
    str, typer.Option("--executor", help="Where questions are answered: local, ray, or a cluster (ray://HOST:PORT).")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Ray: how many workers (by default one per processor).")]
Gpus = Annotated[float, typer.Option(min=0, max=64, help="Ray: GPUs, or the share of one, for each worker.")]
AllowPickle = Annotated[bool, typer.Option("--allow-pickle", help="Also load pickled weights.")]
Begin = Annotated[
    bool | None,
    typer.Option(
        "--begin/--no-begin", help="Put a begin token before a causal model's input (by default as its tokenizer does)."
    ),
]

ForceModel = Annotated[
    bool, typer.Option("--force", help="Ask a model even if it fails the checks at load, and record that.")
]
Rehash = Annotated[bool, typer.Option("--rehash", help="Read the model's files again for its fingerprint.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that Tacit did not write.")]
Verbose = Annotated[
    int,
    typer.Option(
        "--verbose",
        "-v",
        count=True,
        help="Say on stderr what Tacit does, step by step; -vv: libraries too.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only.")]


def read_settings(pairs: list[str] | None) -> dict[str, Any]:
    """Read the values of `--set`, such as `["k=3", "words=a,b"]`, into a mapping."""
    settings: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise MaterialsError(f"--set takes key=value, not {pair!r}. Write, for example, --set top=5.")
        settings[name.strip()] = value.strip()
    return settings


def settings_of(probe: str, settings: dict[str, Any], probes: Sequence[str]) -> dict[str, Any]:
    """The settings that are meant for one of several probes: those of all, then those with its name before the key."""
    own: dict[str, Any] = {}
    for name, value in settings.items():
        owner, dot, key = name.rpartition(".")
        if dot and owner not in probes:
            run = ", ".join(probes)
            raise MaterialsError(
                f"--set {name} names the probe {owner!r}, which is not run ({run}){_hint(owner, probes)}"
            )
        if not dot:
            own.setdefault(name, value)
        elif owner == probe:
            own[key] = value
    return own


def share_settings(settings: dict[str, Any], known: Mapping[str, Sequence[str]]) -> dict[str, dict[str, Any]]:
    """The settings of each probe; of several probes, those that have a setting get it, and one must.

    Args:
        settings: What `read_settings` read.
        known: The names of each probe's settings.
    """
    if len(known) == 1:
        return {probe: settings_of(probe, settings, [probe]) for probe in known}
    for name in settings:
        if "." not in name and not who_has(name, known):
            every = list(dict.fromkeys(other for names in known.values() for other in names))
            raise MaterialsError(f"None of {', '.join(known)} has a setting {name!r}: {did_you_mean(name, every)}")
    return {probe: _its_own(probe, settings, known) for probe in known}


def who_has(setting: str, known: Mapping[str, Sequence[str]]) -> list[str]:
    """The probes that have this setting."""
    return [probe for probe, names in known.items() if setting in names]


def _its_own(probe: str, settings: dict[str, Any], known: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    own = settings_of(probe, settings, list(known))
    # A wrong key that is meant for this probe alone stays, so that it is refused.
    return {key: value for key, value in own.items() if key in known[probe] or f"{probe}.{key}" in settings}


def _hint(owner: str, probes: Sequence[str]) -> str:
    """The end of the sentence: the probe that a misspelt name may mean, if there is one."""
    near = get_close_matches(owner, probes, n=1)
    return f": did you mean {near[0]!r}?" if near else "."
