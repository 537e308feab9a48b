"""What may pass is tried again, what may not is one sentence, and the key is in no message."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from tacit.errors import ModelError
from tacit.models.endpoints import client
from tacit.models.endpoints.address import parse_address
from tacit.models.endpoints.client import Client, ServerError
from tacit.models.endpoints.loop import as_completed, iterate, run
from tests.models.endpoints.servers import serve

Answer = Callable[[str, dict[str, Any] | None, dict[str, str]], tuple[int, Any]]


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_FIRST_DELAY", 0.01)


def ask(url: str, times: int = 1, timeout: int = 20) -> Any:
    """The last of several answers; the first one makes the connection."""
    connected = Client(parse_address("openai", f"{url}?timeout={timeout}"))
    for _ in range(times):
        answer = run(connected.post("/x", {}))
    return answer


def failing(statuses: list[int]) -> Answer:
    left = list(statuses)
    return lambda *_: (left.pop(0), {"error": {"message": "later"}}) if left else (200, {"fine": True})


@pytest.mark.parametrize("statuses", [[503, 503, 429], [500], [502, 504]])
def test_a_busy_server_is_asked_again(statuses: list[int]) -> None:
    with serve(failing(statuses)) as url:
        assert ask(url) == {"fine": True}


def test_a_server_that_stays_busy_is_given_up_with_what_it_said() -> None:
    with serve(failing([503] * 99)) as url, pytest.raises(ModelError, match=r"no longer answers \(HTTP 503: later\)"):
        ask(url)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_what_is_refused_is_not_asked_again(status: int) -> None:
    asked: list[str] = []

    def answer(path: str, *_: Any) -> tuple[int, Any]:
        asked.append(path)
        return status, {"detail": "bad \x1b[31m\nthing."}

    with serve(answer) as url, pytest.raises(ServerError, match=rf"\(HTTP {status}\): bad \[31m thing"):
        ask(url)
    assert len(asked) == 1


def test_a_silent_server_is_given_up_after_the_time_that_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_ATTEMPTS", 2)

    def answer(*_: Any) -> tuple[int, Any]:
        time.sleep(5)
        return 200, {}

    began = time.monotonic()
    with serve(answer) as url, pytest.raises(ModelError, match="no answer within 1 s"):
        ask(url, timeout=1)
    assert time.monotonic() - began < 4


@pytest.mark.parametrize("content", [b"<html>", b'{"a": NaN}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_json_is_one_sentence(content: bytes) -> None:
    with serve(lambda *_: (200, content)) as url, pytest.raises(ModelError, match="what it says at /x is not JSON"):
        ask(url)


def test_an_endless_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_MAX_BYTES", 10_000)
    with serve(lambda *_: (200, b"1" * 100_000)) as url, pytest.raises(ModelError, match="does not stop talking"):
        ask(url)


def test_the_key_is_sent_and_never_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_API_KEY", "s3cret")
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    sent: list[str] = []

    def answer(_path: str, _body: Any, headers: dict[str, str]) -> tuple[int, Any]:
        sent.append(headers["Authorization"])
        return 400, {"error": f"the key {headers['Authorization']} is not welcome"}

    with serve(answer) as url, pytest.raises(ModelError, match=r"the key Bearer \*\*\* is not welcome"):
        ask(url)
    assert sent == ["Bearer s3cret"]
    monkeypatch.setenv("TACIT_API_KEY", "two\nlines")
    with pytest.raises(ModelError, match="holds characters that no key has"):
        ask(url)


def test_no_more_is_under_way_than_allowed_and_the_caller_sets_the_pace() -> None:
    under_way, most, started = 0, 0, 0

    async def work(number: int) -> int:
        nonlocal under_way, most, started
        started += 1
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return number * 2

    results = iterate(as_completed(work, range(100), 4))
    assert next(results)[1] % 2 == 0
    time.sleep(0.05)
    assert started <= 8, "a caller that takes no results must stop the work"
    rest = dict(results)
    assert len(rest) == 99
    assert all(value == 2 * index for index, value in rest.items())
    assert most == 4


def test_results_that_are_there_come_before_an_error() -> None:
    async def work(number: int) -> int:
        if number == 0:
            raise ModelError("gone")
        return number

    results = iterate(as_completed(work, range(4), 4))
    assert {next(results)[1] for _ in range(3)} == {1, 2, 3}
    with pytest.raises(ModelError, match="gone"):
        next(results)


def test_a_model_can_be_asked_inside_a_running_loop() -> None:
    async def notebook() -> Any:
        return ask(url)

    with serve(failing([])) as url:
        assert asyncio.run(notebook()) == {"fine": True}
