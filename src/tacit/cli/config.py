"""Defaults of options from `tacit.toml`, checked against the commands that there are; the command line always wins."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from tacit.cli.config_file import ConfigFile, find_config
from tacit.cli.json_output import JSON_OPTION
from tacit.cli.prose import say
from tacit.errors import MaterialsError
from tacit.registry import did_you_mean

__all__ = ["NoConfig", "default_settings", "is_from_file", "make_default_map"]

_SET = "set"
_NEVER = ("force", "allow-pickle", "yes", "replace")
"""What switches off a safeguard is typed each time."""
_NO_DEFAULTS = ("help", "version", "no-config", "install-completion", "show-completion")
_NAMES_MODEL = ("model", "baseline")
_SEVERAL_MEANINGS = ("out",)
"""A folder of one command is a file of another."""


@dataclass
class _Default:
    """A value of the file: where it stands, and whether a command took it (if none did, why)."""

    keys: tuple[str, ...]
    value: Any
    used: bool = False
    problem: MaterialsError | None = field(default=None, repr=False)


def default_settings(ctx: typer.Context, probe: str) -> dict[str, str]:
    """The settings of a probe that the file gives for this command: those of all probes, then the probe's own."""
    settings: dict[str, str] = (ctx.default_map or {}).get(_SET, {})
    own = {}
    for name, value in sorted(settings.items(), key=lambda item: "." in item[0]):
        owner, dot, key = name.rpartition(".")
        if not dot or owner == probe:
            own[key] = value
    return own


def is_from_file(ctx: typer.Context, parameter: str) -> bool:
    """Whether an option has its value from the file and not from the command line."""
    source = ctx.get_parameter_source(parameter)
    return source is not None and source.name == "DEFAULT_MAP"


def make_default_map(config: ConfigFile, command: Any) -> dict[str, Any]:
    """The defaults by command and parameter, as the parser takes them; whatever is wrong in the file is refused."""
    everywhere: list[_Default] = []
    made = _defaults_of_group(config, command, config.content, (), {}, everywhere)
    for default in everywhere:
        if not default.used and default.problem is not None:
            raise default.problem
    return made


def _defaults_of_group(
    config: ConfigFile,
    group: Any,
    table: Mapping[str, Any],
    keys: tuple[str, ...],
    inherited: Mapping[str, _Default],
    everywhere: list[_Default],
) -> dict[str, Any]:
    options = dict(inherited)
    known = {name for below in _commands_below(group) for name in _options(below)}
    for name, value in table.items():
        if name in group.commands and isinstance(value, dict):
            continue
        here = (*keys, name)
        _require_known(config, here, [*known, *group.commands], isinstance(value, dict) and name != _SET)
        if name in _SEVERAL_MEANINGS:
            raise config.refuse(here, f"{name} means another thing for each command. Put it under one, such as [run].")
        options[name] = _Default(here, value)
        everywhere.append(options[name])
    # A group's own options are those that its commands take too, and -v given twice means more than once.
    made: dict[str, Any] = {}
    for name, command in group.commands.items():
        below = table.get(name, {})
        below = below if isinstance(below, dict) else {}
        if hasattr(command, "commands"):
            made[name] = _defaults_of_group(config, command, below, (*keys, name), options, everywhere)
            continue
        for key, value in below.items():
            nested = isinstance(value, dict) and key != _SET
            _require_known(config, (*keys, name, key), list(_options(command)), nested)
        own = {key: _Default((*keys, name, key), value) for key, value in below.items()}
        made[name] = _take(config, command, options, own)
    return made


def _take(
    config: ConfigFile, command: Any, shared: Mapping[str, _Default], own: Mapping[str, _Default]
) -> dict[str, Any]:
    """The defaults that a command can use: its own, which must fit, and those of all commands where they fit."""
    taken: dict[str, Any] = {}
    for name, parameter in _options(command).items():
        if name == _SET:
            taken[_SET] = {
                key: value
                for default in (shared.get(_SET), own.get(_SET))
                if default is not None
                for key, value in _settings(config, default).items()
            }
        elif name in own:
            taken[parameter.name] = _value(config, command, parameter, own[name])
        elif name in shared:
            try:
                taken[parameter.name] = _value(config, command, parameter, shared[name])
                shared[name].used = True
            except MaterialsError as problem:
                shared[name].problem = problem
    return taken


def _require_known(config: ConfigFile, keys: tuple[str, ...], known: Sequence[str], nested: bool) -> None:
    name = keys[-1]
    command = " ".join(("tacit", *keys[:-1]))
    if name in _NEVER:
        raise config.refuse(keys, f"{name} switches off a safeguard and can have no default. Type --{name} each time.")
    if name in _NO_DEFAULTS:
        raise config.refuse(keys, f"{name} can have no default. Remove it.")
    known = [other for other in dict.fromkeys(known) if other not in (*_NEVER, *_NO_DEFAULTS)]
    if nested or name not in known:
        what = "command or table" if nested else "option"
        raise config.refuse(keys, f"`{command}` has no {what} {name!r}: {did_you_mean(name, sorted(known))}")


