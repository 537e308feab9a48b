"""The cache cannot lie: damaged rows are asked again, damaged files set aside, full disks reported."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from tacit.asking import Cache
from tacit.errors import TacitError
from tacit.questions import (
    Answer,
    Choice,
    Choose,
    ChooseAnswer,
    ClassifyAnswer,
    Fill,
    FillAnswer,
    Filling,
    Label,
    Likelihood,
    LikelihoodAnswer,
    RepresentAnswer,
    TokenScore,
)

ANSWERS: list[Answer] = [
    FillAnswer((Filling("thou", 0.1 + 0.2, 1),), "mask", None, 3),
    ChooseAnswer((Choice("great", 1e-300, 7, ("great",)), Choice("☃", None, None, ())), "next token", "<s>"),
    LikelihoodAnswer(-3.0, -1.0, 3, "pll", None, (TokenScore("a", None), TokenScore("##b", -1.5, "region"))),
    ClassifyAnswer((Label("positive", 0.25),)),
    RepresentAnswer((0.1, -2.0), ("France",)),
]


# Rows as version 0.1 wrote them: other names for the kinds, and `made` for `scoring`.
ROWS_0_1: list[tuple[str, dict[str, object]]] = [
    (
        "Filled",
        {"fillings": [{"token": "thou", "probability": 0.1 + 0.2, "rank": 1}], "made": "mask", "begin": None, "cut": 3},
    ),
    (
        "Chosen",
        {
            "choices": [
                {"word": "great", "probability": 1e-300, "rank": 7, "tokens": ["great"]},
                {"word": "☃", "probability": None, "rank": None, "tokens": []},
            ],
            "made": "next token",
            "begin": "<s>",
            "cut": 0,
        },
    ),
    (
        "Weighed",
        {
            "total": -3.0,
            "mean": -1.0,
            "count": 3,
            "made": "pll",
            "begin": None,
            "tokens": [
                {"token": "a", "logprob": None, "role": None},
                {"token": "##b", "logprob": -1.5, "role": "region"},
            ],
        },
    ),
    ("Classified", {"labels": [{"label": "positive", "probability": 0.25}], "made": "classifier", "cut": 0}),
    ("Represented", {"vector": [0.1, -2.0], "tokens": ["France"], "made": "mean of the last layer"}),
]


def _keys(count: int) -> list[bytes]:
    return [Cache.key("model", Fill(f"{k} [MASK]")) for k in range(count)]


def test_every_kind_of_answer_comes_back_bit_for_bit(tmp_path: Path) -> None:
    keys = _keys(len(ANSWERS))
    with Cache(tmp_path / "a.sqlite") as cache:
        cache.put(zip(keys, ANSWERS, strict=True))
    with Cache(tmp_path / "a.sqlite") as cache:
        assert cache.get(keys) == dict(zip(keys, ANSWERS, strict=True))


def test_answers_of_version_0_1_are_still_known(tmp_path: Path) -> None:
    keys = _keys(len(ROWS_0_1))
    Cache(tmp_path / "a.sqlite").close()
    with sqlite3.connect(tmp_path / "a.sqlite") as raw:
        for key, (kind, fields) in zip(keys, ROWS_0_1, strict=True):
            packed = msgspec.msgpack.encode(fields)
            raw.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", (key, kind, packed, zlib.crc32(packed)))
    with Cache(tmp_path / "a.sqlite") as cache:
        assert cache.get(keys) == dict(zip(keys, ANSWERS, strict=True))


def test_a_row_of_version_0_1_without_its_scoring_counts_as_unknown(tmp_path: Path) -> None:
    (key,) = _keys(1)
    packed = msgspec.msgpack.encode({"vector": [0.1], "tokens": ["a"]})
    Cache(tmp_path / "a.sqlite").close()
    with sqlite3.connect(tmp_path / "a.sqlite") as raw:
        raw.execute("INSERT INTO answers VALUES (?, 'Represented', ?, ?)", (key, packed, zlib.crc32(packed)))
    with Cache(tmp_path / "a.sqlite") as cache:
        assert cache.get([key]) == {}


def test_the_key_of_a_question_is_that_of_version_0_1() -> None:
    # Otherwise caches would still open, and yet know nothing.
    assert Cache.key("model", Fill("It was [MASK].")).hex() == "8f1c790ff94b14e044649d70a0a076cb"
    assert Cache.key("model", Likelihood("It was.", "pll")).hex() == "0057bdbae90320e3d7b5f8596e479cb9"


def test_the_key_tells_models_kinds_and_settings_apart() -> None:
    questions = [
        Fill("It was [MASK]."),
        Fill("It was [MASK].", top=6),
        Fill("It was [MASK].", context="So."),
        Fill("It was [MASK].", context="So.", pair=True),
        Choose("It was [MASK].", ("a", "bc")),
        Choose("It was [MASK].", ("ab", "c")),
        Likelihood("It was [MASK].", "pll"),
        Likelihood("It was [MASK].", "aul"),
    ]
    keys = {Cache.key(model, question) for model in ("one", "two") for question in questions}
    assert len(keys) == 2 * len(questions)


def test_a_damaged_row_counts_as_unknown(tmp_path: Path) -> None:
    keys = _keys(3)
    with Cache(tmp_path / "a.sqlite") as cache:
        cache.put((key, ANSWERS[0]) for key in keys)
    with sqlite3.connect(tmp_path / "a.sqlite") as raw:
        raw.execute(
            "UPDATE answers SET answer = substr(answer, 1, 9) || x'00' || substr(answer, 11) WHERE key = ?", keys[:1]
        )
        raw.execute("UPDATE answers SET kind = 'ChooseAnswer' WHERE key = ?", keys[1:2])
    with Cache(tmp_path / "a.sqlite") as cache:
        assert list(cache.get(keys)) == keys[2:]
        cache.put([(keys[0], ANSWERS[1])])
        assert cache.get(keys[:1]) == {keys[0]: ANSWERS[1]}


def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.warns(UserWarning, match="set aside"), Cache(path) as cache:
        cache.put([(_keys(1)[0], ANSWERS[0])])
    assert [file.read_bytes()[:3] for file in tmp_path.glob("*.damaged-*")] == [b"not"]


def test_a_file_damaged_in_its_middle_is_set_aside_when_it_shows(tmp_path: Path) -> None:
    path, keys = tmp_path / "a.sqlite", _keys(400)
    with Cache(path) as cache:
        cache.put((key, ANSWERS[0]) for key in keys)
    whole = bytearray(path.read_bytes())
    whole[4096:] = b"\xff" * (len(whole) - 4096)
    path.write_bytes(whole)
    with Cache(path) as cache:
        with pytest.warns(UserWarning, match="set aside"):
            assert cache.get(keys) == {}
        cache.put([(keys[0], ANSWERS[0])])
        assert list(cache.get(keys)) == keys[:1]


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    keys = _keys(5000)
    with Cache(tmp_path / "a.sqlite") as cache:
        cache.put([(keys[0], ANSWERS[0])])
        pages = cache._connection.execute("PRAGMA page_count").fetchone()[0]
        cache._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(TacitError, match="earlier answers are kept"):
            cache.put((key, ANSWERS[2]) for key in keys)
    with Cache(tmp_path / "a.sqlite") as cache:
        assert cache.get(keys) == {keys[0]: ANSWERS[0]}


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    code = """
        import sys
        from pathlib import Path
        from tacit.asking.cache import Cache
        from tacit.questions import Fill, FillAnswer, Filling
        with Cache(Path(sys.argv[1])) as cache:
            for k in range(60):
                question = Fill(f"{sys.argv[2]} {k} [MASK]")
                cache.put([(Cache.key("model", question), FillAnswer((Filling(sys.argv[2], 0.5, k),), "mask"))])
    """
    path = tmp_path / "a.sqlite"
    command = [sys.executable, "-c", textwrap.dedent(code), str(path)]
    started = [subprocess.Popen([*command, name]) for name in "abc"]
    assert [process.wait(120) for process in started] == [0, 0, 0]
    keys = [Cache.key("model", Fill(f"{name} {k} [MASK]")) for name in "abc" for k in range(60)]
    with Cache(path) as cache:
        assert len(cache.get(keys)) == 180


def test_kill_in_the_middle_of_writing_leaves_a_sound_file(tmp_path: Path) -> None:
    code = """
        import os, signal, sys
        from pathlib import Path
        from tacit.asking.cache import Cache
        from tacit.questions import Fill, FillAnswer, Filling
        cache = Cache(Path(sys.argv[1]))
        for k in range(50):
            cache.put([(Cache.key("model", Fill(f"{k} [MASK]")), FillAnswer((Filling("a", 0.5, k),), "mask"))])
        cache._connection.execute("BEGIN")
        cache._connection.execute("DELETE FROM answers")
        os.kill(os.getpid(), signal.SIGKILL)
    """
    path = tmp_path / "a.sqlite"
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(path)], check=False)
    assert done.returncode == -9
    with Cache(path) as cache:
        assert len(cache.get(_keys(50))) == 50


def test_without_a_cache_everything_is_asked_again_and_a_warning_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.warns(UserWarning, match=r"no answers are stored.*Set TACIT_CACHE"):
        cache = Cache(tmp_path / "file" / "a.sqlite")
    cache.put([(_keys(1)[0], ANSWERS[0])])
    assert cache.get(_keys(1)) == {}


def test_a_folder_in_the_place_of_the_cache_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").mkdir()
    with pytest.warns(UserWarning, match="no answers are stored"):
        Cache(tmp_path / "a.sqlite").put([(_keys(1)[0], ANSWERS[0])])
    assert [path.name for path in tmp_path.iterdir()] == ["a.sqlite"]


@pytest.mark.parametrize("write_folder", [True, False])
def test_a_cache_that_cannot_be_written_is_read(write_folder: bool) -> None:
    keys = _keys(2)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.sqlite"
        with Cache(path) as cache:
            cache.put([(keys[0], ANSWERS[0])])
        path.chmod(0o444)
        path.parent.chmod(0o777 if write_folder else 0o555)
        with _not_root(), pytest.warns(UserWarning, match="known answers are used, new ones are not stored"):
            cache = _cache_with(path, keys[1], ANSWERS[1])
        assert cache.get(keys) == {keys[0]: ANSWERS[0]}
        path.parent.chmod(0o700)


def _cache_with(path: Path, key: bytes, answer: Answer) -> Cache:
    cache = Cache(path)
    cache.put([(key, answer)])
    return cache


@contextmanager
def _not_root() -> Iterator[None]:
    """The superuser may write everything, so the rights of nobody are taken meanwhile."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


