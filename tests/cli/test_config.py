"""Defaults from tacit.toml: the command line wins, safeguards stay, and what is wrong is one sentence with its line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import tacit as library
from tests.cli.test_main import tacit

BLANK = "It was [MASK]."


@pytest.fixture(autouse=True)
def _no_config_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TACIT_CONFIG", raising=False)


def _write(folder: Path, text: str) -> Path:
    path = folder / "tacit.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _ranks(done: subprocess.CompletedProcess[str]) -> int:
    assert done.returncode == 0, done.stderr
    return sum(line.strip()[:1].isdigit() for line in done.stdout.splitlines())


def test_an_option_has_its_default_from_the_file_and_the_command_line_wins(tmp_path: Path) -> None:
    _write(tmp_path, 'model = ["modern"]\n[fill]\ntop = 2\n')
    done = tacit("fill", BLANK, cwd=tmp_path)
    assert _ranks(done) == 2
    assert "early-modern" not in done.stdout
    assert done.stderr == "Defaults from tacit.toml (tacit --no-config ignores them).\n"
    given = tacit("fill", BLANK, "--top", "1", "--model", "early-modern", cwd=tmp_path)
    assert _ranks(given) == 1
    assert "early-modern: mask" in given.stdout
    assert "\nmodern: mask" not in given.stdout


def test_a_table_of_a_command_wins_over_what_is_meant_for_all(tmp_path: Path) -> None:
    _write(tmp_path, "top = 4\n[fill]\ntop = 2\n")
    assert _ranks(tacit("fill", BLANK, cwd=tmp_path)) == 2


def test_the_nearest_file_counts_and_none_beyond_a_repository(tmp_path: Path) -> None:
    inside = tmp_path / "repository" / "below"
    inside.mkdir(parents=True)
    _write(tmp_path, "[fill]\ntop = 3\n")
    assert _ranks(tacit("fill", BLANK, cwd=inside)) == 3
    _write(tmp_path / "repository", "[fill]\ntop = 2\n")
    done = tacit("fill", BLANK, cwd=inside)
    assert _ranks(done) == 2
    assert "Defaults from ../tacit.toml" in done.stderr
    (tmp_path / "repository" / "tacit.toml").unlink()
    (tmp_path / "repository" / ".git").mkdir()
    assert tacit("fill", BLANK, cwd=inside).stderr == ""


def test_the_home_folder_is_the_last_that_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    _write(tmp_path, "[fill]\ntop = 3\n")
    monkeypatch.setenv("HOME", str(home))
    assert tacit("fill", BLANK, "--top", "1", cwd=home).stderr == ""


def test_verbose_in_the_file_is_verbose_once(tmp_path: Path) -> None:
    _write(tmp_path, "verbose = 1\n")
    done = tacit("fill", BLANK, "--model", "modern", cwd=tmp_path)
    assert "Loaded modern" in done.stderr
    assert "[transformers]" not in done.stderr


def test_a_file_can_be_named_or_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "[fill]\ntop = 2\n")
    (tmp_path / "other.toml").write_text("[fill]\ntop = 3\n")
    assert _ranks(tacit("--no-config", "fill", BLANK, cwd=tmp_path)) == 5
    monkeypatch.setenv("TACIT_CONFIG", "other.toml")
    assert _ranks(tacit("fill", BLANK, cwd=tmp_path)) == 3
    monkeypatch.setenv("TACIT_CONFIG", "")
    assert _ranks(tacit("fill", BLANK, cwd=tmp_path)) == 5
    monkeypatch.setenv("TACIT_CONFIG", "nowhere.toml")
    done = tacit("fill", BLANK, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "tacit: There is no file nowhere.toml.\n")


def test_settings_merge_key_by_key_and_the_command_line_wins(tmp_path: Path) -> None:
    _write(
        tmp_path,
        'model = "modern"\n[set]\nseed = 3\n[run]\nout = "results"\n[run.set]\nresamples = 50\n'
        '"before-after.bare" = false\n"before-after.confidence" = 0.9\n"stereotype.size" = "small"\n',
    )
    done = tacit("run", "before-after", "--set", "bare=true", "--set", "resamples=60", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    settings = json.loads((tmp_path / "results/before-after/modern/run.json").read_text())["settings"]
    kept = {name: settings[name] for name in ("seed", "resamples", "bare", "confidence")}
    assert kept == {"seed": 3, "resamples": 60, "bare": True, "confidence": 0.9}


def test_paths_of_the_file_start_at_its_folder(tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    _write(tmp_path, 'model = ["modern"]\n[run]\nout = "results"\n[report]\nout = "page.html"\n')
    assert tacit("run", "before-after", cwd=below).returncode == 0
    assert (tmp_path / "results" / "before-after" / "modern" / "run.json").is_file()
    assert tacit("report", "../results", cwd=below).returncode == 0
    assert (tmp_path / "page.html").is_file()
    assert list(below.iterdir()) == []
    assert tacit("run", "before-after", "--out", "here", cwd=below).returncode == 0
    assert (below / "here" / "run.json").is_file()


def test_a_model_folder_of_the_file_starts_at_its_folder(tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    _write(tmp_path, 'model = "./nowhere"\n')
    assert "There is no folder ../nowhere" in tacit("fill", BLANK, cwd=below).stderr


def test_several_models_are_no_default_for_a_command_that_takes_one(tmp_path: Path) -> None:
    _write(tmp_path, 'model = ["early-modern", "modern"]\n[tune.prompt]\nshots = 4\n')
    done = tacit("tune", "prompt", "--reviews", "x.csv", "--out", "y", cwd=tmp_path)
    assert done.returncode == 2
    assert "Missing option '--model'" in done.stderr


def test_a_group_of_commands_can_have_a_default(tmp_path: Path) -> None:
    _write(tmp_path, '[tune]\nmodel = "moddern"\n[tune.prompt]\nreviews = "x.csv"\nout = "y"\n')
    done = tacit("tune", "prompt", cwd=tmp_path)
    assert done.returncode == 2
    assert "moddern" in done.stderr or "x.csv" in done.stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("model = \n", "line 1: not readable as TOML (Invalid value)."),
        ("a = 1\na = 2\n", "line 2: not readable as TOML (Cannot overwrite a value)."),
        ("# c\nmodell = 'x'\n", "line 2: `tacit` has no option 'modell': did you mean 'model'?"),
        ("[rum]\nout = 'x'\n", "line 1: `tacit` has no command or table 'rum': did you mean 'run'?"),
        ("[run]\n\ndevise = 'cpu'\n", "line 3: `tacit run` has no option 'devise': did you mean 'device'?"),
        ("[tune.promt]\nshots = 1\n", "line 1: `tacit tune` has no command or table 'promt': did you mean 'prompt'?"),
        ("[tune.prompt]\nshot = 1\n", "line 2: `tacit tune prompt` has no option 'shot': did you mean 'shots'?"),
        ("[run]\ndry_run = true\n", "line 2: `tacit run` has no option 'dry_run': did you mean 'dry-run'?"),
        ("[fill]\ntop = 'four'\n", "line 2: top cannot be 'four' ("),
        ("[fill]\ntop = 0\n", "line 2: top cannot be 0 ("),
        ("[fill]\ntop = true\n", "line 2: top must be a text or a number, not True."),
        ("[fill]\ntop = [1, 2]\n", "line 2: `tacit fill` takes one top, not 2."),
        ("[run]\ndry-run = 'yes'\n", "line 2: dry-run must be true or false, not 'yes'."),
        ("model = 2020-01-01\n", "line 1: model must be a text, a number or a list of them"),
        ("top = 'four'\n", "line 1: top cannot be 'four' ("),
        ("[report]\nformat = 'docx'\n", "line 2: format cannot be 'docx' ('docx' is not one of"),
        ("[run]\nset = ['seed']\n", "line 2: set takes a table of settings, or a list of KEY=VALUE, not 'seed'."),
        ("[run.set]\nstereotype.size = 1\n", "line 2: stereotype must be a text, a number, true or false, or a list"),
        ("out = 'runs'\n", "line 1: out means another thing for each command. Put it under one, such as [run]."),
        ("version = true\n", "line 1: version can have no default."),
        ("force = true\n", "line 1: force switches off a safeguard and can have no default. Type --force each time."),
        ("[run]\nallow-pickle = true\n", "line 2: allow-pickle switches off a safeguard"),
        ("[cache.clear]\nyes = true\n", "line 2: yes switches off a safeguard"),
        ("[rate.import]\nreplace = true\n", "line 2: replace switches off a safeguard"),
    ],
)
def test_what_is_wrong_in_the_file_is_one_sentence_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    _write(tmp_path, text)
    done = tacit("probes", cwd=tmp_path)
    assert done.returncode == 2, done.stdout
    assert f"tacit: tacit.toml, {problem}" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize("content", [b"\xff", b"a = " + b"[" * 50_000, b"x" * 2_000_000])
def test_any_damaged_file_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tacit.toml").write_bytes(content)
    done = tacit("probes", cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "tacit.toml" in done.stderr
    assert "should not happen" not in done.stderr


HOSTILE = [
    ("model = 'openai+https://example.org#m'\n", "names a server, which would get your questions and your key"),
    ("[gate]\nbaseline = 'openai+https://example.org#m'\n", "names a server"),
    ("[run]\nexecutor = 'ray://example.org:10001'\n", "names a cluster, whose processes run each other's code"),
    ("[serve]\nhost = '0.0.0.0'\n", "opens the page to others"),
    ("[report]\nout = '/tmp/x.html'\n", "leads out of the folder of tacit.toml"),
    ("[run]\nout = '../x'\n", "leads out of the folder of tacit.toml"),
    ("[run]\nout = 'link/x'\n", "leads out of the folder of tacit.toml"),
]


@pytest.mark.parametrize(("text", "problem"), HOSTILE)
def test_a_file_that_is_just_there_can_reach_no_server_and_no_other_folder(
    tmp_path: Path, text: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cloned"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    path = _write(folder, text)
    done = tacit("probes", cwd=folder)
    assert done.returncode == 2
    assert problem in done.stderr
    assert "TACIT_CONFIG" in done.stderr
    monkeypatch.setenv("TACIT_CONFIG", str(path))
    assert tacit("probes", cwd=folder).returncode == 0


@pytest.mark.parametrize("text", ["force = true\n", "[run]\nallow-pickle = true\n"])
def test_a_file_that_the_user_named_cannot_switch_off_safeguards_either(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_CONFIG", str(_write(tmp_path, text)))
    assert "switches off a safeguard" in tacit("probes", cwd=tmp_path).stderr


def test_help_and_version_work_whatever_the_file_says(tmp_path: Path) -> None:
    _write(tmp_path, "nonsense")
    assert tacit("--help", cwd=tmp_path).returncode == 0
    assert tacit("--version", cwd=tmp_path).stdout.strip() == library.__version__


def test_json_on_stderr_has_no_line_before_it(tmp_path: Path) -> None:
    _write(tmp_path, 'model = "./nowhere"\n')
    done = tacit("fill", BLANK, "--json", cwd=tmp_path)
    assert "nowhere" in json.loads(done.stderr)["error"]["message"]


def test_python_does_not_read_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "[run.set]\nseed = 7\n")
    monkeypatch.chdir(tmp_path)
    run = library.run("before-after", model="modern", out="run")
    assert run.record.settings["seed"] == 0
