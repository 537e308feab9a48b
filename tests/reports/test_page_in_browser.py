"""The page as a reader meets it: in a real browser, from a file, without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tacit.models import Model
from tacit.reports.page import report
from tacit.runs import run
from tests.runs.making import make_hostile_probe

HOSTILE_TITLE = """Old <img src=x onerror="window.hit=1"> & "new" </script><script>window.hit=1</script>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = os.environ.get("TACIT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "these tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def written(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report about two models and a probe whose sentences mean harm."""
    folder = tmp_path_factory.mktemp("report")
    probe = make_hostile_probe(folder / "probe", HOSTILE_TITLE)
    runs = [run(probe, tiny(kind), folder / kind, cache=None) for kind in ("bert", "distilbert")]
    return report(runs, folder / "report.html", figures=folder / "figures")


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    """The page with all its charts drawn; whatever it complains of fails the test."""
    yield from _open(browser, written, width=1280, scheme="light")


def test_charts_are_drawn_with_a_size(page: Page) -> None:
    charts = page.locator("figure .chart svg")
    assert charts.count() == page.locator("figure").count() >= 2
    for box in (charts.nth(number).bounding_box() for number in range(charts.count())):
        assert box is not None
        assert box["width"] > 100
        assert box["height"] > 60


def test_every_chart_has_words_for_a_blind_reader(page: Page) -> None:
    for label in page.locator("figure .chart").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))"):
        assert len(label) > 40


def test_a_click_sorts_by_number_up_and_down(page: Page) -> None:
    values = _column(page, "value")
    header = page.locator("#s1-measures th", has_text="value")
    header.get_by_role("button").click()
    assert _column(page, "value") == sorted(values)
    assert header.get_attribute("aria-sort") == "ascending"
    header.get_by_role("button").click()
    assert _column(page, "value") == sorted(values, reverse=True)
    assert header.get_attribute("aria-sort") == "descending"


def test_the_keyboard_sorts_too(page: Page) -> None:
    page.locator("#s1-measures th button").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#s1-measures th").first.get_attribute("aria-sort") == "ascending"


def test_search_leaves_the_rows_that_hold_the_words(page: Page) -> None:
    everything = page.locator("#s1-measures tbody tr:visible").count()
    page.locator("#s1-measures input").fill("beta old")
    shown = page.locator("#s1-measures tbody tr:visible").all_inner_texts()
    assert 0 < len(shown) < everything
    assert all("beta" in text.lower() and "old" in text.lower() for text in shown)
    page.locator("#s1-measures input").fill("")
    assert page.locator("#s1-measures tbody tr:visible").count() == everything


def test_hostile_text_is_shown_and_not_run(page: Page) -> None:
    assert page.evaluate("window.hit") is None
    assert HOSTILE_TITLE in page.locator("h2").all_inner_texts()
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    text = page.locator("main").inner_text()
    assert "<script>window.hit=1</script>\"'`${1+1}" in text
    assert "שלום" in text
    assert "🏳️‍🌈" in text
    assert "x" * 10_000 in text.replace("\n", "")
    assert page.locator("main img, main iframe").count() == 0


def test_the_page_never_scrolls_sideways_on_a_phone(browser: Browser, written: Path) -> None:
    for page in _open(browser, written, width=390, scheme="dark"):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser: Browser, written: Path, scheme: str) -> None:
    for page in _open(browser, written, width=1280, scheme=scheme):
        for selector in ("body", ".lead", ".note", ".card a", "th button", "td", "figcaption", ".chart svg text"):
            assert page.evaluate(_CONTRAST, selector) >= 4.5, selector


def test_ids_are_unique_and_links_lead_somewhere(page: Page) -> None:
    ids = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))
    links = page.locator("a[href^='#']").evaluate_all("all => all.map(one => one.getAttribute('href').slice(1))")
    assert set(links) <= set(ids)


def test_nothing_is_asked_of_a_network(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    head = text[: text.index("</head>")]
    assert "default-src 'none'" in head
    assert "<link" not in head
    assert "src=" not in head.replace("default-src", "").replace("-src", "")


def test_figures_are_written_for_a_paper(written: Path) -> None:
    figures = written.parent / "figures"
    for svg in figures.glob("*.svg"):
        assert svg.read_text().startswith("<svg")
        assert svg.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert svg.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    assert len(list(figures.glob("*.svg"))) >= 2


def test_it_prints_on_white_with_every_chart(browser: Browser, written: Path) -> None:
    for page in _open(browser, written, width=1280, scheme="dark"):
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        fill = page.locator(".chart svg text").first.evaluate("one => getComputedStyle(one).fill")
        assert fill == "rgb(0, 0, 0)"
        assert len(page.pdf()) > 20_000


_CONTRAST = """selector => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(v => linear(v / 255))
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const element = document.querySelector(selector);
  const style = getComputedStyle(element);
  const ink = numbers(element instanceof SVGElement ? style.fill : style.color);
  let ground = element, paper = [0, 0, 0, 0];
  while (ground && (paper[3] ?? 1) === 0) {
    paper = numbers(getComputedStyle(ground).backgroundColor);
    ground = ground.parentElement;
  }
  const [a, b] = [light(ink), light(paper)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}"""


def _open(browser: Browser, path: Path, width: int, scheme: Any) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    complaints: list[str] = []
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn=all]", state="attached")
    yield page
    context.close()
    assert complaints == []


def _column(page: Page, name: str) -> list[float]:
    table = page.locator("#s1-measures")
    headers = table.locator("th").all_inner_texts()
    place = headers.index(name) + 1
    cells = table.locator(f"tbody td:nth-child({place})")
    return [float(key) for key in cells.evaluate_all("all => all.map(one => one.dataset.k)") if key]
