"""The page as a reader meets it: in a real browser, from a file, without a network."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tacit.figure import Figure
from tacit.methods import get_method
from tacit.models import Model
from tacit.reports.page import render_page, report
from tacit.reports.sections import sections
from tacit.runs import Run, run
from tests.methods.sentiment.fixtures import write_probe
from tests.methods.sentiment.test_runs import REVIEWS, WORDS
from tests.runs.making import make_hostile_probe

HOSTILE_TITLE = """Old <img src=x onerror="window.hit=1"> & "new" </script><script>window.hit=1</script>"""
PHONE, DESK = 390, 1280


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = os.environ.get("TACIT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "these tests need Chromium: make browser"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def runs(tiny: Callable[[str], Model], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Two models on a probe whose sentences mean harm, with other settings than its own."""
    folder = tmp_path_factory.mktemp("runs")
    probe = make_hostile_probe(folder / "probe", HOSTILE_TITLE)
    return [run(probe, tiny(kind), folder / kind, {"resamples": 500}, cache=None) for kind in ("bert", "distilbert")]


@pytest.fixture(scope="module")
def written(runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report about them."""
    folder = tmp_path_factory.mktemp("report")
    return report(runs, folder / "report.html", figures=folder / "figures")


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    """The page with all its charts drawn; whatever it complains of fails the test."""
    with _opened(browser, written) as page:
        yield page


def test_the_overview_has_a_row_per_probe_a_column_per_model_and_a_plot_per_cell(page: Page, runs: list[Run]) -> None:
    table = page.locator("table.overview")
    assert table.locator("thead th").all_inner_texts() == ["Question", *sorted(run.model for run in runs)]
    cells = table.locator("tbody td")
    assert cells.count() == len(runs)
    for place in range(cells.count()):
        dot = cells.nth(place).locator("svg.plot circle").bounding_box()
        plot = cells.nth(place).locator("svg.plot").bounding_box()
        assert dot is not None
        assert plot is not None
        assert plot["x"] - 5 <= dot["x"] <= plot["x"] + plot["width"]
        assert plot["width"] > 100
    top = table.bounding_box()
    assert top is not None
    assert top["y"] < 400


def test_a_section_shows_one_figure_and_folds_the_rest(page: Page) -> None:
    assert page.locator("section.probe .chart svg").count() == 1
    fold = page.locator("#probe-hostile-figures")
    assert fold.locator(".chart svg").count() == 0
    fold.locator("summary").first.click()
    drawn = fold.locator(".chart svg").first
    drawn.wait_for()
    box = drawn.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert box["height"] > 60


def test_the_banner_names_the_settings_that_differ(page: Page) -> None:
    assert "resamples = 500 (default: 5000)" in page.locator(".banner").inner_text()


def test_the_example_shows_what_each_model_filled_in(page: Page, runs: list[Run]) -> None:
    words = page.locator(".fillings .filling").first.locator(".word").all_inner_texts()
    best = next(run for run in runs if run.model == sorted(run.model for run in runs)[0])
    assert words == best.answers.filter(best.answers["sentence"] == "s000").sort("rank")["token"].head(5).to_list()
    _open_fold(page, "probe-hostile-sentences")
    table = page.locator("#probe-hostile-sentences table")
    assert table.locator("tbody tr").count() == 12
    assert table.locator("thead th").all_inner_texts()[1:] == ["sentence", *sorted(run.model for run in runs)]


def test_every_chart_has_words_for_a_blind_reader(page: Page) -> None:
    for label in page.locator("figure .chart").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))"):
        assert len(label) > 40


def test_a_click_sorts_by_number_up_and_down(page: Page) -> None:
    _open_fold(page, "probe-hostile-tables")
    _open_fold(page, "probe-hostile-items")
    header = page.locator("#probe-hostile-items th.n").first
    values = _column(page)
    header.get_by_role("button").click()
    assert _column(page) == sorted(values)
    assert header.get_attribute("aria-sort") == "ascending"
    header.get_by_role("button").click()
    assert _column(page) == sorted(values, reverse=True)
    assert header.get_attribute("aria-sort") == "descending"


def test_the_keyboard_opens_folds_and_sorts(page: Page) -> None:
    page.locator("#probe-hostile-sentences > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#probe-hostile-sentences th button").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#probe-hostile-sentences th").first.get_attribute("aria-sort") == "ascending"


def test_search_leaves_the_rows_that_hold_the_words(page: Page) -> None:
    _open_fold(page, "probe-hostile-sentences")
    table = page.locator("#probe-hostile-sentences")
    table.locator("input").fill("MAN  old")
    shown = table.locator("tbody tr").all_inner_texts()
    assert 0 < len(shown) < 12
    assert all("man" in text and "old" in text for text in shown)
    assert table.locator(".count").inner_text() == f"{len(shown)} of 12 rows"
    table.locator("input").fill("")
    assert table.locator("tbody tr").count() == 12


def test_hostile_text_is_shown_and_not_run(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    page.locator("#probe-hostile-sentences tbody tr").first.wait_for()
    page.evaluate("document.querySelectorAll('td details').forEach(one => one.open = true)")
    assert page.evaluate("window.hit") is None
    assert any(HOSTILE_TITLE in text for text in page.locator("h2").all_inner_texts())
    text = page.locator("main").inner_text()
    assert "<script>window.hit=1</script>\"'`${1+1}" in text
    assert "שלום" in text
    assert "🏳️‍🌈" in text
    assert "x" * 10_000 in text.replace("\n", "")
    assert page.locator("main img, main iframe").count() == 0


def test_the_contents_stay_in_sight_and_follow_the_reader(page: Page) -> None:
    page.locator("nav.contents a", has_text="hostile").click()
    _wait_until(page, "document.querySelector('nav.contents a[aria-current]')?.textContent === 'hostile'")
    assert page.locator("nav.contents").evaluate("one => one.getBoundingClientRect().top") == 0


def test_a_link_opens_the_fold_that_it_leads_into(browser: Browser, written: Path) -> None:
    with _opened(browser, written, fragment="#probe-hostile-valence-delta") as page:
        page.locator("#probe-hostile-valence-delta .chart svg").wait_for()
        top = page.locator("#probe-hostile-valence-delta").evaluate("one => one.getBoundingClientRect().top")
        assert -5 <= top <= 400


def test_ids_are_unique_and_links_lead_somewhere(page: Page) -> None:
    ids = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))
    links = page.locator("a[href^='#']").evaluate_all("all => all.map(one => one.getAttribute('href').slice(1))")
    assert set(links) <= set(ids)


@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_axe_finds_nothing_to_complain_of(browser: Browser, written: Path, width: int, scheme: str) -> None:
    with _opened(browser, written, width=width, scheme=scheme) as page:
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page.locator("#probe-hostile-items tbody tr").first.wait_for()
        page.evaluate(f"() => {{ {_axe()} }}")
        found = page.evaluate("async () => (await axe.run(document)).violations")
        assert [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_in_charts_stands_out_from_its_ground(browser: Browser, written: Path, scheme: str) -> None:
    with _opened(browser, written, scheme=scheme) as page:
        assert page.evaluate(_CONTRAST, ".chart svg text") >= 4.5


def test_figures_of_all_methods_fit_a_phone_and_fill_a_desk(
    browser: Browser, runs: list[Run], tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    path = tmp_path / "figures.html"
    (section,) = sections(runs)
    figures = _figures_of_all_methods(tiny("bert"), tmp_path)
    path.write_text(render_page([replace(section, figures=figures)]), encoding="utf-8")
    for width in (PHONE, DESK):
        with _opened(browser, path, width=width) as page:
            _open_fold(page, "probe-hostile-figures")
            _wait_until(page, "document.querySelectorAll('.chart:not([data-done])').length === 0")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            sizes = page.locator(".chart").evaluate_all(_CHART_SIZES)
            too_wide = [name for name, room, drawn, _ in sizes if drawn > room + 1]
            shrunk = [(name, natural, room) for name, room, _, natural in sizes if natural > 1.35 * room]
            assert (too_wide, shrunk) == ([], [])


def test_the_page_never_scrolls_sideways_on_a_phone(browser: Browser, written: Path) -> None:
    with _opened(browser, written, width=PHONE, scheme="dark") as page:
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page.locator("#probe-hostile-items tbody tr").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
        page.get_by_role("button", name="Contents").click()
        assert page.locator("nav.contents a").first.is_visible()
        page.keyboard.press("Escape")
        assert not page.locator("nav.contents a").first.is_visible()


def test_nothing_is_asked_of_a_network_and_no_text_is_evaluated(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    head = text[: text.index("</head>")]
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', head)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-")
    assert "unsafe-eval" not in policy[1]
    assert "'unsafe-inline'" not in policy[1].partition("script-src")[2]
    assert "<link" not in head
    assert "src=" not in head.replace("default-src", "").replace("-src", "")


def test_figures_are_written_for_a_paper(written: Path) -> None:
    figures = written.parent / "figures"
    for svg in figures.glob("*.svg"):
        assert svg.read_text().startswith("<svg")
        assert svg.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert svg.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    assert len(list(figures.glob("*.svg"))) >= 2


def test_it_prints_on_white_with_its_limits_and_numbers(browser: Browser, written: Path) -> None:
    with _opened(browser, written, scheme="dark") as page:
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        assert page.locator("nav.contents").is_hidden()
        fill = page.locator(".chart svg text").first.evaluate("one => getComputedStyle(one).fill")
        assert fill == "rgb(0, 0, 0)"
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert page.get_by_text("It shows nothing about people.").is_visible()
        assert page.locator("#probe-hostile-measures").is_visible()
        assert len(page.pdf()) > 20_000


def test_the_same_runs_give_the_same_page(written: Path, runs: list[Run], tmp_path: Path) -> None:
    again = report(runs[::-1], tmp_path / "again.html")
    assert again.read_bytes() == written.read_bytes()


def test_data_are_packed_as_they_are(written: Path, runs: list[Run]) -> None:
    packed = re.findall(r'<script type="application/gzip">([^<]+)</script>', written.read_text(encoding="utf-8"))
    tables = [data for data in (json.loads(gzip.decompress(b64decode(text))) for text in packed) if "rows" in data]
    items = next(data for data in tables if any(column["name"] == "item" for column in data["columns"]))
    measured = runs[0].measures.filter(runs[0].measures["item"].is_not_null())
    assert len(items["rows"]) == measured.height


_CHART_SIZES = """all => all.map(one => [one.closest("figure").id, one.clientWidth,
  one.querySelector("svg").getBoundingClientRect().width, one.querySelector("svg").viewBox.baseVal.width])"""

_CONTRAST = """selector => {
  const numbers = color => color.match(/[\\d.]+/g).map(Number);
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


def _axe() -> str:
    path = Path(os.environ.get("TACIT_AXE") or Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js")
    assert path.is_file(), "these tests need axe-core: make browser"
    return path.read_text(encoding="utf-8")


def _figures_of_all_methods(model: Model, folder: Path) -> list[Figure]:
    """The figures that every method draws of two models with long names, whether or not they can be interpreted."""
    sentiment = {}
    for method in ("association", "shift"):
        (folder / method).mkdir()
        sentiment[method] = write_probe(folder / method, method, words=WORDS, reviews=REVIEWS).source
    plans: dict[Any, dict[str, Any]] = {
        "age-stereotype": {"resamples": 100, "whole": "off", "tops": "3"},
        "before-after": {"resamples": 100},
        "religions": {"resamples": 20, "studies": 1},
        sentiment["association"]: {"resamples": 100},
        sentiment["shift"]: {"resamples": 100, "repeats": "1", "calls": "balanced"},
    }
    drawn: list[Figure] = []
    for number, (probe, settings) in enumerate(plans.items()):
        made = run(probe, model, folder / str(number), settings, cache=None)
        tables = dict.fromkeys(("early-modern", "a-model-with-a-long-name"), made.tables)
        figures = get_method(made.record.probe.method).figures(tables)
        drawn += [replace(figure, name=f"{number}-{figure.name}") for figure in figures]
    return drawn


@contextmanager
def _opened(
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
    assert complaints == []


def _wait_until(page: Page, condition: str) -> None:
    """Wait for a condition. Playwright's own way evaluates text inside the page, which its policy forbids."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never came true: {condition}")


def _open_fold(page: Page, name: str) -> None:
    page.evaluate("name => { document.getElementById(name).open = true }", name)
    fold = page.locator(f"#{name}")
    if fold.locator("> .table").count():
        fold.locator("> .table tbody tr").first.wait_for()


def _column(page: Page) -> list[float]:
    rows = page.locator("#probe-hostile-items tbody tr")
    texts = rows.evaluate_all("all => all.map(row => row.querySelector('td.n bdi').textContent)")
    return [float(text) for text in texts if text != "–"]
