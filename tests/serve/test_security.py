"""Nobody gets in, out or around: hosts, origins, forms, sizes, paths, tokens and passwords."""

from __future__ import annotations

from pathlib import Path

import httpx2 as httpx
import pytest

from tacit.ratings.online import OnlineSheets
from tests.serve.conftest import Server, load_model, start


def _csrf(client: httpx.Client, path: str = "/rate") -> str:
    return client.get(path).text.split('name="csrf" value="')[1].split('"')[0]


def test_every_page_forbids_foreign_scripts_frames_and_referrers(server: Server) -> None:
    with server.client() as client:
        for path in ("/", "/runs", "/runs/new", "/track", "/rate"):
            answer = client.get(path)
            assert answer.status_code == 200, path
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["referrer-policy"] == "same-origin"
            assert "<script>" not in answer.text
            assert "onclick" not in answer.text


def test_a_foreign_name_for_this_server_is_refused(server: Server) -> None:
    assert httpx.get(server.url, headers={"host": "evil.example"}).status_code == 400


def test_a_form_of_another_site_is_refused(server: Server) -> None:
    with server.client() as client:
        data = {"csrf": _csrf(client), "probe": "temporal"}
        assert client.post("/rate/new", data=data, headers={"origin": "http://evil.example"}).status_code == 403
        assert client.post("/rate/new", data=data, headers={"sec-fetch-site": "cross-site"}).status_code == 403
        answer = client.post("/rate/new", data={"probe": "temporal"})
        assert answer.status_code == 400
        assert "out of date" in answer.text


@pytest.mark.parametrize(
    "place", ["../../etc", "/etc", "temporal/modern/../../..", "temporal/nobody", "temporal/modern\x00", "~"]
)
def test_no_request_names_a_path_outside_the_runs(server: Server, place: str) -> None:
    with server.client() as client:
        answer = client.get("/runs/view", params={"run": place})
        assert answer.status_code == 400
        assert "There is no run" in answer.text


@pytest.mark.parametrize("model", ["/etc", "../x", "bert-base-uncased", "http://evil.example"])
def test_only_known_models_are_loaded(server: Server, model: str) -> None:
    with server.client() as client:
        assert "has no model" in client.get("/explore/answers", params={"text": "a [MASK]", "model": model}).text
        data = {"csrf": _csrf(client, "/runs/new"), "probe": "temporal", "model": model}
        assert client.post("/runs/start", data=data).status_code == 400


def test_large_requests_are_refused(server: Server) -> None:
    with server.client() as client:
        body = b"csrf=x&probe=" + b"x" * 9_000_000
        headers = {"content-type": "application/x-www-form-urlencoded"}
        assert client.post("/rate/new", content=body, headers=headers).status_code == 413
        assert "Shorten it" in client.get("/explore/answers", params={"text": "x" * 20_000}).text


def test_hostile_text_is_text(server: Server) -> None:
    hostile = "<script>window.hit=1</script>[MASK]\"'>"
    with server.client() as client:
        page = client.get("/", params={"text": hostile})
        assert "<script>window" not in page.text
        assert "&lt;script&gt;" in page.text


def test_a_raters_token_opens_its_own_sheet_and_nothing_else(server: Server) -> None:
    with server.client() as client:
        assert "opens no sheet" in client.get("/sheet/nonsense").text
        assert "opens no sheet" in client.get("/sheet/' OR 1=1 --").text


def test_another_address_needs_the_password_but_raters_do_not(tmp_path: Path) -> None:
    running, stop = start(tmp_path, load_model, password="open sesame", hosts=None)
    try:
        sheets = OnlineSheets(running.sheets)
        with running.client() as client:
            assert "Password" in client.get("/runs").text
            token = _csrf(client, "/login")
            wrong = client.post("/login", data={"csrf": token, "password": "x"})
            assert wrong.status_code == 403
            assert "Password" in client.get("/runs").text
            assert "Explore" in client.post("/login", data={"csrf": token, "password": "open sesame"}).text
            assert "There are no runs here yet" in client.get("/runs").text
        with running.client() as stranger:
            assert "opens no sheet" in stranger.get("/sheet/none").text
            assert stranger.get("/rate/1/export/answers.csv").url.path == "/login"
        assert sheets.sheets() == []
    finally:
        stop()
