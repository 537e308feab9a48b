"""`tacit serve`: the live page on one's own machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.arguments import require_path
from tacit.cli.prose import say
from tacit.errors import TacitError

__all__ = ["serve"]

_LOCAL = {"127.0.0.1", "localhost", "::1"}


def serve(
    runs: Annotated[Path, typer.Argument(metavar="[RUNS]", help="The folder of runs.")] = Path("runs"),
    model: Annotated[
        list[str] | None, typer.Option(help="A model that can be asked, beside the standards (repeatable).")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8765,
    host: Annotated[str, typer.Option(help="Another address than loopback needs a password, which is printed.")] = (
        "127.0.0.1"
    ),
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Explore models, look at runs and start them, and let people rate: a live page on this machine."""
    import secrets
    import socket

    try:
        import uvicorn

        from tacit.serve.app import LOOPBACK, create_app
    except ModuleNotFoundError as error:
        raise TacitError(f"The live page needs {error.name}. Install it with: pip install 'tacit[serve]'.") from None
    from tacit.standards import shipped_names

    require_path("runs", runs)
    if runs.exists() and not runs.is_dir():
        raise TacitError(f"{runs} is not a folder. Name the folder of your runs.")
    local = host in _LOCAL
    password = None if local else secrets.token_urlsafe(12)
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, TypeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TacitError(f"{host[:60]}:{port} cannot be used: {reason}. Choose another --host or --port.") from None
    app = create_app(
        runs, [*shipped_names(), *(model or [])], _load, password=password, hosts=LOOPBACK if local else None
    )
    address = f"http://{host}:{listening.getsockname()[1]}/"
    say(f"Tacit is at {address} (runs in {runs}). Ctrl-C ends it.")
    if password:
        typer.echo(f"Password: {password}")
        say("Everybody in your network can reach this address. Raters need only their link.", err=True)
    if browser:
        typer.launch(address)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
    server.run(sockets=[listening])


def _load(name: str):  # type: ignore[no-untyped-def]
    from tacit.models import load

    return load(name)
