"""A page in a real browser; whatever it complains of fails the test."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

__all__ = ["DESK", "HOSTILE_TITLE", "PHONE", "axe_complaints", "open_fold", "opened", "wait_until"]

HOSTILE_TITLE = """Old <img src=x onerror="window.hit=1"> & "new" </script><script>window.hit=1</script>"""
PHONE, DESK = 390, 1280


@contextmanager
def opened(
    browser: Browser, path: Path, *, width: int = DESK, scheme: Any = "light", fragment: str = ""
) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    page = context.new_page()
    page.set_default_timeout(90_000)
    complaints: list[str] = []
    page.on("console", lambda told: complaints.append(f"{told.type}: {told.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri() + fragment)
    page.wait_for_selector("html[data-drawn=all]", state="attached")
    yield page
    context.close()
    assert complaints == [], complaints


def wait_until(page: Page, condition: str) -> None:
    """Wait for a condition. Playwright's own way evaluates text inside the page, which its policy forbids."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never came true: {condition}")


def open_fold(page: Page, name: str) -> None:
    page.evaluate("name => { document.getElementById(name).open = true }", name)
    fold = page.locator(f"#{name}")
    if fold.locator("> .table").count():
        fold.locator("> .table tbody tr").first.wait_for()


def axe_complaints(page: Page) -> list[tuple[str, list[list[str]]]]:
    """What axe-core's rules for people who cannot see or point find wrong with a page: rule and places."""
    path = Path(os.environ.get("TACIT_AXE") or Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js")
    assert path.is_file(), "these tests need axe-core: make browser"
    page.evaluate(f"() => {{ {path.read_text(encoding='utf-8')} }}")
    found = page.evaluate("async () => (await axe.run(document)).violations")
    return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found]
