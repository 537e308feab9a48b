"""Run what the pages show: python -m docs.check [--update] [PAGE...]

Python blocks of a page run one after the other in an empty folder. Console blocks are commands (`$ tacit ...`)
with what they print; `--update` writes what they print now. A block after a line `<!-- not run: REASON -->` is
left alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parent
_BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>.+?) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)
_TIMEOUT = 600


@dataclass(frozen=True)
class Block:
    """A block of code of a page.

    Attributes:
        kind: Its language.
        body: Its text.
        skipped: Why it is not run; empty if it is.
    """

    kind: str
    body: str
    skipped: str


def blocks(page: Path) -> Iterator[Block]:
    """The Python and console blocks of a page, in their order."""
    for match in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        if match["kind"] in ("python", "console"):
            yield Block(match["kind"], match["body"], match["reason"] or "")


def check_page(page: Path, *, update: bool = False, consoles: bool = True) -> list[str]:
    """Run the blocks of a page; one line per problem.

    Args:
        page: The page.
        update: Write what its commands print instead of comparing it.
        consoles: Run its commands too, not only its Python blocks.
    """
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        code = "\n".join(block.body for block in blocks(page) if block.kind == "python" and not block.skipped)
        if code:
            ended = _call([sys.executable, "-c", code], Path(folder))
            if ended.returncode:
                problems.append(f"{page.name}: a Python block fails: {ended.stderr.strip().splitlines()[-1]}")
        for block in blocks(page):
            if consoles and block.kind == "console" and not block.skipped:
                printed = _run_console(block.body, Path(folder))
                if update:
                    _replace(page, block.body, printed)
                elif printed != block.body:
                    problems.append(f"{page.name}: a command prints something else (python -m docs.check --update)")
    return problems


def _run_console(body: str, folder: Path) -> str:
    printed = []
    for line in body.splitlines():
        if line.startswith("$ "):
            output = _call(["bash", "-c", line[2:]], folder).stdout
            printed += [line, *(kept.rstrip() for kept in output.splitlines() if kept.strip())]
    return "\n".join(printed) + "\n"


def _call(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_TIMEOUT, check=False
    )


def _replace(page: Path, old: str, new: str) -> None:
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(f"```console\n{old}```", f"```console\n{new}```"), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Check the named pages, by default all; the exit code is 1 if anything fails."""
    update = "--update" in arguments
    named = [Path(name) for name in arguments if name != "--update"]
    problems: list[str] = []
    run = skipped = 0
    began = time.monotonic()
    for page in named or sorted(DOCS.rglob("*.md")):
        every = list(blocks(page))
        run += sum(not block.skipped for block in every)
        skipped += sum(bool(block.skipped) for block in every)
        problems += check_page(page, update=update)
    print("\n".join([*problems, f"{run} blocks run, {skipped} not run, {time.monotonic() - began:.0f} s."]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
