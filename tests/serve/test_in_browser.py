"""The whole journey of each page in a real Chromium, wide and narrow, with axe and without a word in the console."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tacit.ratings.online import OnlineSheets
from tests.reports.browsing import axe_complaints
from tests.serve.conftest import Server, busy, load_model

_STOPPED = ("htmx:afterRequest", "htmx:sendAbort")
_SWAPPED = ("He was a [MASK] of the king.", "He was a [MASK] of the queen.")


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["wide", "narrow"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    opened = browser.new_page(viewport={"width": width, "height": height})
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    opened.close()
    # A refused form is no error of the page, and htmx says itself when a request was stopped.
    assert [text for text in said if "status of 400" not in text and not text.startswith(_STOPPED)] == []


def _fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_explore_shows_fillings_words_and_likelihoods(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/?text=It was [MASK].&model=modern")
    expect(page.locator(".bars tbody tr")).to_have_count(8, timeout=60_000)
    page.fill("#words", "good, bad")
    expect(page.locator(".bars tbody tr")).to_have_count(2, timeout=30_000)
    page.fill("#words", "")
    page.fill("#text", "It was a good day.")
    expect(page.locator(".strip span")).to_have_count(6, timeout=30_000)
    assert _fits(page)
    page.get_by_text("The same from the shell and in Python").click()
    expect(page.get_by_text("model.likelihood(['It was a good day.'])")).to_be_visible()
    expect(page.get_by_text("tacit likelihood 'It was a good day.' --model modern")).to_be_visible()
    assert axe_complaints(page) == []


def test_a_word_is_swapped_to_see_what_moves(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/?text=He was a [MASK] of the king.&model=modern&words=man, woman")
    expect(page.locator(".bars .number")).to_have_count(2, timeout=60_000)
    page.fill("#swap", "king")
    page.fill("#with", "queen")
    expect(page.locator(".bars .number")).to_have_count(4, timeout=30_000)
    expected = {text: load_model("modern").choose(text, ["man"])[0].probability for text in _SWAPPED}
    shown = page.get_by_role("row", name="man", exact=False).first.locator(".number").all_inner_texts()
    assert shown == [f"{probability:.3f}" for probability in expected.values()]
    page.fill("#swap", "bishop")
    expect(page.get_by_text("The sentence has no word 'bishop'")).to_be_visible(timeout=30_000)
    page.fill("#swap", "king")
    page.fill("#words", "")
    page.fill("#text", "He was a man of the king.")
    expect(page.locator(".strip")).to_have_count(2, timeout=30_000)
    assert _fits(page)


def test_a_question_that_takes_long_can_be_stopped(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/?text=It was [MASK].&model=modern")
    expect(page.locator(".bars tbody tr")).to_have_count(8, timeout=60_000)
    with busy:
        page.fill("#text", "It is [MASK].")
        page.get_by_role("button", name="Stop").click(timeout=20_000)
        expect(page.get_by_text("Asking …")).to_be_hidden()
    page.fill("#text", "It may be [MASK].")
    expect(page.get_by_text("tacit fill 'It may be [MASK].'", exact=False)).to_be_attached(timeout=30_000)


@pytest.mark.parametrize("address", ["/runs", "/runs/new?probe=regional", "/track", "/rate"])
def test_axe_finds_nothing_to_complain_of(server: Server, page: Page, address: str) -> None:
    page.goto(server.url + address)
    assert axe_complaints(page) == []
    assert _fits(page)


def test_runs_are_searched_ticked_and_shown_side_by_side(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/runs")
    expect(page.locator("tbody tr")).to_have_count(2, timeout=20_000)
    page.fill("#search", "temporal/early")
    expect(page.locator("tbody tr")).to_have_count(1, timeout=20_000)
    page.fill("#search", "")
    expect(page.locator("tbody tr")).to_have_count(2, timeout=20_000)
    page.select_option("#only-model", "modern")
    expect(page.locator("tbody tr")).to_have_count(1, timeout=20_000)
    page.select_option("#only-model", "all")
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
    assert axe_complaints(page) == []
    store = OnlineSheets(server.sheets)
    newest = store.sheets()[0].id
    assert [answer.value for answer in store.answers(newest) if answer.value is not None] == ["-1"]
