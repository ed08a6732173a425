"""``bullscows jobs``: long searches from a file, in their order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bullscows.cli import options as opt
from bullscows.search.jobs_file import FAILED, Job
from bullscows.search.position import Progress

jobs_group = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Long searches from a file, in their order.",
)


@jobs_group.callback()
def _group() -> None:
    """Make a group of the only command."""


@jobs_group.command("run")
@opt.command
def run_jobs(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File with a job in each line.")],
    threads: opt.Threads = 1,
    cluster: opt.ClusterAddress = None,
    time_limit: opt.TimeLimit = None,
) -> opt.Outcome:
    """Solve the open jobs of a file and write their states into it.

    A line such as "solve 0123(0,1)+0145(0,1) 7 4 8" has the position, the last turn, mde (after
    turn 4 a one-step rule guesses; - is the exact search), and beta: the value is wanted if it is
    below 8. rules=p4c6r and objective=average,last can follow, and # starts a comment.

    The state becomes taken, then done with the value, or failed. The same command continues an
    interrupted run. The exit code is 1 if a job failed, 3 if the time limit left jobs open, and 130
    after Ctrl-C.
    """
    from bullscows.strategies.jobs import run_jobs as run

    with (
        opt.terminable(),
        opt.connected(cluster) as workers,
        opt.progress_shown("jobs", _line) as show,
    ):
        progress = None if show is None else lambda job, progress: show((job, progress))
        ended = run(
            file, threads=threads, cluster=workers, time_limit=time_limit, progress=progress
        )
    texts = [f"{job.state}: {job.text}" for job in ended.jobs]
    for question, reason in ended.reasons.items():
        typer.echo(f"bullscows: {question}: {reason}", err=True)
    left = sum(job.is_open for job in ended.jobs)
    failed = sum(job.state == FAILED for job in ended.jobs)
    record = {"done": len(texts) - left - failed, "failed": failed, "left": left, "jobs": texts}
    code = opt.CLAIM_FAILS if failed else opt.UNPROVED if left else opt.DONE
    return opt.Outcome(record, texts, code)


def _line(progressed: tuple[Job, Progress]) -> str:
    job, progress = progressed
    return f"{job.text}: {opt.search_line(job.question.text, progress)}"
