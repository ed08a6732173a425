"""``bullscows jobs ...``: a list of questions that is worked off whatever happens."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from bullscows.cli.jobs.estimate import estimate
from bullscows.cli.options import (
    CLAIM_FAILS,
    AsJson,
    Cluster,
    Nice,
    Processes,
    Slice,
    StoreFile,
    default_store,
    emit,
    started_pool,
)
from bullscows.cli.progress import tasks_shown
from bullscows.game.history import InconsistentError
from bullscows.game.objective import INFINITE
from bullscows.jobs.pools import Pool
from bullscows.jobs.store.lines import JobLineError, Line, parse_lines, state_of
from bullscows.jobs.store.overview import Overview, first_bounds, listed
from bullscows.jobs.store.store import Store
from bullscows.jobs.store.tasks import Task
from bullscows.kernels.bounds import split_levels

_WATCH_SECONDS = 5.0

jobs_commands = typer.Typer(
    no_args_is_help=True,
    help="Long searches as a list of tasks that survives crashes and restarts.",
)


@jobs_commands.command()
def add(
    lines: Annotated[
        list[str] | None, typer.Argument(metavar="[LINE...]", help="Jobs, one an argument.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="A file of such lines; - for input.")
    ] = None,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Put jobs on the list, such as "solve 0123(0,1)+0145(0,1) 7 4 8".

    State, turns, what to count (7: secrets guessed at turn 7), the paper's mde, and beta: the
    value is wanted if below beta, else a proof that it is not.  "#" begins a comment; rules=p4c6r
    and objective=average,last may come before it.
    """
    given = [line for text in lines or [] for line in text.splitlines()]
    jobs = _parsed([*given, *_read(file)])
    if not jobs:
        raise typer.BadParameter("give a job or a file of jobs")
    with Store.open(store or default_store()) as opened:
        added = sum(opened.add_job(str(job.question), job.budget, job.text()) for job in jobs)
    stronger = [job for job in jobs if job.is_stronger]
    if stronger:
        typer.echo(
            f"solved exactly, which is stronger than the mde given: {len(stronger)} of "
            f"{len(jobs)}, the first {stronger[0].text()}",
            err=True,
        )
    emit({"added": added, "known": len(jobs) - added}, [f"{added} added"], as_json)


def _known(store: Path | None) -> Path:
    """Return the store's file; one that was named, and is not there, is a slip."""
    if store is not None and not store.exists():
        raise typer.BadParameter(f"there is no store {store}; `bullscows jobs add` makes one")
    return store or default_store()


def _read(file: Path | None) -> list[str]:
    if file is None:
        return []
    if str(file) == "-":
        return sys.stdin.read().splitlines()
    try:
        return file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise typer.BadParameter(f"{file} can't be read: {reason}") from None


def _parsed(texts: list[str]) -> list[Line]:
    try:
        jobs = list(parse_lines(texts))
    except JobLineError as error:
        raise typer.BadParameter(str(error)) from None
    for job in jobs:
        if not len(job.question.candidates):
            raise InconsistentError(job.question.history, job.question.rules)
    return jobs


@jobs_commands.command("list")
def list_jobs(store: StoreFile = None, as_json: AsJson = False) -> None:
    """Write the list as text, each job with its state: solve, taken, done VALUE or failed."""
    with Store.open(_known(store)) as opened:
        known = listed(opened)
    rows = [
        {
            "job": line.text(state_of(line, task)),
            "question": str(line.question),
            "state": state_of(line, task).split()[0],
            "lower": _finite(task.lower) if task else None,
            "upper": _finite(task.upper) if task else None,
            "levels": _levels(line, task),
            "reason": task.reason if task else None,
        }
        for line, task in known
    ]
    emit({"jobs": rows}, [str(row["job"]) for row in rows], as_json)


def _finite(bound: int | None) -> int | None:
    """Return a bound, or None if there is none: what is impossible has no cost."""
    return bound if bound is not None and bound < INFINITE else None


