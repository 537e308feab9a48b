"""A harvest samples as the study does, writes the same file even if interrupted, and never half a file."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacit.harvest.harvester
from tacit.cli.main import app
from tacit.errors import TacitError
from tacit.harvest import Harvest, ListTagger, harvest
from tacit.harvest.finder import Match
from tacit.harvest.progress import progress_path
from tacit.harvest.samples import Tallies, draw_samples
from tests.methods.contrast.contrasts import read, write_probe

ADJECTIVES = ["late", "cold", "kind", "rude", "odd", "mean", "wrong", "lost", "sad", "proud", "shy", "loud"]


def write_corpus(folder: Path) -> list[Path]:
    """Two files; `always late` occurs 30 times and `always loud` once."""
    folder.mkdir()
    for number in range(2):
        with (folder / f"{number}.jsonl").open("w", encoding="utf-8") as file:
            for place, adjective in enumerate(ADJECTIVES[:-1] * 3 + ["late"] * 12):
                text = f"In year {place} of file {number} we saw that the old ferry is always {adjective}."
                file.write(json.dumps({"text": text}) + "\n")
    with (folder / "1.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"text": "Since the band moved in above us the whole house is always loud."}) + "\n")
        file.write(json.dumps({"text": "A spelling that is in no book at all is always xqzwful."}) + "\n")
    return sorted(folder.iterdir())


def run(tmp_path: Path, name: str, **options: object) -> tuple[Harvest, Path]:
    materials, out = read(write_probe(tmp_path / "probe")), tmp_path / name
    corpus = sorted((tmp_path / "corpus").iterdir())
    return harvest(materials, corpus, out, **{"each": 6, "tagger": ListTagger(), **options}), out  # type: ignore[arg-type]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_most_and_the_least_frequent_and_random_others_are_kept(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus")
    result, out = run(tmp_path, "out.csv")
    rows = rows_of(out)
    assert Counter(row["picked"] for row in rows) == {"most frequent": 1, "least frequent": 1, "random": 4}
    by_reason = {row["picked"]: row for row in rows}
    assert (by_reason["most frequent"]["adjective"], by_reason["most frequent"]["count"]) == ("late", "30")
    assert (by_reason["least frequent"]["adjective"], by_reason["least frequent"]["count"]) == ("loud", "1")
    assert len({row["adjective"] for row in rows}) == 6
    assert result.shortfalls == {"never": 0, "maybe": 0, "surely": 0}
    assert all(row["text"].endswith(f"is [MASK] {row['adjective']}.") for row in rows)


def test_a_spelling_error_is_never_the_least_frequent(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus")
    _, out = run(tmp_path, "out.csv", each=40)
    assert "xqzwful" not in {row["adjective"] for row in rows_of(out)}


def test_another_seed_draws_other_contexts(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus")
    texts = [{row["text"] for row in rows_of(run(tmp_path, f"{seed}.csv", seed=seed)[1])} for seed in (1, 2)]
    assert texts[0] != texts[1]


def test_the_draw_does_not_depend_on_the_order_of_the_texts() -> None:
    matches = [Match(f"{n} is [MASK] late.", "always", "late") for n in range(50)]
    forward, backward = Tallies(0), Tallies(0)
    for match in matches:
        forward.add(match)
    for match in reversed(matches):
        backward.add(match)
    assert draw_samples(forward, "always", 1) == draw_samples(backward, "always", 1)


def test_every_context_is_as_likely_to_be_drawn_as_any_other() -> None:
    drawn: Counter[str] = Counter()
    for seed in range(2000):
        tallies = Tallies(seed)
        for n in range(4):
            tallies.add(Match(f"{n} is [MASK] late.", "always", "late"))
        drawn[draw_samples(tallies, "always", 1)[0].text] += 1
    assert min(drawn.values()) > 430
    assert max(drawn.values()) < 570


def test_an_interrupted_harvest_continues_to_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_corpus(tmp_path / "corpus")
    _, whole = run(tmp_path, "whole.csv")
    monkeypatch.setattr(tacit.harvest.harvester, "SAVE_EVERY", 7)
    read_so_far = 0

    def stop_at_60(more: int) -> None:
        nonlocal read_so_far
        read_so_far += more
        if read_so_far == 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "out.csv", watch=stop_at_60)
    assert not (tmp_path / "out.csv").exists()
    assert progress_path(tmp_path / "out.csv").exists()
    read_so_far = 1000
    _, out = run(tmp_path, "out.csv", watch=stop_at_60)
    assert read_so_far < 1000 + 92 - 45
    assert out.read_bytes() == whole.read_bytes()
    assert not progress_path(out).exists()


def test_progress_of_another_harvest_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_corpus(tmp_path / "corpus")
    monkeypatch.setattr(tacit.harvest.harvester, "SAVE_EVERY", 5)

    def stop(_: int) -> None:
        if progress_path(tmp_path / "out.csv").exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "out.csv", watch=stop)
    with pytest.raises(TacitError, match="belongs to a harvest with a different seed"):
        run(tmp_path, "out.csv", seed=5)


def test_a_harvest_is_material_for_the_probe(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus")
    _, out = run(tmp_path, "out.csv")
    probe = write_probe(tmp_path / "again", sentences=out.read_text())
    assert len(read(probe).items) == 6


def test_nothing_found_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.txt").write_text("Nothing here fits.")
    with pytest.raises(TacitError, match=r"Nothing was written\."):
        run(tmp_path, "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_the_command_takes_files_as_a_shell_gives_them(tmp_path: Path) -> None:
    corpus = [str(path) for path in write_corpus(tmp_path / "corpus")]
    out = tmp_path / "out.csv"
    words = ["harvest", "intensifier", "--corpus", *corpus, "--out", str(out), "--each", "3"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert f"{out}: 3 sentences from 92 texts" in result.output.replace("\n", " ")
    assert len(rows_of(out)) == 3
    again = CliRunner().invoke(app, words)
    assert isinstance(again.exception, TacitError)
