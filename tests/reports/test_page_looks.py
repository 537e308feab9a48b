"""The page for every reader: on a phone, in the dark, on paper, by keyboard, and through a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tacit.figure import Figure
from tacit.methods import get_method
from tacit.models import Model
from tacit.reports.page import render_page
from tacit.reports.sections import sections
from tacit.runs import Run, run
from tests.methods.sentiment.fixtures import write_probe
from tests.methods.sentiment.test_runs import REVIEWS, WORDS
from tests.reports.browsing import DESK, PHONE, axe_complaints, open_fold, opened, wait_until

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


def test_every_chart_has_words_for_a_blind_reader(page: Page) -> None:
    for label in page.locator("figure .chart").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))"):
        assert len(label) > 40


@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_axe_finds_nothing_to_complain_of(browser: Browser, written: Path, width: int, scheme: str) -> None:
    with opened(browser, written, width=width, scheme=scheme) as page:
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page.locator("#probe-hostile-items tbody tr").first.wait_for()
        assert axe_complaints(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_in_charts_stands_out_from_its_ground(browser: Browser, written: Path, scheme: str) -> None:
    with opened(browser, written, scheme=scheme) as page:
        assert page.evaluate(_CONTRAST, ".chart svg text") >= 4.5


def test_figures_of_all_methods_fit_a_phone_and_fill_a_desk(
    browser: Browser, hostile_runs: list[Run], tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    path = tmp_path / "figures.html"
    (section,) = sections(hostile_runs)
    figures = _figures_of_all_methods(tiny("bert"), tmp_path)
    path.write_text(render_page([replace(section, figures=figures)]), encoding="utf-8")
    for width in (PHONE, DESK):
        with opened(browser, path, width=width) as page:
            open_fold(page, "probe-hostile-figures")
            wait_until(page, "document.querySelectorAll('.chart:not([data-done])').length === 0")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            sizes = page.locator(".chart").evaluate_all(_CHART_SIZES)
            too_wide = [name for name, room, drawn, _ in sizes if drawn > room + 1]
            shrunk = [(name, natural, room) for name, room, _, natural in sizes if natural > 1.35 * room]
            assert (too_wide, shrunk) == ([], [])


def test_the_page_never_scrolls_sideways_on_a_phone(browser: Browser, written: Path) -> None:
    with opened(browser, written, width=PHONE, scheme="dark") as page:
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page.locator("#probe-hostile-items tbody tr").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
        page.get_by_role("button", name="Contents").click()
        assert page.locator("nav.contents a").first.is_visible()
        page.keyboard.press("Escape")
        assert not page.locator("nav.contents a").first.is_visible()


def test_four_models_fit_beside_each_other_on_a_desk(
    browser: Browser, tiny: Callable[[str], Model], tmp_path: Path
) -> None:
    models = ["early-modern", "modern", "reviews", tiny("bert")]
    runs = [run("temporal", model, tmp_path / str(number)) for number, model in enumerate(models)]
    path = tmp_path / "four.html"
    path.write_text(render_page(sections(runs)), encoding="utf-8")
    with opened(browser, path, width=DESK) as page:
        room, drawn = page.locator("#overview .scroll").evaluate("one => [one.clientWidth, one.scrollWidth]")
        assert page.locator("table.overview thead th").count() == 5
        assert drawn <= room


def test_it_prints_on_white_with_its_limits_and_numbers(browser: Browser, written: Path) -> None:
    with opened(browser, written, scheme="dark") as page:
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        assert page.locator("nav.contents").is_hidden()
        fill = page.locator(".chart svg text").first.evaluate("one => getComputedStyle(one).fill")
        assert fill == "rgb(0, 0, 0)"
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert page.get_by_text("It shows nothing about people.").is_visible()
        assert page.locator("#probe-hostile-measures").is_visible()
        assert len(page.pdf()) > 20_000


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
