"""Connecting this process to a Ray cluster."""

from __future__ import annotations

import re
import socket

import ray
from ray.exceptions import RayError

from tacit.errors import TacitError

__all__ = ["connect"]

SECONDS_TO_CONNECT = 10
_ADDRESS = re.compile(r"(?:ray://)?(?P<host>[^/:\s]+|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})")


def connect(address: str) -> None:
    """Connect this process to a cluster, if it is not connected yet.

    Args:
        address: `ray://HOST:PORT` or `HOST:PORT`; "ray" joins the Ray that runs on this machine, or starts one.
    """
    if address != "ray" and not _ADDRESS.fullmatch(address):
        raise TacitError(
            f"There is no executor {address!r}. Use local, ray, or the address of a cluster: HOST:PORT or "
            "ray://HOST:PORT."
        )
    if ray.is_initialized():
        return
    if address != "ray":
        _require_listening(address)
    place = {"include_dashboard": False} if address == "ray" else {"address": address}
    try:
        ray.init(log_to_driver=False, logging_level="ERROR", **place)
    except (RayError, ConnectionError, TimeoutError, RuntimeError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise TacitError(f"The Ray cluster {address} cannot be used: {reason}") from None


def _require_listening(address: str) -> None:
    """Refuse an address where nothing listens: Ray itself would wait for minutes and write its log to the terminal."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS_TO_CONNECT):
            return
    except (OSError, OverflowError) as error:
        raise TacitError(
            f"The Ray cluster {address} cannot be reached: {error}. Start it with `ray start --head --port PORT`."
        ) from None
