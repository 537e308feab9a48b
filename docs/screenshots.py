"""Take the pictures of docs/images from the runs of a tour: python docs/screenshots.py tour/runs (some minutes)."""

from __future__ import annotations

import socket
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

import tacit
from tacit.serve import create_app

IMAGES = Path(__file__).parent / "images"
SENTENCE = {"text": "Wherefore dost [MASK] cry?", "model": ["early-modern", "modern"], "swap": "cry", "with": "sing"}


def main() -> None:
    """Make a report, start the live page, and look at both as a person would."""
    runs = Path(sys.argv[1])
    url = _serve(runs)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        _shoot_overview(browser, runs)
        page = browser.new_page(viewport={"width": 1000, "height": 700})
        page.goto(f"{url}/?{urlencode(SENTENCE, doseq=True)}")
        page.locator(".bars").nth(1).wait_for(timeout=120_000)
        _shoot(page, "explore", 780)
        page.goto(f"{url}/runs")
        _shoot(page, "runs", 600)
        ticks = "&".join(f"run=temporal/{model}" for model in ("early-modern", "modern"))
        page.goto(f"{url}/runs/view?{ticks}")
        page.locator("#overview").wait_for(timeout=120_000)
        _shoot(page, "report", 900)
        page.goto(f"{url}/track")
        _shoot(page, "track", 600)
        page.set_viewport_size({"width": 390, "height": 760})
        page.goto(url + _new_sheet(page, url))
        _shoot(page, "rate", 760)
        browser.close()


def _shoot_overview(browser: Browser, runs: Path) -> None:
    with TemporaryDirectory() as folder:
        written = tacit.report([runs], Path(folder) / "report.html")
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        page.goto(written.as_uri())
        page.locator("#overview").screenshot(path=IMAGES / "overview.jpg", type="jpeg", quality=80)
        page.close()


def _shoot(page: Page, name: str, height: int) -> None:
    width = page.evaluate("innerWidth")
    area = {"x": 0, "y": 0, "width": width, "height": height}
    page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=72, clip=area, full_page=True)  # type: ignore[arg-type]


def _new_sheet(page: Page, url: str) -> str:
    page.goto(f"{url}/rate")
    page.select_option("#probe", "temporal")
    page.get_by_label("Also words that are rated already").check()
    page.get_by_role("button", name="Make the sheet").click()
    page.fill("#name", "Ada")
    page.get_by_role("button", name="Make a link").click()
    return str(page.get_by_role("link", name="/sheet/").first.get_attribute("href"))


def _serve(runs: Path) -> str:
    app = create_app(runs, ["early-modern", "modern"], tacit.load)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


if __name__ == "__main__":
    main()
