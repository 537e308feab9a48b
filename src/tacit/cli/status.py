"""`tacit status`: the jobs that are running now."""

from __future__ import annotations

from tacit.cli.verbosity import note

__all__ = ["status"]


def status() -> None:
    """Show the jobs that are running now, also those on a cluster: how far they are and how long the rest takes."""
    from tacit.cli.tables import show
    from tacit.runs.estimate import duration_words
    from tacit.runs.jobs import running_jobs

    jobs = running_jobs()
    if not jobs:
        note("No job is running.\n\nNext: tacit runs")
        return
    rows = []
    for job in jobs:
        of_all = "" if job.total is None else f" of {job.total:,}"
        left = "?" if job.seconds_left is None else duration_words(job.seconds_left)
        rows.append(
            (job.probe, job.model, f"{job.answered:,}{of_all}", f"{job.rate:,.0f}/s", left, job.where, job.folder)
        )
    show("", ["probe", "model", "answered", "rate", "left", "where", "folder"], rows)
