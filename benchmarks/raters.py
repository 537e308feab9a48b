"""Fifty people rate at once, against a real server on loopback: how long an answer takes, and whether one is lost.

python -m benchmarks.raters              # 50 raters, 20 answers each
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles

import httpx2 as httpx

from tacit.ratings.online import OnlineItem, OnlineSheets

POINTS = {"-1": "old", "-0.5": "rather old", "0": "neither", "0.5": "rather new", "1": "new"}
SLOWEST_MEDIAN = 0.1


def main() -> None:
    """Start a server, let everybody rate, count what is stored."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--raters", type=int, default=50)
    parser.add_argument("--answers", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        store = OnlineSheets(home / "sheets.sqlite")
        items = [
            OnlineItem(n, f"s{n}", f"Why wilt [MASK] {n}?", f"w{n}", tuple(POINTS)) for n in range(options.answers)
        ]
        sheet = store.create("temporal", "scale", POINTS, items)
        links = [f"/sheet/{store.invite(sheet.id, f'rater {n}').token}" for n in range(options.raters)]
        seconds = _rate(home, links, options.answers)
        stored = len(store.answers(sheet.id))
    wanted = options.raters * options.answers
    slow = quantiles(seconds, n=20)[-1]
    print(f"{options.raters} raters at once: median {median(seconds) * 1000:.0f} ms, 95 % within {slow * 1000:.0f} ms")
    print(f"{stored} of {wanted} answers are stored")
    sys.exit(0 if stored == wanted and median(seconds) < SLOWEST_MEDIAN else 1)


def _rate(home: Path, links: list[str], count: int) -> list[float]:
    command = [sys.executable, "-m", "tacit", "serve", str(home / "runs"), "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_environment(home))
    assert server.stdout is not None
    address = server.stdout.readline().split()[3].rstrip("/")
    seconds: list[float] = []
    threads = [threading.Thread(target=_rate_all, args=(address + link, count, seconds)) for link in links]
    try:
        _wait(address)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        server.kill()
        server.wait()
    return seconds


def _environment(home: Path) -> dict[str, str]:
    import os  # noqa: PLC0415 - only here

    return {**os.environ, "TACIT_HOME": str(home), "TACIT_CACHE": str(home / "cache")}


def _wait(address: str) -> None:
    for _ in range(300):
        try:
            httpx.get(address + "/static/serve.css")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return


def _rate_all(link: str, count: int, seconds: list[float]) -> None:
    """One rater: reads for a second, answers, reads on."""
    with httpx.Client(timeout=60) as client:
        page = client.get(link).text
        for _ in range(count):
            fields = dict(re.findall(r'name="(csrf|number)" value="([^"]*)"', page))
            time.sleep(1.0)
            began = time.perf_counter()
            page = client.post(f"{link}/answer", data={**fields, "value": "0.5"}, headers={"hx-request": "true"}).text
            seconds.append(time.perf_counter() - began)


if __name__ == "__main__":
    main()
