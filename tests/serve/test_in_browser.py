"""The whole journey of each page in a real Chromium, wide and narrow, with axe and without a word in the console."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tacit.ratings.online import OnlineSheets
from tests.serve.conftest import Server


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["wide", "narrow"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    opened = browser.new_page(viewport={"width": width, "height": height})
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    opened.close()
    assert [text for text in said if "status of 400" not in text] == []  # a refused form is no error of the page


def _fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_explore_shows_fillings_words_and_likelihoods(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/?text=It was [MASK].&model=modern")
    expect(page.locator(".bars tr")).to_have_count(8, timeout=60_000)
    page.fill("#words", "good, bad")
    expect(page.locator(".bars tr")).to_have_count(2, timeout=30_000)
    page.fill("#words", "")
    page.fill("#text", "It was a good day.")
    expect(page.locator(".strip span")).to_have_count(6, timeout=30_000)
    assert _fits(page)
    page.get_by_text("The same from the shell and in Python").click()
    expect(page.get_by_text("model.likelihood(['It was a good day.'])")).to_be_visible()


def test_runs_are_searched_ticked_and_shown_side_by_side(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/runs")
    expect(page.locator("tbody tr")).to_have_count(2, timeout=20_000)
    page.fill("#search", "temporal/early")
    expect(page.locator("tbody tr")).to_have_count(1, timeout=20_000)
    page.fill("#search", "")
    expect(page.locator("tbody tr")).to_have_count(2, timeout=20_000)
    for tick in page.locator("tbody input").all():
        tick.check()
    page.get_by_role("button", name="Show side by side").click()
    expect(page.locator("#overview")).to_be_visible(timeout=90_000)
    assert _fits(page)
    page.get_by_role("link", name="← All runs").click()
    page.goto(f"{server.url}/track")
    expect(page.locator(".plot")).to_have_count(2, timeout=20_000)


def test_a_run_is_started_watched_and_found_in_the_list(server: Server, page: Page) -> None:
    seed = "7" if page.viewport_size and page.viewport_size["width"] > 400 else "8"
    page.goto(f"{server.url}/runs/new?probe=british-american")
    page.fill("#set-seed", seed)
    page.fill("#set-resamples", "100")
    assert _fits(page)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#job-status")).to_have_text("complete", timeout=120_000)
    page.goto(f"{server.url}/runs?search=british {seed}")
    expect(page.get_by_role("link", name="modern").first).to_be_visible()


def test_a_wrong_setting_is_refused_before_anything_runs(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/runs/new?probe=temporal")
    page.fill("#set-seed", "-1")
    with page.expect_response(lambda response: response.url.endswith("/runs/start")) as answer:
        page.get_by_role("button", name="Start").click()
    assert answer.value.status == 400
    expect(page.get_by_role("alert")).to_contain_text("seed")


def test_a_rater_rates_with_keys_undoes_and_returns(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/rate")
    page.select_option("#probe", "temporal")
    page.get_by_label("Also words that are rated already").check()
    page.get_by_role("button", name="Make the sheet").click()
    page.fill("#name", "Ada")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_role("link", name="/sheet/").first
    address = link.get_attribute("href")
    assert address
    page.goto(server.url + address)
    first = page.locator(".sentence").inner_text()
    page.keyboard.press("2")
    expect(page.get_by_role("status")).to_contain_text("1 of")
    page.keyboard.press("u")
    expect(page.get_by_role("status")).to_contain_text("0 of")
    expect(page.locator(".sentence")).to_have_text(first)
    page.locator(".options button").first.click()
    expect(page.get_by_role("status")).to_contain_text("1 of", timeout=20_000)
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("status")).to_contain_text("2 of")
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("(1 skipped)")
    assert _fits(page)
    store = OnlineSheets(server.sheets)
    newest = store.sheets()[0].id
    assert [answer.value for answer in store.answers(newest) if answer.value is not None] == ["-1"]
