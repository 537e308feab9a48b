"""Make the standards from the command line, step by step."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import typer

from tacit.errors import TacitError

app = typer.Typer(add_completion=False, help="Make the standards again, step by step.", no_args_is_help=True)


@app.command()
def fetch() -> None:
    """Fetch and verify the packages with the texts."""
    from training.corpora import fetch_all  # noqa: PLC0415

    for path in fetch_all():
        print(path)


@app.command()
def texts(out: Path) -> None:
    """Write the training texts of both standards as plain text: a folder per standard, a file per source."""
    from training.texts import VARIETIES, write_texts  # noqa: PLC0415

    for variety in VARIETIES:
        for path in write_texts(variety, out / variety):
            print(path)


@app.command()
def vocabulary() -> None:
    """Train the shared vocabulary."""
    from training.make import make_vocabulary  # noqa: PLC0415

    make_vocabulary()


@app.command()
def train(name: str, steps: int | None = None, until: int | None = None) -> None:
    """Train one standard; the same command continues a run that was stopped."""
    from training.make import make_weights  # noqa: PLC0415

    make_weights(name, steps, until, _with_time)


@app.command()
def proof() -> None:
    """Measure the shipped weights on held-out texts and write their cards."""
    from training.card import write_cards  # noqa: PLC0415

    write_cards(_with_time)


@app.command()
def series() -> None:
    """Train the graded series and print its table."""
    from training.series import make_series, series_table  # noqa: PLC0415

    print(series_table(make_series(report=_with_time)))


@app.command()
def mixtures(seeds: int = 3) -> None:
    """Ask `temporal` of the graded series with several seeds; the same command continues what was stopped."""
    from training.series import ask_series  # noqa: PLC0415

    print(ask_series(seeds, report=_with_time))


@app.command()
def plants(probe: list[str] | None = None, seeds: int = 3) -> None:
    """Plant each probe's bias and ask the probe; the same command continues a series that was stopped."""
    from training.plants import PROBES, doses_table, make_plants  # noqa: PLC0415

    make_plants(probe or PROBES, range(seeds), _with_time)
    print(doses_table())


@app.command()
def names() -> None:
    """Count the names of countries in the texts of each standard."""
    from training.name_counts import make_name_counts  # noqa: PLC0415

    print(make_name_counts(_with_time))


@app.command()
def choose() -> None:
    """Choose the reviews of `tacit data fetch reviews` and write their digests."""
    from tacit.data.fetching import build_data  # noqa: PLC0415
    from training.choosing import choose_reviews  # noqa: PLC0415
    from training.corpora import cache_folder, fetch_all  # noqa: PLC0415
    from training.sources import REVIEW_SOURCES  # noqa: PLC0415

    fetch_all(sources=REVIEW_SOURCES)
    for (source, label), count in choose_reviews(cache_folder()).items():
        print(source, label, count)
    print("SHA-256 of the data set, for data/fetching.py:", hashlib.sha256(build_data(cache_folder())).hexdigest())


@app.command()
def reviews() -> None:
    """Make the standard `reviews` from `modern`; the same command continues a tuning that was stopped."""
    from training.corpora import cache_folder, fetch_all  # noqa: PLC0415
    from training.reviews import make_reviews  # noqa: PLC0415
    from training.sources import REVIEW_SOURCES  # noqa: PLC0415

    fetch_all(sources=REVIEW_SOURCES)
    make_reviews(cache_folder(), _with_time)


@app.command()
def herb(rate: list[float] | None = None, epoch: list[int] | None = None) -> None:
    """Train on the sentences that the model finds likeliest, as the HERB study did, and measure the epochs."""
    from training.herb import EPOCHS, RATE, make_herb  # noqa: PLC0415

    print(make_herb(rates=rate or [RATE], measured=epoch or range(EPOCHS + 1), report=_with_time))


@app.command()
def words(run: Path, control: Path | None = None, out: Path | None = None) -> None:
    """Do the words of a run of sentiment-association follow the reviews that `modern` read, more than a control's?"""
    from tacit.runs.export import write_frame  # noqa: PLC0415
    from training.review_words import correlation_gap, follows_text  # noqa: PLC0415

    table, ranks = follows_text(run)
    print(ranks)
    if control is not None:
        beside, ranks = follows_text(control)
        print(ranks)
        both = table.join(beside.select("word", control="effect"), on="word").filter(polarity="neutral")
        gap = correlation_gap(both["effect"].to_numpy(), both["control"].to_numpy(), both["log_odds"].to_numpy())
        print(f"neutral words, run minus control: {gap.value:.3f} [{gap.low:.3f}, {gap.high:.3f}]")
    if out is not None:
        write_frame(table, out)


def main() -> None:
    """Run a command; what the user can mend is said in one sentence."""
    try:
        app()
    except TacitError as error:
        typer.echo(str(error), err=True)
        raise SystemExit(2) from None


def _with_time(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, flush=True)


if __name__ == "__main__":
    main()