_DAMAGED_SCHEMAS = [
    "DROP TABLE answers; CREATE TABLE answers (key BLOB PRIMARY KEY, kind TEXT)",
    "DROP TABLE answers; CREATE VIEW answers AS SELECT 1 AS key, 2 AS kind, 3 AS answer, 4 AS sum",
    "DROP TABLE answers; CREATE TABLE answers (key INTEGER PRIMARY KEY, kind TEXT, answer BLOB, sum INTEGER)",
    "CREATE TRIGGER t BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'no'); END",
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = 'CREATE TABLE answers (nonsense'",
]


@pytest.mark.parametrize("statements", _DAMAGED_SCHEMAS)
@pytest.mark.filterwarnings("ignore:The cache")
def test_a_cache_with_another_schema_is_set_aside(tmp_path: Path, statements: str) -> None:
    path, keys = tmp_path / "a.sqlite", _keys(1)
    Cache(path).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(statements)
    with Cache(path) as cache:
        assert cache.get(keys) == {}
        cache.put([(keys[0], ANSWERS[0])])
        assert cache.get(keys) == {keys[0]: ANSWERS[0]}
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


@pytest.mark.parametrize("row", [(None, None, None), (7, 8, 9), ("FillAnswer", "text", 0), (b"\xff", b"", None)])
def test_cells_of_another_type_count_as_unknown(tmp_path: Path, row: tuple[object, ...]) -> None:
    path, keys = tmp_path / "a.sqlite", _keys(1)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("CREATE TABLE answers (key BLOB PRIMARY KEY, kind, answer, sum)")
        raw.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", (keys[0], *row))
    with Cache(path) as cache:
        assert cache.get(keys) == {}


def _on_day(monkeypatch: pytest.MonkeyPatch, day: int) -> None:
    monkeypatch.setattr("tacit.asking.cache._today", lambda: day)


def test_only_answers_that_are_not_used_any_more_are_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, used, new = _keys(3)
    answer = FillAnswer((), "next token")
    with Cache(tmp_path / "answers.sqlite") as cache:
        _on_day(monkeypatch, 100)
        cache.put([(old, answer), (used, answer)])
        _on_day(monkeypatch, 150)
        cache.put([(new, answer)])
        cache.get([used])
        assert cache.prune(50) == 0
        assert cache.prune(49) == 1
        assert set(cache.get([old, used, new])) == {used, new}
        _on_day(monkeypatch, 1000)
        assert cache.prune(90) == 2
        assert cache.count() == 0


def test_an_answer_without_a_day_counts_as_used_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "answers.sqlite"
    (key,) = _keys(1)
    _cache_with(path, key, FillAnswer((), "next token")).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE used")  # as a Tacit that noted no day left it
    with Cache(path) as cache:
        assert cache.prune(0) == 0
        assert cache.count() == 1
        monkeypatch.setattr("tacit.asking.cache._today", lambda: 1_000_000)
        assert cache.prune(90) == 1