def _levels(line: Line, task: Task | None) -> dict[str, int] | None:
    """Take the value of a combined objective apart."""
    if task is None or not task.exact or task.lower >= INFINITE:
        return None
    question = line.question
    answers = len(question.rules.answers)
    return split_levels(question.weights(), task.lower, task.estimate, answers, question.turn)


@jobs_commands.command("run")
def run_jobs(
    processes: Processes = None,
    cluster: Cluster = None,
    nice: Nice = 10,
    seconds: Slice = 5.0,
    watch: Annotated[bool, typer.Option(help="Wait for more jobs when all are done.")] = False,
    store: StoreFile = None,
    as_json: AsJson = False,
) -> None:
    """Work the list off, longest tasks first; Ctrl-C keeps what is done. 1 if a job failed."""
    with Store.open(store or default_store()) as opened:
        with started_pool(processes, cluster, nice) as pool:
            while True:
                _work_off(opened, pool, seconds)
                if not watch:
                    break
                time.sleep(_WATCH_SECONDS)
        known = listed(opened)
    states = [state_of(line, task) for line, task in known]
    texts = [line.text(state) for (line, _), state in zip(known, states, strict=True)]
    done = sum(state.startswith("done") for state in states)
    emit({"done": done, "left": len(states) - done, "jobs": texts}, texts, as_json)
    if done < len(states):
        raise typer.Exit(CLAIM_FAILS)


def _work_off(store: Store, pool: Pool, seconds: float) -> None:
    """Work on what is open, then on what was added meanwhile, until nothing new is there."""
    from bullscows.jobs.coordinator import run
    from bullscows.jobs.plan import Plan

    begun: set[Line] = set()
    while lines := [line for line in _open(store) if line not in begun]:
        begun.update(lines)
        plans = [
            Plan(line.question, budget=line.budget, plies=0 if line.question.history else 1)
            for line in lines
        ]
        with tasks_shown("jobs") as show:
            run(plans, store, pool, slice_seconds=seconds, progress=show)


def _open(store: Store) -> list[Line]:
    return [
        line
        for line, task in listed(store)
        if not state_of(line, task).startswith(("done", "failed"))
    ]


@jobs_commands.command()
def status(store: StoreFile = None, as_json: AsJson = False) -> None:
    """Count the tasks by state, and show each job that is not done, with its proven bounds.

    A job that was not begun counts as one task that waits.
    """
    path = _known(store)
    with Store.open(path) as opened:
        overview = Overview.of(opened)
    counts, seconds, left = overview.counts, overview.seconds, overview.left
    texts = [f"{path}: " + ", ".join(f"{count} {state}" for state, count in counts.items())]
    rate = f", {overview.rate:.1f} tasks a minute of the processor" if overview.rate else ""
    texts.append(f"{seconds} seconds of work kept{rate}")
    if left:
        texts.append(f"about {left:.0f} seconds of work known to be left; more may come of it")
    jobs = [_open_job(line, task) for line, task in overview.open]
    texts += jobs
    texts += [f"failed: {task.question}: {task.reason}" for task in overview.failed]
    value = {"store": str(path), **counts, "seconds": seconds, "left": left, "jobs": jobs}
    emit(value, texts, as_json)


def _open_job(line: Line, task: Task | None) -> str:
    """Return a job that is not done as a line, with its state or the proven bounds."""
    if task is None:
        return f"{line.text('solve')}: not begun"
    bounds = first_bounds(line, task)
    upper = "unknown" if bounds.upper is None else f"at most {bounds.upper}"
    return f"{line.text('solve')}: at least {bounds.lower}, {upper}"


@jobs_commands.command()
def retry(store: StoreFile = None, as_json: AsJson = False) -> None:
    """Let failed tasks wait again."""
    with Store.open(_known(store)) as opened:
        count = opened.retry()
    emit({"retried": count}, [f"{count} failed tasks wait again"], as_json)


jobs_commands.command()(estimate)