def _commands_below(command: Any) -> Iterator[Any]:
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from _commands_below(below)


def _options(command: Any) -> dict[str, Any]:
    """The options of a command by their long names, without the dashes."""
    return {
        name.removeprefix("--"): parameter
        for parameter in command.params
        if parameter.param_type_name == "option"
        for name in parameter.opts
        if name.startswith("--")
    }


def _value(config: ConfigFile, command: Any, parameter: Any, default: _Default) -> Any:
    """The value as the command line would give it, after a trial that says what is wrong with it."""
    name, value = default.keys[-1], default.value
    if parameter.is_flag or isinstance(value, bool):
        if not (parameter.is_flag and isinstance(value, bool)):
            wanted = "true or false" if parameter.is_flag else "a text or a number"
            raise config.refuse(default.keys, f"{name} must be {wanted}, not {value!r}.")
        return value
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(part, str | int | float) and not isinstance(part, bool) for part in values):
        raise config.refuse(default.keys, f"{name} must be a text, a number or a list of them, not {value!r}.")
    texts = [_safe(config, default, parameter, str(part)) for part in values]
    if not parameter.multiple and len(texts) != 1:
        raise config.refuse(default.keys, f"`tacit {command.name}` takes one {name}, not {len(texts)}.")
    given = texts if parameter.multiple else texts[0]
    try:
        parameter.process_value(typer.Context(command), given)
    except typer.BadParameter as error:
        message = " ".join(error.message.split()).removeprefix("Value error, ").rstrip(".")
        raise config.refuse(default.keys, f"{name} cannot be {value!r} ({message}).") from None
    return given


def _safe(config: ConfigFile, default: _Default, parameter: Any, text: str) -> str:
    """A value that a file in a stranger's repository may set, with its path as it is from the current folder."""
    name = default.keys[-1]
    names_path = _names_path(parameter)
    if not config.trusted:
        problem = ""
        if name in _NAMES_MODEL and "://" in text:
            problem = "names a server, which would get your questions and your key"
        elif name == "executor" and text not in ("local", "ray"):
            problem = "names a cluster, whose processes run each other's code"
        elif name == "host":
            problem = "opens the page to others"
        elif names_path and not (config.folder / text).resolve().is_relative_to(config.folder.resolve()):
            problem = f"leads out of the folder of {config.path.name}"
        if problem:
            raise config.refuse(
                default.keys, f"{name} {text!r} {problem}. Type it, or name the file yourself in TACIT_CONFIG."
            )
    relative = names_path or (name in _NAMES_MODEL and text.startswith(("./", "../")))
    return os.path.relpath(config.folder / text) if relative and str(config.folder) != "." else text


def _names_path(parameter: Any) -> bool:
    descriptor = getattr(parameter, "type_descriptor", None)
    if descriptor is None:  # typer before 0.26
        return getattr(parameter.type, "name", "") in ("path", "file", "directory")
    return Path in (descriptor.annotation, *get_args(descriptor.annotation))


def _settings(config: ConfigFile, default: _Default) -> dict[str, str]:
    """The value of `set`: a table of settings, or a list of KEY=VALUE."""
    if isinstance(default.value, dict):
        return {name: _setting(config, (*default.keys, name), value) for name, value in default.value.items()}
    pairs = default.value if isinstance(default.value, list) else [default.value]
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=") if isinstance(pair, str) else ("", "", "")
        if not equals or not name.strip():
            raise config.refuse(default.keys, f"set takes a table of settings, or a list of KEY=VALUE, not {pair!r}.")
        settings[name.strip()] = value.strip()
    return settings


def _setting(config: ConfigFile, keys: tuple[str, ...], value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ",".join(_setting(config, keys, part) for part in value)
    if not isinstance(value, str | int | float):
        hint = f'Write "{keys[-1]}.KEY" in quotes for a setting of one probe.' if isinstance(value, dict) else ""
        problem = f"{keys[-1]} must be a text, a number, true or false, or a list of them."
        raise config.refuse(keys, f"{problem} {hint}".strip())
    return str(value)


def _use_config(ctx: typer.Context, ignored: bool) -> bool:
    if ctx.resilient_parsing or ignored:
        return ignored
    config = find_config()
    if config is not None:
        ctx.default_map = make_default_map(config, ctx.command)
        # A program that reads JSON from stderr gets no other line there.
        if config.content and (sys.stderr.isatty() or JSON_OPTION not in sys.argv):
            say(f"Defaults from {config.path} (tacit --no-config ignores them).", err=True)
    return ignored


NoConfig = Annotated[
    bool,
    typer.Option(
        "--no-config", is_eager=True, callback=_use_config, help="Ignore tacit.toml, the file of your own defaults."
    ),
]
