"""Sheets in the browser's place: everything is stored at once, blind, undoable, and finds its way to the bank."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2 as httpx
import pytest

from tacit.errors import MaterialsError
from tacit.ratings.online import OnlineItem, OnlineSheets
from tests.serve.conftest import Server

POINTS = {"-1": "old", "0": "neither", "1": "new"}


def _sheet(path: Path, count: int = 6) -> OnlineSheets:
    store = OnlineSheets(path)
    items = [OnlineItem(n, f"s{n}", f"Why wilt [MASK] number {n}?", f"word{n}", tuple(POINTS)) for n in range(count)]
    store.create("temporal", "scale", POINTS, items)
    return store


def test_each_rater_sees_every_item_once_in_an_order_of_their_own(tmp_path: Path) -> None:
    store = _sheet(tmp_path / "s.sqlite", 30)
    orders = []
    for name in ("Ada", "Bob"):
        rater, order = store.invite(1, name), []
        while (item := store.next_item(rater)) is not None:
            order.append(item.number)
            store.answer(rater, item.number, "1")
        orders.append(order)
        assert store.progress(rater) == (30, 0, 30)
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(30))
    assert orders[0] != orders[1]


def test_the_same_name_gets_the_same_link_and_returns_to_the_same_place(tmp_path: Path) -> None:
    store = _sheet(tmp_path / "s.sqlite")
    rater = store.invite(1, "Ada")
    first = store.next_item(rater)
    assert first is not None
    store.answer(rater, first.number, "0", "hm")
    again = OnlineSheets(tmp_path / "s.sqlite")
    assert again.invite(1, " Ada ") == rater
    assert again.progress(rater) == (1, 0, 6)
    assert again.next_item(rater) != first


def test_undo_takes_back_the_latest_answer_only(tmp_path: Path) -> None:
    store = _sheet(tmp_path / "s.sqlite")
    rater = store.invite(1, "Ada")
    assert store.undo(rater) is None
    store.answer(rater, 3, "1")
    time.sleep(0.01)
    store.answer(rater, 4, None)
    assert store.progress(rater) == (1, 1, 6)
    undone = store.undo(rater)
    assert undone is not None
    assert undone.number == 4
    assert store.progress(rater) == (1, 0, 6)


@pytest.mark.parametrize(("number", "value"), [(99, "1"), (0, "7"), (0, "")])
def test_answers_that_were_not_asked_for_are_refused(tmp_path: Path, number: int, value: str) -> None:
    store = _sheet(tmp_path / "s.sqlite")
    with pytest.raises(MaterialsError):
        store.answer(store.invite(1, "Ada"), number, value)
    assert store.answers(1) == []


def _field(text: str, name: str) -> str:
    return text.split(f'name="{name}" value="')[1].split('"', maxsplit=1)[0]


def _make_sheet(client: httpx.Client, probe: str) -> int:
    page = client.get("/rate").text
    made = client.post("/rate/new", data={"csrf": _field(page, "csrf"), "probe": probe, "every": "1"})
    assert made.status_code == 200, made.text
    return int(made.url.path.rpartition("/")[2])


def _link(client: httpx.Client, sheet: int, name: str) -> str:
    page = client.get(f"/rate/{sheet}").text
    client.post(f"/rate/{sheet}/invite", data={"csrf": _field(page, "csrf"), "name": name})
    links = [rater.token for rater in STORE[0].raters(sheet) if rater.name == name]
    return f"/sheet/{links[0]}"


STORE: list[OnlineSheets] = []


def _rate(client: httpx.Client, link: str, count: int, value: str | None = None) -> list[float]:
    """Answer some items as a browser would, with the first option if no value is given; the seconds of each answer."""
    page, seconds = client.get(link).text, []
    for _ in range(count):
        chosen = value or page.split('button name="value" value="')[1].split('"', maxsplit=1)[0]
        data = {"csrf": _field(page, "csrf"), "number": _field(page, "number"), "value": chosen, "comment": ""}
        began = time.perf_counter()
        answer = client.post(f"{link}/answer", data=data, headers={"hx-request": "true"})
        seconds.append(time.perf_counter() - began)
        assert answer.status_code == 200
        page = answer.text
    return seconds


def test_ratings_go_from_the_browser_to_the_bank_and_back(server: Server) -> None:
    STORE[:] = [OnlineSheets(server.sheets)]
    with server.client() as client:
        sheet = _make_sheet(client, "temporal")
        for name, value in (("Ada", "1"), ("Bob", "1"), ("Cleo", "-1")):
            _rate(client, _link(client, sheet, name), 4, value)
        owner = client.get(f"/rate/{sheet}").text
        assert "4 of" in owner
        rows = list(csv.DictReader(io.StringIO(client.get(f"/rate/{sheet}/export/answers.csv").text)))
        assert {row["rater"] for row in rows} == {"Ada", "Bob", "Cleo"}
        assert len(rows) == 12
        done = client.post(f"/rate/{sheet}/bank", data={"csrf": _field(owner, "csrf")})
        assert "12 ratings are in the bank" in done.text
        tasks = client.get(f"/rate/{sheet}/export/label-studio.json").text
        assert sum(len(task["annotations"]) for task in json.loads(tasks)) == 12
        page = client.get("/rate").text
        files = {"file": ("x.json", tasks.encode(), "application/json")}
        back = client.post("/rate/import", data={"csrf": _field(page, "csrf"), "probe": "temporal"}, files=files)
        assert "12 ratings of temporal were imported" in back.text
        broken = {"file": ("x.json", b"{", "application/json")}
        wrong = client.post("/rate/import", data={"csrf": _field(page, "csrf"), "probe": "temporal"}, files=broken)
        assert "is not JSON" in wrong.text


def test_a_rater_is_told_nothing_about_models(server: Server) -> None:
    STORE[:] = [OnlineSheets(server.sheets)]
    with server.client() as client:
        sheet = _make_sheet(client, "temporal")
        page = client.get(_link(client, sheet, "Blind")).text
        assert "early-modern" not in page
        assert "modern" not in page.replace("Early Modern", "").replace("Modern", "")


def test_a_slow_model_never_blocks_rating(server: Server) -> None:
    STORE[:] = [OnlineSheets(server.sheets)]
    with server.client() as client:
        client.get("/explore/answers", params={"text": "It was [MASK].", "model": "slow"})
        sheet = _make_sheet(client, "intensifier")
        word = STORE[0].items(sheet)
        page = client.get(_link(client, sheet, "Ada")).text
        options = {option for item in word for option in item.options}
        assert any(option in page for option in options)
        began = time.perf_counter()
        client.get(f"/rate/{sheet}")
        assert time.perf_counter() - began < 10


def test_many_raters_at_once_lose_nothing(server: Server) -> None:
    STORE[:] = [OnlineSheets(server.sheets)]
    with server.client() as client:
        sheet = _make_sheet(client, "temporal")
        links = [_link(client, sheet, f"rater {number}") for number in range(10)]
    threads = [threading.Thread(target=_rate_alone, args=(server, link)) for link in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(STORE[0].answers(sheet)) == 10 * 5


def _rate_alone(server: Server, link: str) -> None:
    with server.client() as client:
        _rate(client, link, 5, "0.5")


def test_a_killed_server_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    """The real command in a process of its own, killed between two answers, and started again."""
    environment = {**os.environ, "TACIT_HOME": str(tmp_path / "home"), "TACIT_CACHE": str(tmp_path / "cache")}
    store = tmp_path / "home" / "sheets.sqlite"
    answered = 0
    for _ in range(2):
        process, url = _serve(tmp_path, environment)
        try:
            with httpx.Client(base_url=url, follow_redirects=True, timeout=30) as client:
                STORE[:] = [OnlineSheets(store)]
                sheet = STORE[0].sheets()[0].id if STORE[0].sheets() else _make_sheet(client, "intensifier")
                link = _link(client, sheet, "Ada")
                _rate(client, link, 3)
                answered += 3
        finally:
            process.kill()
            process.wait()
    assert len(OnlineSheets(store).answers(sheet)) == answered


def _serve(folder: Path, environment: dict[str, str]) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "tacit", "serve", "runs", "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    return process, process.stdout.readline().split()[3].rstrip("/")
