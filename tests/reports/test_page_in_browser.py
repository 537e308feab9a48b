"""The page as a reader uses it: in a real browser, from a file, without a network."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from pathlib import Path

from playwright.sync_api import Browser, Page

from tacit.reports.page import report
from tacit.runs import Run
from tests.reports.browsing import HOSTILE_TITLE, open_fold, opened, wait_until


def test_the_overview_has_a_row_per_probe_a_column_per_model_and_a_plot_per_cell(
    page: Page, hostile_runs: list[Run]
) -> None:
    table = page.locator("table.overview")
    assert table.locator("thead th").all_inner_texts() == ["Question", *sorted(run.model for run in hostile_runs)]
    cells = table.locator("tbody td")
    assert cells.count() == len(hostile_runs)
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


def test_the_example_shows_what_each_model_filled_in(page: Page, hostile_runs: list[Run]) -> None:
    words = page.locator(".fillings .filling").first.locator(".word").all_inner_texts()
    best = next(run for run in hostile_runs if run.model == sorted(run.model for run in hostile_runs)[0])
    assert words == best.answers.filter(best.answers["sentence"] == "s000").sort("rank")["token"].head(5).to_list()
    open_fold(page, "probe-hostile-sentences")
    table = page.locator("#probe-hostile-sentences table")
    assert table.locator("tbody tr").count() == 12
    assert table.locator("thead th").all_inner_texts()[1:] == ["sentence", *sorted(run.model for run in hostile_runs)]


def test_a_click_sorts_by_number_up_and_down(page: Page) -> None:
    open_fold(page, "probe-hostile-tables")
    open_fold(page, "probe-hostile-items")
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
    open_fold(page, "probe-hostile-sentences")
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
    wait_until(page, "document.querySelector('nav.contents a[aria-current]')?.textContent === 'hostile'")
    assert page.locator("nav.contents").evaluate("one => one.getBoundingClientRect().top") == 0


def test_a_link_opens_the_fold_that_it_leads_into(browser: Browser, written: Path) -> None:
    with opened(browser, written, fragment="#probe-hostile-valence-delta") as page:
        page.locator("#probe-hostile-valence-delta .chart svg").wait_for()
        place = "document.querySelector('#probe-hostile-valence-delta').getBoundingClientRect().top"
        wait_until(page, f"{place} >= -5 && {place} <= 400")
        assert page.locator("#probe-hostile-valence-delta .chart svg").is_visible()


def test_ids_are_unique_and_links_lead_somewhere(page: Page) -> None:
    ids = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))
    links = page.locator("a[href^='#']").evaluate_all("all => all.map(one => one.getAttribute('href').slice(1))")
    assert set(links) <= set(ids)


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


def test_the_same_runs_give_the_same_page(written: Path, hostile_runs: list[Run], tmp_path: Path) -> None:
    again = report(hostile_runs[::-1], tmp_path / "again.html")
    assert again.read_bytes() == written.read_bytes()


def test_data_are_packed_as_they_are(written: Path, hostile_runs: list[Run]) -> None:
    packed = re.findall(r'<script type="application/gzip">([^<]+)</script>', written.read_text(encoding="utf-8"))
    tables = [data for data in (json.loads(gzip.decompress(b64decode(text))) for text in packed) if "rows" in data]
    items = next(data for data in tables if any(column["name"] == "item" for column in data["columns"]))
    measured = hostile_runs[0].measures.filter(hostile_runs[0].measures["item"].is_not_null())
    assert len(items["rows"]) == measured.height


def _column(page: Page) -> list[float]:
    rows = page.locator("#probe-hostile-items tbody tr")
    texts = rows.evaluate_all("all => all.map(row => row.querySelector('td.n bdi').textContent)")
    return [float(text.split()[0]) for text in texts if text != "–"]
