"""Running a command in a terminal of its own, to see what a person sees there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

_PATIENT = "from tacit.cli.main import main; main()"
_IMPATIENT = "import tacit.asking.progress as progress; progress.PATIENCE = 0; " + _PATIENT


def in_terminal(words: Sequence[object], cwd: Path, *, columns: int = 80, impatient: bool = False) -> tuple[int, str]:
    """The exit code of `tacit WORDS` and everything that it showed on a terminal of so many columns.

    With `impatient`, progress that is shown after two seconds is shown at once.
    """
    screen, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    command = [sys.executable, "-c", _IMPATIENT if impatient else _PATIENT, *map(str, words)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(command, cwd=cwd, stdin=end, stdout=end, stderr=end, env=environment)
    os.close(end)
    shown = b""
    while chunk := _read(screen):
        shown += chunk
    os.close(screen)
    return process.wait(), plain(shown.decode(errors="replace"))


def plain(shown: str) -> str:
    """What was shown, without colors and movements of the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "\n")


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # Linux says so when the other end is closed
        return b""
